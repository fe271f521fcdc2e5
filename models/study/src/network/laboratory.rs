//! Runs of queueing networks, many at once.

use super::set::{Set, Sets};
use crate::batch_size::BatchSize;
use crate::laboratory::{Failed, Fault, Finished, Laboratory, Run, Update};
use crate::runs::Runs;
use imminent_core::Device;
use imminent_queueing::analysis::Watch;
use imminent_queueing::bounds::Sums;
use imminent_queueing::config::Engine;
use imminent_queueing::engine::{EngineError, Schedule, watched};
use imminent_queueing::experiment::Timed;
use imminent_queueing::measures::Measure;
use imminent_queueing::scenario::{Scenario, ScenarioError};
use imminent_queueing::sequential::{self, Deadlock};
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;
use thiserror::Error;

/// Largest total number of nodes in runs that are simulated side by side.
const MOST_NODES: u64 = 1 << 18;

/// Largest number of runs that are simulated side by side.
const MOST_TOGETHER: usize = 4096;

/// Number of runs in the first batch.
const FIRST_TOGETHER: usize = 16;

/// Largest size, in bytes, of the nodes' statistics of runs side by side, all samples together.
const MOST_BYTES: u64 = 1 << 30;

/// Laboratory that executes runs of a queueing network's configuration.
#[derive(Debug)]
pub struct Networks {
    device: Device,
    sets: Sets,
    /// Largest number of runs in the next group.
    together: BatchSize,
}

/// Error of a run that cannot be executed.
#[derive(Debug, Error)]
pub enum NetworkRunError {
    /// A run cannot be set up.
    #[error("run {run}: {error}")]
    Scenario {
        /// The run.
        run: u64,
        /// Error of the scenario.
        error: ScenarioError,
    },
    /// The engine failed.
    #[error("runs {first} to {last}: {error}")]
    Engine {
        /// The first of the runs that were simulated together.
        first: u64,
        /// The last.
        last: u64,
        /// Error of the engine.
        error: Box<EngineError>,
    },
}

/// Sums of times may have left 64 bits.
#[derive(Debug, Error)]
#[error("so many tokens came that the sums of their times may have overflowed: give a shorter length")]
struct Overflow;

/// Returns the update that reports a failed run.
fn failed(run: u64, why: &dyn std::error::Error) -> Update {
    Update::Failed(Failed { run, why: why.to_string() })
}

/// Outcomes of runs, in the order of the runs.
type Ends = Vec<Result<Timed, Deadlock>>;

/// Runs that are simulated together, each with its set.
type Group = Vec<(Run, Arc<Set>)>;

impl Networks {
    pub(super) fn new(device: &Device, sets: Sets) -> Self {
        Self { device: device.clone(), sets, together: BatchSize::new(FIRST_TOGETHER, MOST_TOGETHER) }
    }

    /// Takes the next runs, as many as there is room for. Runs of an impossible point fail.
    fn group(
        &self,
        left: &mut Peekable<impl Iterator<Item = Run>>,
        last: &mut Option<Known>,
        done: &mut u64,
        observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
    ) -> ControlFlow<(), Group> {
        let (mut room, mut group) = (Room::default(), vec![]);
        while let Some(run) = left.peek() {
            let point = run.point.number();
            let known = last.take().filter(|known| known.point == point);
            let make =
                || Known { point, set: self.sets.at(&run.point).map(Arc::new).map_err(|error| error.to_string()) };
            match &last.insert(known.unwrap_or_else(make)).set {
                Ok(set) if !room.takes(set, self.together.now() as u64) => break,
                Ok(set) => group.extend(left.next().map(|run| (run, Arc::clone(set)))),
                Err(why) => {
                    let failed = Failed { run: run.number, why: why.clone() };
                    left.next();
                    *done += 1;
                    observer(Update::Failed(failed))?;
                }
            }
        }
        ControlFlow::Continue(group)
    }

    /// Executes runs side by side. Returns `false` if the observer interrupted it.
    fn carry_out(
        &self,
        group: &Group,
        done: u64,
        all: u64,
        observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
    ) -> Result<bool, NetworkRunError> {
        let (mut scenarios, mut watches) = (vec![], vec![]);
        for (run, set) in group {
            let e = &set.experiment;
            let scenario = Scenario::new(&e.network, e.start, e.horizon, run.seed, 0)
                .map_err(|error| NetworkRunError::Scenario { run: run.number, error })?;
            scenarios.push(scenario);
            watches.push(e.watch());
        }
        let share = done as f64 / all as f64;
        let mut progress = || observer(Update::Progress { share });
        let timed = if group.iter().any(|(_, set)| set.engine == Engine::Sequential) {
            one_by_one(&scenarios, &mut watches, &mut progress)
        } else {
            self.side_by_side(group, &scenarios, &mut watches, &mut progress)?
        };
        let Some(timed) = timed else { return Ok(false) };
        for (((run, set), watch), timed) in group.iter().zip(watches).zip(timed) {
            let update = match timed {
                Err(deadlock) => failed(run.number, &deadlock),
                Ok(timed) if Sums::default().add(&set.experiment.network, &timed.outcome) => {
                    Update::Finished(finished(run.number, set, watch, &timed))
                }
                Ok(_) => failed(run.number, &Overflow),
            };
            if observer(update).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Simulates runs side by side on the device. Returns `None` if the observer interrupted it.
    fn side_by_side(
        &self,
        group: &Group,
        scenarios: &[Scenario<'_>],
        watches: &mut [Watch<'_>],
        progress: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Ends>, NetworkRunError> {
        let mut interrupted = false;
        let mut progress = |_| {
            let flow = progress();
            interrupted |= flow.is_break();
            flow
        };
        let timed = watched(&self.device, scenarios, watches, Schedule::Auto, false, &mut progress);
        let numbers = || group.iter().map(|(run, _)| run.number);
        match timed {
            Ok(timed) => Ok(Some(timed.into_iter().map(Ok).collect())),
            Err(_) if interrupted => Ok(None),
            Err(error) => {
                let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
                Err(NetworkRunError::Engine { first, last, error: Box::new(error) })
            }
        }
    }
}

/// Point of the previous run, and the set of its runs, or the reason why there is none.
struct Known {
    point: u64,
    set: Result<Arc<Set>, String>,
}

impl Laboratory for Networks {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        let (mut left, mut last, mut done) = (runs.iter().peekable(), None, 0);
        loop {
            let ControlFlow::Continue(group) = self.group(&mut left, &mut last, &mut done, observer) else {
                return Ok(());
            };
            if group.is_empty() {
                return Ok(());
            }
            let began = Instant::now();
            if !self.carry_out(&group, done, runs.len() as u64, observer)? {
                return Ok(());
            }
            self.together.done_since(began);
            done += group.len() as u64;
        }
    }
}

/// Resources that runs side by side take.
#[derive(Debug, Default)]
struct Room {
    runs: u64,
    nodes: u64,
    bytes: u64,
}

impl Room {
    /// Adds a run if there is room for it among at most `most` runs. The first run always fits.
    fn takes(&mut self, set: &Set, most: u64) -> bool {
        let (network, plan) = (&set.experiment.network, &set.experiment.plan);
        let kept = plan.bytes_kept(network.len(), network.classes(), set.experiment.horizon);
        let (runs, nodes, bytes) = (self.runs + 1, self.nodes + network.len() as u64, self.bytes.saturating_add(kept));
        // The sequential engine runs them one by one anyway.
        let most = if set.engine == Engine::Sequential { 1 } else { most };
        if self.runs > 0 && (runs > most || nodes > MOST_NODES || bytes > MOST_BYTES) {
            return false;
        }
        *self = Self { runs, nodes, bytes };
        true
    }
}

/// Simulates runs one after the other on the host. Returns `None` if `progress` interrupted it.
fn one_by_one(
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    progress: &mut dyn FnMut() -> ControlFlow<()>,
) -> Option<Ends> {
    let mut timed = vec![];
    for (scenario, watch) in scenarios.iter().zip(watches) {
        timed.push(sequential::watched(scenario, watch));
        if progress().is_break() {
            return None;
        }
    }
    Some(timed)
}

fn finished(run: u64, set: &Set, watch: Watch<'_>, timed: &Timed) -> Finished {
    let record = watch.into_record();
    let cut = record.cut_after(&set.experiment.plan, 0);
    let ends = cut.ends.first().zip(cut.ends.last()).unwrap_or((&0, &0));
    let sample = record.between(*ends.0, *ends.1);
    let values = Measure::ALL.map(|measure| sample.value(measure)).to_vec();
    Finished { run, events: timed.outcome.events(), values }
}
