//! Rewrites the body of one specialisation: parameters become locals and bindings.

use super::declarations::MAX_DEPTH;
use super::history::{self, Prelude, Ring};
use super::state::{Copies, Mode, place_of};
use super::{BindingKind, FlatLocal, FlattenError, Scope, StepSite, depth};
use crate::{
    Arg, Base, Block, Expr, ExprKind, Function, FunctionId, GroupQuery, LocalId, LocalKind, ParamKind, Place, Scalar,
    SiteId, Step, Stmt, StmtKind, StructId, TallyOp, Type, Vote,
};
use std::collections::HashMap;

/// Meaning of a parameter of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// A value in a local.
    Local(LocalId),
    /// A row of a table.
    Row { binding: u32, index: LocalId },
    /// A lane field of a row.
    Lanes { binding: u32, index: LocalId, field: u32 },
    /// A history, and the number of the own row.
    History { binding: u32, index: LocalId },
    /// The own rows of a group's invocations.
    Each(u32),
    /// A whole binding.
    Whole(u32),
    /// The scratch.
    Scratch,
}

/// Rewrites one function.
pub(super) struct Rewriter<'s, 'm, C> {
    state: &'s mut C,
    function: &'m Function,
    scope: Scope,
    params: Vec<Bound>,
    /// Table of every row local bound so far.
    rows: HashMap<LocalId, u32>,
    /// Statements about histories before the first statement.
    prelude: Prelude,
    line: u32,
}

impl<'s, 'm, C: Copies<'m>> Rewriter<'s, 'm, C> {
    pub(super) fn new(
        state: &'s mut C,
        function: &'m Function,
        scope: Scope,
        params: Vec<Bound>,
        passed: usize,
    ) -> Self {
        let (rows, prelude) = (HashMap::new(), Prelude::of(function, passed));
        Rewriter { state, function, scope, params, rows, prelude, line: function.line }
    }

    fn ill<T>(&self, what: impl Into<String>) -> Result<T, FlattenError> {
        self.state.ill(place_of(self.function, self.line), what)
    }

    /// Returns the body of the function, rewritten. A copy is changed in place, which keeps the frames of the recursion
    /// small. Also returns the added locals, and the sites at which a step can be out of range.
    pub(super) fn body(mut self) -> Result<(Block, Vec<FlatLocal>, Vec<StepSite>), FlattenError> {
        if self.state.depth.saturating_add(depth::of(&self.function.body)) > MAX_DEPTH {
            return self.state.too_deep(place_of(self.function, self.line));
        }
        let mut body = self.function.body.clone();
        self.block(&mut body)?;
        Ok((self.prelude.and(body), self.prelude.locals, self.prelude.steps))
    }

    fn block(&mut self, block: &mut Block) -> Result<(), FlattenError> {
        self.state.depth += 1;
        let mut at = 0;
        while let Some(stmt) = block.get_mut(at) {
            self.line = stmt.line;
            match self.history_stmt(stmt)? {
                // These are statements of a flat kernel already, and must not be rewritten again.
                Some(stmts) => {
                    let count = stmts.len();
                    block.splice(at..=at, stmts);
                    at += count;
                }
                None => {
                    self.stmt(&mut stmt.kind)?;
                    at += 1;
                }
            }
        }
        self.state.depth -= 1;
        Ok(())
    }

    fn stmt(&mut self, kind: &mut StmtKind) -> Result<(), FlattenError> {
        match kind {
            StmtKind::Let(local, value) => {
                self.value_local(*local)?;
                value.as_mut().map_or(Ok(()), |value| self.expr(value))
            }
            StmtKind::Assign(place, value) => {
                self.place(place)?;
                self.expr(value)
            }
            StmtKind::Store(place, value, site) => {
                self.place(place)?;
                self.expr(value)?;
                self.site(site)
            }
            StmtKind::Load(into, place, site) => {
                self.value_local(*into)?;
                self.place(place)?;
                self.site(site)
            }
            StmtKind::Divide(into, a, b, site) | StmtKind::Remainder(into, a, b, site) => {
                self.value_local(*into)?;
                self.expr(a)?;
                self.expr(b)?;
                self.site(site)
            }
            StmtKind::BindRow { local, rows, index, site } => self.bind_row(*local, rows, index, site),
            StmtKind::LaneGet { into, lanes, index, site } => {
                self.value_local(*into)?;
                self.place(lanes)?;
                self.expr(index)?;
                self.site(site)
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                self.place(lanes)?;
                self.expr(index)?;
                self.expr(value)?;
                self.site(site)
            }
            StmtKind::HistoryGet { .. } | StmtKind::HistorySet { .. } => self.ill("a history where none can be"),
            StmtKind::Tally { tally, op, slot, value, site } => {
                self.tally(tally, *op)?;
                self.expr(slot)?;
                self.expr(value)?;
                self.site(site)
            }
            StmtKind::Word { into, tally, slot, value, site, .. } => {
                into.map_or(Ok(()), |into| self.value_local(into))?;
                self.whole(tally)?;
                self.expr(slot)?;
                value.as_mut().map_or(Ok(()), |value| self.expr(value))?;
                self.site(site)
            }
            StmtKind::Assert(condition, site) => {
                self.expr(condition)?;
                self.site(site)
            }
            StmtKind::Call { into, function, args } => {
                if let Some(local) = into {
                    self.value_local(*local)?;
                }
                self.call(self.scope, function, args)
            }
            StmtKind::Phase { into, vote, function, args } => self.phase(*into, *vote, function, args),
            StmtKind::ScratchGet { into, scratch, index, site } => {
                self.value_local(*into)?;
                self.scratch(scratch)?;
                self.expr(index)?;
                self.site(site)
            }
            StmtKind::ScratchOwn { into, scratch } => {
                self.value_local(*into)?;
                self.scratch(scratch)
            }
            StmtKind::ScratchSet { scratch, value } => {
                self.scratch(scratch)?;
                self.expr(value)
            }
            StmtKind::If(condition, then, other) => {
                self.expr(condition)?;
                self.block(then)?;
                self.block(other)
            }
            StmtKind::Loop(body) => self.block(body),
            StmtKind::While(condition, body) => {
                self.expr(condition)?;
                self.block(body)
            }
            StmtKind::For { var, start, end, body, .. } => {
                self.value_local(*var)?;
                self.expr(start)?;
                self.expr(end)?;
                self.block(body)
            }
            StmtKind::Break | StmtKind::Continue => Ok(()),
            StmtKind::Return(value) => value.as_mut().map_or(Ok(()), |value| self.expr(value)),
        }
    }

    /// Replaces a statement about a history; `None` for other statements.
    #[inline(never)]
    fn history_stmt(&mut self, stmt: &mut Stmt) -> Result<Option<Block>, FlattenError> {
        let Stmt { line, kind } = stmt;
        let kinds = match kind {
            StmtKind::HistoryGet { into, history, row, step, no_row, too_old, too_young } => {
                self.value_local(*into)?;
                row.as_mut().map_or(Ok(()), |row| self.expr(row))?;
                self.expr(step)?;
                let ring = self.ring(history, *too_old)?;
                let (entry, sites) = ((*into, row.take(), step.clone()), [*no_row, *too_old, *too_young]);
                self.prelude.get(self.state, ring, entry, sites).or_else(|defect| self.ill(defect))?
            }
            StmtKind::HistorySet { history, step, value, too_early, too_far } => {
                self.expr(step)?;
                self.expr(value)?;
                let ring = self.ring(history, *too_early)?;
                if !ring.written {
                    return self.ill("a history is written that the kernel may only read");
                }
                let (entry, sites) = ((step.clone(), value.clone()), [*too_early, *too_far]);
                self.prelude.set(self.state, ring, entry, sites).or_else(|defect| self.ill(defect))?
            }
            _ => return Ok(None),
        };
        Ok(Some(kinds.into_iter().map(|kind| Stmt { line: *line, kind }).collect()))
    }

    /// Returns the values known about the history that a base denotes. `site` is one of the statement's own.
    fn ring(&mut self, history: &Base, site: SiteId) -> Result<Ring, FlattenError> {
        let Some(history) = self.history(*history) else {
            return self.ill("a history is expected here");
        };
        self.prelude.ring(self.state, history, site).or_else(|defect| self.ill(defect))
    }

    fn bind_row(
        &mut self,
        local: LocalId,
        rows: &mut Base,
        index: &mut Expr,
        site: &mut SiteId,
    ) -> Result<(), FlattenError> {
        let Some(LocalKind::RowRef(wanted)) = self.function.locals.get(local.index()).map(|l| &l.kind) else {
            return self.ill(format!("local {} does not hold a row", local.0));
        };
        let binding = self.whole(rows)?;
        if !self.is_table_of(binding, *wanted) {
            return self.ill("a row is bound to a local of another struct");
        }
        self.expr(index)?;
        // A place that names the local says nothing of the table: one binding must hold for all of them.
        if self.rows.insert(local, binding).is_some() {
            return self.ill(format!("row local {} is bound twice", local.0));
        }
        self.site(site)
    }

    fn is_table_of(&self, binding: u32, wanted: StructId) -> bool {
        matches!(self.state.bindings.get(binding as usize).map(|b| &b.kind),
            Some(BindingKind::Table { row, .. }) if *row == wanted)
    }

    /// Returns `true` if these are the own rows of a group's invocations, of that struct, and are passed to a phase.
    fn is_each_of(&self, binding: u32, wanted: StructId) -> bool {
        matches!(self.state.bindings.get(binding as usize).map(|b| &b.kind),
            Some(BindingKind::Table { row, own_row: true, per_group: false, .. }) if *row == wanted)
    }

    /// Returns the history that a base denotes, and the number of the own row.
    fn history(&self, base: Base) -> Option<(u32, LocalId)> {
        let Base::Param(id) = base else { return None };
        match self.params.get(id.index()) {
            Some(Bound::History { binding, index }) => Some((*binding, *index)),
            _ => None,
        }
    }

    fn is_history_of(&self, binding: u32, ty: &Type, changed: bool) -> bool {
        let wanted = history::ring(self.state.module, ty);
        matches!(self.state.bindings.get(binding as usize).map(|b| &b.kind),
            Some(BindingKind::Table { row, mutable, .. }) if Some(*row) == wanted && (*mutable || !changed))
    }

    fn is_clock(&self, param: &ParamKind, bound: &BindingKind) -> bool {
        let clock = history::clock(self.state.module);
        matches!((param, bound), (ParamKind::Clock, BindingKind::Table { row, .. }) if Some(*row) == clock)
    }

    fn tally(&mut self, tally: &mut Base, op: TallyOp) -> Result<(), FlattenError> {
        let number = self.whole(tally)?;
        let Some(binding) = self.state.bindings.get_mut(number as usize) else {
            return self.ill("a tally that is not bound");
        };
        let BindingKind::Tally { op: used, .. } = &mut binding.kind else {
            return self.ill("a contribution to something that is no tally");
        };
        match *used {
            // Contributions of one operation commute; those of two do not.
            Some(first) if first != op => {
                let tally = binding.name.clone();
                self.state.mixed_tally(tally, first, op)
            }
            _ => {
                *used = Some(op);
                Ok(())
            }
        }
    }

    /// Rewrites a base that must denote a whole binding, and returns its number.
    fn whole(&self, base: &mut Base) -> Result<u32, FlattenError> {
        (*base, _) = self.base(*base)?;
        match *base {
            Base::Binding(number) => Ok(number),
            _ => self.ill("a table or tally is expected here"),
        }
    }

    /// Rewrites a base that must denote the scratch.
    fn scratch(&self, base: &mut Base) -> Result<(), FlattenError> {
        (*base, _) = self.base(*base)?;
        if *base == Base::Scratch { Ok(()) } else { self.ill("the scratch of a group is expected here") }
    }

    fn site(&mut self, site: &mut SiteId) -> Result<(), FlattenError> {
        history::site(self.state, site).or_else(|defect| self.ill(defect))
    }

    fn value_local(&self, local: LocalId) -> Result<(), FlattenError> {
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
            Base::Row { .. } | Base::Binding(_) | Base::Scratch => {
                return self.ill("a place of a flat kernel in a module");
            }
        })
    }

    /// Rewrites an expression. Types and operations stay; only the places inside change.
    fn expr(&mut self, expr: &mut Expr) -> Result<(), FlattenError> {
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

    fn place(&mut self, place: &mut Place) -> Result<(), FlattenError> {
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

    fn phase(
        &mut self,
        into: Option<LocalId>,
        vote: Option<Vote>,
        function: &mut FunctionId,
        args: &mut Vec<Arg>,
    ) -> Result<(), FlattenError> {
        if !self.state.in_grouped_body() {
            return self.ill("a phase outside the body of a grouped kernel");
        }
        if into.is_some() != vote.is_some() {
            return self.ill("a vote without the local that takes it, or the other way round");
        }
        if let Some(local) = into {
            self.value_local(local)?;
        }
        self.call(Scope::Row, function, args)
    }

    /// Rewrites a call of a function that runs in the given scope.
    fn call(&mut self, scope: Scope, function: &mut FunctionId, args: &mut Vec<Arg>) -> Result<(), FlattenError> {
        let callee = self.state.function(*function)?;
        if callee.params.len() != args.len() {
            return self.ill(format!(
                "`{}` takes {} arguments, {} are given",
                callee.name,
                callee.params.len(),
                args.len()
            ));
        }
        let mut modes = Vec::with_capacity(args.len());
        let mut passed = Vec::with_capacity(args.len());
        for (param, arg) in callee.params.iter().zip(args.drain(..)) {
            let (mode, arg) = self.arg(&param.kind, arg)?;
            // The function of a phase runs once for each row, the body once for the group.
            if scope != self.scope && !may_enter_phase(&mode, arg.as_ref()) {
                return self.ill("something is passed to a phase that only the body of the kernel may name");
            }
            modes.push(mode);
            passed.extend(arg);
        }
        *args = passed;
        // A call takes several times as much stack of the lowering program as a block does.
        self.state.depth += 3;
        *function = self.state.copy(*function, scope, &modes)?;
        self.state.depth -= 3;
        Ok(())
    }

    /// Returns the mode in which an argument is passed, and the value passed, if any.
    fn arg(&mut self, param: &ParamKind, mut arg: Arg) -> Result<(Mode, Option<Arg>), FlattenError> {
        match &mut arg {
            Arg::Value(value) => self.expr(value)?,
            Arg::InOut(place) | Arg::Resource(place) => self.place(place)?,
        }
        match (param, arg) {
            (ParamKind::Value(_) | ParamKind::Row(_, false) | ParamKind::Params(_), arg @ Arg::Value(_)) => {
                Ok((Mode::Value, Some(arg)))
            }
            (ParamKind::InOut(_) | ParamKind::Row(_, true), arg @ Arg::InOut(_)) => Ok((Mode::InOut, Some(arg))),
            (ParamKind::Row(id, false) | ParamKind::Params(id), Arg::InOut(place)) => {
                Ok((Mode::Value, Some(Arg::Value(load(place, Type::Struct(*id))))))
            }
            (_, Arg::Resource(place)) => self.resource(param, place),
            _ => self.ill("an argument is not passed as its parameter asks"),
        }
    }

    fn resource(&mut self, param: &ParamKind, place: Place) -> Result<(Mode, Option<Arg>), FlattenError> {
        let row_number = |index: LocalId| Some(Arg::Value(load(Place::local(index), Scalar::U32.into())));
        match (param, place.base, place.path.as_slice()) {
            (ParamKind::Row(wanted, _), Base::Row { binding, index }, []) => {
                if !self.is_table_of(binding, *wanted) {
                    return self.ill("a row of another table is passed");
                }
                Ok((Mode::Row(binding), row_number(index)))
            }
            (ParamKind::History(ty, mutable), Base::Row { binding, index }, []) => {
                if !self.is_history_of(binding, ty, *mutable) {
                    return self.ill("another history is passed than the parameter asks for");
                }
                Ok((Mode::History(binding), row_number(index)))
            }
            (ParamKind::Lanes(..), Base::Row { binding, index }, [Step::Field(field)]) => {
                Ok((Mode::Lanes(binding, *field), row_number(index)))
            }
            (ParamKind::Row(wanted, _), Base::Binding(binding), []) if self.is_each_of(binding, *wanted) => {
                let row = Expr { ty: Scalar::U32.into(), kind: ExprKind::Group(GroupQuery::Row) };
                Ok((Mode::Row(binding), Some(Arg::Value(row))))
            }
            (ParamKind::Scratch(ty, _), Base::Scratch, []) if self.state.scratch.as_ref() == Some(ty) => {
                Ok((Mode::Scratch, None))
            }
            (_, Base::Binding(binding), []) => match self.state.bindings.get(binding as usize) {
                Some(bound) if self.is_clock(param, &bound.kind) || is_asked_for(param, &bound.kind) => {
                    Ok((Mode::Whole(binding), None))
                }
                _ => self.ill("another kind of resource is passed than the parameter asks for"),
            },
            // A row or parameter struct inside another value is an ordinary value.
            (ParamKind::Row(_, true), ..) => Ok((Mode::InOut, Some(Arg::InOut(place)))),
            (ParamKind::Row(id, false) | ParamKind::Params(id), ..) => {
                Ok((Mode::Value, Some(Arg::Value(load(place, Type::Struct(*id))))))
            }
            _ => self.ill("a resource is not passed as its parameter asks"),
        }
    }
}

fn load(place: Place, ty: Type) -> Expr {
    Expr { ty, kind: ExprKind::Load(place) }
}

/// Returns `true` if an argument may be passed to a phase: own rows of the invocations, whole bindings, the scratch and
/// values.
fn may_enter_phase(mode: &Mode, arg: Option<&Arg>) -> bool {
    match mode {
        Mode::Value | Mode::Whole(_) | Mode::Scratch => true,
        Mode::Row(_) => {
            matches!(arg, Some(Arg::Value(Expr { kind: ExprKind::Group(GroupQuery::Row), .. })))
        }
        Mode::InOut | Mode::Lanes(..) | Mode::History(_) => false,
    }
}

/// Returns `true` if a parameter takes this whole binding.
fn is_asked_for(param: &ParamKind, bound: &BindingKind) -> bool {
    match (param, bound) {
        (ParamKind::Rows(wanted), BindingKind::Table { row, own_row: false, .. }) => wanted == row,
        (ParamKind::Tally(wanted), BindingKind::Tally { scalar, .. }) => wanted == scalar,
        (ParamKind::Params(wanted), BindingKind::Params { block, .. }) => wanted == block,
        _ => false,
    }
}
