//! Means of queues and flows since the warm-up: measured at every step, or computed from samples.

use super::sample::{FlowSample, QueueSample};
use crate::fluid;

/// Means of one queue.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QueueMeans {
    /// Mean length in bytes.
    pub length: f64,
    /// Greatest length in bytes.
    pub greatest: f64,
    /// Share of the bandwidth that is used, by packets too if they share the queue.
    pub used: f64,
    /// Arrivals of fluids, in bits per second.
    pub arrivals: f64,
    /// Arrivals of fluids that the queue drops, in bits per second.
    pub lost: f64,
}

/// Means of one flow.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FlowMeans {
    /// Rate in bits per second.
    pub rate: f64,
    /// Mean window while the flow is active.
    pub window: Option<f64>,
    /// Mean round-trip time while the flow is active, in seconds.
    pub round_trip: Option<f64>,
}

impl QueueMeans {
    /// Converts means that the fluid engine measured.
    pub(super) fn measured(of: &fluid::QueueMeans) -> Self {
        let fluid::QueueMeans { length, greatest, arrivals, losses, .. } = *of;
        // Rounding may leave a value slightly above 1.
        Self { length, greatest, used: of.used.min(1.0), arrivals: arrivals * 8.0, lost: losses * 8.0 }
    }
}

impl FlowMeans {
    /// Converts means that the fluid engine measured.
    pub(super) fn measured(of: &fluid::FlowMeans) -> Self {
        Self { rate: of.rate * 8.0, window: of.window, round_trip: of.round_trip }
    }
}

/// Sums of the samples of one queue, each weighted by the time since the sample before: the last one of a run may
/// follow sooner. Packets count the other statistics themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct QueueSums {
    length: f64,
    time: f64,
    greatest: f64,
}

/// Sums of the samples of one flow, weighted like those of a queue.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct FlowSums {
    window: f64,
    /// Time of the samples with a window.
    windows: f64,
    round_trip: f64,
    round_trips: f64,
}

impl QueueSums {
    /// Adds a sample so many seconds after the one before.
    pub(super) fn add(&mut self, sample: &QueueSample, elapsed: f64) {
        self.length += elapsed * sample.length;
        self.time += elapsed;
        self.greatest = self.greatest.max(sample.length);
    }

    /// Returns means of the samples.
    pub(super) fn means(&self) -> QueueMeans {
        let length = mean(self.length, self.time).unwrap_or(0.0);
        QueueMeans { length, greatest: self.greatest, ..QueueMeans::default() }
    }
}

impl FlowSums {
    /// Adds a sample so many seconds after the one before.
    pub(super) fn add(&mut self, sample: &FlowSample, elapsed: f64) {
        if let Some(window) = sample.window {
            (self.window, self.windows) = (self.window + elapsed * window, self.windows + elapsed);
        }
        if let Some(round_trip) = sample.round_trip.filter(|_| sample.rate > 0.0) {
            (self.round_trip, self.round_trips) = (self.round_trip + elapsed * round_trip, self.round_trips + elapsed);
        }
    }

    /// Returns means of the samples, with a rate that was counted.
    pub(super) fn means(&self, rate: f64) -> FlowMeans {
        FlowMeans { rate, window: mean(self.window, self.windows), round_trip: mean(self.round_trip, self.round_trips) }
    }
}

/// Returns the mean of weighted values, if there are any.
fn mean(sum: f64, weight: f64) -> Option<f64> {
    (weight > 0.0).then(|| sum / weight)
}
