//! Options of the lowering to WGSL.

use imminent_ir::launch::{Faults, ROWS_PER_GROUP};

/// Representation of 64-bit integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Int64 {
    /// Pairs of `u32`, on every device.
    #[default]
    Emulated,
    /// `u64` and `i64`, where the device offers them (wgpu's `SHADER_INT64`).
    Native,
}

/// Options of [`lower`](super::lower). The default suits every device whose limits are WebGPU's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WgslOptions {
    /// Representation of 64-bit integers, native or emulated. It changes no result.
    pub int64: Int64,
    /// `true` if the device has `f64` (wgpu's `SHADER_F64`). It needs [`Int64::Native`] as well.
    pub float64: bool,
    /// `true` if the device has minima and maxima as 64-bit atomics (wgpu's `SHADER_INT64_ATOMIC_MIN_MAX`).
    /// It needs [`Int64::Native`] as well.
    pub int64_atomics: bool,
    /// `true` for devices whose compilers merge loads of tables that a kernel does not write with others: see
    /// [`FlatKernel::reads_what_it_writes`](imminent_ir::flatten::FlatKernel::reads_what_it_writes). It changes no
    /// result.
    pub constants_apart: bool,
    /// Invocations of a workgroup: a power of two from 1 to 256. A workgroup handles 256 rows whatever its size.
    pub workgroup_size: u32,
    /// `true` if the rows to run are listed in memory. A word in memory holds their number. Otherwise the first rows
    /// run. In [`lower_reduce`](super::lower_reduce), `true` if the values to reduce come from such a launch.
    pub subset: bool,
    /// For each binding the first word column of every segment, as [`plan_segments`](super::plan_segments) gives them.
    /// Bindings past the end of this list, and those with an empty list, have one segment.
    pub segments: Vec<Vec<u32>>,
    /// Which bindings are ragged tables, ascending: each of their rows says where its lanes lie in the pool, and how
    /// many it has. Their segments are those of [`plan_ragged`](super::plan_ragged).
    pub ragged: Vec<u32>,
    /// Which bindings are tallies of a single slot, ascending: their number of slots is a constant.
    pub single: Vec<u32>,
    /// `Some` if tables and tallies lie in shared buffers, at places that the launch block gives: for each binding the
    /// number of the buffer of every segment, then those of the list of rows and of its count. Buffers of tables are
    /// numbered as they first occur, and those of tallies apart from them. An empty list means one buffer for all
    /// tables, and one for all tallies.
    pub shared: Option<Vec<Vec<u32>>>,
    /// Details that a fault reports. With operands, an invocation keeps three words, and a launch has slots for them.
    pub faults: Faults,
}

impl Default for WgslOptions {
    fn default() -> Self {
        WgslOptions {
            int64: Int64::Emulated,
            float64: false,
            int64_atomics: false,
            constants_apart: false,
            workgroup_size: ROWS_PER_GROUP,
            subset: false,
            segments: Vec::new(),
            ragged: Vec::new(),
            single: Vec::new(),
            shared: None,
            faults: Faults::Places,
        }
    }
}
