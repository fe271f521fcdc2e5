//! The clustered-time engine: many events in one step, for a stated error.
//!
//! Events of a queueing network hardly ever share a time stamp. A parallel machine stays idle if only simultaneous
//! events are executed together. The engine of `park-framework` (section 5) and `park-dissertation` (section 5.1)
//! executes all events in an interval of length `D` in one step, at the interval's end. The effect on the statistics is
//! known well enough to be [corrected](corrected_utilization).
//!
//! # One step, precisely
//! The future event list holds, for every busy node, the end of its service. Times are ticks.
//!
//! 1. **Minimum.** `t` is the least time in the list. The *step time* is `S`, the least multiple of `D` that is `t` or
//!    later (`S = t` for `D = 0`). When the list is empty, or `S` is the horizon or later, the run is over. The clock
//!    jumps from event to event: steps in which nothing would happen do not take place.
//! 2. **Extraction and departures.** Every service that ends at `S` or before is over: its node becomes idle and
//!    publishes the token that it has released. A released token has its *original* time stamp (the service's end, not
//!    `S`) and its destination.
//! 3. **Facility update.** Each node reads its in-neighbours and takes the tokens released to it in this step. It puts
//!    them behind the tokens already waiting, ordered by original time stamp and then by the number of the node they
//!    come from. One server releases at most one token in a step, so this order is total. A token's arrival time is its
//!    original time stamp. All time stamps of a step are later than those of earlier steps. A line ordered by arrival
//!    is therefore ordered by step too, and its head keeps its priority over newcomers.
//! 4. **Rescheduling.** Each idle node with a waiting token serves the first of its line. The service *begins at* `S`
//!    and ends at `S` plus the service time. This end enters the list without rounding.
//!
//! A source is not delayed by steps: its next emission starts when the previous one ended, not at the step that
//! executes it. If a source emits several tokens within an interval, the step is repeated at the same time. A token
//! that finds its node full after the departures of its step is lost. Stations have one server each.
//!
//! The first step is at time 0 and consists of the fourth part alone. Random numbers are drawn as in
//! [`scenario`](crate::scenario): out-edge, then the next service time, when a service begins. The papers break ties at
//! random; here the node's number decides, which makes runs repeatable. (Tokens are anonymous, so no reported number
//! depends on it.)
//!
//! Each part reads the results of the part before it, and a node writes to itself alone. The four parts are therefore
//! four data-parallel kernels without atomics: the papers' alternate update. [`mod@reference`] does the same one event
//! at a time.
//!
//! # Statistics
//!
//! The [statistics](crate::outcome::NodeStatistics) are those of the exact engines, with `start` at a step time and
//! `arrival` and `departure` at original time stamps. Busy time is service time only. (On the clustered clock a server
//! would count as busy until the step of its departure, and utilization would seem to rise with `D` although throughput
//! falls.) The delay between a departure and its step belongs to the wait at the next node. By Little's law the mean
//! sojourn does not depend on the node to which it is attributed.
//!
//! With an interval of 0 or of one tick nothing is clustered, and the outcome equals that of the exact engines, bit for
//! bit.

pub mod published;
pub mod reference;
mod slowing;

pub use slowing::{Slowed, mm1_sojourn};

use crate::network::{Network, Overflow, Role};
use imminent_common::number::Shown;
use imminent_common::time::{Tick, TimeError};
use thiserror::Error;

/// Reasons why an interval cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum IntervalError {
    /// An interval is not a valid time.
    #[error("the interval: {0}")]
    Time(#[from] TimeError),
    /// An interval is positive but shorter than half a tick.
    #[error("an interval of {} time units is less than a tick of {}: use 0 for no clustering", Shown(*units), Shown(*tick))]
    TooShort {
        /// Interval given, in time units.
        units: f64,
        /// Length of the tick, in time units.
        tick: f64,
    },
}

/// A network that the clustered engine cannot simulate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the interval engine is for stations of one server that lose tokens where they are full, and node '{label}' is not: use the engine `exact` or `sequential`"
)]
pub struct Unsupported {
    /// Label or number of the first unsupported node.
    pub label: String,
}

/// Checks that the clustered engine can simulate a network: every station has one server, and none makes tokens wait in
/// other servers.
///
/// # Errors
/// [`Unsupported`], naming the first node for which this does not hold.
pub fn check(network: &Network) -> Result<(), Unsupported> {
    let supported = |node: u32| match network.role(node) {
        Role::Source => true,
        Role::Station(station) => {
            station.servers == 1
                && station.discipline.is_exact()
                && (station.capacity.is_none() || station.overflow == Overflow::Lose)
        }
    };
    let beyond = network.beyond_sequential().map(|beyond| beyond.node);
    match beyond.or_else(|| (0..network.len() as u32).find(|&node| !supported(node))) {
        Some(node) => Err(Unsupported { label: network.label(node) }),
        None => Ok(()),
    }
}

/// Converts an interval from time units to ticks; 0 means that only simultaneous events share a step.
///
/// # Errors
/// [`IntervalError`] for values that are not times, and for a positive interval that rounds to no tick.
pub fn interval_ticks(units: f64, tick: Tick) -> Result<u64, IntervalError> {
    let ticks = tick.ticks(units)?;
    if ticks == 0 && units > 0.0 {
        return Err(IntervalError::TooShort { units, tick: tick.units(1) });
    }
    Ok(ticks)
}

/// Returns the time of the step that executes an event of time `time`, for an interval of `interval` ticks.
#[must_use]
pub const fn step_time(time: u64, interval: u64) -> u64 {
    if interval <= 1 { time } else { time.div_ceil(interval).saturating_mul(interval) }
}

/// Returns the least time of an event whose step is not before the horizon, which is positive.
pub(crate) const fn first_time_beyond(horizon: u64, interval: u64) -> u64 {
    if interval <= 1 { horizon } else { (horizon - 1) / interval * interval + 1 }
}

/// Estimates the utilization without clustering from one with clustering.
///
/// Equation (5-5) of `park-dissertation`: `rho(0) = (1 + D / 2s) rho(D)` for an interval `D` and a mean service `s`, in
/// the same unit. It holds for closed networks and assumes a mean delay of half an interval per service. Some of this
/// delay overlaps with waiting, so the correction overshoots. On a 32 x 32 torus with one token per node it overshoots
/// by 0.6 % at `D / s = 0.05`, 1.1 % at 0.1 and 2.1 % at 0.2.
#[must_use]
pub fn corrected_utilization(utilization: f64, interval: f64, mean_service: f64) -> f64 {
    (1.0 + interval / (2.0 * mean_service)) * utilization
}

/// Estimates the relative error of utilization and throughput that an interval causes in a closed network: equation
/// (5-3) less one.
///
/// A server whose service ends between two steps is idle until the next, half an interval on average. In an open
/// network the throughput is that of the sources. There the delay shows in the sojourn time, which grows with the
/// [raised load](Slowed).
#[must_use]
pub fn estimated_error(interval: f64, mean_service: f64) -> f64 {
    mean_service / (mean_service + interval / 2.0) - 1.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn steps_are_multiples_not_before_the_event() {
        assert_eq!(step_time(0, 8), 0);
        assert_eq!(step_time(1, 8), 8);
        assert_eq!(step_time(8, 8), 8);
        assert_eq!(step_time(9, 8), 16);
        assert_eq!(step_time(9, 0), 9);
        assert_eq!(step_time(9, 1), 9);
        assert_eq!(step_time(u64::MAX - 1, 8), u64::MAX);
    }

    #[test]
    fn the_last_step_is_found_by_the_time_of_its_first_event() {
        for horizon in 1..40 {
            for interval in 0..12 {
                let first = (0..100).find(|&time| step_time(time, interval) >= horizon);
                assert_eq!(first, Some(first_time_beyond(horizon, interval)), "{horizon} {interval}");
            }
        }
    }

    #[test]
    fn intervals_are_times() {
        assert_eq!(interval_ticks(0.5, Tick::DEFAULT).unwrap(), 1 << 19);
        assert_eq!(interval_ticks(0.0, Tick::DEFAULT).unwrap(), 0);
        assert!(matches!(interval_ticks(1e-9, Tick::DEFAULT), Err(IntervalError::TooShort { .. })));
        assert!(matches!(interval_ticks(-1.0, Tick::DEFAULT), Err(IntervalError::Time(_))));
    }

    #[test]
    fn the_correction_undoes_the_estimated_error() {
        let measured = 0.5 * (1.0 + estimated_error(2.0, 10.0));
        assert!((corrected_utilization(measured, 2.0, 10.0) - 0.5).abs() < 1e-12);
        assert_eq!(estimated_error(0.0, 10.0), 0.0);
    }

    #[test]
    fn the_correction_is_equation_5_5() {
        assert!((corrected_utilization(0.4840, 1.0, 10.0) - 0.5082).abs() < 1e-12);
        assert!((corrected_utilization(0.25, 0.0, 10.0) - 0.25).abs() < 1e-12);
    }
}
