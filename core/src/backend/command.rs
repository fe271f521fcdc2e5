//! Commands to a backend: launches, arguments, nodes of programs.

use super::{Buffer, Comparison, ModuleHandle, Primitive};
use imminent_ir::Scalar;
use std::any::Any;
use std::sync::Arc;

/// An argument of a launch, in the order of the kernel's resource parameters.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A table. Own rows (`&T`, `&mut T`) and whole tables (`&Rows<T>`) look the same here.
    Table {
        /// The table.
        buffer: Buffer,
        /// `true` if the kernel may change the table. The table is then bound nowhere else in the launch.
        mutable: bool,
    },
    /// A tally.
    Tally {
        /// The tally.
        buffer: Buffer,
    },
    /// A parameter block.
    Params {
        /// The words, in the canonical layout.
        words: Arc<[u32]>,
        /// The native value.
        native: Arc<dyn Any + Send + Sync>,
    },
}

/// One launch of one kernel. The arguments fit the kernel's parameters.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The module.
    pub module: ModuleHandle,
    /// Position of the kernel in the module.
    pub kernel: u32,
    /// Name of the kernel, for error texts.
    pub name: &'static str,
    /// Number of rows; every table of own rows has at least as many. May be 0. For a launch over a subset: the largest
    /// number of rows that the subset can hold.
    pub rows: u32,
    /// Columns of the grid that the rows form, for a kernel with tiles; otherwise 0. A grid is always whole.
    pub width: u32,
    /// Rows to run, if these are not all of the first [`rows`](Launch::rows). Never set for a grouped kernel.
    pub subset: Option<Subset>,
    /// The arguments.
    pub args: Vec<Argument>,
    /// Destination of the reduced value, for a kernel that returns one: a result, or row 0 of a one-row table whose
    /// first column has the value's type. It is none of the arguments.
    pub result: Option<Buffer>,
    /// Number of the launch among the operations of its queue; `None` inside a program. A backend whose launches
    /// return before their faults are known names it in [`Fault::operation`](crate::Fault::operation).
    pub operation: Option<u64>,
}

impl Launch {
    /// Returns the memories that the launch changes or reads, including its result.
    pub fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        let args = self.args.iter().filter_map(|arg| match arg {
            Argument::Table { buffer, .. } | Argument::Tally { buffer } => Some(buffer),
            Argument::Params { .. } => None,
        });
        let subset = self.subset.iter().flat_map(|subset| [&subset.rows, &subset.count]);
        args.chain(&self.result).chain(subset)
    }
}

/// Rows chosen on the device. A launch runs each of them once.
#[derive(Clone, Debug)]
pub struct Subset {
    /// A table whose first column is a `u32`: a row number in the tables of own rows, or [`GAP`](crate::GAP), at which
    /// nothing runs. No number occurs twice.
    pub rows: Buffer,
    /// A table whose row 0 begins with a `u32`: the number of leading entries of `rows` that are valid.
    pub count: Buffer,
}

/// A part of a program.
#[derive(Clone, Debug)]
pub enum Node {
    /// Launches a kernel.
    Launch(Launch),
    /// Runs a primitive that the backend overrides.
    Primitive(Primitive),
    /// Copies a whole buffer to another of the same shape.
    Copy {
        /// Source.
        from: Buffer,
        /// Destination.
        to: Buffer,
    },
    /// Sets a whole buffer to zero.
    Clear(Buffer),
    /// Runs nodes a number of times.
    Repeat {
        /// Number of repetitions.
        times: u32,
        /// Nodes to repeat.
        body: Vec<Node>,
    },
    /// Runs nodes until a test holds.
    LoopUntil(LoopUntil),
}

/// Runs steps repeatedly: a step, then its tests, then the next step, until a test holds.
#[derive(Clone, Debug)]
pub struct LoopUntil {
    /// Steps, which take turns: the first follows the last. At least one. All have the same tests, each on its own
    /// buffers. There is more than one step where tables swap places between steps.
    pub steps: Vec<Step>,
    /// Largest number of steps, whatever the tests say.
    pub max_steps: u64,
    /// `true` if no group of [`GROUP_ROWS`] rows needs what another one computes in the loop: each may make its steps
    /// by itself, and end when a test holds after one of its own. A backend may ignore it.
    pub in_groups: bool,
}

/// Rows of a group in a loop [in groups](LoopUntil::in_groups).
pub const GROUP_ROWS: u32 = imminent_ir::launch::ROWS_PER_GROUP;

impl LoopUntil {
    /// Creates a loop of one step.
    #[must_use]
    pub fn new(nodes: Vec<Node>, tests: Vec<Test>, max_steps: u64) -> LoopUntil {
        LoopUntil { steps: vec![Step { nodes, tests }], max_steps, in_groups: false }
    }
}

/// One step of a loop.
#[derive(Clone, Debug)]
pub struct Step {
    /// Nodes that the step runs. They may contain loops.
    pub nodes: Vec<Node>,
    /// Tests after the step, in order: the first that holds is reported.
    pub tests: Vec<Test>,
}

/// A test of a device scalar against a constant.
#[derive(Clone, Debug)]
pub struct Test {
    /// The table, tally or result that holds the scalar.
    pub buffer: Buffer,
    /// The row or slot.
    pub row: u32,
    /// First word of the column.
    pub word: u32,
    /// Type of the scalar.
    pub scalar: Scalar,
    /// Comparison between scalar and constant.
    pub comparison: Comparison,
    /// Bits of the constant, zero-extended.
    pub constant: u64,
}
