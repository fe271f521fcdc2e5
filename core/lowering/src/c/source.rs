//! A generated kernel and how to launch it.

use crate::walk::LineMapping;
use imminent_ir::Reductions;
use imminent_ir::launch::LaunchLayout;

/// Generated C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CSource {
    /// The text.
    pub code: String,
    /// The kernel's symbol: its Rust name, unless the dialect reserves that.
    pub entry: String,
    /// Invocations of a workgroup. One workgroup handles [`ROWS_PER_GROUP`](imminent_ir::launch::ROWS_PER_GROUP) rows;
    /// of a grouped kernel, one group with an invocation for each row.
    pub workgroup_size: u32,
    /// Which Rust line the lines of the text come from, in increasing order of the C line.
    pub line_map: Vec<LineMapping>,
    /// The kernel's parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Layout of the launch block, by which the runtime fills it.
    pub launch: LaunchLayout,
    /// Layout of the results in `partials` (or, of a second level, in `output`); `None` if nothing is returned.
    pub results: Option<Reductions>,
    /// Bytes of memory that a workgroup shares.
    pub shared_bytes: u32,
    /// Features that the device must offer.
    pub requires: Requires,
}

/// A parameter of the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the parameter in the text.
    pub name: String,
    /// Role of the parameter: the data that is passed.
    pub role: ParameterRole,
    /// `true` if the kernel may write through the parameter.
    pub writable: bool,
}

/// Role of a parameter: a pointer to words, except for [`Launch`](ParameterRole::Launch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterRole {
    /// Word 0 says whose turn it is; fault slots are where the launch block says.
    State,
    /// The launch block: [`LaunchLayout::words`] words by value, or a pointer to them
    /// ([`COptions::launch_in_buffer`](super::COptions::launch_in_buffer)).
    Launch,
    /// One result of [`Reductions::words`] words for each group of rows.
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
    /// A table whose first column is the numbers of the rows to be run: with
    /// [`COptions::subset`](super::COptions::subset).
    SubsetRows,
    /// A table that begins with how many of them are meant.
    SubsetCount,
    /// Values that a second level reduces.
    Input,
    /// Results of a second level.
    Output,
}

/// Features that the device must offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requires {
    /// `f64` (OpenCL: `cl_khr_fp64`).
    pub float64: bool,
    /// 64-bit atomics (OpenCL: `cl_khr_int64_base_atomics` and `cl_khr_int64_extended_atomics`).
    pub int64_atomics: bool,
}
