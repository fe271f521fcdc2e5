//! Generation of random kernels that are well formed and end.

mod body;
mod choices;
mod declarations;
mod expressions;
mod functions;
mod kernel;
mod statements;

use choices::Choices;
use imminent_core::ir::{FunctionId, Module, ParamKind, Scalar, Shape, TallyOp, Type, VERSION};

/// File named by the sites of generated kernels.
const FILE: &str = "fuzz.rs";

/// Optional features that generated kernels may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Abilities {
    /// `true` if kernels use arithmetic on `f32`, with the bits of every device that rounds correctly.
    pub(super) f32: bool,
    /// `true` if kernels use arithmetic on `f64`.
    pub(super) f64: bool,
    /// `true` if kernels use minima and maxima of tallies of 64-bit integers.
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
    /// Number of statements that may still be generated.
    left: u32,
}

/// Parameters of a function, besides its id.
#[derive(Clone, Debug)]
struct Helper {
    id: FunctionId,
    params: Vec<ParamKind>,
    result: Type,
    /// Operation that it applies to tallies.
    op: TallyOp,
}

/// Generates the kernel of a list of numbers. Every list gives a kernel.
pub(super) fn module(numbers: &[u16], abilities: Abilities) -> Module {
    let mut generator = Generator {
        choices: Choices::new(numbers),
        abilities,
        module: Module {
            version: VERSION,
            name: "fuzz".to_owned(),
            file: FILE.to_owned(),
            structs: vec![],
            enums: vec![],
            consts: vec![],
            functions: vec![],
            kernels: vec![],
            sites: vec![],
        },
        shape: Shape::Rows,
        tally: (Scalar::U32, TallyOp::Add),
        helpers: Vec::new(),
        left: 60,
    };
    generator.kernel();
    generator.module
}
