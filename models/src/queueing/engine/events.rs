//! The exact engine in the order of events, for devices whose rows are native structs.
//!
//! The earliest arrival of the whole network can always be dealt with: nothing can come before it. So each arrival is
//! taken in order of time and given to its station's handler, the one that the sweep's kernel uses. An arrival at a
//! first-come, first-served server has its start and its departure at once, so no line is needed before the end.

use super::EngineError;
use super::exact::Sweeps;
use super::tables::{outcome, stations};
use crate::queueing::calendar::{Arrivals, Months};
use crate::queueing::kernels::station::{Run, Station, Target};
use crate::queueing::scenario::Scenario;
use imminent_core::{Device, Progress, Rows, RowsBuf, Table};
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
    let rows: Vec<Station> = stations(scenario, network, 0).map(|station| Station { waiting: 0, ..station }).collect();
    let mut table = Table::from_rows(device, &rows)?;
    drop(rows);
    let targets = RowsBuf::from(network.targets().iter().map(|&node| Target { node }).collect::<Vec<_>>());
    let simulated = table.with_native_rows(|stations| {
        let began = Instant::now();
        let mut events = Events {
            run: Run { horizon: scenario.horizon(), interval: 0 },
            stations,
            targets: &targets,
            waiting: Vec::new(),
            done: 0,
            looked: 0,
            progress,
        };
        let flow = Months::of(scenario).run(scenario.tokens(), &mut events);
        let (waiting, steps) = (events.waiting, events.done);
        if flow.is_break() {
            return Err(EngineError::Cancelled { steps });
        }
        let wall = began.elapsed();
        Ok(Sweeps { outcome: outcome(stations, waiting, scenario.horizon()), wall, sweeps: 0 })
    })?;
    simulated.unwrap_or_else(|| Err(EngineError::NotNative { device: device.info().name.clone() }))
}

struct Events<'a> {
    run: Run,
    stations: &'a mut [Station],
    targets: &'a Rows<Target>,
    /// Tokens whose service does not start before the horizon, by node.
    waiting: Vec<(u32, u64)>,
    /// Events so far.
    done: u64,
    /// Events at the last look at the progress function.
    looked: u64,
    progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl Arrivals for Events<'_> {
    #[inline(always)]
    fn look_ahead(&self, node: u32) -> u32 {
        // A station takes more than one cache line; which field lies in which is the compiler's choice.
        self.stations.get(node as usize).map_or(0, |station| {
            let spread = station.free_at ^ station.rng.state ^ station.service_sum ^ station.late_start;
            self.targets.get(station.first_target).node ^ spread as u32
        })
    }

    #[inline(always)]
    fn arrive(&mut self, node: u32, arrival: u64) -> Option<(u64, u32)> {
        let station = self.stations.get_mut(node as usize)?;
        let start = station.free_at.max(arrival);
        if start >= self.run.horizon {
            self.waiting.push((node, arrival));
            return None;
        }
        let departure = station.serve(arrival, start, self.targets, &self.run);
        self.done += 1;
        let to = departure.to - 1;
        if departure.time < self.run.horizon {
            return Some((departure.time, to));
        }
        self.waiting.push((to, departure.time));
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
