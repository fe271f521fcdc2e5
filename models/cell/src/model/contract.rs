//! A model of cells with a rule of the user's own.

use crate::engine::CellKernels;
use crate::engine::kernels::here::Here;
use imminent_core::random::Pcg32;

/// Most 32-bit words of a value.
///
/// A group of 256 lanes shares 15,360 bytes, 15 words for each lane. Six of them are the time, a mark and the
/// coordinates of a cell.
pub const MAX_WORDS: u32 = 9;

/// A model whose rule is a function of a kernel module.
///
/// The macro [`cell_model!`](crate::cell_model!) implements the trait for the parameters of a model. The implementing
/// type is what a scenario, [`Cells`](super::Cells), is made with.
pub trait CellModel: CellKernels {
    /// Largest number of neighbours for which the rule is written.
    const MAX_NEIGHBOURS: usize;

    /// `true` if the rule takes a stream of random numbers.
    const DRAWS: bool;

    /// Makes an external input of a value.
    fn input(value: Self::Value) -> Self::Input;

    /// Returns the table of the model, which has one row that no rule reads.
    fn table() -> Vec<Self::Facts>;

    /// Calls the rule on the host: the new value, and the milliseconds until the output.
    ///
    /// `seen` has the values of the neighbours, and [`UNDEFINED`](CellKernels::UNDEFINED) beyond an open border.
    fn rule(
        &self,
        here: &Here,
        own: Self::Value,
        seen: &[Self::Value],
        input: Self::Value,
        random: &mut Pcg32,
    ) -> (Self::Value, u32);
}
