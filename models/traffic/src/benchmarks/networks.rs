//! Networks on which traffic is measured.

use crate::fluid::{Engine, FluidError};
use crate::network::link::Room;
use crate::network::{Campus, QueueRule, validation};
use crate::units::{NANOSECONDS, NEVER};
use crate::{Metric, Tcp, Traffic};
use imminent_core::clock::Instant;
use imminent_study::laboratory::Fault;
use std::time::Duration;

/// Number of steps by which fluids advance at a time.
const AT_ONCE: u32 = 100;

/// Returns a campus network; the capacity of its queues is `milliseconds` of transmission on their links.
pub(crate) fn campuses(campuses: u32, milliseconds: u32, packet_share: f64) -> Result<Traffic, Fault> {
    let queues =
        QueueRule { room: Room::Time { seconds: f64::from(milliseconds) / 1000.0, least: 0 }, ..QueueRule::default() };
    let campus = Campus { queues, packet_share, ..Campus::new(campuses) };
    let (network, flows) = (campus.network()?, campus.flows()?);
    Ok(Traffic::new(network, flows, Metric::Hops, Tcp::default())?)
}

/// Returns the validation network with `packets` packet sessions of flow 2; all its flows are present from the
/// beginning to the end.
pub(super) fn of_validation(packets: u32) -> Result<Traffic, Fault> {
    let (network, mut flows) = (validation::network()?, validation::flows(packets)?);
    for flow in flows.all_mut() {
        (flow.start, flow.stop) = (0, NEVER);
    }
    Ok(Traffic::new(network, flows, Metric::Hops, Tcp::default())?)
}

/// Advances fluids until the budget is used up, by some hundred steps at a time, so none is in flight for longer than
/// its history. Returns the number of steps, and the wall time in seconds.
pub(super) fn steps_within(engine: &mut Engine, budget: Duration) -> Result<(u64, f64), FluidError> {
    let launches = AT_ONCE.div_ceil(engine.lookahead());
    engine.advance(launches)?;
    let (begin, from) = (Instant::now(), engine.steps());
    while begin.elapsed() < budget {
        engine.advance(launches)?;
    }
    Ok((engine.steps() - from, begin.elapsed().as_secs_f64()))
}

/// Converts a number of steps to seconds.
pub(crate) fn seconds(steps: u64, step: u64) -> f64 {
    (steps * step) as f64 / NANOSECONDS as f64
}
