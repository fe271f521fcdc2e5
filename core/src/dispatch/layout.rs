//! Layout of the launch block and of a reduction's result.

use crate::reduce::combine;
use imminent_ir::{Reduce, Scalar};

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

/// A reduced result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceLayout {
    /// The reduction.
    pub reduce: Reduce,
    /// Type of the value: the returned one, but `u32` for `Count` and `Any`.
    pub scalar: Scalar,
    /// Words of one result: the value's, and one more for the row of `ArgMin`.
    pub words: u32,
}

/// Returns the words of a reduction's identity, the result of an empty launch: the value's words, then `u32::MAX` for
/// the row of `ArgMin`.
///
/// `scalar` is the type of the returned value, or [`ReduceLayout::scalar`].
#[must_use]
pub fn identity_words(reduce: Reduce, scalar: Scalar) -> Vec<u32> {
    let identity = combine(reduce, scalar, &[]);
    let words = if matches!(reduce, Reduce::Count | Reduce::Any) { 1 } else { scalar.words() };
    let low = (identity.value & 0xffff_ffff) as u32;
    let mut out = if words == 2 { vec![low, (identity.value >> 32) as u32] } else { vec![low] };
    if reduce == Reduce::ArgMin {
        out.push(identity.row);
    }
    out
}
