//! The exact engine in the order of events, for devices whose rows are native structs.
//!
//! The earliest arrival of the whole network can always be dealt with: nothing can come before it. So each arrival is
//! taken in order of time and given to its station. An arrival at a first-come, first-served server has its start and its
//! departure at once, so no line is needed before the end, and a station is one cache line.

use super::EngineError;
use super::exact::Sweeps;
use super::tables::{Late, Sums};
use crate::queueing::calendar::{Arrivals, Months};
use crate::queueing::kernels::desk::Desk;
use crate::queueing::network::Simple;
use crate::queueing::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines, add_waiting};
use crate::queueing::scenario::Scenario;
use imminent_core::random::{Pcg32, exponential_q27, scaled_ticks};
use imminent_core::{Device, Progress, Table};
use std::ops::ControlFlow;
use std::time::Instant;

/// Events between two looks at the progress function.
const EVENTS_PER_LOOK: u64 = 1 << 18;

/// Simulates one replication; the steps of its progress are events.
pub(super) fn simulate(
    device: &Device,
    scenario: &Scenario<'_>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Sweeps, EngineError> {
    let network = scenario.simple().ok_or(EngineError::NotSimple)?;
    // The rows are native, so they are written where they lie.
    let mut table = Table::<Desk>::zeroed(device, scenario.network().len())?;
    let simulated = table.with_native_rows(|desks| {
        begin(desks, scenario, network);
        let began = Instant::now();
        let mut events = Events {
            horizon: scenario.horizon(),
            desks,
            targets: network.targets(),
            waiting: Vec::new(),
            late: Vec::new(),
            done: 0,
            looked: 0,
            progress,
        };
        if Months::of(scenario).run(scenario.tokens(), &mut events).is_break() {
            return Err(EngineError::Cancelled { steps: events.done });
        }
        let wall = began.elapsed();
        Ok(Sweeps { outcome: events.outcome(), wall, sweeps: 0 })
    })?;
    simulated.unwrap_or_else(|| Err(EngineError::NotNative { device: device.info().name.clone() }))
}

/// Makes the stations what they are at time 0.
fn begin(desks: &mut [Desk], scenario: &Scenario<'_>, network: Simple<'_>) {
    for (node, desk) in (0..).zip(desks) {
        let (seed, mean) = (scenario.key().node(node), network.mean_service(node));
        let mut rng = Pcg32::new(seed.state, seed.stream);
        *desk = Desk {
            free_at: 0,
            next_service: scaled_ticks(exponential_q27(rng.next_u32()), u64::from(mean)),
            drawn: rng.state,
            served: 0,
            service_sum: 0,
            waiting_sum: 0,
            mean,
            node,
            first_target: network.out_start().get(node as usize).copied().unwrap_or(0),
            targets: network.out_edges(node).len() as u32,
        };
    }
}

struct Events<'a> {
    horizon: u64,
    desks: &'a mut [Desk],
    /// Where the edges lead.
    targets: &'a [u32],
    /// Tokens whose service does not start before the horizon, by node.
    waiting: Vec<(u32, u64)>,
    /// Services that end after the horizon, by node.
    late: Vec<(u32, Late)>,
    /// Events so far.
    done: u64,
    /// Events at the last look at the progress function.
    looked: u64,
    progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl Events<'_> {
    fn outcome(self) -> Outcome {
        let mut all: Vec<NodeStatistics> = self.desks.iter().map(|desk| sums(desk).statistics()).collect();
        for (node, late) in self.late {
            if let (Some(desk), Some(node)) = (self.desks.get(node as usize), all.get_mut(node as usize)) {
                late.take_from(node, desk.free_at, self.horizon);
            }
        }
        add_waiting(&mut all, &self.waiting, self.horizon);
        Outcome {
            horizon: self.horizon,
            states: self.desks.iter().map(state).collect(),
            statistics: all,
            waiting: WaitingLines::from_pairs(self.desks.len(), &self.waiting),
        }
    }
}

fn sums(desk: &Desk) -> Sums {
    Sums { served: desk.served, service: desk.service_sum, waiting: desk.waiting_sum }
}

fn state(desk: &Desk) -> NodeState {
    NodeState { free_at: desk.free_at, next_service: desk.next_service, rng_state: desk.drawn }
}

impl Arrivals for Events<'_> {
    #[inline(always)]
    fn look_ahead(&self, node: u32) -> u32 {
        let desk = self.desks.get(node as usize);
        desk.and_then(|desk| self.targets.get(desk.first_target as usize)).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn arrive(&mut self, node: u32, arrival: u64) -> Option<(u64, u32)> {
        let desk = self.desks.get_mut(node as usize)?;
        let start = desk.free_at.max(arrival);
        if start >= self.horizon {
            self.waiting.push((node, arrival));
            return None;
        }
        let edge = desk.serve(arrival, start);
        let departure = desk.free_at;
        self.done += 1;
        let to = self.targets.get(edge as usize).copied().unwrap_or(0);
        if departure < self.horizon {
            return Some((departure, to));
        }
        self.waiting.push((to, departure));
        if departure > self.horizon {
            self.late.push((node, Late { arrival, start }));
        }
        None
    }

    fn month_ended(&mut self) -> ControlFlow<()> {
        if self.done - self.looked < EVENTS_PER_LOOK {
            return ControlFlow::Continue(());
        }
        self.looked = self.done;
        (self.progress)(Progress { steps: self.done })
    }
}
