//! Places, and expressions with the places inside.

use super::{Bound, Rewriter};
use crate::flatten::state::Copies;
use crate::flatten::{BindingKind, FlattenError, history};
use crate::{Base, Expr, ExprKind, LocalId, LocalKind, ParamKind, Place, Step, StructId, Type};

impl<'m, C: Copies<'m>> Rewriter<'_, 'm, C> {
    pub(super) fn is_table_of(&self, binding: u32, wanted: StructId) -> bool {
        matches!(self.state.bindings.get(binding as usize).map(|b| &b.kind),
            Some(BindingKind::Table { row, .. }) if *row == wanted)
    }

    /// Returns `true` if these are the own rows of a group's invocations, of that struct, and are passed to a phase.
    pub(super) fn is_each_of(&self, binding: u32, wanted: StructId) -> bool {
        matches!(self.state.bindings.get(binding as usize).map(|b| &b.kind),
            Some(BindingKind::Table { row, own_row: true, per_group: false, .. }) if *row == wanted)
    }

    /// Returns the history that a base denotes, and the number of the own row.
    pub(super) fn history(&self, base: Base) -> Option<(u32, LocalId)> {
        let Base::Param(id) = base else { return None };
        match self.params.get(id.index()) {
            Some(Bound::History { binding, index }) => Some((*binding, *index)),
            _ => None,
        }
    }

    pub(super) fn is_history_of(&self, binding: u32, ty: &Type, changed: bool) -> bool {
        let wanted = history::ring(self.state.module, ty);
        matches!(self.state.bindings.get(binding as usize).map(|b| &b.kind),
            Some(BindingKind::Table { row, mutable, .. }) if Some(*row) == wanted && (*mutable || !changed))
    }

    pub(super) fn is_clock(&self, param: &ParamKind, bound: &BindingKind) -> bool {
        let clock = history::clock(self.state.module);
        matches!((param, bound), (ParamKind::Clock, BindingKind::Table { row, .. }) if Some(*row) == clock)
    }

    /// Rewrites a base that must denote a whole binding, and returns its number.
    pub(super) fn whole(&self, base: &mut Base) -> Result<u32, FlattenError> {
        (*base, _) = self.base(*base)?;
        match *base {
            Base::Binding(number) => Ok(number),
            _ => self.ill("a table or tally is expected here"),
        }
    }

    /// Rewrites a base that must denote the scratch.
    pub(super) fn scratch(&self, base: &mut Base) -> Result<(), FlattenError> {
        (*base, _) = self.base(*base)?;
        if *base == Base::Scratch { Ok(()) } else { self.ill("the scratch of a group is expected here") }
    }

    pub(super) fn value_local(&self, local: LocalId) -> Result<(), FlattenError> {
        match self.function.locals.get(local.index()).map(|l| &l.kind) {
            Some(LocalKind::Value(_)) => Ok(()),
            _ => self.ill(format!("there is no local number {} that holds a value", local.0)),
        }
    }

    /// Returns the meaning of a base, and the lane field that comes first in its path, if it is one.
    fn base(&self, base: Base) -> Result<(Base, Option<u32>), FlattenError> {
        Ok(match base {
            Base::Param(id) => match self.params.get(id.index()).copied() {
                Some(Bound::Local(local)) => (Base::Local(local), None),
                Some(Bound::Row { binding, index } | Bound::History { binding, index }) => {
                    (Base::Row { binding, index }, None)
                }
                // A parameter of lanes stands for a field of the row, which its own path then goes through.
                Some(Bound::Lanes { binding, index, field }) => (Base::Row { binding, index }, Some(field)),
                Some(Bound::Whole(binding) | Bound::Each(binding)) => (Base::Binding(binding), None),
                Some(Bound::Scratch) => (Base::Scratch, None),
                None => return self.ill(format!("there is no parameter number {}", id.0)),
            },
            Base::Local(local) => match self.function.locals.get(local.index()).map(|l| &l.kind) {
                Some(LocalKind::Value(_)) => (Base::Local(local), None),
                Some(LocalKind::RowRef(_)) => match self.rows.get(&local) {
                    Some(binding) => (Base::Row { binding: *binding, index: local }, None),
                    None => return self.ill(format!("row local {} is used before it is bound", local.0)),
                },
                None => return self.ill(format!("there is no local number {}", local.0)),
            },
            Base::Const(id) if id.index() < self.state.module.consts.len() => (base, None),
            Base::Const(id) => return self.ill(format!("there is no constant number {}", id.0)),
            // These exist in flat kernels only. Taken from a module, they would reach rows that nobody checked.
            Base::Row { .. } | Base::Binding(_) | Base::Scratch => {
                return self.ill("a place of a flat kernel in a module");
            }
        })
    }

    /// Rewrites an expression. Types and operations stay; only the places inside change.
    pub(super) fn expr(&mut self, expr: &mut Expr) -> Result<(), FlattenError> {
        match &mut expr.kind {
            ExprKind::Literal(_) | ExprKind::Group(_) => Ok(()),
            ExprKind::Load(place) | ExprKind::LanesCapacity(place) => self.place(place),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) | ExprKind::Repeat(x) => self.expr(x),
            ExprKind::Binary(_, a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::Builtin(_, args) | ExprKind::Struct(args) | ExprKind::Array(args) => {
                args.iter_mut().try_for_each(|arg| self.expr(arg))
            }
            ExprKind::Select(c, a, b) => {
                self.expr(c)?;
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::RowsLen(base) | ExprKind::TallyLen(base) => {
                self.whole(base)?;
                Ok(())
            }
            ExprKind::ClockFirst(base) => {
                // There is one clock, whatever the parameter's name.
                self.whole(base)?;
                expr.kind = ExprKind::Load(Place::local(self.first()?));
                Ok(())
            }
        }
    }

    /// Returns the launch's first step, in a local.
    fn first(&mut self) -> Result<LocalId, FlattenError> {
        self.prelude.first(self.state).or_else(|defect| self.ill(defect))
    }

    pub(super) fn place(&mut self, place: &mut Place) -> Result<(), FlattenError> {
        let (base, field) = self.base(place.base)?;
        place.base = base;
        for step in &mut place.path {
            if let Step::Index(index) = step {
                self.expr(index)?;
            }
        }
        if let Some(field) = field {
            place.path.insert(0, Step::Field(field));
        }
        Ok(())
    }
}
