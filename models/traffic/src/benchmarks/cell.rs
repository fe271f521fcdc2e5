//! One network with one batch size, with fluids in one place: wall time of a simulated second.

use super::networks::seconds;
use crate::coupling::{Coupled, Coupling, CouplingError, Fluids, Scheme, Spent};
use crate::packet::clock::SECOND;
use crate::packet::{Settings, Simulator};
use crate::{StepSize, Traffic};
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::laboratory::Fault;
use serde::Serialize;
use std::time::Duration;

/// Simulation to be measured, and its length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell<'t> {
    pub(crate) traffic: &'t Traffic,
    /// Length of a step, and largest number of steps of a launch.
    pub(crate) size: StepSize,
    /// Number of launches of a batch; 0 for lock-step.
    pub(crate) batch: u32,
    /// Wall time of the measurement.
    pub(crate) budget: Duration,
    pub(crate) warm: Warm,
}

/// Warm-up before the measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Warm {
    /// End of the warm-up (picoseconds of simulated time), unless `patience` ends earlier.
    pub(crate) until: u64,
    pub(crate) patience: Duration,
}

/// Measured times. Shares are of the wall time, as seen by the host.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct CellTimes {
    /// Number of flows or sessions that are packets.
    pub(crate) packet_sessions: u64,
    /// Number of launches of a batch; 0 for lock-step.
    pub(crate) batch: u32,
    /// Number of steps of a launch.
    pub(crate) lookahead: u64,
    /// Number of queues that both fluids and packets enter.
    pub(crate) shared_queues: usize,
    /// Bytes that the device sends for a simulated second: lengths, losses and reductions of shared queues.
    pub(crate) downloaded_bytes_per_second: f64,
    /// Simulated time before measuring, in seconds.
    pub(crate) warm_up_s: f64,
    pub(crate) simulated_s: f64,
    /// Wall time for a simulated second.
    pub(crate) seconds_per_second: f64,
    /// Share of the wall time spent on packets.
    pub(crate) packets: f64,
    /// Share of the wall time spent on waiting for fluids.
    pub(crate) waiting: f64,
    /// Share of the wall time spent on enqueuing launches; if the host is the device, on fluids.
    pub(crate) launches: f64,
    /// Share of the wall time spent on enqueuing transfers.
    pub(crate) transfers: f64,
    /// Data packets sent per second of wall time.
    pub(crate) packets_per_s: f64,
    /// Events of packets per second of wall time.
    pub(crate) events_per_s: f64,
}

/// Largest number of batches between two checks of the time.
const AT_ONCE: u64 = 64;

impl Cell<'_> {
    /// Returns the step size.
    pub(crate) fn size(&self) -> StepSize {
        StepSize { lookahead: if self.batch == 0 { 1 } else { self.size.lookahead }, ..self.size }
    }

    /// Measures with fluids on a device.
    pub(crate) fn on_device(&self, device: &Device) -> Result<CellTimes, Fault> {
        let mut coupled = Coupled::new(device, self.traffic, self.simulator()?, self.size, self.coupling())?;
        // The first batch compiles.
        coupled.run_until(coupled.batch())?;
        let found = self.run(&mut coupled)?;
        // Eight bytes per queue and step.
        let bytes = 8.0 * found.shared_queues as f64 / seconds(1, self.size.step);
        Ok(CellTimes { downloaded_bytes_per_second: bytes, ..found })
    }

    /// Measures with fluids on the host, one flow after the other.
    pub(crate) fn on_host(&self) -> Result<CellTimes, Fault> {
        let simulator = self.simulator()?;
        self.run(&mut Coupled::on_host(self.traffic, simulator, self.size, self.coupling())?)
    }

    fn simulator(&self) -> Result<Simulator, Fault> {
        Ok(Simulator::new(self.traffic, Settings::default())?)
    }

    fn coupling(&self) -> Coupling {
        let scheme = if self.batch == 0 { Scheme::LockStep } else { Scheme::Asynchronous { batch: self.batch } };
        Coupling { scheme, ..Coupling::default() }
    }

    /// Warms up, and then runs batch by batch until the budget is used up.
    fn run<F: Fluids>(&self, coupled: &mut Coupled<F>) -> Result<CellTimes, Fault> {
        go_on(coupled, self.warm.until, self.warm.patience)?;
        coupled.forget();
        let (before, from, events) = (coupled.spent(), coupled.simulator().now(), coupled.simulator().events());
        let begin = Instant::now();
        go_on(coupled, u64::MAX, self.budget)?;
        // Work in flight belongs to the batches that were begun.
        coupled.queues()?;
        let wall = begin.elapsed().as_secs_f64();
        let simulated = (coupled.simulator().now() - from) as f64 / SECOND as f64;
        let Spent { fluids, transfers, waiting, packets } = coupled.spent();
        let share = |now: Duration, before: Duration| now.saturating_sub(before).as_secs_f64() / wall;
        let sent: u64 = coupled.simulator().report().flows.iter().map(|flow| flow.sent).sum();
        Ok(CellTimes {
            packet_sessions: coupled.simulator().sources(),
            batch: self.batch,
            lookahead: self.size().lookahead,
            shared_queues: coupled.shared_links().len(),
            downloaded_bytes_per_second: 0.0,
            warm_up_s: from as f64 / SECOND as f64,
            simulated_s: simulated,
            seconds_per_second: wall / simulated,
            packets: share(packets, before.packets),
            waiting: share(waiting, before.waiting),
            launches: share(fluids, before.fluids),
            transfers: share(transfers, before.transfers),
            packets_per_s: sent as f64 / wall,
            events_per_s: (coupled.simulator().events() - events) as f64 / wall,
        })
    }
}

/// Runs whole batches until `end` (picoseconds) or until `patience` is over, but at least one if `end` has not been
/// reached.
fn go_on<F: Fluids>(coupled: &mut Coupled<F>, end: u64, patience: Duration) -> Result<(), CouplingError> {
    let (length, begin, mut batches) = (coupled.batch(), Instant::now(), 1);
    while coupled.simulator().now() < end {
        let now = coupled.simulator().now();
        let next = now.saturating_add(batches * length).min(end.checked_next_multiple_of(length).unwrap_or(end));
        let chunk = Instant::now();
        coupled.run_until(next)?;
        let Some(left) = patience.checked_sub(begin.elapsed()) else { break };
        // Number of batches for half of the remaining time, if they take equally long.
        let each = chunk.elapsed().as_secs_f64() / batches as f64;
        let fitting = (0.5 * left.as_secs_f64() / each.max(1e-9)) as u64;
        batches = (2 * batches).min(fitting).clamp(1, AT_ONCE);
    }
    Ok(())
}
