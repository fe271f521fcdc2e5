//! What the coupling needs to know of fluids.

use crate::fluid::{FlowState, FluidError, Means, QueueState};
use std::time::Duration;

/// What packets find in a queue that they share, in one step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Level {
    /// Length at the end of the step, in bytes.
    pub length: f64,
    /// The share of what arrived that was lost.
    pub loss: f64,
    /// Where the length is 0: bytes that the link could have sent beside what there was (the paper's φ, equation 12).
    pub spare: f64,
}

/// What of the host's time in [`Fluids::join`] and [`Fluids::begin`] was not spent on handing launches over, in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aside {
    /// Handing transfers over.
    pub transfers: Duration,
    /// Waiting for earlier work.
    pub waiting: Duration,
}

/// Fluids some of whose queues packets share.
pub trait Fluids {
    /// Puts so many bytes of packets into each shared queue, between two batches.
    ///
    /// # Errors
    /// Those of the fluids.
    fn join(&mut self, bytes: &[u64]) -> Result<(), FluidError>;

    /// Sets off for the next batch. Should not wait.
    ///
    /// # Errors
    /// Those of the fluids.
    fn begin(&mut self) -> Result<(), FluidError>;

    /// Waits for one or more steps of the batch that were not asked for before, and adds what packets find in them: for each step the levels of all shared queues.
    ///
    /// # Errors
    /// Those of the fluids.
    fn fetch(&mut self, levels: &mut Vec<Level>) -> Result<(), FluidError>;

    /// What of the time in the calls so far was spent otherwise.
    fn aside(&self) -> Aside {
        Aside::default()
    }

    /// Measures from now on, between two batches, what [`Fluids::means`] tells.
    ///
    /// # Errors
    /// Those of the fluids.
    fn measure(&mut self) -> Result<(), FluidError>;

    /// Means over the steps since measuring began, up to the step of [`Fluids::flows`]; `None` if it did not, or there were none.
    ///
    /// # Errors
    /// Those of the fluids.
    fn means(&self) -> Result<Option<Means>, FluidError>;

    /// Every fluid flow after a step: the last of the batch, or one from the last that was fetched on.
    ///
    /// # Errors
    /// Those of the fluids.
    fn flows(&self) -> Result<Vec<FlowState>, FluidError>;

    /// Every queue that a flow enters, at the same time.
    ///
    /// # Errors
    /// Those of the fluids.
    fn queues(&self) -> Result<Vec<QueueState>, FluidError>;
}
