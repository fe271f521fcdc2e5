//! Kernels without a purpose: random, but well formed, and ending.

mod body;
mod choices;
mod declarations;
mod expressions;
mod functions;
mod kernel;
mod statements;

use choices::Choices;
use functions::Helper;
use imminent_core::ir::{Module, Scalar, Shape, TallyOp};

/// What generated kernels may use, besides what every device has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Abilities {
    /// Arithmetic on `f32`: its bits are those of every device that rounds correctly.
    pub(super) f32: bool,
    /// The same on `f64`.
    pub(super) f64: bool,
    /// Least and greatest of tallies of 64-bit integers.
    pub(super) wide_tally_min_max: bool,
}

/// A module under construction.
pub(super) struct Generator<'c> {
    choices: Choices<'c>,
    abilities: Abilities,
    module: Module,
    shape: Shape,
    /// Type and operation of the tally.
    tally: (Scalar, TallyOp),
    helpers: Vec<Helper>,
    /// Statements that may still be made.
    left: u32,
}

/// The kernel that the numbers stand for. Any numbers stand for one.
pub(super) fn module(numbers: &[u16], abilities: Abilities) -> Module {
    let mut generator = Generator {
        choices: Choices::new(numbers),
        abilities,
        module: declarations::empty(),
        shape: Shape::Rows,
        tally: (Scalar::U32, TallyOp::Add),
        helpers: Vec::new(),
        left: 60,
    };
    generator.kernel();
    generator.module
}
