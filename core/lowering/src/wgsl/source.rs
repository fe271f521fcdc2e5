//! A generated shader and how to bind it.

use crate::walk::LineMapping;
use imminent_ir::Reductions;
use imminent_ir::launch::LaunchLayout;

/// Generated WGSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WgslSource {
    /// The text.
    pub code: String,
    /// The entry point's name.
    pub entry: &'static str,
    /// Invocations of a workgroup. One workgroup handles [`ROWS_PER_GROUP`](imminent_ir::launch::ROWS_PER_GROUP) rows;
    /// of a grouped kernel, one group with an invocation for each row, and up to seven more.
    pub workgroup_size: u32,
    /// Which Rust line the lines of the text come from, in increasing order of the WGSL line.
    pub line_map: Vec<LineMapping>,
    /// Buffers to bind in group 0, in order of the binding number.
    pub bindings: Vec<BufferBinding>,
    /// Layout of the launch block, by which the runtime fills it.
    pub launch: LaunchLayout,
    /// Pieces of tables, and tallies, that lie in shared buffers. Their words of the launch block come after the
    /// layout's own.
    pub shared: Vec<SharedPiece>,
    /// Layout of the results in `partials` (or, of a second level, in `output`); `None` if nothing is returned.
    pub results: Option<Reductions>,
    /// Bytes of memory that a workgroup shares.
    pub shared_bytes: u32,
    /// Features that the device must offer.
    pub requires: Requires,
}

/// A storage buffer that the shader declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferBinding {
    /// Number of the binding in group 0.
    pub binding: u32,
    /// The variable in the text.
    pub name: String,
    /// Role of the buffer: the data that it holds.
    pub role: BufferRole,
    /// `true` if the shader declares the buffer `read_write`. The pipeline layout must say the same.
    pub writable: bool,
}

/// A piece of a table, or a tally, in a shared buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedPiece {
    /// The piece: [`BufferRole::Table`], [`BufferRole::SubsetRows`], [`BufferRole::SubsetCount`] or
    /// [`BufferRole::Tally`].
    pub of: BufferRole,
    /// Number of the shared buffer: those of tables come first, then those of tallies.
    pub buffer: u32,
    /// Word of the launch block that holds the piece's first word in the buffer.
    pub word: u32,
}

/// Role of a storage buffer: the data that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferRole {
    /// Word 0 says whose turn it is; fault slots are where the launch block says.
    State,
    /// The launch block.
    Launch,
    /// One result of [`Reductions::words`] words for each group of rows.
    Partials,
    /// A segment of a table.
    Table {
        /// Position among the kernel's bindings.
        binding: u32,
        /// Which segment of it.
        segment: u32,
    },
    /// A buffer that tables or tallies share: with [`WgslOptions::shared`](super::WgslOptions::shared).
    Shared {
        /// Number of the buffer.
        buffer: u32,
    },
    /// A tally.
    Tally {
        /// Position among the kernel's bindings.
        binding: u32,
    },
    /// A table whose first column is the numbers of the rows to be run: with
    /// [`WgslOptions::subset`](super::WgslOptions::subset).
    SubsetRows,
    /// A table that begins with how many of them are meant.
    SubsetCount,
    /// Values that a second level reduces.
    Input,
    /// Results of a second level.
    Output,
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
