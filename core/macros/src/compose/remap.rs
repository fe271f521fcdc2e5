//! Renumbering of the items of one module in another.

use crate::ty::BundleId;
use imminent_ir::{
    Arg, Base, Block, ConstId, EnumId, Expr, ExprKind, FieldType, Function, FunctionId, LocalKind, ParamKind, Place,
    SiteId, Step, Stmt, StmtKind, StructId, Type,
};
use std::collections::HashMap;

/// New identifiers of imported items.
#[derive(Debug, Default)]
pub(super) struct Remap {
    pub(super) structs: HashMap<StructId, StructId>,
    pub(super) enums: HashMap<EnumId, EnumId>,
    pub(super) consts: HashMap<ConstId, ConstId>,
    pub(super) functions: HashMap<FunctionId, FunctionId>,
    pub(super) sites: HashMap<SiteId, SiteId>,
    /// For each bundle of the other module: its number here, and the number of its fields.
    pub(super) bundles: HashMap<u32, (BundleId, usize)>,
}

fn look<T: Copy + Eq + std::hash::Hash>(map: &HashMap<T, T>, id: &mut T) {
    if let Some(new) = map.get(id) {
        *id = *new;
    }
}

impl Remap {
    pub(super) fn ty(&self, ty: &mut Type) {
        match ty {
            Type::Unit | Type::Scalar(_) => {}
            Type::Enum(id) => look(&self.enums, id),
            Type::Struct(id) => look(&self.structs, id),
            Type::Array(element, _) => self.ty(element),
        }
    }

    pub(super) fn field(&self, ty: &mut FieldType) {
        match ty {
            FieldType::Value(ty) | FieldType::Lanes(ty) => self.ty(ty),
        }
    }

    pub(super) fn param(&self, kind: &mut ParamKind) {
        match kind {
            ParamKind::Value(ty)
            | ParamKind::InOut(ty)
            | ParamKind::Lanes(ty, _)
            | ParamKind::Scratch(ty, _)
            | ParamKind::History(ty, _) => self.ty(ty),
            ParamKind::Row(id, _) | ParamKind::Rows(id) | ParamKind::Params(id) | ParamKind::Each(id, _) => {
                look(&self.structs, id);
            }
            ParamKind::Tally(_) | ParamKind::Clock => {}
        }
    }

    pub(super) fn function(&self, function: &mut Function) {
        for param in &mut function.params {
            self.param(&mut param.kind);
        }
        self.ty(&mut function.result);
        for local in &mut function.locals {
            match &mut local.kind {
                LocalKind::Value(ty) => self.ty(ty),
                LocalKind::RowRef(id) => look(&self.structs, id),
            }
        }
        self.block(&mut function.body);
    }

    fn block(&self, block: &mut Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn site(&self, site: &mut SiteId) {
        look(&self.sites, site);
    }

    fn stmt(&self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Let(_, value) | StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            StmtKind::Store(place, value, site) => {
                self.place(place);
                self.expr(value);
                self.site(site);
            }
            StmtKind::Load(_, place, site) => {
                self.place(place);
                self.site(site);
            }
            StmtKind::Divide(_, a, b, site) | StmtKind::Remainder(_, a, b, site) => {
                self.expr(a);
                self.expr(b);
                self.site(site);
            }
            StmtKind::BindRow { rows, index, site, .. } => {
                self.base(rows);
                self.expr(index);
                self.site(site);
            }
            StmtKind::ScratchGet { scratch, index, site, .. } => {
                self.base(scratch);
                self.expr(index);
                self.site(site);
            }
            StmtKind::ScratchOwn { scratch, .. } => self.base(scratch),
            StmtKind::ScratchSet { scratch, value } => {
                self.base(scratch);
                self.expr(value);
            }
            StmtKind::LaneGet { lanes, index, site, .. } => {
                self.place(lanes);
                self.expr(index);
                self.site(site);
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                self.place(lanes);
                self.expr(index);
                self.expr(value);
                self.site(site);
            }
            StmtKind::HistoryGet { history, row, step, no_row, too_old, too_young, .. } => {
                self.base(history);
                row.iter_mut().chain([step]).for_each(|e| self.expr(e));
                [no_row, too_old, too_young].into_iter().for_each(|site| self.site(site));
            }
            StmtKind::HistorySet { history, step, value, too_early, too_far } => {
                self.base(history);
                [step, value].into_iter().for_each(|e| self.expr(e));
                [too_early, too_far].into_iter().for_each(|site| self.site(site));
            }
            StmtKind::Word { tally, slot, value, site, .. } => {
                self.base(tally);
                self.expr(slot);
                value.iter_mut().for_each(|value| self.expr(value));
                self.site(site);
            }
            StmtKind::Tally { tally, slot, value, site, .. } => {
                self.base(tally);
                self.expr(slot);
                self.expr(value);
                self.site(site);
            }
            StmtKind::Assert(condition, site) => {
                self.expr(condition);
                self.site(site);
            }
            StmtKind::Call { function, args, .. } | StmtKind::Phase { function, args, .. } => {
                look(&self.functions, function);
                for arg in args {
                    match arg {
                        Arg::Value(value) => self.expr(value),
                        Arg::InOut(place) | Arg::Resource(place) => self.place(place),
                    }
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Loop(body) => self.block(body),
            StmtKind::While(condition, body) => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::For { start, end, body, .. } => {
                self.expr(start);
                self.expr(end);
                self.block(body);
            }
            StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn base(&self, base: &mut Base) {
        if let Base::Const(id) = base {
            look(&self.consts, id);
        }
    }

    fn place(&self, place: &mut Place) {
        self.base(&mut place.base);
        for step in &mut place.path {
            if let Step::Index(index) = step {
                self.expr(index);
            }
        }
    }

    fn expr(&self, e: &mut Expr) {
        self.ty(&mut e.ty);
        match &mut e.kind {
            ExprKind::Literal(_) | ExprKind::Group(_) => {}
            ExprKind::Load(place) | ExprKind::LanesCapacity(place) => self.place(place),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) | ExprKind::Repeat(x) => self.expr(x),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Builtin(_, args) | ExprKind::Struct(args) | ExprKind::Array(args) => {
                for arg in args {
                    self.expr(arg);
                }
            }
            ExprKind::Select(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::RowsLen(base) | ExprKind::TallyLen(base) | ExprKind::ClockFirst(base) => self.base(base),
        }
    }
}
