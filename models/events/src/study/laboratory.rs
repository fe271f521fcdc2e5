//! Runs of an event model, many at once.

use super::EventModel;
use super::beginnings::{Beginnings, Begun, Waiting};
use super::keeper::Keeper;
use super::together::{Observer, Progress, fail, together};
use crate::{Engine, EngineError, Execution, MappingChoice, Outcome, Room, Start, Trouble};
use imminent_core::clock::Instant;
use imminent_core::{Device, DeviceKind, Error};
use imminent_study::checkpoint::Checkpoints;
use imminent_study::laboratory::{Fault, Finished, Laboratory, Run, Update};
use imminent_study::{Base, BatchSize, Runs};
use std::collections::BTreeMap;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::time::Duration;

/// Divisor of a device's free memory: runs side by side may need this part at their start. Lists grow, and a device
/// holds a growing list twice.
const SHARE_OF_MEMORY: u64 = 4;

/// Largest size of runs side by side in bytes. It also applies if a driver does not report its free memory. The host
/// holds the first state of all runs as well.
const MAX_BYTES: u64 = 4 << 30;

/// Default time between two checks for finished runs. A check takes time itself.
const POLL_EVERY: Duration = Duration::from_secs(2);

/// Largest number of runs in the first batch.
const FIRST: usize = 256;

/// Largest number of runs in the first batch on a GPU, which is faster with more runs side by side.
const FIRST_ON_WIDE: usize = 1 << 14;

/// Time between two reports of progress while a batch is made.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Laboratory that executes runs of an event model.
pub struct EventRuns<M: EventModel> {
    beginnings: Beginnings<M>,
    /// Largest number of runs in the next batch.
    together: BatchSize,
    device: Device,
    bytes: Option<u64>,
    every: Duration,
    execution: Execution,
    mapping: MappingChoice,
    checkpoints: Option<Arc<Checkpoints>>,
}

impl<M: EventModel> EventRuns<M> {
    /// Creates a laboratory that executes runs on a device.
    #[must_use]
    pub fn new(base: &Arc<Base>, device: &Device) -> Self {
        use DeviceKind::{DiscreteGpu, IntegratedGpu, OtherGpu};
        let wide = matches!(device.info().kind, DiscreteGpu | IntegratedGpu | OtherGpu);
        Self {
            beginnings: Beginnings::new(base, device),
            together: BatchSize::new(if wide { FIRST_ON_WIDE } else { FIRST }, usize::MAX),
            device: device.clone(),
            bytes: None,
            every: POLL_EVERY,
            execution: Execution::Auto,
            mapping: MappingChoice::Auto,
            checkpoints: None,
        }
    }

    /// Limits the memory, in bytes, that runs side by side need at their start. The default is a quarter of the
    /// device's free memory, at most 4 GiB. A single run is executed in any case.
    #[must_use]
    pub fn within(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Sets the time between two checks for finished runs; two seconds by default.
    #[must_use]
    pub fn polling_every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Sets the executor of the events: [`Execution::Auto`] by default. This does not affect the results.
    #[must_use]
    pub fn on(mut self, execution: Execution) -> Self {
        self.execution = execution;
        self
    }

    /// Sets the mapping of modules to warps; [`MappingChoice::Auto`] by default. It changes no result.
    #[must_use]
    pub fn mapped(mut self, mapping: MappingChoice) -> Self {
        self.mapping = mapping;
        self
    }

    /// Saves the states of unfinished runs, and resumes runs whose states were saved.
    #[must_use]
    pub fn keeping(mut self, checkpoints: Option<Arc<Checkpoints>>) -> Self {
        self.checkpoints = checkpoints;
        self
    }

    /// Returns the largest number of bytes that a batch may need.
    fn budget(&self) -> u64 {
        let memory = self.device.memory();
        let free = [memory.free, memory.limit.map(|limit| limit.saturating_sub(memory.current))];
        let free = free.into_iter().flatten().min().map_or(MAX_BYTES, |free| free / SHARE_OF_MEMORY);
        self.bytes.unwrap_or(free.min(MAX_BYTES))
    }

    /// Takes the next runs: as many as memory and the batch size allow. `waiting` holds runs that did not fit into the
    /// last batch, and receives those that do not fit into this batch. Runs that cannot start fail.
    fn batch(
        &mut self,
        runs: &mut dyn Iterator<Item = Run>,
        waiting: &mut Waiting<M>,
        progress: &mut Progress,
        observer: Observer<'_>,
    ) -> ControlFlow<(), Batch<M>> {
        let (mut room, budget) = (Room::new(M::MAX_SCHEDULED), self.budget());
        let mut batch = Batch::default();
        let mut reported = Instant::now();
        while batch.runs.len() < self.together.now() {
            if waiting.is_empty() {
                self.beginnings.fill(waiting, runs, self.together.now() - batch.runs.len());
            }
            let begun = match waiting.pop_front() {
                None => break,
                Some(Ok(begun)) => begun,
                Some(Err((run, error))) => {
                    fail(&run, &error, progress, observer)?;
                    continue;
                }
            };
            room.add(&begun.start);
            if !batch.runs.is_empty() && room.bytes() > budget {
                waiting.push_front(Ok(begun));
                break;
            }
            batch.add(begun);
            if reported.elapsed() >= REPORT_EVERY {
                observer(progress.share(0.0))?;
                reported = Instant::now();
            }
        }
        Continue(batch)
    }

    /// Executes a batch. If one run may have failed the batch, each half is executed alone, down to that run.
    fn carry_out(
        &mut self,
        batch: Batch<M>,
        progress: &mut Progress,
        observer: Observer<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        let Batch { runs, configs, starts } = batch;
        let mut reported = vec![false; runs.len()];
        let mut again = vec![];
        let mut on_outcome =
            |place: usize, outcome: Outcome<M::Events>, progress: &mut Progress, observer: Observer<'_>| {
                let Some((run, config)) = runs.get(place).zip(configs.get(place)) else { return Continue(()) };
                if std::mem::replace(&mut reported[place], true) {
                    return Continue(());
                }
                match outcome {
                    // Alone, it may have room.
                    Err(Trouble::NoRoom(_)) if runs.len() > 1 => again.push(place),
                    Err(trouble) => fail(run, &trouble.of_simulation(run.number as usize), progress, observer)?,
                    Ok(end) => {
                        progress.reported += 1;
                        let values = M::values(config, &end);
                        observer(Update::Finished(Finished { run: run.number, events: end.handled, values }))?;
                    }
                }
                Continue(())
            };
        let checkpoints = self.checkpoints.clone();
        let mut keeper = checkpoints.as_deref().map(|checkpoints| Keeper::new(checkpoints, &runs));
        let ends: Vec<_> = starts.iter().map(|start| start.end).collect();
        let ended = self.engine(starts, keeper.as_ref()).and_then(|mut engine| {
            engine.set_mapping(self.mapping);
            together(&mut engine, &ends, self.every, progress, (&mut *observer, &mut on_outcome), keeper.as_mut())
        });
        match ended {
            Ok(Break(())) => return Ok(Break(())),
            Ok(Continue(())) => {}
            Err(error) if !is_of_runs(&error) => return Err(error.into()),
            Err(error) => match runs.as_slice() {
                [run] => {
                    if let Some(keeper) = keeper {
                        keeper.through();
                    }
                    return Ok(fail(run, &error, progress, observer));
                }
                _ => again.extend((0..runs.len()).filter(|place| !reported[*place])),
            },
        }
        for half in again.chunks(again.len().div_ceil(2).max(1)) {
            let mut again = Batch::default();
            for run in half.iter().filter_map(|place| runs.get(*place)) {
                match self.beginnings.one(run) {
                    Ok(begun) => again.add(begun),
                    Err((run, error)) if fail(&run, &error, progress, observer).is_break() => return Ok(Break(())),
                    Err(_) => {}
                }
            }
            if !again.runs.is_empty() && self.carry_out(again, progress, observer)?.is_break() {
                return Ok(Break(()));
            }
        }
        if let Some(keeper) = keeper {
            keeper.through();
        }
        Ok(Continue(()))
    }

    /// Creates the simulations of runs. Those with a saved state resume from it.
    fn engine(
        &self,
        starts: Vec<Start<M::Events>>,
        keeper: Option<&Keeper<'_>>,
    ) -> Result<Engine<M::Events>, EngineError> {
        while let Some(keeper) = keeper {
            let states = keeper.states();
            if states.is_empty() {
                break;
            }
            match Engine::on(self.execution, &self.device, starts.clone(), states, M::MAX_SCHEDULED) {
                Err(EngineError::State { simulation, error }) => keeper.reject(simulation, error),
                engine => return engine,
            }
        }
        Engine::on(self.execution, &self.device, starts, BTreeMap::new(), M::MAX_SCHEDULED)
    }
}

/// Runs that are executed together.
struct Batch<M: EventModel> {
    runs: Vec<Run>,
    configs: Vec<Arc<M::Config>>,
    starts: Vec<Start<M::Events>>,
}

impl<M: EventModel> Default for Batch<M> {
    fn default() -> Self {
        Batch { runs: vec![], configs: vec![], starts: vec![] }
    }
}

impl<M: EventModel> Batch<M> {
    fn add(&mut self, begun: Begun<M>) {
        self.runs.push(begun.run);
        self.configs.push(begun.config);
        self.starts.push(begun.start);
    }
}

/// Returns `true` if single runs may have caused an error, while other runs would succeed.
fn is_of_runs(error: &EngineError) -> bool {
    matches!(
        error,
        EngineError::Start(_) | EngineError::Device(Error::Fault(_) | Error::OutOfMemory { .. } | Error::Limit { .. })
    )
}

impl<M: EventModel> Laboratory for EventRuns<M> {
    fn run(&mut self, runs: &Runs<'_>, observer: Observer<'_>) -> Result<(), Fault> {
        let mut progress = Progress { reported: 0, all: runs.len() };
        let (mut left, mut waiting) = (runs.iter(), Waiting::new());
        loop {
            let Continue(batch) = self.batch(&mut left, &mut waiting, &mut progress, observer) else { return Ok(()) };
            if batch.runs.is_empty() {
                return Ok(());
            }
            let began = Instant::now();
            if self.carry_out(batch, &mut progress, observer)?.is_break() {
                return Ok(());
            }
            self.together.done_since(began);
        }
    }
}
