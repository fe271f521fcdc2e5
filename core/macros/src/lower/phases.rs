//! Phases, and the rows that belong to a group as a whole.

use super::Lowerer;
use crate::hir::{Arg, Phase, Place};
use crate::ty::Ty;
use imminent_ir::{
    Arg as IrArg, Base, Block, Expr as IrExpr, ExprKind, FunctionId, LocalId, LocalKind, Param, ParamId, ParamKind,
    Place as IrPlace, Stmt, StmtKind, Type,
};

impl Lowerer<'_, '_> {
    /// Lowers the closure into its function, and runs it.
    pub(super) fn put_phase(&mut self, phase: &Phase, into: Option<LocalId>) {
        let line = self.line;
        let mut args = Vec::new();
        for arg in &phase.args {
            args.push(match arg {
                Arg::Value(value) => IrArg::Value(self.value(value)),
                Arg::InOut(place, _) | Arg::Resource(place, _) => self.resource(place),
            });
        }
        let params = phase.params.iter().map(|(name, ty)| {
            let ty = self.infer.deep(ty);
            let kind = self.program.param_kind(&ty).unwrap_or(ParamKind::Value(Type::Unit));
            Param { name: name.clone(), kind }
        });
        let params = params.collect();
        let result = if phase.vote.is_some() { Ty::BOOL } else { Ty::Unit };
        let function = &mut self.program.module.functions[phase.function.index()];
        function.params = params;
        function.result = result.to_ir().unwrap_or(Type::Unit);
        let (locals, body) = super::function(self.program, self.infer, &phase.body, phase.function, &result);
        let function = &mut self.program.module.functions[phase.function.index()];
        function.locals = locals;
        function.body = body;
        self.line = line;
        self.push(StmtKind::Phase { into, vote: phase.vote, function: phase.function, args });
    }

    /// Returns a resource as an argument. The copy of a group's row is a value.
    pub(super) fn resource(&mut self, place: &Place) -> IrArg {
        let (place, _) = self.place(place);
        match place.base {
            Base::Local(local) if self.group_rows.iter().any(|(_, copy)| *copy == local) => IrArg::InOut(place),
            _ => IrArg::Resource(place),
        }
    }

    /// Returns the copy that replaces a parameter, if that is a group's row.
    pub(super) fn group_row(&self, param: u32) -> Option<LocalId> {
        self.group_rows.iter().find(|(known, _)| *known == param).map(|(_, copy)| *copy)
    }

    /// Copies the rows that the group may change: each is read once, at the start.
    pub(super) fn copy_group_rows(&mut self, id: FunctionId) {
        let params = &self.program.signatures[id.index()].params;
        if !params.iter().any(|param| matches!(param.ty.behind_reference(), Ty::Group(_))) {
            return;
        }
        self.line = self.program.module.functions[id.index()].line;
        for (position, param) in self.ir_params.clone().iter().enumerate() {
            let ParamKind::Row(row, true) = param.kind else { continue };
            let ty = Type::Struct(row);
            let copy = self.new_local(param.name.clone(), LocalKind::Value(ty.clone()));
            let place = IrPlace { base: Base::Param(ParamId(position as u32)), path: Vec::new() };
            self.push(StmtKind::Let(copy, Some(IrExpr { ty, kind: ExprKind::Load(place) })));
            self.group_rows.push((position as u32, copy));
        }
    }

    /// Stores the copies wherever the function is left.
    pub(super) fn store_group_rows(&mut self) {
        if self.group_rows.is_empty() {
            return;
        }
        let stores: Vec<StmtKind> = self
            .group_rows
            .iter()
            .map(|(param, copy)| {
                let place = IrPlace { base: Base::Param(ParamId(*param)), path: Vec::new() };
                StmtKind::Assign(place, self.load(*copy))
            })
            .collect();
        let line = self.line;
        before_returns(&mut self.block, &stores);
        if !super::ends_in_return(&self.block) {
            self.block.extend(stores.into_iter().map(|kind| Stmt { line, kind }));
        }
    }
}

/// Puts statements before every `return` of a block.
fn before_returns(block: &mut Block, stores: &[StmtKind]) {
    let mut at = 0;
    while let Some(stmt) = block.get_mut(at) {
        match &mut stmt.kind {
            StmtKind::Return(_) => {
                let line = stmt.line;
                let new = stores.iter().map(|kind| Stmt { line, kind: kind.clone() });
                block.splice(at..at, new);
                at += stores.len();
            }
            StmtKind::If(_, then, otherwise) => {
                before_returns(then, stores);
                before_returns(otherwise, stores);
            }
            StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => {
                before_returns(body, stores);
            }
            _ => {}
        }
        at += 1;
    }
}
