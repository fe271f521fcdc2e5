//! Launches of lowered kernels: words of the launch block, and of the operands of faults.
//!
//! The lowerings write kernels that read and write these words; the runtime fills and decodes them.

use crate::Scalar;
use crate::flatten::FlatKernel;
use serde::{Deserialize, Serialize};

/// Words of the launch block before the headers of the bindings.
pub const LAUNCH_WORDS: u32 = 8;
/// Word of the launch block with the turn of a program in which the launch takes place. Outside programs it is 0, as is
/// the state's word, or [`EVERY_TURN`].
pub const TURN_WORD: u32 = 4;
/// Turn of a launch in a C dialect that takes place whatever the state says. Kernels then need not wait for the state
/// to be read.
pub const EVERY_TURN: u32 = 0xffff_fffe;
/// Word of the launch block with an extent other than the number of rows: see [`LaunchLayout`].
pub const EXTENT_WORD: u32 = 3;
/// Word of the launch block that is 0 in every launch, which no compiler can deduce.
pub const ZERO_WORD: u32 = 5;
/// Words of one binding's header: rows (or slots), stride, capacity, stride of the pool.
pub const HEADER_WORDS: u32 = 4;
/// Consecutive rows that one workgroup handles; also the block of the reduction tree.
pub const ROWS_PER_GROUP: u32 = 256;

/// Layout of the launch block, in words.
///
/// | Word | Contents |
/// | --- | --- |
/// | 0 | number of rows; of a subset: the most that it may have |
/// | 1 | first fault slot in `state` |
/// | 2 | number of the first group, of a launch that is dispatched in parts; else 0 |
/// | 3 | of a kernel with tiles: columns of the grid; of a subset: rows of the shortest table of own rows; of a higher level over a subset: how many levels are below it; else 0 |
/// | 4 | the turn of a program in which the launch takes place |
/// | 5 to 7 | 0 |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchLayout {
    /// Length of the block.
    pub words: u32,
    /// Start of each binding's header: number of rows (without the zero row; slots of a tally), stride, capacity, and
    /// the words between two word columns of a ragged table's pool.
    pub headers: Vec<u32>,
    /// Start of the words of each parameter block.
    pub params: Vec<ParamsBlock>,
}

/// A parameter block within the launch block: its layout's words with stride 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamsBlock {
    /// Position among the kernel's bindings.
    pub binding: u32,
    /// First word.
    pub offset: u32,
    /// Number of words.
    pub words: u32,
}

/// Details that a device reports about a fault, beside its kind, row and position in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Faults {
    /// Nothing. Kernels then need no registers for it.
    #[default]
    Places,
    /// The operands of the operation that faulted, as functions on the host report them. The device option
    /// `faults=operands` asks a device for them.
    Operands,
}

/// Set in the third word of operands if the 64 bits before it are those of a signed integer. No array has so many
/// elements.
pub const SIGNED: u32 = 1 << 31;

/// The third word of operands that begin with an integer of a type, given the length of the array (0 of a division).
#[must_use]
pub const fn third_word(scalar: Scalar, length: u32) -> u32 {
    match scalar {
        Scalar::I32 | Scalar::I64 => length | SIGNED,
        _ => length,
    }
}

/// Returns `true` if a device keeps operands of a kernel's faults.
#[must_use]
pub fn keeps_operands(flat: &FlatKernel, faults: Faults) -> bool {
    faults == Faults::Operands && flat.has_operands()
}
