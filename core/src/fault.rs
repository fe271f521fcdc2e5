//! Faults on the host: their origin, and their collection by a launch.
//!
//! Native kernel functions are ordinary functions, so a fault travels beside their results, through a cell of the
//! thread. [`catch`] runs a function and returns the first fault that it raised. A launch does the same for every row,
//! and reports the lowest row with a fault.

pub use imminent_ir::FaultKind;
use std::cell::Cell;
use std::panic::Location;

/// A position in the source, as a fault reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, 1-based.
    pub line: u32,
    /// The column, 1-based.
    pub column: u32,
    /// The user's expression in backquotes. For an assertion, its text, if it has one, and its condition.
    pub text: &'static str,
}

impl At {
    /// Returns the position of the caller.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn caller() -> At {
        let location = Location::caller();
        At { file: location.file(), line: location.line(), column: location.column(), text: "" }
    }
}

/// A fault raised by a native kernel function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NativeFault {
    /// Row whose invocation raised the fault; 0 outside a launch.
    pub row: u32,
    /// Kind of fault.
    pub kind: FaultKind,
    /// Values with which the operation failed; none for an assertion.
    pub operands: Option<Operands>,
    /// Position in the source.
    pub at: At,
}

/// Values with which an operation failed.
///
/// Functions on the host have them, and devices opened with the option `faults=operands`. Other devices keep one word
/// for each place that can raise a fault: the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operands {
    /// An index of an array, row, lane, slot or scratch element.
    Index {
        /// The index.
        index: i128,
        /// Number of elements.
        length: u64,
    },
    /// Dividend of a division by zero.
    Dividend(i128),
    /// A step of a history.
    Step {
        /// The step.
        step: u32,
        /// First step that can be read or written here.
        from: u64,
        /// First step after the last that can be read or written here.
        until: u64,
    },
}

impl Operands {
    /// Creates the operands of an index past the end.
    #[inline]
    pub(crate) fn index(index: u32, length: usize) -> Option<Operands> {
        Some(Operands::Index { index: i128::from(index), length: length as u64 })
    }
}

impl std::fmt::Display for Operands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Operands::Index { index, length } => write!(f, "index {index}, length {length}"),
            Operands::Dividend(value) => write!(f, "left operand {value}"),
            Operands::Step { step, from, until } => {
                write!(f, "step {step}, available steps {from} to {}", until.saturating_sub(1))
            }
        }
    }
}

thread_local! {
    static ROW: Cell<u32> = const { Cell::new(0) };
    static FIRST: Cell<Option<NativeFault>> = const { Cell::new(None) };
}

/// Records a fault of the current thread's invocation, unless a fault of this or a lower row is already recorded. Never
/// panics; execution continues.
#[cold]
#[inline(never)]
pub fn raise(kind: FaultKind, operands: Option<Operands>, at: &At) {
    let row = ROW.get();
    // Rows come in order, except in groups, whose phases return to earlier rows.
    if FIRST.get().is_none_or(|first| row < first.row) {
        FIRST.set(Some(NativeFault { row, kind, operands, at: *at }));
    }
}

/// Sets the row that the current thread executes from now on.
#[inline]
pub fn enter_row(row: u32) {
    // `try_with` is inlined across crates, `set` is not; without a destructor it cannot fail.
    let _ = ROW.try_with(|current| current.set(row));
}

/// Returns `true` if a function that [`catch`] runs on this thread has raised a fault so far.
#[must_use]
pub fn is_raised() -> bool {
    FIRST.get().is_some()
}

/// Runs `f` and returns its result together with the first fault that it raised on this thread.
pub fn catch<T>(f: impl FnOnce() -> T) -> (T, Option<NativeFault>) {
    let (outer, row) = (FIRST.take(), ROW.replace(0));
    let result = f();
    let fault = FIRST.replace(outer);
    ROW.set(row);
    (result, fault)
}
