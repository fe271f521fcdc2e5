//! Advances of clocks.

use super::builder::ProgramBuilder;
use crate::device::Queue;
use crate::error::Result;
use crate::tables::ClockTable;
use stepping::{By, advance};

#[crate::kernels]
mod stepping {
    use crate::native::clock::row::Now;

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

impl Queue {
    /// Advances a clock by `steps`, after earlier work. A clock at the end of its 2<sup>32</sup> steps stops there,
    /// with a fault.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn advance(&self, clock: &mut ClockTable, steps: u32) -> Result<()> {
        self.launch::<advance>((&mut clock.now, &By { steps })).map(drop)
    }
}

impl ProgramBuilder {
    /// Advances a clock by `steps`, at every replay and in every round of a loop. The device does it.
    ///
    /// # Errors
    /// As for [`Queue::launch`].
    pub fn advance(&mut self, clock: &mut ClockTable, steps: u32) -> Result<()> {
        self.launch::<advance>((&mut clock.now, &By { steps })).map(drop)
    }
}
