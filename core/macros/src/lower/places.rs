//! Places, and assignments to them.

use super::{Lowerer, effects, line_of};
use crate::hir::{Base, Expr, Place, Step};
use crate::ty::Ty;
use imminent_ir::{
    Base as IrBase, BinaryOp, Expr as IrExpr, ExprKind, FaultKind, FieldType, LocalKind, ParamId, Place as IrPlace,
    Step as IrStep, StmtKind, Type,
};

impl Lowerer<'_, '_> {
    /// Returns `true` if reading a place needs no statement.
    pub(super) fn is_plain(&self, place: &Place) -> bool {
        matches!(place.base, Base::Param(_) | Base::Local(_) | Base::Const(_))
            && !place.path.iter().any(|step| matches!(step, Step::Index(_)))
    }

    /// Returns the place in the IR, and `true` if one of its indices has to be checked.
    pub(super) fn place(&mut self, place: &Place) -> (IrPlace, bool) {
        let base = match &place.base {
            Base::Param(index) => match self.group_row(*index) {
                Some(copy) => IrBase::Local(copy),
                None => IrBase::Param(ParamId(*index)),
            },
            Base::Local(index) => match self.declared[*index as usize] {
                Some(local) => IrBase::Local(local),
                // Unreachable code may read locals that no statement declared.
                None => IrBase::Local(self.declare_late(*index)),
            },
            Base::Const(id) => IrBase::Const(*id),
            Base::RowOf(rows, index, span) => {
                let rows_base = self.place(rows).0.base;
                let index = self.value(index);
                let id = self.row_struct(rows);
                let name = format!("_t{}", self.locals.len());
                let local = self.new_local(name, LocalKind::RowRef(id));
                self.stable.insert(local);
                self.line = line_of(*span);
                let site = self.site(FaultKind::RowOutOfRange, *span);
                self.push(StmtKind::BindRow { local, rows: rows_base, index, site });
                IrBase::Local(local)
            }
            Base::Value(value) => {
                let ty = self.ty(&value.ty);
                let local = self.temporary(ty);
                self.declare(value, local);
                IrBase::Local(local)
            }
        };
        let mut path = Vec::new();
        let mut checked = false;
        let indices: Vec<&Expr> = place
            .path
            .iter()
            .filter_map(|step| match step {
                Step::Index(index) => Some(&**index),
                _ => None,
            })
            .collect();
        let mut lowered = self.operands(&indices).into_iter();
        for step in &place.path {
            path.push(match step {
                Step::Field(field) => IrStep::Field(*field),
                Step::Known(index) => IrStep::Index(Box::new(Lowerer::u32(*index))),
                Step::Index(_) => {
                    checked = true;
                    IrStep::Index(Box::new(lowered.next().unwrap_or_else(|| Lowerer::u32(0))))
                }
            });
        }
        (IrPlace { base, path }, checked)
    }

    fn declare_late(&mut self, local: u32) -> imminent_ir::LocalId {
        let id = self.declare_local(local);
        if matches!(self.locals[id.index()].kind, LocalKind::Value(_)) {
            self.push(StmtKind::Let(id, None));
        }
        id
    }

    fn row_struct(&self, rows: &Place) -> imminent_ir::StructId {
        if let Base::Param(index) = rows.base
            && let Some(function) = self.params().get(index as usize)
            && let imminent_ir::ParamKind::Rows(id) = function.kind
        {
            return id;
        }
        imminent_ir::StructId(0)
    }

    /// Keeps the indices of a place, so that later statements cannot move it.
    pub(super) fn freeze(&mut self, place: IrPlace) -> IrPlace {
        let path = place
            .path
            .into_iter()
            .map(|step| match step {
                IrStep::Index(index) => IrStep::Index(Box::new(self.keep(*index))),
                field => field,
            })
            .collect();
        IrPlace { base: place.base, path }
    }

    /// Returns the type of the value in a place.
    pub(super) fn place_type(&self, place: &Place) -> Type {
        let mut ty = match &place.base {
            Base::Param(index) => match self.params().get(*index as usize).map(|param| &param.kind) {
                Some(imminent_ir::ParamKind::Value(ty) | imminent_ir::ParamKind::InOut(ty)) => ty.clone(),
                Some(
                    imminent_ir::ParamKind::Row(id, _)
                    | imminent_ir::ParamKind::Params(id)
                    | imminent_ir::ParamKind::Rows(id),
                ) => Type::Struct(*id),
                _ => Type::Unit,
            },
            Base::Local(index) => match self.infer.deep(&self.body.locals[*index as usize].ty) {
                Ty::Ref(inner, _) => inner.to_ir().unwrap_or(Type::Unit),
                other => other.to_ir().unwrap_or(Type::Unit),
            },
            Base::Const(id) => self.program.module.consts[id.index()].ty.clone(),
            Base::RowOf(rows, ..) => Type::Struct(self.row_struct(rows)),
            Base::Value(value) => self.ty(&value.ty),
        };
        for step in &place.path {
            ty = match (step, ty) {
                (Step::Field(field), Type::Struct(id)) => {
                    match &self.program.module.structs[id.index()].fields[*field as usize].ty {
                        FieldType::Value(ty) | FieldType::Lanes(ty) => ty.clone(),
                    }
                }
                (_, Type::Array(element, _)) => *element,
                (_, other) => other,
            };
        }
        ty
    }

    pub(super) fn put_assign(&mut self, place: &Place, value: &Expr) {
        let line = self.line;
        let simple_target = self.is_plain(place);
        let mut lowered = self.value(value);
        if matches!(self.infer.deep(&value.ty), Ty::Never) {
            return;
        }
        if !simple_target && effects::place_mutates(place) {
            lowered = self.keep(lowered);
        }
        let (target, checked) = self.place(place);
        self.line = line;
        self.store(target, checked, lowered, place);
    }

    fn store(&mut self, target: IrPlace, checked: bool, value: IrExpr, place: &Place) {
        if checked {
            let site = self.site(FaultKind::IndexOutOfRange, place.site);
            self.push(StmtKind::Store(target, value, site));
        } else {
            self.push(StmtKind::Assign(target, value));
        }
    }

    /// Lowers `place op= value`: the value first, then the place, as Rust does for primitive types.
    pub(super) fn put_update(&mut self, e: &Expr, place: &Place, op: BinaryOp, value: &Expr) {
        let line = self.line;
        let mut right = self.value(value);
        if effects::place_mutates(place) {
            right = self.keep(right);
        }
        let ty = self.place_type(place);
        let (target, checked) = self.place(place);
        self.line = line;
        let left = if checked {
            let site = self.site(FaultKind::IndexOutOfRange, place.site);
            let local = self.temporary(ty.clone());
            self.push(StmtKind::Load(local, target.clone(), site));
            self.load(local)
        } else {
            IrExpr { ty: ty.clone(), kind: ExprKind::Load(target.clone()) }
        };
        let integer = ty.scalar().is_some_and(imminent_ir::Scalar::is_integer);
        let result = if integer && matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            let local = self.temporary(ty);
            self.divide(op, local, left, right, e.span);
            self.load(local)
        } else {
            if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                right = super::expr::shift_count(right);
            }
            IrExpr { ty, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) }
        };
        self.store(target, checked, result, place);
    }
}
