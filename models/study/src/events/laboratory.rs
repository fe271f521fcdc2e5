//! Runs of an event model, many at once.

use super::Studied;
use super::keeper::Keeper;
use super::together::{Stand, Tell, fail, together};
use crate::checkpoint::Checkpoints;
use crate::laboratory::{Fault, Finished, Laboratory, News, Run};
use crate::runs::Runs;
use imminent_core::{Device, DeviceKind, Error};
use imminent_events::{Engine, EngineError, Execution, MappingChoice, Outcome, Room, Start, Trouble};
use std::collections::BTreeMap;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The share of a device's free memory that runs side by side may need to begin with: lists grow, and while they do a
/// device holds them twice.
const SHARE_OF_MEMORY: u64 = 4;

/// Bound on the bytes of runs side by side, which also serves where a driver does not report its free memory. The host
/// holds the first state of all runs as well.
const MOST_BYTES: u64 = 4 << 30;

/// Time between two looks for finished runs, since looking takes time itself.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Greatest number of runs in the first batch. Batches grow as long as they take less than [`LONG_ENOUGH`]. Runs
/// therefore finish now and then, however many there are.
const FIRST: usize = 256;

/// Number of runs in the first batch on a device that is faster the more runs are side by side.
const FIRST_ON_WIDE: usize = 1 << 14;

/// Time that a batch should take.
const LONG_ENOUGH: Duration = Duration::from_secs(1);

/// Time between two reports of progress while a batch is made.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Carries out runs of an event model.
#[derive(Debug)]
pub struct EventRuns<M: Studied> {
    model: M,
    /// The most runs of the next batch.
    together: usize,
    /// The point that was looked at last, and what is wrong with it, if anything is.
    checked: Option<(u64, Result<(), String>)>,
    device: Device,
    bytes: Option<u64>,
    every: Duration,
    execution: Execution,
    mapping: MappingChoice,
    checkpoints: Option<Arc<Checkpoints>>,
}

impl<M: Studied> EventRuns<M> {
    /// Carries out runs on a device.
    #[must_use]
    pub fn new(device: &Device) -> Self {
        use DeviceKind::{DiscreteGpu, IntegratedGpu, OtherGpu};
        let wide = matches!(device.info().kind, DiscreteGpu | IntegratedGpu | OtherGpu);
        Self {
            model: M::default(),
            together: if wide { FIRST_ON_WIDE } else { FIRST },
            checked: None,
            device: device.clone(),
            bytes: None,
            every: LOOK_EVERY,
            execution: Execution::Auto,
            mapping: MappingChoice::Auto,
            checkpoints: None,
        }
    }

    /// Limits the memory that runs side by side need to begin with, in bytes; what a quarter of the device's free
    /// memory is, and 4 GiB at most, by default. One run is carried out in any case.
    #[must_use]
    pub fn within(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Sets the time between two checks for finished runs; two seconds by default.
    #[must_use]
    pub fn looking_every(mut self, every: Duration) -> Self {
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

    /// Keeps runs under way, and goes on with those that were kept.
    #[must_use]
    pub fn keeping(mut self, checkpoints: Option<Arc<Checkpoints>>) -> Self {
        self.checkpoints = checkpoints;
        self
    }

    /// Returns the most bytes that a batch may need.
    fn budget(&self) -> u64 {
        let memory = self.device.memory();
        let free = [memory.free, memory.limit.map(|limit| limit.saturating_sub(memory.current))];
        let free = free.into_iter().flatten().min().map_or(MOST_BYTES, |free| free / SHARE_OF_MEMORY);
        self.bytes.unwrap_or(free.min(MOST_BYTES))
    }

    /// The simulation of a run, as it starts.
    fn start(&mut self, run: &Run) -> Result<Start<M::Events>, Fault> {
        let number = run.point.number();
        let known = self.checked.take().filter(|(known, _)| *known == number);
        let (_, checked) = self
            .checked
            .insert(known.unwrap_or_else(|| (number, self.model.check(&run.point).map_err(|fault| fault.to_string()))));
        checked.clone()?;
        self.model.start(run)
    }

    /// The next of these runs as they start: as many as there is memory for, and no more than have been quick so far.
    /// `next` is the run that found no room before, and then the one that finds none now. Runs that cannot start fail.
    fn batch(
        &mut self,
        runs: &mut dyn Iterator<Item = Run>,
        next: &mut Option<Begun<M>>,
        stand: &mut Stand,
        tell: Tell<'_>,
    ) -> ControlFlow<(), Batch<M>> {
        let (mut room, budget) = (Room::new(M::MOST), self.budget());
        let mut batch = Batch { runs: vec![], starts: vec![] };
        let mut told = Instant::now();
        while batch.runs.len() < self.together {
            let (run, start) = match next.take() {
                Some(begun) => begun,
                None => {
                    let Some(run) = runs.next() else { break };
                    match self.start(&run) {
                        Ok(start) => (run, start),
                        Err(error) => {
                            fail(&run, &error, stand, tell)?;
                            continue;
                        }
                    }
                }
            };
            room.add(&start);
            if !batch.runs.is_empty() && room.bytes() > budget {
                *next = Some((run, start));
                break;
            }
            batch.runs.push(run);
            batch.starts.push(start);
            if told.elapsed() >= TELL_EVERY {
                tell(stand.share(0.0))?;
                told = Instant::now();
            }
        }
        Continue(batch)
    }

    /// Carries out a batch. Where one of several runs may be at fault for all, halves are carried out by themselves,
    /// down to that run.
    fn carry_out(
        &mut self,
        runs: &[Run],
        starts: Vec<Start<M::Events>>,
        stand: &mut Stand,
        tell: Tell<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        let mut told = vec![false; runs.len()];
        let mut again = vec![];
        let mut hear = |place: usize, outcome: Outcome<M::Events>, stand: &mut Stand, tell: Tell<'_>| {
            let Some(run) = runs.get(place).filter(|_| !std::mem::replace(&mut told[place], true)) else {
                return Continue(());
            };
            match outcome {
                // Alone, it may have room.
                Err(Trouble::NoRoom(_)) if runs.len() > 1 => again.push(place),
                Err(trouble) => fail(run, &trouble.of_simulation(run.number as usize), stand, tell)?,
                Ok(end) => {
                    stand.told += 1;
                    let values = self.model.values(run, &end);
                    tell(News::Finished(Finished { run: run.number, events: end.handled, values }))?;
                }
            }
            Continue(())
        };
        let checkpoints = self.checkpoints.clone();
        let mut keeper = checkpoints.as_deref().map(|checkpoints| Keeper::new(checkpoints, runs));
        let ends: Vec<_> = starts.iter().map(|start| start.end).collect();
        let ended = self.engine(starts, keeper.as_ref()).and_then(|mut engine| {
            engine.set_mapping(self.mapping);
            together(&mut engine, &ends, self.every, stand, (&mut *tell, &mut hear), keeper.as_mut())
        });
        match ended {
            Ok(Break(())) => return Ok(Break(())),
            Ok(Continue(())) => {}
            Err(error) if !is_of_runs(&error) => return Err(error.into()),
            Err(error) => match runs {
                [run] => {
                    if let Some(keeper) = keeper {
                        keeper.through();
                    }
                    return Ok(fail(run, &error, stand, tell));
                }
                _ => again.extend((0..runs.len()).filter(|place| !told[*place])),
            },
        }
        for half in again.chunks(again.len().div_ceil(2).max(1)) {
            let (mut again, mut starts) = (vec![], vec![]);
            for run in half.iter().filter_map(|place| runs.get(*place)) {
                match self.start(run) {
                    Ok(start) => {
                        again.push(run.clone());
                        starts.push(start);
                    }
                    Err(error) if fail(run, &error, stand, tell).is_break() => return Ok(Break(())),
                    Err(_) => {}
                }
            }
            if !again.is_empty() && self.carry_out(&again, starts, stand, tell)?.is_break() {
                return Ok(Break(()));
            }
        }
        if let Some(keeper) = keeper {
            keeper.through();
        }
        Ok(Continue(()))
    }

    /// Simulations, of which some go on from where they were kept.
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
            match Engine::on(self.execution, &self.device, starts.clone(), states, M::MOST) {
                Err(EngineError::State { simulation, error }) => keeper.reject(simulation, error),
                engine => return engine,
            }
        }
        Engine::on(self.execution, &self.device, starts, BTreeMap::new(), M::MOST)
    }
}

/// A run, and its simulation as it starts.
type Begun<M> = (Run, Start<<M as Studied>::Events>);

/// Runs that are carried out together.
struct Batch<M: Studied> {
    runs: Vec<Run>,
    starts: Vec<Start<M::Events>>,
}

/// Returns `true` if single runs may have caused an error, while other runs would succeed.
fn is_of_runs(error: &EngineError) -> bool {
    matches!(
        error,
        EngineError::Start(_) | EngineError::Device(Error::Fault(_) | Error::OutOfMemory { .. } | Error::Limit { .. })
    )
}

impl<M: Studied> Laboratory for EventRuns<M> {
    fn run(&mut self, runs: &Runs<'_>, tell: Tell<'_>) -> Result<(), Fault> {
        let mut stand = Stand { told: 0, all: runs.len() };
        let (mut left, mut next) = (runs.iter(), None);
        loop {
            let Continue(batch) = self.batch(&mut left, &mut next, &mut stand, tell) else { return Ok(()) };
            if batch.runs.is_empty() {
                return Ok(());
            }
            let began = Instant::now();
            if self.carry_out(&batch.runs, batch.starts, &mut stand, tell)?.is_break() {
                return Ok(());
            }
            if began.elapsed() < LONG_ENOUGH {
                self.together = self.together.saturating_mul(2);
            }
        }
    }
}
