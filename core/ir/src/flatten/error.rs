//! Errors of a module.

/// A module from which a kernel cannot be flattened. The macro never writes one; bytes from elsewhere may hold one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlattenError {
    /// A function reaches itself.
    #[error(
        "kernel `{kernel}`: `{function}` calls itself, directly or through others; a device has no call stack: write the recursion as a loop"
    )]
    Recursion {
        /// Name of the kernel.
        kernel: String,
        /// Function that was reached again.
        function: String,
    },
    /// Contributions of two kinds to one tally: their order would be observable.
    #[error(
        "kernel `{kernel}`: tally `{tally}` is used with both `{first}` and `{second}`, whose order would be observable: use one tally for each"
    )]
    MixedTally {
        /// Name of the kernel.
        kernel: String,
        /// Parameter of the kernel.
        tally: String,
        /// Operation found first.
        first: &'static str,
        /// Other operation.
        second: &'static str,
    },
    /// A declaration is larger than any device could hold.
    #[error("kernel `{kernel}`: `{what}` takes more than {limit} words: use fewer or smaller array elements")]
    TooLarge {
        /// Name of the kernel.
        kernel: String,
        /// Struct, constant or local.
        what: String,
        /// Largest number of words allowed.
        limit: u32,
    },
    /// Blocks or expressions are nested more deeply than lowerings follow.
    #[error(
        "kernel `{kernel}`: at {place} statements or expressions are nested more than {limit} deep, calls included: name parts of the expression with `let`, or make the nest of blocks shallower"
    )]
    TooDeep {
        /// Name of the kernel.
        kernel: String,
        /// Function with its file and line.
        place: String,
        /// The greatest depth.
        limit: u32,
    },
    /// The IR contradicts itself.
    #[error(
        "kernel `{kernel}`: ill-formed IR at {place}: {what}; rebuild the crate that defines the kernel with this version of the `#[kernels]` macro"
    )]
    IllFormed {
        /// Name of the kernel.
        kernel: String,
        /// Place of the error: a function with its file and line, or a declaration.
        place: String,
        /// Description of the error.
        what: String,
    },
}
