//! Options of the lowering, and the compiler options that its text requires.

use imminent_ir::launch::{Faults, ROWS_PER_GROUP};

/// The language of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CUDA C++, as NVRTC takes it, without any include.
    Cuda,
    /// OpenCL C 1.2.
    OpenCl,
}

/// Options of [`lower`](super::lower).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct COptions {
    /// The language.
    pub dialect: Dialect,
    /// `true` if the device has `f64`. All CUDA devices have it; OpenCL calls it `cl_khr_fp64`.
    pub float64: bool,
    /// `true` if the device has 64-bit atomics. All CUDA devices have them. In OpenCL they require both
    /// `cl_khr_int64_base_atomics` and `cl_khr_int64_extended_atomics`. Without them, 64-bit sums are formed from two
    /// 32-bit atomics.
    pub int64_atomics: bool,
    /// `true` if the compiler rounds `/` and `sqrt` of `f32` correctly. In OpenCL, `CL_DEVICE_SINGLE_FP_CONFIG` then
    /// has `CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT`, and [`compiler_options`] asks for it. Otherwise they are done in
    /// `f64` where the device has it, which gives the same bits, and else as the device does them.
    pub correctly_rounded_divide_sqrt: bool,
    /// Invocations of a workgroup: a power of two from 1 to 256. A workgroup handles 256 rows whatever its size.
    pub workgroup_size: u32,
    /// `true` if `launch` is a pointer to the launch block instead of the block itself. Blocks that exceed the size
    /// limit of the device's arguments need this.
    pub launch_in_buffer: bool,
    /// `true` if the rows to run are listed in memory. A word in memory holds their number. Otherwise the first rows
    /// run. In [`lower_reduce`](super::lower_reduce), `true` if the values to reduce come from such a launch.
    pub subset: bool,
    /// Which bindings are ragged tables, ascending: each of their rows says where its lanes lie in the pool, and how
    /// many it has.
    pub ragged: Vec<u32>,
    /// Which bindings are tallies of a single slot, ascending: their number of slots is a constant.
    pub single: Vec<u32>,
    /// Details that a fault reports. With operands, an invocation keeps three words, and a launch has slots for them.
    pub faults: Faults,
    /// `true` if `#line` directives name the Rust lines. Profilers, debuggers and the compiler's messages then show
    /// them.
    pub line_directives: bool,
}

impl COptions {
    /// The options for every CUDA device.
    #[must_use]
    pub const fn cuda() -> COptions {
        COptions {
            dialect: Dialect::Cuda,
            float64: true,
            int64_atomics: true,
            correctly_rounded_divide_sqrt: true,
            workgroup_size: ROWS_PER_GROUP,
            launch_in_buffer: false,
            subset: false,
            ragged: Vec::new(),
            single: Vec::new(),
            faults: Faults::Places,
            line_directives: false,
        }
    }

    /// The options for an OpenCL device that has nothing optional.
    #[must_use]
    pub const fn opencl() -> COptions {
        COptions {
            dialect: Dialect::OpenCl,
            float64: false,
            int64_atomics: false,
            correctly_rounded_divide_sqrt: false,
            workgroup_size: ROWS_PER_GROUP,
            launch_in_buffer: false,
            subset: false,
            ragged: Vec::new(),
            single: Vec::new(),
            faults: Faults::Places,
            line_directives: false,
        }
    }
}

/// No warnings, as about variables that nobody reads: rustc gave its own, about what people wrote.
const NO_WARNINGS: &str = "--disable-warnings";

/// Returns the compiler options that give the text its meaning: no contraction, no flushing, correct rounding.
///
/// The runtime adds the architecture (`--gpu-architecture=...`) or the language version (`-cl-std=...`) and what it
/// wants beside that, but nothing that relaxes floating point.
#[must_use]
pub fn compiler_options(options: &COptions) -> Vec<&'static str> {
    match (options.dialect, options.correctly_rounded_divide_sqrt) {
        (Dialect::Cuda, _) => vec!["--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true", NO_WARNINGS],
        (Dialect::OpenCl, true) => vec!["-cl-fp32-correctly-rounded-divide-sqrt"],
        (Dialect::OpenCl, false) => vec![],
    }
}
