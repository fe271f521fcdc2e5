//! The clock of histories.

/// What a clock holds on a device, and how it goes on. Nobody outside can name it, so a launch has no other clock than the one that it is given.
#[crate::kernels]
pub(crate) mod stepping {
    /// The row of a clock.
    #[derive(Row)]
    pub(crate) struct Now {
        /// The first step of a launch.
        pub(crate) first: u32,
    }

    /// How far a clock goes on.
    #[derive(Params)]
    pub(crate) struct By {
        /// Steps.
        pub(crate) steps: u32,
    }

    /// Goes on. A clock stops at the last step that there is, with a fault.
    #[kernel]
    pub(crate) fn advance(now: &mut Now, by: &By) {
        assert!(by.steps <= u32::MAX - now.first, "a clock has 2^32 steps");
        now.first = now.first.saturating_add(by.steps);
    }
}
