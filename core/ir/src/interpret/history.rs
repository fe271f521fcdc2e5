//! Histories: rings of steps, read and written within the bounds of the launch's first step.

use super::numbers::word;
use super::{Bound, Evaluation, Frame, Machine, stuck};
use crate::{Base, Expr, FaultKind, LocalId, StmtKind, Value};
use std::ops::Range;

/// A history of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// Number of steps, from the launch's first on, that may be written.
    pub ahead: u32,
    /// `true` if the kernel takes the history as `&mut History<T>`.
    pub written: bool,
    /// Places of each row, the same number for all: step `t` has the place `t` modulo their number.
    pub rings: Vec<Vec<Value>>,
}

impl History {
    /// Returns the steps that can be read of a row, the own one or another. Steps are unbounded numbers here.
    fn readable(&self, first: u32, own: bool) -> Range<i64> {
        let (first, ahead) = (i64::from(first), i64::from(self.ahead));
        let places = self.rings.first().map_or(0, Vec::len) as i64;
        let end = if self.written && !own { first } else { first + ahead };
        first + ahead - places..end
    }
}

impl<'m> Machine<'m> {
    /// Reads or writes a history.
    pub(super) fn history_stmt(&mut self, frame: &mut Frame<'m>, kind: &'m StmtKind) -> Evaluation<()> {
        match kind {
            StmtKind::HistoryGet { into, history, row, step, no_row, too_old, too_young } => {
                let (history, own) = self.history_of(frame, *history)?;
                let row_read = match row {
                    Some(row) => self.word_of(frame, row)? as usize,
                    None => own,
                };
                let step = self.word_of(frame, step)?;
                let found = self.history(history)?;
                // An invocation that may write its row reads its own entries further ahead than others do.
                let readable = found.readable(self.first, row.is_none());
                let (rows, at) = (found.rings.len(), i64::from(step));
                if row_read >= rows {
                    self.raise(*no_row, FaultKind::RowOutOfRange)?;
                }
                if at < readable.start {
                    self.raise(*too_old, FaultKind::HistoryTooOld)?;
                } else if at >= readable.end {
                    self.raise(*too_young, FaultKind::HistoryTooYoung)?;
                }
                let value = match self.history(history)?.rings.get(row_read) {
                    Some(ring) if readable.contains(&at) => ring.get(step as usize % ring.len()).cloned(),
                    _ => None,
                };
                self.declare_or_zero(frame, *into, value)
            }
            StmtKind::HistorySet { history, step, value, too_early, too_far } => {
                let step = self.word_of(frame, step)?;
                let value = self.eval(frame, value)?;
                let (history, own) = self.history_of(frame, *history)?;
                let (ahead, first) = (self.history(history)?.ahead, self.first);
                if step < first {
                    self.raise(*too_early, FaultKind::HistoryTooEarly)
                } else if i64::from(step) >= i64::from(first) + i64::from(ahead) {
                    self.raise(*too_far, FaultKind::HistoryTooFar)
                } else {
                    let ring = self.histories.get_mut(history).and_then(|history| history.rings.get_mut(own));
                    let Some(ring) = ring else { return stuck(format!("history {history} has no row {own}")) };
                    let places = ring.len();
                    match ring.get_mut(step as usize % places.max(1)) {
                        Some(place) => *place = value,
                        None => return stuck("a history without places"),
                    }
                    Ok(())
                }
            }
            other => stuck(format!("{other:?} is nothing about a history")),
        }
    }

    fn history(&self, history: usize) -> Evaluation<&History> {
        self.histories.get(history).map_or_else(|| stuck(format!("there is no history {history}")), Ok)
    }

    /// Returns the history that a base names, and the own row.
    fn history_of(&self, frame: &Frame<'m>, base: Base) -> Evaluation<(usize, usize)> {
        let Base::Param(param) = base else { return stuck(format!("{base:?} is no history")) };
        match frame.param(param)? {
            Bound::History { history, row } => Ok((*history, *row)),
            other => stuck(format!("{other:?} is no history")),
        }
    }

    fn word_of(&mut self, frame: &Frame<'m>, e: &Expr) -> Evaluation<u32> {
        word(&self.eval(frame, e)?)
    }

    fn declare_or_zero(&mut self, frame: &mut Frame<'m>, local: LocalId, value: Option<Value>) -> Evaluation<()> {
        let value = match value {
            Some(value) => value,
            None => super::zero(self.module, frame.type_of(local)?)?,
        };
        self.declare(frame, local, value)
    }
}
