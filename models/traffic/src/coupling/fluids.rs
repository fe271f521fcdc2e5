//! Interface between the coupling and fluids.

use crate::fluid::{FlowState, FluidError, Means, QueueState};
use std::time::Duration;

/// State of a shared queue in one step, for packets.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Level {
    /// Length at the end of the step, in bytes.
    pub length: f64,
    /// Share of the arrivals that was lost.
    pub loss: f64,
    /// Bytes that the link could have sent in addition if the length is 0 (the paper's φ, equation 12).
    pub spare: f64,
}

/// Time of the host in [`Fluids::join`] and [`Fluids::begin`] that was not spent on enqueueing launches, in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aside {
    /// Time for enqueueing transfers.
    pub transfers: Duration,
    /// Time spent waiting for earlier work.
    pub waiting: Duration,
}

/// Fluids that share some of their queues with packets.
pub trait Fluids {
    /// Adds the given bytes of packets to each shared queue, between two batches.
    ///
    /// # Errors
    /// Errors of the fluids.
    fn join(&mut self, bytes: &[u64]) -> Result<(), FluidError>;

    /// Starts the next batch. Should not wait.
    ///
    /// # Errors
    /// Errors of the fluids.
    fn begin(&mut self) -> Result<(), FluidError>;

    /// Waits for one or more further steps of the batch, and appends the levels of all shared queues for each step.
    ///
    /// # Errors
    /// Errors of the fluids.
    fn fetch(&mut self, levels: &mut Vec<Level>) -> Result<(), FluidError>;

    /// Returns the time in the calls so far that was not spent on launches.
    fn aside(&self) -> Aside {
        Aside::default()
    }

    /// Starts measuring for [`Fluids::means`], between two batches.
    ///
    /// # Errors
    /// Errors of the fluids.
    fn measure(&mut self) -> Result<(), FluidError>;

    /// Returns means over the steps since measuring began, up to the step of [`Fluids::flows`]; `None` without such
    /// steps.
    ///
    /// # Errors
    /// Errors of the fluids.
    fn means(&self) -> Result<Option<Means>, FluidError>;

    /// Returns every fluid flow at a step from the last fetched one on, up to the end of the batch.
    ///
    /// # Errors
    /// Errors of the fluids.
    fn flows(&self) -> Result<Vec<FlowState>, FluidError>;

    /// Returns every queue that a flow enters, at the step of [`Fluids::flows`].
    ///
    /// # Errors
    /// Errors of the fluids.
    fn queues(&self) -> Result<Vec<QueueState>, FluidError>;
}
