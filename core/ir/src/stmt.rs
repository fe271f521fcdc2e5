//! Statements.

use crate::{Base, Expr, FunctionId, LocalId, Place, SiteId, Vote};
use serde::{Deserialize, Serialize};

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// A statement with its source line (1-based).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stmt {
    /// Line in the module's source file.
    pub line: u32,
    /// Kind of the statement.
    pub kind: StmtKind,
}

/// Kinds of statement. Each that carries a [`SiteId`] may raise that fault.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StmtKind {
    /// Declares a local. Without a value it is assigned before it is read; lowerings may zero it.
    Let(LocalId, Option<Expr>),
    /// `place = value`, the indices of the place in range.
    Assign(Place, Expr),
    /// `place = value` with checked indices, outermost first: dropped, with a fault, if one is out of range.
    Store(Place, Expr, SiteId),
    /// `let into = place` with checked indices: zero, with a fault, if one is out of range.
    Load(LocalId, Place, SiteId),
    /// `let into = a / b` of integers; `least / -1` wraps to `least`.
    Divide(LocalId, Expr, Expr, SiteId),
    /// `let into = a % b` of integers; `least % -1` is 0.
    Remainder(LocalId, Expr, Expr, SiteId),
    /// `let row = rows.get(index)`: binds a [`LocalKind::RowRef`](crate::LocalKind::RowRef) local.
    BindRow {
        /// Local that names the row from here on.
        local: LocalId,
        /// Table.
        rows: Base,
        /// Row number, a `u32`.
        index: Expr,
        /// Raised if `index` is not below the number of rows.
        site: SiteId,
    },
    /// `let into = lanes.get(index)`.
    LaneGet {
        /// Local declared.
        into: LocalId,
        /// Place of lane type.
        lanes: Place,
        /// Lane, a `u32`.
        index: Expr,
        /// Raised if `index` is not below the capacity.
        site: SiteId,
    },
    /// `lanes.set(index, value)`.
    LaneSet {
        /// Place of lane type.
        lanes: Place,
        /// Lane, a `u32`.
        index: Expr,
        /// Value stored.
        value: Expr,
        /// Raised if `index` is not below the capacity.
        site: SiteId,
    },
    /// `let into = history.get(row, step)` or `history.own(step)`. In a history that the kernel writes, it can read
    /// every row's steps of the past, and the own steps that can be written. In one that it does not write, it can read
    /// all steps.
    HistoryGet {
        /// The local declared.
        into: LocalId,
        /// The history.
        history: Base,
        /// Row, a `u32`; `None` for the own one.
        row: Option<Expr>,
        /// The step, a `u32`.
        step: Expr,
        /// Raised if there is no such row.
        no_row: SiteId,
        /// Raised if the step is before those that can be read.
        too_old: SiteId,
        /// Raised if the step is after those that can be read.
        too_young: SiteId,
    },
    /// `history.set(step, value)`, of the own row.
    HistorySet {
        /// The history.
        history: Base,
        /// The step, a `u32`.
        step: Expr,
        /// The value stored.
        value: Expr,
        /// Raised if the step is before the launch's first.
        too_early: SiteId,
        /// Raised if the step is further ahead than the history reaches.
        too_far: SiteId,
    },
    /// `tally.op(slot, value)`.
    Tally {
        /// The tally.
        tally: Base,
        /// Operation that combines contributions.
        op: TallyOp,
        /// The slot, a `u32`.
        slot: Expr,
        /// The contribution.
        value: Expr,
        /// Raised if `slot` is not below the number of slots.
        site: SiteId,
    },
    /// `tally.load(slot)`, `tally.store(slot, value)` or `tally.exchange(slot, value)`, of a tally of `u32`. The result
    /// can depend on the order of the rows, so only modules that are declared `unordered` have it.
    Word {
        /// Operation.
        op: WordOp,
        /// Local declared with the value read; zero, with a fault, if the slot is out of range.
        into: Option<LocalId>,
        /// The tally.
        tally: Base,
        /// The slot, a `u32`.
        slot: Expr,
        /// New value, unless the slot is only read.
        value: Option<Expr>,
        /// Raised if `slot` is not below the number of slots.
        site: SiteId,
    },
    /// `assert!(condition)`.
    Assert(Expr, SiteId),
    /// Calls a function. A result declares the local.
    Call {
        /// The local that receives the result.
        into: Option<LocalId>,
        /// The function called.
        function: FunctionId,
        /// Arguments, one for each parameter.
        args: Vec<Arg>,
    },
    /// Runs a function for every row of the group. Only in the body of a grouped kernel, where control flow is uniform.
    /// Afterwards every element of the scratch holds the value that its invocation set last.
    Phase {
        /// The local that receives the vote.
        into: Option<LocalId>,
        /// Combination of the invocations' `bool` results into one value; without it the function returns nothing.
        vote: Option<Vote>,
        /// The function run.
        function: FunctionId,
        /// Arguments, one for each parameter: values of the group, the scratch, and resources of the kernel.
        args: Vec<Arg>,
    },
    /// `let into = scratch[index]`, as the previous phase left it.
    ScratchGet {
        /// The local declared.
        into: LocalId,
        /// The scratch.
        scratch: Base,
        /// Number of the invocation whose element is read, a `u32`.
        index: Expr,
        /// Raised if `index` is not below the size of a full group; the value is then zero.
        site: SiteId,
    },
    /// `let into = own element`, as this invocation left it. In phases only.
    ScratchOwn {
        /// The local declared.
        into: LocalId,
        /// The scratch.
        scratch: Base,
    },
    /// `own element = value`: visible to the other invocations in the next phase. In phases only.
    ScratchSet {
        /// The scratch.
        scratch: Base,
        /// The value.
        value: Expr,
    },
    /// `if`.
    If(Expr, Block, Block),
    /// `loop`: left by `break` or `return`.
    Loop(Block),
    /// `while`, with a pure condition.
    While(Expr, Block),
    /// `for var in start..end`. The bounds are evaluated once; `var` cannot be assigned.
    For {
        /// The loop variable, an integer.
        var: LocalId,
        /// First value.
        start: Expr,
        /// Upper bound: one past the last value, or the last value if `inclusive`.
        end: Expr,
        /// `true` for `start..=end`.
        inclusive: bool,
        /// `true` for `(start..end).rev()`.
        reverse: bool,
        /// The body.
        body: Block,
    },
    /// Leaves the innermost loop.
    Break,
    /// Continues with the innermost loop's next iteration.
    Continue,
    /// Leaves the function.
    Return(Option<Expr>),
}

impl StmtKind {
    /// Returns the local that a statement declares.
    pub fn declared(&self) -> Option<LocalId> {
        // Every kind is named, so that a new one has to be judged here.
        match self {
            StmtKind::Let(local, _)
            | StmtKind::Load(local, ..)
            | StmtKind::Divide(local, ..)
            | StmtKind::Remainder(local, ..)
            | StmtKind::BindRow { local, .. }
            | StmtKind::LaneGet { into: local, .. }
            | StmtKind::HistoryGet { into: local, .. }
            | StmtKind::ScratchGet { into: local, .. }
            | StmtKind::ScratchOwn { into: local, .. }
            | StmtKind::For { var: local, .. } => Some(*local),
            StmtKind::Word { into, .. } | StmtKind::Phase { into, .. } | StmtKind::Call { into, .. } => *into,
            StmtKind::Assign(..)
            | StmtKind::Store(..)
            | StmtKind::LaneSet { .. }
            | StmtKind::HistorySet { .. }
            | StmtKind::Tally { .. }
            | StmtKind::Assert(..)
            | StmtKind::ScratchSet { .. }
            | StmtKind::If(..)
            | StmtKind::Loop(_)
            | StmtKind::While(..)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => None,
        }
    }
}

/// Operation that combines the contributions to a tally: all are commutative and associative, so their order cannot be
/// observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TallyOp {
    /// Wrapping sum.
    Add,
    /// Least value.
    Min,
    /// Greatest value.
    Max,
    /// Bitwise or.
    Or,
    /// Bitwise and.
    And,
}

impl TallyOp {
    /// Returns the method's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TallyOp::Add => "add",
            TallyOp::Min => "min",
            TallyOp::Max => "max",
            TallyOp::Or => "or",
            TallyOp::And => "and",
        }
    }
}

/// Operation on a word of a tally as a whole, in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WordOp {
    /// Reads a word of a tally.
    Load,
    /// Replaces a word of a tally.
    Store,
    /// Replaces a word of a tally, and returns the previous word.
    Exchange,
}

impl WordOp {
    /// Returns the method's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            WordOp::Load => "load",
            WordOp::Store => "store",
            WordOp::Exchange => "exchange",
        }
    }

    /// Returns `true` if the operation returns a value.
    #[must_use]
    pub const fn reads(self) -> bool {
        !matches!(self, WordOp::Store)
    }

    /// Returns `true` if the operation takes a new value.
    #[must_use]
    pub const fn writes(self) -> bool {
        !matches!(self, WordOp::Load)
    }
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Arg {
    /// For [`ParamKind::Value`](crate::ParamKind::Value).
    Value(Expr),
    /// For [`ParamKind::InOut`](crate::ParamKind::InOut), and for a row parameter given a local struct: copied in
    /// before the call and back after it.
    InOut(Place),
    /// A row, table, lane array, tally or parameter block of the caller, named by its place.
    Resource(Place),
}
