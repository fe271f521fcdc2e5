//! Errors of kernels that cannot be lowered.

use imminent_ir::Scalar;

/// A kernel that has no text in a dialect under the given options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoweringError {
    /// The kernel uses a type that the device does not have.
    #[error("kernel `{kernel}` uses `{scalar}` at {file}:{line}, which this device does not {offer}: {advice}")]
    Unsupported {
        /// The kernel.
        kernel: String,
        /// The type.
        scalar: Scalar,
        /// The source file.
        file: String,
        /// The line in it.
        line: u32,
        /// The device's relation to the type: `have`, or `offer to WebGPU`.
        offer: &'static str,
        /// Remedy.
        advice: &'static str,
    },
    /// A 64-bit minimum or maximum contributed to a tally.
    #[error(
        "kernel `{kernel}` contributes a 64-bit minimum or maximum to a tally at {file}:{line}, and this device has no such atomic: return the value and reduce it (`#[kernel(reduce = min)]`, `max`) instead"
    )]
    WideTally {
        /// The kernel.
        kernel: String,
        /// The source file.
        file: String,
        /// The line in it.
        line: u32,
    },
    /// Options that contradict each other or the kernel.
    #[error("kernel `{kernel}` cannot be lowered to {language} with these options: {what}")]
    Options {
        /// The kernel.
        kernel: String,
        /// The language: `C`, or `WGSL`.
        language: &'static str,
        /// Contradiction between the options, or between an option and the kernel.
        what: &'static str,
    },
    /// The flat kernel is not one that `flatten` made.
    #[error("kernel `{kernel}` is ill-formed at {place}: {what}; lower only what `imminent_ir::flatten` returns")]
    IllFormed {
        /// The kernel.
        kernel: String,
        /// Function and line.
        place: String,
        /// Defect of the kernel.
        what: &'static str,
    },
}
