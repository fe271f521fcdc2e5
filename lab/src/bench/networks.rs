//! Networks on which traffic is measured.

use imminent::models::traffic::fluid::{Engine, FluidError};
use imminent::models::traffic::network::link::Room;
use imminent::models::traffic::network::{Campus, QueueRule, validation};
use imminent::models::traffic::units::{NANOSECONDS, NEVER};
use imminent::models::traffic::{Metric, Tcp, Traffic};
use imminent::{Error, Result};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// Number of steps by which fluids advance at a time.
const AT_ONCE: u32 = 100;

/// Returns a campus network; the capacity of its queues is `milliseconds` of transmission on their links.
pub(crate) fn campuses(campuses: u32, milliseconds: u32, packet_share: f64) -> Result<Traffic> {
    let queues =
        QueueRule { room: Room::Time { seconds: f64::from(milliseconds) / 1000.0, least: 0 }, ..QueueRule::default() };
    let campus = Campus { queues, packet_share, ..Campus::new(campuses) };
    let (network, flows) = (campus.network().map_err(invalid)?, campus.flows().map_err(invalid)?);
    Traffic::new(network, flows, Metric::Hops, Tcp::default()).map_err(invalid)
}

/// Returns the validation network with `packets` packet sessions of flow 2; all its flows are present from the
/// beginning to the end.
pub(super) fn of_validation(packets: u32) -> Result<Traffic> {
    let (network, mut flows) = (validation::network().map_err(invalid)?, validation::flows(packets).map_err(invalid)?);
    for flow in flows.all_mut() {
        (flow.start, flow.stop) = (0, NEVER);
    }
    Traffic::new(network, flows, Metric::Hops, Tcp::default()).map_err(invalid)
}

/// Advances fluids until the budget is used up, by some hundred steps at a time, so none is in flight for longer than
/// its history. Returns the number of steps, and the wall time in seconds.
pub(super) fn steps_within(engine: &mut Engine, budget: Duration) -> Result<(u64, f64)> {
    let launches = AT_ONCE.div_ceil(engine.lookahead());
    engine.advance(launches).map_err(core)?;
    let (begin, from) = (Instant::now(), engine.steps());
    while begin.elapsed() < budget {
        engine.advance(launches).map_err(core)?;
    }
    Ok((engine.steps() - from, begin.elapsed().as_secs_f64()))
}

/// Converts a number of steps to seconds.
pub(crate) fn seconds(steps: u64, step: u64) -> f64 {
    (steps * step) as f64 / NANOSECONDS as f64
}

pub(crate) fn core(error: FluidError) -> Error {
    match error {
        FluidError::Device(error) => error,
        other => invalid(other),
    }
}

pub(crate) fn invalid(error: impl Display) -> Error {
    Error::invalid("traffic", error.to_string())
}
