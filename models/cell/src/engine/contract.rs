//! The contract between the engines and a model: kernels, rows, and the rule on a host.

use super::kernels::blocks::{BlockStateArgs, BlockTablesArgs, Clock};
use super::kernels::edges::{Edge, Hours};
use super::kernels::feeds::When;
use super::kernels::here::Here;
use super::kernels::lanes::{Places, Queues, Tiling};
use super::kernels::outputs::Own;
use super::kernels::space::{Offset, Space};
use imminent_core::random::Pcg32;
use imminent_core::{Data, Kernel, Params, ProgramBuilder, Result, Row, Rows, Scalar, Table, TallyTable};

/// Tables and parameters that evaluations read.
#[derive(Debug)]
pub struct Scenario<'a, M: CellKernels> {
    /// The model's table.
    pub facts: &'a Table<M::Facts>,
    /// Offsets of the neighbourhood.
    pub offsets: &'a Table<Offset>,
    /// Shape of the space.
    pub space: &'a Space,
    /// Parameters of the model.
    pub model: &'a M,
}

/// Tables of the lanes of one group.
#[derive(Debug)]
pub struct Lanes<M: CellKernels> {
    /// State that does not depend on the type of a value.
    pub places: Table<Places>,
    /// Values of the cells.
    pub helds: Table<M::Held>,
    /// Values of their neighbours.
    pub seens: Table<M::Seen>,
    /// Times of pending outputs.
    pub queues: Table<Queues>,
    /// Values of pending outputs.
    pub waits: Table<M::Waits>,
    /// Values that cells keep for themselves.
    pub kepts: Table<M::Kept>,
}

/// Launch that executes a round of outputs.
#[derive(Debug)]
pub struct Step<'a, M: CellKernels> {
    /// State that other cells do not see.
    pub owns: &'a mut Table<Own>,
    /// Values in queues.
    pub waits: &'a mut Table<M::Waits>,
    /// Values that cells keep for themselves.
    pub kepts: &'a mut Table<M::Kept>,
    /// State that neighbours see.
    pub cells: &'a mut Table<M::Cell>,
    /// State that neighbours saw before the round.
    pub before: &'a Table<M::Cell>,
    /// State of blocks of cells.
    pub state: BlockStateArgs<'a>,
    /// Tables of blocks of cells.
    pub tables: BlockTablesArgs<'a>,
    /// External inputs, by cell.
    pub feeds: &'a Table<M::Feed>,
    /// Tables that evaluations read.
    pub scenario: Scenario<'a, M>,
    /// Number of the next round.
    pub next: &'a mut Table<Clock>,
}

/// Launch that executes many rounds of outputs.
#[derive(Debug)]
pub struct Rounds<'a, M: CellKernels> {
    /// Lanes of the group.
    pub lanes: &'a mut Lanes<M>,
    /// Time of the group.
    pub hours: &'a mut Table<Hours>,
    /// Edges between lanes.
    pub edges: &'a Table<Edge>,
    /// External inputs, by lane.
    pub feeds: &'a Table<M::Feed>,
    /// Room that the fullest queue needs.
    pub fullest: &'a TallyTable<u32>,
    /// Shape of tiles.
    pub tiling: &'a Tiling,
    /// Tables that evaluations read.
    pub scenario: Scenario<'a, M>,
}

/// Launch that fills the lanes of a group with all cells, or brings the cells back.
#[derive(Debug)]
pub struct Change<'a, M: CellKernels> {
    /// Lanes of the group.
    pub lanes: &'a mut Lanes<M>,
    /// State that other cells do not see.
    pub owns: &'a mut Table<Own>,
    /// Values in queues.
    pub waits: &'a mut Table<M::Waits>,
    /// Values that cells keep for themselves.
    pub kepts: &'a mut Table<M::Kept>,
    /// State that neighbours see.
    pub cells: &'a mut Table<M::Cell>,
    /// External inputs, by lane.
    pub feeds: &'a Table<M::Feed>,
    /// Time of the group.
    pub hours: &'a Table<Hours>,
    /// Offsets of the neighbourhood.
    pub offsets: &'a Table<Offset>,
    /// Shape of the space.
    pub space: &'a Space,
    /// Shape of tiles.
    pub tiling: &'a Tiling,
}

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
    /// Values that a cell keeps for itself.
    type Kept: Row;
    /// Values of a lane's cells.
    type Held: Row;
    /// Values that a lane's cells have seen.
    type Seen: Row;
    /// External inputs of a cell, with their times.
    type Feed: Row;
    /// Kernel that executes a round of outputs.
    type Step: Kernel;

    /// Value that stands for an undefined one.
    const UNDEFINED: Self::Value;
    /// Input of a cell to which none comes.
    const NO_INPUT: Self::Input;

    /// Makes a cell of the value emitted last, the pending value and the time of the next output.
    fn cell(value: Self::Value, pending: Self::Value, due: u32) -> Self::Cell;

    /// Returns the value that a cell emitted last, its pending value, and the time of its next output.
    fn parts(cell: &Self::Cell) -> (Self::Value, Self::Value, u32);

    /// Makes the values that a cell keeps for itself.
    fn kept(values: Vec<Self::Value>) -> Self::Kept;

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
        kept: &mut Self::Kept,
    ) -> Answer<Self::Value>;

    /// Records a launch that executes a round of outputs. Its result is the number of the next round.
    ///
    /// # Errors
    /// As for [`ProgramBuilder::launch_into`].
    fn record_step(program: &mut ProgramBuilder, step: Step<'_, Self>) -> Result<Scalar<u64>>;

    /// Records a launch that executes many rounds of outputs. Its result is the time of the next one.
    ///
    /// # Errors
    /// As for [`ProgramBuilder::launch`].
    fn record_rounds(program: &mut ProgramBuilder, rounds: Rounds<'_, Self>) -> Result<Scalar<u32>>;

    /// Records a launch that fills the lanes of a group.
    ///
    /// # Errors
    /// As for [`ProgramBuilder::launch`].
    fn record_enter(program: &mut ProgramBuilder, change: Change<'_, Self>) -> Result<()>;

    /// Records a launch that brings the cells back from the lanes of a group.
    ///
    /// # Errors
    /// As for [`ProgramBuilder::launch`].
    fn record_leave(program: &mut ProgramBuilder, change: Change<'_, Self>) -> Result<()>;

    /// Describes a failure of an evaluation.
    fn failure(state: u32) -> String {
        format!("the rule failed in state {state}")
    }
}
