//! Faults on the host: where they are raised, and how a launch collects them.
//!
//! Native kernel functions are ordinary functions, so a fault travels beside their results, through a cell of the
//! thread. [`catch`] runs a function and hands out the first fault that it raised; a launch does the same for every row,
//! so that the lowest row wins.

pub use imminent_ir::FaultKind;
use std::cell::Cell;
use std::panic::Location;

/// A position in the source: what a fault reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, 1-based.
    pub line: u32,
    /// The column, 1-based.
    pub column: u32,
}

impl At {
    /// The position of the caller.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn caller() -> At {
        let location = Location::caller();
        At { file: location.file(), line: location.line(), column: location.column() }
    }
}

/// A fault raised by a native kernel function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NativeFault {
    /// The row whose invocation raised it; 0 outside a launch.
    pub row: u32,
    /// What went wrong.
    pub kind: FaultKind,
    /// Where.
    pub at: At,
}

thread_local! {
    static ROW: Cell<u32> = const { Cell::new(0) };
    static FIRST: Cell<Option<NativeFault>> = const { Cell::new(None) };
}

/// Records a fault of the current thread's invocation, unless one of this or a lower row is recorded already. Never
/// panics; execution goes on.
#[cold]
#[inline(never)]
pub fn raise(kind: FaultKind, at: &At) {
    let row = ROW.get();
    // Rows come in order, but for groups, whose phases come back to rows that they left.
    if FIRST.get().is_none_or(|first| row < first.row) {
        FIRST.set(Some(NativeFault { row, kind, at: *at }));
    }
}

/// Says which row the current thread executes from now on.
#[inline]
pub(crate) fn enter_row(row: u32) {
    ROW.set(row);
}

/// Runs `f` and gives its result together with the first fault that it raised on this thread.
pub fn catch<T>(f: impl FnOnce() -> T) -> (T, Option<NativeFault>) {
    let (outer, row) = (FIRST.take(), ROW.replace(0));
    let result = f();
    let fault = FIRST.replace(outer);
    ROW.set(row);
    (result, fault)
}
