//! Runs of queueing networks, many at once.

use super::kind::Kind;
use super::point::{PointExperiment, experiment_at};
use crate::analysis::Watch;
use crate::bounds::Sums;
use crate::config::Engine;
use crate::engine::{EngineError, MAX_TOGETHER, Room, Seen, Watching, watched_each};
use crate::host;
use crate::measures::Measure;
use crate::scenario::{Scenario, ScenarioError};
use crate::sequential::{self, Deadlock};
use crate::spent::Timed;
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::laboratory::{Failed, Fault, Finished, Laboratory, Run, Update};
use imminent_study::{Base, BatchSize, Runs};
use rayon::prelude::*;
use std::iter::Peekable;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Number of runs in the first batch on a device that runs them all at once.
const FIRST_TOGETHER: usize = 16;

/// Time between two questions whether a run of the sequential engine goes on.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// Laboratory that executes runs of a queueing network's configuration.
#[derive(Debug)]
pub struct Networks<C> {
    device: Device,
    base: Arc<Base>,
    /// Largest number of runs in the next group.
    together: BatchSize,
    config: PhantomData<C>,
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

/// Runs that are simulated together, each with its experiment.
type Group = Vec<(Run, Arc<PointExperiment>)>;

impl<C: Kind> Networks<C> {
    pub(super) fn new(base: &Arc<Base>, device: &Device) -> Self {
        // On a host runs end one by one, so batches need not be small for the first results to come early.
        let first = if device.capabilities().native_rows { MAX_TOGETHER } else { FIRST_TOGETHER };
        Self {
            device: device.clone(),
            base: Arc::clone(base),
            together: BatchSize::new(first, MAX_TOGETHER),
            config: PhantomData,
        }
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
            let make = || Known {
                point,
                experiment: experiment_at::<C>(&self.base, &run.point).map(Arc::new).map_err(|error| error.to_string()),
            };
            match &last.insert(known.unwrap_or_else(make)).experiment {
                Ok(point) if group.len() >= most_of(point, &self.together) || !room.takes(&point.experiment) => break,
                Ok(point) => group.extend(left.next().map(|run| (run, Arc::clone(point)))),
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

    /// Executes runs side by side, and reports each when it has ended. Returns `false` if the observer interrupted it.
    fn carry_out(
        &self,
        group: &Group,
        done: u64,
        all: u64,
        observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
    ) -> Result<bool, NetworkRunError> {
        let (mut scenarios, mut watches) = (vec![], vec![]);
        for (run, point) in group {
            let scenario = point.experiment.scenario_of(run.seed, 0);
            scenarios.push(scenario.map_err(|error| NetworkRunError::Scenario { run: run.number, error })?);
            watches.push(point.experiment.watch());
        }
        let share = done as f64 / all as f64;
        if group.iter().any(|(_, point)| point.engine == Engine::Host) {
            return Ok(side_by_side(group, &scenarios, &mut watches, observer));
        }
        if group.iter().any(|(_, point)| point.engine == Engine::Sequential) {
            return Ok(one_by_one(group, &scenarios, &mut watches, share, observer));
        }
        let mut interrupted = false;
        let result = watched_each(&self.device, &scenarios, &mut watches, Watching::default(), &mut |seen| {
            let flow = match seen {
                Seen::Progress(_) => observer(Update::Progress { share }),
                Seen::Ended { index, watch, timed } => group
                    .get(index)
                    .map_or(ControlFlow::Continue(()), |(run, point)| observer(update(run, point, watch, Ok(timed)))),
            };
            interrupted |= flow.is_break();
            flow
        });
        let numbers = || group.iter().map(|(run, _)| run.number);
        match result {
            _ if interrupted => Ok(false),
            Ok(_) => Ok(true),
            Err(error) => {
                let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
                Err(NetworkRunError::Engine { first, last, error: Box::new(error) })
            }
        }
    }
}

/// Returns the largest number of runs of a batch with a run at `point`.
fn most_of(point: &PointExperiment, together: &BatchSize) -> usize {
    match point.engine {
        // The sequential engine runs them one by one anyway.
        Engine::Sequential => 1,
        Engine::Host => rayon::current_num_threads(),
        _ => together.now(),
    }
}

/// Point of the previous run, and its experiment, or the reason why there is none.
struct Known {
    point: u64,
    experiment: Result<Arc<PointExperiment>, String>,
}

impl<C: Kind> Laboratory for Networks<C> {
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

/// Simulates runs one after the other on the host. Returns `false` if the observer interrupted it.
fn one_by_one(
    group: &Group,
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    share: f64,
    observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
) -> bool {
    for (((run, point), scenario), watch) in group.iter().zip(scenarios).zip(watches) {
        let (mut asked, mut flow) = (Instant::now(), ControlFlow::Continue(()));
        let ended = sequential::watched_while(scenario, watch, &mut || {
            if asked.elapsed() >= ASK_EVERY {
                (asked, flow) = (Instant::now(), observer(Update::Progress { share }));
            }
            flow
        });
        if flow.is_break() || observer(update(run, point, watch, ended.as_ref())).is_break() {
            return false;
        }
    }
    true
}

/// Simulates runs on the threads of the host. Returns `false` if the observer interrupted it.
fn side_by_side(
    group: &Group,
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
) -> bool {
    let pairs = scenarios.par_iter().zip(watches.par_iter_mut());
    let ended: Vec<_> = pairs.map(|(scenario, watch)| host::watched(scenario, watch)).collect();
    let runs = group.iter().zip(watches).zip(&ended);
    runs.map(|(((run, point), watch), ended)| update(run, point, watch, ended.as_ref()))
        .all(|update| observer(update).is_continue())
}

/// Returns the report of a run that has ended.
fn update(run: &Run, point: &PointExperiment, watch: &Watch<'_>, ended: Result<&Timed, &Deadlock>) -> Update {
    match ended {
        Err(deadlock) => failed(run.number, deadlock),
        Ok(timed) => match Sums::default().add(&point.experiment.network, &timed.ended) {
            Ok(true) => Update::Finished(finished(run.number, point, watch, timed)),
            Ok(false) => failed(run.number, &Overflow),
            Err(unread) => failed(run.number, &unread),
        },
    }
}

fn finished(run: u64, point: &PointExperiment, watch: &Watch<'_>, timed: &Timed) -> Finished {
    let record = watch.record();
    let cut = record.cut_after(&point.experiment.plan, 0);
    let ends = cut.ends.first().zip(cut.ends.last()).unwrap_or((&0, &0));
    let sample = record.between(*ends.0, *ends.1);
    let values = Measure::ALL.map(|measure| sample.value(measure)).to_vec();
    Finished { run, events: timed.ended.events, values }
}
