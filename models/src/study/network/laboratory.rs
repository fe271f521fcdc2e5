//! Runs of queueing networks, many at once.

use super::key;
use crate::queueing::analysis::Watch;
use crate::queueing::bounds::Sums;
use crate::queueing::config::{ConfigError, Engine, NetworkConfig};
use crate::queueing::engine::{EngineError, Schedule, watched};
use crate::queueing::experiment::{Experiment, Timed};
use crate::queueing::measures::Measure;
use crate::queueing::scenario::{Scenario, ScenarioError};
use crate::queueing::sequential::{self, Deadlock};
use crate::study::laboratory::{Failed, Fault, Finished, Laboratory, News, Point, Run, points};
use imminent_core::Device;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The most nodes of all runs that are simulated side by side.
const MOST_NODES: u64 = 1 << 18;

/// The most runs that are simulated side by side.
const MOST_TOGETHER: u64 = 4096;

/// How many runs the first group has: groups grow as long as they take less than [`LONG_ENOUGH`], so that runs finish now and then.
const FIRST_TOGETHER: u64 = 16;

/// How long a group should take.
const LONG_ENOUGH: Duration = Duration::from_secs(1);

/// The most bytes of nodes' statistics of all looks at runs side by side.
const MOST_BYTES: u64 = 1 << 30;

/// Carries out runs of a queueing network's configuration.
#[derive(Debug)]
pub struct Networks {
    device: Device,
    table: toml::Table,
    path: PathBuf,
}

/// A run that cannot be carried out.
#[derive(Debug, Error)]
pub enum NetworkRunError {
    /// The configuration with the point's values is not possible.
    #[error("point {point} ({}): {error}", values.join(", "))]
    Point {
        /// The point.
        point: u64,
        /// What is varied there.
        values: Vec<String>,
        /// What is wrong.
        error: Box<ConfigError>,
    },
    /// A configuration asks for an engine or an end that studies do not have.
    #[error("{file}: run.{key}: studies do not go by it: remove it; {instead}")]
    Unsuitable {
        /// The configuration.
        file: String,
        /// The key.
        key: &'static str,
        /// What a study has instead.
        instead: &'static str,
    },
    /// A run cannot be set up.
    #[error("run {run}: {error}")]
    Scenario {
        /// The run.
        run: u64,
        /// What is wrong.
        error: ScenarioError,
    },
    /// The engine failed.
    #[error("runs {first} to {last}: {error}")]
    Engine {
        /// The first of the runs that were simulated together.
        first: u64,
        /// The last.
        last: u64,
        /// What it says.
        error: EngineError,
    },
}

/// Sums of times may have left 64 bits.
#[derive(Debug, Error)]
#[error("so many tokens came that the sums of their times may have overflowed: give a shorter length")]
struct Overflow;

/// What is told of a run that came to where it cannot go on.
fn failed(run: u64, why: &dyn std::error::Error) -> News {
    News::Failed(Failed { run, why: why.to_string() })
}

/// How runs ended, one after the other.
type Ends = Vec<Result<Timed, Deadlock>>;

/// A point's experiment, of one run, by an engine.
struct Set {
    experiment: Experiment,
    engine: Engine,
}

impl Networks {
    pub(super) fn new(device: &Device, table: toml::Table, path: PathBuf) -> Self {
        Self { device: device.clone(), table, path }
    }

    /// The configuration with a point's values.
    fn set(&self, point: &Point) -> Result<Set, NetworkRunError> {
        let mut table = self.table.clone();
        let values = || point.parameters().filter(|(name, _)| *name != "file");
        for (name, value) in values() {
            key::set(&mut table, name, key::to_toml(value));
        }
        let at_point = |error: ConfigError| {
            let values = values().map(|(name, value)| format!("{name} = {value}")).collect();
            NetworkRunError::Point { point: point.number(), values, error: Box::new(error) }
        };
        let file = self.path.display().to_string();
        // Lines are not those of the file.
        let config =
            NetworkConfig::from_toml(&table.to_string(), &format!("{file} with these values")).map_err(at_point)?;
        let unsuitable = [
            (config.run.precision.is_some(), "precision", "give `repetitions`"),
            (config.run.batches.is_some(), "batches", "give `repetitions`"),
            (config.run.engine == Engine::Interval, "engine", "the engines of studies are `exact` and `sequential`"),
        ];
        if let Some((_, key, instead)) = unsuitable.into_iter().find(|(found, ..)| *found) {
            return Err(NetworkRunError::Unsuitable { file, key, instead });
        }
        let mut experiment = config.experiment().map_err(at_point)?;
        experiment.replications = 1;
        Ok(Set { experiment, engine: config.run.engine })
    }

    /// Carries out runs at once; false where it was interrupted.
    fn together(
        &self,
        group: &[(&Run, &Set)],
        done: u64,
        all: u64,
        tell: &mut dyn FnMut(News) -> ControlFlow<()>,
    ) -> Result<bool, NetworkRunError> {
        let (mut scenarios, mut watches) = (vec![], vec![]);
        for (run, Set { experiment: e, .. }) in group {
            let scenario = Scenario::new(&e.network, e.start, e.horizon, run.seed, 0)
                .map_err(|error| NetworkRunError::Scenario { run: run.number, error })?;
            scenarios.push(scenario);
            watches.push(e.watch());
        }
        let share = done as f64 / all as f64;
        let mut progress = || tell(News::Progress { share });
        let timed = if group.iter().any(|(_, set)| set.engine == Engine::Sequential) {
            one_by_one(&scenarios, &mut watches, &mut progress)
        } else {
            self.side_by_side(group, &scenarios, &mut watches, &mut progress)?
        };
        let Some(timed) = timed else { return Ok(false) };
        for (((run, set), watch), timed) in group.iter().zip(watches).zip(timed) {
            let news = match timed {
                Err(deadlock) => failed(run.number, &deadlock),
                Ok(timed) if Sums::default().add(&set.experiment.network, &timed.outcome) => {
                    News::Finished(finished(run.number, set, watch, &timed))
                }
                Ok(_) => failed(run.number, &Overflow),
            };
            if tell(news).is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Simulates runs side by side on the device; none where it was interrupted.
    fn side_by_side(
        &self,
        group: &[(&Run, &Set)],
        scenarios: &[Scenario<'_>],
        watches: &mut [Watch<'_>],
        progress: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Option<Ends>, NetworkRunError> {
        let mut interrupted = false;
        let mut progress = |_| {
            let told = progress();
            interrupted |= told.is_break();
            told
        };
        let timed = watched(&self.device, scenarios, watches, Schedule::Auto, false, &mut progress);
        let numbers = || group.iter().map(|(run, _)| run.number);
        match timed {
            Ok(timed) => Ok(Some(timed.into_iter().map(Ok).collect())),
            Err(_) if interrupted => Ok(None),
            Err(error) => {
                let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
                Err(NetworkRunError::Engine { first, last, error })
            }
        }
    }
}

impl Laboratory for Networks {
    fn run(&mut self, runs: &[Run], tell: &mut dyn FnMut(News) -> ControlFlow<()>) -> Result<(), Fault> {
        // What is wrong with any point is known before any work.
        for point in points(runs) {
            self.set(point)?;
        }
        let mut sets: Vec<(u64, Set)> = vec![];
        let (mut done, mut together) = (0, FIRST_TOGETHER);
        while done < runs.len() {
            // A group begins anew with the sets that it needs.
            sets.retain(|(point, _)| runs.get(done).is_some_and(|run| run.point.number() == *point));
            let (mut room, mut count) = (Room::default(), 0);
            for run in runs.iter().skip(done) {
                let point = run.point.number();
                if sets.last().is_none_or(|(last, _)| *last != point) {
                    sets.push((point, self.set(&run.point)?));
                }
                let Some((_, set)) = sets.last() else { break };
                if !room.takes(set, together) {
                    break;
                }
                count += 1;
            }
            let mut group = vec![];
            let mut left = sets.iter().peekable();
            for run in runs.iter().skip(done).take(count) {
                while left.next_if(|(point, _)| *point != run.point.number()).is_some() {}
                group.extend(left.peek().map(|(_, set)| (run, set)));
            }
            let began = Instant::now();
            if !self.together(&group, done as u64, runs.len() as u64, tell)? {
                return Ok(());
            }
            if began.elapsed() < LONG_ENOUGH {
                together = (2 * together).min(MOST_TOGETHER);
            }
            done += count;
        }
        Ok(())
    }
}

/// What runs side by side take.
#[derive(Debug, Default)]
struct Room {
    runs: u64,
    nodes: u64,
    bytes: u64,
}

impl Room {
    /// Takes one more run, if there is room for it among at most so many; there always is for one.
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

/// Simulates runs one after the other on the host; none where it was interrupted.
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
    let cut = record.cut(&set.experiment.plan);
    let ends = cut.ends.first().zip(cut.ends.last()).unwrap_or((&0, &0));
    let sample = record.between(*ends.0, *ends.1);
    let values = Measure::ALL.map(|measure| sample.value(measure)).to_vec();
    Finished { run, events: timed.outcome.events(), values }
}
