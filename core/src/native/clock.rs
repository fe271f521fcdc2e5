//! Row of a clock, as a device holds it.

/// Row of a clock on a device. It is private, so a launch has no other clock than the one that it is given.
#[crate::kernels]
pub(crate) mod row {
    /// Row of a clock.
    #[derive(Row)]
    pub(crate) struct Now {
        /// First step of a launch.
        pub(crate) first: u32,
    }
}
