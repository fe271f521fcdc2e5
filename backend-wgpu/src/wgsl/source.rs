//! A generated shader and how to bind it.

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

/// Generated WGSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WgslSource {
    /// The text.
    pub code: String,
    /// The entry point's name.
    pub entry: &'static str,
    /// Invocations of a workgroup. One workgroup handles [`ROWS_PER_GROUP`] rows; of a grouped kernel, one group with an
    /// invocation for each row.
    pub workgroup_size: u32,
    /// Which Rust line the lines of the text come from, in increasing order of the WGSL line.
    pub line_map: Vec<LineMapping>,
    /// What to bind in group 0, in order of the binding number.
    pub bindings: Vec<BufferBinding>,
    /// How to fill the launch block.
    pub launch: LaunchLayout,
    /// What the shader leaves in `partials` (or a second level in `output`); `None` if nothing is returned.
    pub reduce: Option<ReduceLayout>,
    /// Bytes of memory that a workgroup shares.
    pub shared_bytes: u32,
    /// What the device must offer.
    pub requires: Requires,
}

/// From this line of WGSL on, the text comes from that line of Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMapping {
    /// Line of the WGSL text, from 1.
    pub wgsl_line: u32,
    /// The Rust file, as the compiler names it.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
}

/// A storage buffer that the shader declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferBinding {
    /// Its number in group 0.
    pub binding: u32,
    /// The variable in the text.
    pub name: String,
    /// What it holds.
    pub role: BufferRole,
    /// Whether the shader declares it `read_write`. The pipeline layout must say the same.
    pub writable: bool,
}

/// What a storage buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferRole {
    /// Word 0 says whose turn it is; fault slots are where the launch block says.
    State,
    /// The launch block.
    Launch,
    /// One result of [`ReduceLayout::words`] words for each group of rows.
    Partials,
    /// A segment of a table.
    Table {
        /// Position among the kernel's bindings.
        binding: u32,
        /// Which segment of it.
        segment: u32,
    },
    /// A tally.
    Tally {
        /// Position among the kernel's bindings.
        binding: u32,
    },
    /// A table whose first column is the numbers of the rows to be run: with [`WgslOptions::subset`](super::WgslOptions::subset).
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
/// | 2 | number of the first group |
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

/// Features of the device that a shader needs, by wgpu's names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requires {
    /// `SHADER_INT64`.
    pub int64: bool,
    /// `SHADER_F64`.
    pub float64: bool,
    /// `SHADER_INT64_ATOMIC_MIN_MAX`.
    pub int64_atomics: bool,
}
