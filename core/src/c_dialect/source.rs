//! A generated kernel and how to launch it.

use imminent_ir::{Reduce, Scalar};

/// Words of the launch block before the headers of the bindings.
pub const LAUNCH_WORDS: u32 = 8;
/// Word of the launch block that says in which turn of a program the launch takes place; 0 outside programs.
pub const TURN_WORD: u32 = 4;
/// Word of the launch block that says how far something reaches beside the rows: see [`LaunchLayout`].
pub const EXTENT_WORD: u32 = 3;
/// Words of one binding's header: rows (or slots), stride, capacity, reserved.
pub const HEADER_WORDS: u32 = 4;
/// Consecutive rows that one workgroup handles; also the block of the reduction tree.
pub const ROWS_PER_GROUP: u32 = 256;

/// Generated C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CSource {
    /// The text.
    pub code: String,
    /// The kernel's symbol: its Rust name, unless the dialect reserves that.
    pub entry: String,
    /// Invocations of a workgroup. One workgroup handles [`ROWS_PER_GROUP`] rows; of a grouped kernel, one group with an
    /// invocation for each row.
    pub workgroup_size: u32,
    /// Which Rust line the lines of the text come from, in increasing order of the C line.
    pub line_map: Vec<LineMapping>,
    /// The kernel's parameters, in order.
    pub parameters: Vec<Parameter>,
    /// How to fill the launch block.
    pub launch: LaunchLayout,
    /// What the kernel leaves in `partials` (or a second level in `output`); `None` if nothing is returned.
    pub reduce: Option<ReduceLayout>,
    /// Bytes of memory that a workgroup shares.
    pub shared_bytes: u32,
    /// What the device must offer.
    pub requires: Requires,
}

/// From this line of C on, the text comes from that line of Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMapping {
    /// Line of the C text, from 1.
    pub c_line: u32,
    /// The Rust file, as the compiler names it.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
}

/// A parameter of the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the text.
    pub name: String,
    /// What is passed.
    pub role: ParameterRole,
    /// Whether the kernel may write through it.
    pub writable: bool,
}

/// What a parameter stands for: a pointer to words, but for [`Launch`](ParameterRole::Launch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterRole {
    /// Word 0 says whose turn it is; fault slots are where the launch block says.
    State,
    /// The launch block: [`LaunchLayout::words`] words by value, or a pointer to them
    /// ([`COptions::launch_in_buffer`](super::COptions::launch_in_buffer)).
    Launch,
    /// One result of [`ReduceLayout::words`] words for each group of rows.
    Partials,
    /// A table.
    Table {
        /// Position among the kernel's bindings.
        binding: u32,
    },
    /// A tally.
    Tally {
        /// Position among the kernel's bindings.
        binding: u32,
    },
    /// A table whose first column is the numbers of the rows to be run: with [`COptions::subset`](super::COptions::subset).
    SubsetRows,
    /// A table that begins with how many of them are meant.
    SubsetCount,
    /// What a second level reduces.
    Input,
    /// What it gives.
    Output,
}

/// Where things lie in the launch block, in words.
///
/// | Word | Contents |
/// | --- | --- |
/// | 0 | number of rows; of a subset: the most that it may have |
/// | 1 | first fault slot in `state` |
/// | 2 | 0 |
/// | 3 | of a kernel with tiles: columns of the grid; of a subset: rows of the shortest table of own rows; of a higher level over a subset: how many levels are below it; else 0 |
/// | 4 | the turn of a program in which the launch takes place |
/// | 5 to 7 | 0 |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchLayout {
    /// Length of the block.
    pub words: u32,
    /// Where each binding's header starts: number of rows (without the zero row; of a tally: of slots), stride, capacity, 0.
    pub headers: Vec<u32>,
    /// Where the words of each parameter block start.
    pub params: Vec<ParamsBlock>,
}

/// A parameter block within the launch block: its layout's words with stride 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamsBlock {
    /// Position among the kernel's bindings.
    pub binding: u32,
    /// First word.
    pub offset: u32,
    /// How many words.
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

/// What the device must offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requires {
    /// `f64` (OpenCL: `cl_khr_fp64`).
    pub float64: bool,
    /// 64-bit atomics (OpenCL: `cl_khr_int64_base_atomics` and `cl_khr_int64_extended_atomics`).
    pub int64_atomics: bool,
}
