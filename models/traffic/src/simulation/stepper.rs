//! Trait of the engines: they advance by quanta of time, and are sampled in between.

use super::error::SimulationError;
use super::sample::{Sample, SpentTime};
use crate::Traffic;
use crate::fluid::Means;
use crate::network::Flow;
use crate::network::flow::Fluid;
use crate::packet::PacketReport;

/// Engine that simulates traffic under way. Times are in nanoseconds.
pub(super) trait Stepper {
    /// Returns the time between points at which the simulation can stop.
    fn quantum(&self) -> u64;

    /// Advances by `quanta` quanta.
    fn advance(&mut self, quanta: u64) -> Result<(), SimulationError>;

    /// Samples all queues and flows; they are always the same ones, in the same order.
    fn sample(&mut self) -> Result<Sample, SimulationError>;

    /// Ends the warm-up: means start from now.
    fn measure(&mut self) -> Result<(), SimulationError>;

    /// Returns means of fluids since [`measure`](Self::measure), over all steps, if there are fluids.
    fn means(&self) -> Result<Option<Means>, SimulationError> {
        Ok(None)
    }

    /// Returns `true` if [`means`](Self::means) has all queues and flows, so that samples are needed for series alone.
    fn measures_all(&self) -> bool {
        false
    }

    /// Returns the host's time by activity, if fluids and packets share it.
    fn spent(&self) -> Option<SpentTime> {
        None
    }

    /// Returns statistics of packets since counting began, if there are packets.
    fn packets(&self) -> Option<PacketReport> {
        None
    }
}

/// Returns the sending rate of a fluid at a time, in bits per second, from its window and round-trip time.
pub(super) fn sent(traffic: &Traffic, flow: &Flow, window: f64, round_trip: f64, time: u64) -> f64 {
    match flow.kind.fluid() {
        Some(Fluid::Tcp(sessions)) if round_trip > 0.0 => {
            f64::from(sessions) * window * f64::from(traffic.tcp().packet) * 8.0 / round_trip
        }
        Some(Fluid::Udp(rate)) if (flow.start..flow.stop).contains(&time) => rate as f64,
        _ => 0.0,
    }
}
