//! What can be wrong with a module.

/// A module from which a kernel cannot be flattened. The macro never writes one; bytes from elsewhere may hold one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlattenError {
    /// A function reaches itself.
    #[error(
        "kernel `{kernel}`: `{function}` calls itself, directly or through others; a device has no call stack: write the recursion as a loop"
    )]
    Recursion {
        /// The kernel.
        kernel: String,
        /// The function met again.
        function: String,
    },
    /// Contributions of two kinds to one tally: their order would show.
    #[error(
        "kernel `{kernel}`: tally `{tally}` is used with both `{first}` and `{second}`, whose order would be observable: use one tally for each"
    )]
    MixedTally {
        /// The kernel.
        kernel: String,
        /// The kernel's parameter.
        tally: String,
        /// The operation met first.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// Something larger than any device could hold.
    #[error("kernel `{kernel}`: `{what}` takes more than {limit} words: use fewer or smaller array elements")]
    TooLarge {
        /// The kernel.
        kernel: String,
        /// The struct, constant or local.
        what: String,
        /// The most words allowed.
        limit: u32,
    },
    /// Blocks or expressions inside one another, further than lowerings follow.
    #[error(
        "kernel `{kernel}`: at {place} statements or expressions are nested more than {limit} deep, calls included: name parts of the expression with `let`, or make the nest of blocks shallower"
    )]
    TooDeep {
        /// The kernel.
        kernel: String,
        /// The function with its file and line.
        place: String,
        /// The greatest depth.
        limit: u32,
    },
    /// The IR contradicts itself.
    #[error(
        "kernel `{kernel}`: ill-formed IR at {place}: {what}; rebuild the crate that defines the kernel with this version of the `#[kernels]` macro"
    )]
    IllFormed {
        /// The kernel.
        kernel: String,
        /// Where: a function with its file and line, or a declaration.
        place: String,
        /// What is wrong.
        what: String,
    },
}
