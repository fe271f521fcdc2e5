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

/// Sums of the samples of one queue; packets count the other statistics themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct QueueSums {
    length: f64,
    greatest: f64,
}

/// Sums of the samples of one flow.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct FlowSums {
    rate: f64,
    window: f64,
    /// Number of samples with a window.
    windows: u64,
    round_trip: f64,
    round_trips: u64,
}

impl QueueSums {
    pub(super) fn add(&mut self, sample: &QueueSample) {
        self.length += sample.length;
        self.greatest = self.greatest.max(sample.length);
    }

    /// Returns means over so many samples.
    pub(super) fn means(&self, samples: u64) -> QueueMeans {
        QueueMeans { length: self.length / samples.max(1) as f64, greatest: self.greatest, ..QueueMeans::default() }
    }
}

impl FlowSums {
    pub(super) fn add(&mut self, sample: &FlowSample) {
        self.rate += sample.rate;
        if let Some(window) = sample.window {
            (self.window, self.windows) = (self.window + window, self.windows + 1);
        }
        if let Some(round_trip) = sample.round_trip.filter(|_| sample.rate > 0.0) {
            (self.round_trip, self.round_trips) = (self.round_trip + round_trip, self.round_trips + 1);
        }
    }

    /// Returns means over so many samples.
    pub(super) fn means(&self, samples: u64) -> FlowMeans {
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        FlowMeans {
            rate: self.rate / samples.max(1) as f64,
            window: mean(self.window, self.windows),
            round_trip: mean(self.round_trip, self.round_trips),
        }
    }
}
