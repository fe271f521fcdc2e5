//! The clock of histories.

/// Row and kernel of a clock on a device. They are private, so a launch has no other clock than the one that it is
/// given.
#[crate::kernels]
pub(crate) mod stepping {
    /// Row of a clock.
    #[derive(Row)]
    pub(crate) struct Now {
        /// First step of a launch.
        pub(crate) first: u32,
    }

    /// Parameters of an advance.
    #[derive(Params)]
    pub(crate) struct By {
        /// Number of steps.
        pub(crate) steps: u32,
    }

    /// Advances the clock. It stops at the last representable step, with a fault.
    #[kernel]
    pub(crate) fn advance(now: &mut Now, by: &By) {
        assert!(by.steps <= u32::MAX - now.first, "a clock has 2^32 steps");
        now.first = now.first.saturating_add(by.steps);
    }
}
