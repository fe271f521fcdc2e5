//! Per-row rings indexed by step, which many rows read while each writes its own.
//!
//! # Why this is no data race
//!
//! Let a launch begin with step `s`, and let a ring of `n` places be writable `a` steps ahead. The steps with a place
//! are the `n` steps from `s - (n - a)` to before `s + a`. They are consecutive, so each has a different place. During
//! the launch a place is touched in two ways. Other rows read it, if its step is before `s`; its own row reads or
//! writes it. A write goes to a step from `s` on, so no other row may read its place. The step `s` is the same for
//! every invocation, since it is in memory that the launch only reads. Any other access of a kernel is a fault and
//! touches nothing. So no place that one invocation writes is touched by another, in whatever order they run, and
//! [`History::get_at`], [`History::own_at`] and [`History::set_at`] need no lock and no atomic.

mod ring;

pub(crate) use ring::Ring;

use super::Data;
use crate::fault::{self, At, FaultKind, Operands};
use std::fmt::{self, Debug, Formatter};

/// First step of a launch, as a kernel sees it.
///
/// A kernel with histories takes one clock. The steps that it may read and write follow from the clock's first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    first: u32,
}

impl Clock {
    /// Creates a clock at the first step of a launch.
    #[must_use]
    pub const fn at(first: u32) -> Self {
        Clock { first }
    }

    /// Returns the launch's first step.
    #[must_use]
    #[inline]
    pub const fn first(&self) -> u32 {
        self.first
    }
}

/// Rings of all rows as one invocation sees them: every row's past, and the own row's steps from the launch's first on.
///
/// The accessible steps follow from the first step `s` of the launch, and the history's [`Reach`](crate::Reach):
///
/// | | steps |
/// | --- | --- |
/// | [`get`](History::get), where the kernel takes `&mut History<T>` | from `s - past` to before `s` |
/// | [`get`](History::get), where it takes `&History<T>` | from `s - past` to before `s + ahead` |
/// | [`own`](History::own) | from `s - past` to before `s + ahead` |
/// | [`set`](History::set) | from `s` to before `s + ahead` |
///
/// Any other step is a fault: a read gives zero, a write is dropped. A step that was not written since it received its
/// place holds an older value: that of the step `past + ahead` earlier; at first, zero. `history.rs` argues why access
/// is free of data races.
pub struct History<'a, T: Data> {
    rings: &'a [Ring<T>],
    own: u32,
    first: u32,
    written: bool,
}

/// Without the entries: others may be writing theirs.
impl<T: Data> Debug for History<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { own, first, written, .. } = self;
        f.debug_struct("History")
            .field("own", own)
            .field("first", first)
            .field("written", written)
            .finish_non_exhaustive()
    }
}

impl<'a, T: Data> History<'a, T> {
    /// Creates a view for an invocation of row `own`.
    ///
    /// # Safety
    /// While the view exists, the rings are changed through views alone. Views with `written` set have distinct own
    /// rows and the same `first` as every other view. No view without `written` exists beside them.
    pub(crate) unsafe fn view(rings: &'a [Ring<T>], own: u32, first: u32, written: bool) -> Self {
        History { rings, own, first, written }
    }

    /// Reuses the view for another invocation.
    ///
    /// # Safety
    /// As for [`History::view`].
    pub(crate) unsafe fn enter(&mut self, own: u32) {
        self.own = own;
    }

    /// Returns the entry of a row at a step of the past.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn get(&self, row: u32, step: u32) -> T {
        self.get_at(row, step, &At::caller())
    }

    /// Returns the entry of the own row, including steps that may be written.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn own(&self, step: u32) -> T {
        self.own_at(step, &At::caller())
    }

    /// Replaces the entry of the own row at a step from the launch's first on.
    #[inline]
    #[track_caller]
    pub fn set(&mut self, step: u32, value: T) {
        self.set_at(step, value, &At::caller());
    }

    /// Acts like [`History::get`], with the source position that a fault reports.
    #[must_use]
    #[inline]
    pub fn get_at(&self, row: u32, step: u32, at: &At) -> T {
        self.entry(row, step, !self.written, at)
    }

    /// Acts like [`History::own`], with the source position that a fault reports.
    #[must_use]
    #[inline]
    pub fn own_at(&self, step: u32, at: &At) -> T {
        self.entry(self.own, step, true, at)
    }

    #[inline]
    fn entry(&self, row: u32, step: u32, ahead_too: bool, at: &At) -> T {
        // All rows have as many places, and may be written as far ahead, so any row tells the limits for one that does
        // not exist.
        let ring = self.rings.get(row as usize);
        if ring.is_none() {
            fault::raise(FaultKind::RowOutOfRange, Operands::index(row, self.rings.len()), at);
        }
        let Some(rule) = ring.or_else(|| self.rings.first()) else { return T::zeroed() };
        let (oldest, past) = rule.window(self.first);
        let readable = if ahead_too { past.saturating_add(rule.ahead()) } else { past };
        let fault = match step.checked_sub(oldest) {
            None => FaultKind::HistoryTooOld,
            Some(since) if since >= readable => FaultKind::HistoryTooYoung,
            Some(_) => {
                // SAFETY: the step is in the ring's window. Before the first step nobody writes it. From there on it
                // belongs to the own row, which only this view has, or nobody writes (the contract of `view`).
                return ring.and_then(|ring| ring.place(step)).map_or_else(T::zeroed, |place| unsafe { *place.get() });
            }
        };
        let from = u64::from(oldest);
        fault::raise(fault, Some(Operands::Step { step, from, until: from + u64::from(readable) }), at);
        T::zeroed()
    }

    /// Acts like [`History::set`], with the source position that a fault reports.
    #[inline]
    pub fn set_at(&mut self, step: u32, value: T, at: &At) {
        let Some(ring) = self.rings.get(self.own as usize).filter(|_| self.written) else { return };
        let from = u64::from(self.first);
        let operands = Operands::Step { step, from, until: from + u64::from(ring.ahead()) };
        match step.checked_sub(self.first) {
            None => fault::raise(FaultKind::HistoryTooEarly, Some(operands), at),
            Some(further) if further >= ring.ahead() => fault::raise(FaultKind::HistoryTooFar, Some(operands), at),
            Some(_) => {
                if let Some(place) = ring.place(step) {
                    // SAFETY: the step is in the ring's window and not before the first step, so no other view touches
                    // its place, and no reference to it is ever given out.
                    unsafe { *place.get() = value };
                }
            }
        }
    }
}
