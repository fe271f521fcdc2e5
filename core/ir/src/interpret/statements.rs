//! Statements, executed in Rust's order.

use super::expressions::{has_type, zero};
use super::group::require_scratch;
use super::numbers::{truth, word};
use super::operators::{divide, tallied};
use super::{Bound, Evaluation, Flow, Frame, Local, Machine, require, stuck};
use crate::{Arg, Base, Block, Expr, FaultKind, FunctionId, LocalId, ParamKind, SiteId, Stmt, StmtKind, Value};

impl<'m> Machine<'m> {
    pub(super) fn declare(&self, frame: &mut Frame<'m>, local: LocalId, value: Value) -> Evaluation<()> {
        let ty = frame.type_of(local)?;
        require(has_type(self.module, &value, ty), || format!("{}: {value:?} is not {ty:?}", frame.function.name))?;
        if let Some(slot) = frame.locals.get_mut(local.index()) {
            *slot = Local::Value(value);
        }
        Ok(())
    }

    /// Declares a local. Without a value it is zero, and the fault is raised.
    fn declare_or(
        &mut self,
        frame: &mut Frame<'m>,
        local: LocalId,
        value: Option<Value>,
        (site, kind): (SiteId, FaultKind),
    ) -> Evaluation<()> {
        let value = match value {
            Some(value) => value,
            None => {
                self.raise(site, kind)?;
                zero(self.module, frame.type_of(local)?)?
            }
        };
        self.declare(frame, local, value)
    }

    /// Evaluates a `u32` as a position.
    fn position(&mut self, frame: &Frame<'m>, e: &Expr) -> Evaluation<usize> {
        Ok(word(&self.eval(frame, e)?)? as usize)
    }

    pub(super) fn stmt(&mut self, frame: &mut Frame<'m>, stmt: &'m Stmt) -> Evaluation<Flow> {
        self.spend()?;
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = match value {
                    Some(value) => self.eval(frame, value)?,
                    None => zero(self.module, frame.type_of(*local)?)?,
                };
                self.declare(frame, *local, value)?;
            }
            StmtKind::Assign(place, value) => {
                let value = self.eval(frame, value)?;
                let stored = self.write(frame, place, value)?;
                require(stored, || format!("{}: an unchecked index is out of range", frame.function.name))?;
            }
            StmtKind::Store(place, value, site) => {
                let value = self.eval(frame, value)?;
                if !self.write(frame, place, value)? {
                    self.raise(*site, FaultKind::IndexOutOfRange)?;
                }
            }
            StmtKind::Load(local, place, site) => {
                let value = self.read(frame, place)?;
                self.declare_or(frame, *local, value, (*site, FaultKind::IndexOutOfRange))?;
            }
            StmtKind::Divide(local, a, b, site) | StmtKind::Remainder(local, a, b, site) => {
                let remainder = matches!(stmt.kind, StmtKind::Remainder(..));
                let kind = if remainder { FaultKind::RemainderByZero } else { FaultKind::DivisionByZero };
                let (a, b) = (self.eval(frame, a)?, self.eval(frame, b)?);
                self.declare_or(frame, *local, divide(remainder, &a, &b)?, (*site, kind))?;
            }
            StmtKind::BindRow { local, rows, index, site } => {
                let table = self.whole(frame, *rows)?;
                let row = self.position(frame, index)?;
                let Some(last) = self.table(table)?.rows.len().checked_sub(1) else {
                    return stuck("a table without the row past its end");
                };
                if row >= last {
                    self.raise(*site, FaultKind::RowOutOfRange)?;
                }
                match frame.locals.get_mut(local.index()) {
                    Some(slot) => *slot = Local::Row { table, row: row.min(last) },
                    None => return stuck(format!("there is no local {}", local.0)),
                }
            }
            StmtKind::LaneGet { into, lanes, index, site } => {
                let index = self.position(frame, index)?;
                let lanes = self.lanes(frame, lanes)?;
                let value = self.lane_slots(lanes)?.get(index).cloned();
                self.declare_or(frame, *into, value, (*site, FaultKind::LaneOutOfRange))?;
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                let index = self.position(frame, index)?;
                let value = self.eval(frame, value)?;
                let lanes = self.lanes(frame, lanes)?;
                match self.lane_slots(lanes)?.get_mut(index) {
                    Some(slot) => *slot = value,
                    None => self.raise(*site, FaultKind::LaneOutOfRange)?,
                }
            }
            kind @ (StmtKind::HistoryGet { .. } | StmtKind::HistorySet { .. }) => self.history_stmt(frame, kind)?,
            StmtKind::Tally { tally, op, slot, value, site } => {
                let Base::Param(param) = tally else { return stuck(format!("{tally:?} is no tally")) };
                let Bound::Tally(tally) = *frame.param(*param)? else { return stuck("no tally") };
                let slot = self.position(frame, slot)?;
                let value = self.eval(frame, value)?;
                match self.tallies.get_mut(tally).and_then(|slots| slots.get_mut(slot)) {
                    Some(cell) => *cell = tallied(*op, cell, &value)?,
                    None => self.raise(*site, FaultKind::TallyOutOfRange)?,
                }
            }
            StmtKind::Word { into, tally, slot, value, site, .. } => {
                let Base::Param(param) = tally else { return stuck(format!("{tally:?} is no tally")) };
                let Bound::Tally(tally) = *frame.param(*param)? else { return stuck("no tally") };
                let slot = self.position(frame, slot)?;
                let value = value.as_ref().map(|value| self.eval(frame, value)).transpose()?;
                let cell = self.tallies.get_mut(tally).and_then(|slots| slots.get_mut(slot));
                let before = cell.as_deref().cloned();
                if let (Some(cell), Some(value)) = (cell, value) {
                    *cell = value;
                }
                match into {
                    Some(into) => self.declare_or(frame, *into, before, (*site, FaultKind::TallyOutOfRange))?,
                    None if before.is_none() => self.raise(*site, FaultKind::TallyOutOfRange)?,
                    None => {}
                }
            }
            StmtKind::Assert(condition, site) => {
                if !truth(&self.eval(frame, condition)?)? {
                    self.raise(*site, FaultKind::Assertion)?;
                }
            }
            StmtKind::Phase { into, vote, function, args } => {
                let vote = self.phase(frame, *vote, *function, args)?;
                match (into, vote) {
                    (Some(local), Some(vote)) => self.declare(frame, *local, vote)?,
                    (Some(_), None) => return stuck("a phase without a vote gives nothing"),
                    (None, _) => {}
                }
            }
            StmtKind::ScratchGet { into, scratch, index, site } => {
                require_scratch(frame, *scratch)?;
                let index = self.position(frame, index)?;
                let value = self.group_mut()?.before.get(index).cloned();
                self.declare_or(frame, *into, value, (*site, FaultKind::ScratchOutOfRange))?;
            }
            StmtKind::ScratchOwn { into, scratch } => {
                require_scratch(frame, *scratch)?;
                let value = self.group_mut()?.own()?.clone();
                self.declare(frame, *into, value)?;
            }
            StmtKind::ScratchSet { scratch, value } => {
                require_scratch(frame, *scratch)?;
                let value = self.eval(frame, value)?;
                *self.group_mut()?.own()? = value;
            }
            StmtKind::Call { into, function, args } => self.call_stmt(frame, *into, *function, args)?,
            StmtKind::If(condition, then, otherwise) => {
                let taken = if truth(&self.eval(frame, condition)?)? { then } else { otherwise };
                return self.block(frame, taken);
            }
            StmtKind::Loop(body) => loop {
                if let Some(leave) = self.round(frame, body)? {
                    return Ok(leave);
                }
            },
            StmtKind::While(condition, body) => {
                while truth(&self.eval(frame, condition)?)? {
                    if let Some(leave) = self.round(frame, body)? {
                        return Ok(leave);
                    }
                }
            }
            StmtKind::For { var, start, end, inclusive, reverse, body } => {
                let (start, end) = (self.eval(frame, start)?, self.eval(frame, end)?);
                for value in range(&start, &end, *inclusive, *reverse)? {
                    self.declare(frame, *var, value)?;
                    if let Some(leave) = self.round(frame, body)? {
                        return Ok(leave);
                    }
                }
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::Return(value) => {
                return Ok(Flow::Return(value.as_ref().map(|value| self.eval(frame, value)).transpose()?));
            }
        }
        Ok(Flow::Next)
    }

    /// Runs one round of a loop; returns the way in which the loop was left, if it was.
    fn round(&mut self, frame: &mut Frame<'m>, body: &'m Block) -> Evaluation<Option<Flow>> {
        self.spend()?;
        Ok(match self.block(frame, body)? {
            Flow::Next | Flow::Continue => None,
            Flow::Break => Some(Flow::Next),
            leave @ Flow::Return(_) => Some(leave),
        })
    }

    fn call_stmt(
        &mut self,
        frame: &mut Frame<'m>,
        into: Option<LocalId>,
        id: FunctionId,
        args: &'m [Arg],
    ) -> Evaluation<()> {
        let module = self.module;
        let Some(callee) = module.functions.get(id.index()) else {
            return stuck(format!("there is no function {}", id.0));
        };
        let mut bound = Vec::new();
        for (arg, param) in args.iter().zip(&callee.params) {
            bound.push(match (arg, &param.kind) {
                (Arg::Value(value), ParamKind::Value(_)) => Bound::Value(self.eval(frame, value)?),
                (Arg::InOut(place), ParamKind::InOut(_) | ParamKind::Row(..)) => match self.read(frame, place)? {
                    Some(value) => Bound::Value(value),
                    None => return stuck("an unchecked index is out of range"),
                },
                (Arg::Resource(place), kind) => self.resource(frame, place, kind)?,
                (arg, kind) => return stuck(format!("{}: {arg:?} is passed for {kind:?}", callee.name)),
            });
        }
        let (result, after) = self.call(id, bound)?;
        for ((arg, param), after) in args.iter().zip(&callee.params).zip(after) {
            if let (Arg::InOut(place), Bound::Value(value)) = (arg, after)
                && !matches!(param.kind, ParamKind::Row(_, false))
            {
                let stored = self.write(frame, place, value)?;
                require(stored, || "an unchecked index is out of range".to_owned())?;
            }
        }
        match (into, result) {
            (Some(local), Some(value)) => self.declare(frame, local, value),
            (None, _) => Ok(()),
            (Some(_), None) => stuck(format!("{} gives nothing", callee.name)),
        }
    }
}

/// Returns the values of a range, generated lazily.
fn range(start: &Value, end: &Value, inclusive: bool, reverse: bool) -> Evaluation<Box<dyn Iterator<Item = Value>>> {
    macro_rules! of {
        ($variant:ident, $a:expr, $b:expr) => {{
            let (a, b) = ($a, $b);
            match (inclusive, reverse) {
                (true, false) => Box::new((a..=b).map(Value::$variant)),
                (true, true) => Box::new((a..=b).rev().map(Value::$variant)),
                (false, false) => Box::new((a..b).map(Value::$variant)),
                (false, true) => Box::new((a..b).rev().map(Value::$variant)),
            }
        }};
    }
    Ok(match (start, end) {
        (Value::U32(a), Value::U32(b)) => of!(U32, *a, *b),
        (Value::I32(a), Value::I32(b)) => of!(I32, *a, *b),
        (Value::U64(a), Value::U64(b)) => of!(U64, *a, *b),
        (Value::I64(a), Value::I64(b)) => of!(I64, *a, *b),
        other => return stuck(format!("{other:?} is no range")),
    })
}
