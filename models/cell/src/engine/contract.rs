//! The contract between the engines and a model: kernels, rows, and the rule on a host.

use super::kernels::blocks::{Block, Census, Clock, Source};
use super::kernels::edges::{Edge, Hours};
use super::kernels::feeds::When;
use super::kernels::here::Here;
use super::kernels::lanes::{Places, Queues, Tiling};
use super::kernels::outputs::Own;
use super::kernels::space::{Offset, Space};
use imminent_core::random::Pcg32;
use imminent_core::{Data, Kernel, Params, Row, Rows, Table, TallyTable};

/// Arguments of the kernel that does a round of outputs in a launch.
pub type StepArgs<'a, M> = (
    &'a mut Table<Own>,
    &'a mut Table<<M as CellKernels>::Waits>,
    &'a mut Table<<M as CellKernels>::Cell>,
    &'a Table<<M as CellKernels>::Cell>,
    &'a mut Table<Block>,
    &'a Table<Block>,
    &'a Table<Source>,
    &'a mut Table<Census>,
    &'a Table<Clock>,
    &'a Table<<M as CellKernels>::Facts>,
    &'a Table<Offset>,
    &'a Table<<M as CellKernels>::Feed>,
    &'a TallyTable<u32>,
    &'a Space,
    &'a M,
);

/// Arguments of the kernel that does many rounds of outputs in a launch.
pub type RoundsArgs<'a, M> = (
    &'a mut Table<Places>,
    &'a mut Table<<M as CellKernels>::Held>,
    &'a mut Table<<M as CellKernels>::Seen>,
    &'a mut Table<Queues>,
    &'a mut Table<<M as CellKernels>::Waits>,
    &'a mut Table<Hours>,
    &'a Table<<M as CellKernels>::Facts>,
    &'a Table<Offset>,
    &'a Table<Edge>,
    &'a Table<<M as CellKernels>::Feed>,
    &'a TallyTable<u32>,
    &'a Space,
    &'a Tiling,
    &'a M,
);

/// Arguments of the kernel that fills the lanes of a group.
pub type EnterArgs<'a, M> = (
    &'a mut Table<Places>,
    &'a mut Table<<M as CellKernels>::Held>,
    &'a mut Table<<M as CellKernels>::Seen>,
    &'a mut Table<Queues>,
    &'a mut Table<<M as CellKernels>::Waits>,
    &'a Table<Own>,
    &'a Table<<M as CellKernels>::Waits>,
    &'a Table<<M as CellKernels>::Cell>,
    &'a Table<Offset>,
    &'a Table<<M as CellKernels>::Feed>,
    &'a Table<Hours>,
    &'a Space,
    &'a Tiling,
);

/// Arguments of the kernel that brings the cells back from the lanes of a group.
pub type LeaveArgs<'a, M> = (
    &'a mut Table<Own>,
    &'a mut Table<<M as CellKernels>::Waits>,
    &'a mut Table<<M as CellKernels>::Cell>,
    &'a Table<Places>,
    &'a Table<<M as CellKernels>::Held>,
    &'a Table<Queues>,
    &'a Table<<M as CellKernels>::Waits>,
    &'a Space,
    &'a Tiling,
);

/// Cells on a host, as a rule sees them.
#[derive(Debug)]
pub struct View<'a, M: CellKernels> {
    /// All cells.
    pub cells: &'a Rows<M::Cell>,
    /// Offsets of the neighbourhood.
    pub offsets: &'a Rows<Offset>,
    /// The model's table.
    pub facts: &'a Rows<M::Facts>,
    /// Shape of the space.
    pub space: &'a Space,
}

/// Result of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<V> {
    /// New value.
    pub value: V,
    /// Milliseconds until the output.
    pub delay: u32,
    /// [`NOTHING`](Answer::NOTHING), [`FOUND`](Answer::FOUND), or a failure of the model.
    pub state: u32,
}

impl<V> Answer<V> {
    /// State of an evaluation that changes nothing.
    pub const NOTHING: u32 = 0;
    /// State of an evaluation that gives a value and a delay.
    pub const FOUND: u32 = 1;
}

/// Kernels and rows of a model's cells, which a macro writes. The implementing type has the model's parameters.
pub trait CellKernels: Params + Clone + Sized {
    /// Value of a cell.
    type Value: Data;
    /// External input of a cell.
    type Input: Data;
    /// Row of the model's table.
    type Facts: Row;
    /// State of a cell that its neighbours see.
    type Cell: Row + Copy;
    /// Values of the outputs in queues.
    type Waits: Row;
    /// Values of a lane's cells.
    type Held: Row;
    /// Values that a lane's cells have seen.
    type Seen: Row;
    /// External inputs of a cell, with their times.
    type Feed: Row;
    /// A round of outputs.
    type Step: for<'a> Kernel<Output = u64, Args<'a> = StepArgs<'a, Self>>;
    /// Many rounds of outputs.
    type Rounds: for<'a> Kernel<Output = u32, Args<'a> = RoundsArgs<'a, Self>>;
    /// From rows to lanes.
    type Enter: for<'a> Kernel<Output = (), Args<'a> = EnterArgs<'a, Self>>;
    /// From lanes to rows.
    type Leave: for<'a> Kernel<Output = (), Args<'a> = LeaveArgs<'a, Self>>;

    /// Value that stands for an undefined one.
    const UNDEFINED: Self::Value;
    /// Input of a cell to which none comes.
    const NO_INPUT: Self::Input;

    /// Makes a cell of the value emitted last, the pending value and the time of the next output.
    fn cell(value: Self::Value, pending: Self::Value, due: u32) -> Self::Cell;

    /// Returns the value that a cell emitted last, its pending value, and the time of its next output.
    fn parts(cell: &Self::Cell) -> (Self::Value, Self::Value, u32);

    /// Makes the inputs of a cell.
    fn feed(when: When, input: Self::Input) -> Self::Feed;

    /// Tells whether two values are equal.
    fn same(&self, a: Self::Value, b: Self::Value) -> bool;

    /// Evaluates the rule of a cell on a host.
    fn evaluate(
        &self,
        here: Here,
        own: Self::Value,
        input: Self::Input,
        view: &View<'_, Self>,
        random: &mut Pcg32,
    ) -> Answer<Self::Value>;

    /// Describes a failure of an evaluation.
    fn failure(state: u32) -> String {
        format!("the rule failed in state {state}")
    }
}
