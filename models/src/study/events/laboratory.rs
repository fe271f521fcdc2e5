//! Runs of an event model, many at once.

use super::Studied;
use super::keeper::Keeper;
use super::together::{Stand, Tell, fail, together};
use crate::events::{Engine, EngineError, MappingChoice, Outcome, Room, Start, Trouble};
use crate::study::checkpoint::Checkpoints;
use crate::study::laboratory::{Fault, Finished, Laboratory, News, Run, points};
use imminent_core::{Device, Error};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The share of a device's free memory that runs side by side may need to begin with: lists grow, and while they do a device holds them twice.
const SHARE_OF_MEMORY: u64 = 4;

/// Where a driver does not say how much memory is free, and at most: the host has the first state of all runs as well.
const MOST_BYTES: u64 = 4 << 30;

/// How often it is looked which runs are over: looking takes time itself.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Carries out runs of an event model.
#[derive(Debug)]
pub struct EventRuns<M: Studied> {
    model: M,
    device: Device,
    bytes: Option<u64>,
    every: Duration,
    mapping: MappingChoice,
    checkpoints: Option<Arc<Checkpoints>>,
}

/// A point of which there can be no runs.
#[derive(Debug, Error)]
#[error("point {point} ({}): {problem}", values.join(", "))]
pub struct PointProblem {
    /// The point.
    pub point: u64,
    /// The values there.
    pub values: Vec<String>,
    /// What is wrong.
    pub problem: Fault,
}

impl<M: Studied> EventRuns<M> {
    /// Carries out runs on a device.
    #[must_use]
    pub fn new(device: &Device) -> Self {
        Self {
            model: M::default(),
            device: device.clone(),
            bytes: None,
            every: LOOK_EVERY,
            mapping: MappingChoice::Auto,
            checkpoints: None,
        }
    }

    /// Limits the memory that runs side by side need to begin with, in bytes; what a quarter of the device's free memory is, and 4 GiB at most, unless told. One run is carried out in any case.
    #[must_use]
    pub fn within(mut self, bytes: u64) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Sets how often it is looked which runs are over; two seconds unless told.
    #[must_use]
    pub fn looking_every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// Sets which modules the device has side by side; [`MappingChoice::Auto`] unless told. It changes no result.
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

    /// Bytes that a batch may need.
    fn budget(&self) -> u64 {
        let memory = self.device.memory();
        let free = [memory.free, memory.limit.map(|limit| limit.saturating_sub(memory.current))];
        let free = free.into_iter().flatten().min().map_or(MOST_BYTES, |free| free / SHARE_OF_MEMORY);
        self.bytes.unwrap_or(free.min(MOST_BYTES))
    }

    /// The first of these runs, as many as there is memory for, as they start. Runs that cannot start fail.
    fn batch<'r>(&mut self, runs: &'r [Run], stand: &mut Stand, tell: Tell<'_>) -> ControlFlow<(), Batch<'r, M>> {
        let (mut room, budget) = (Room::new(M::MOST), self.budget());
        let mut batch = Batch { taken: 0, runs: vec![], starts: vec![] };
        for run in runs {
            match self.model.start(run) {
                Ok(start) => {
                    let mut more = room;
                    more.add(&start);
                    if !batch.runs.is_empty() && more.bytes() > budget {
                        break;
                    }
                    room = more;
                    batch.runs.push(run);
                    batch.starts.push(start);
                }
                Err(error) => fail(run, &error, stand, tell)?,
            }
            batch.taken += 1;
        }
        Continue(batch)
    }

    /// Carries out a batch. Where one of several runs may be at fault for all, halves are carried out by themselves, down to that run.
    fn carry_out(
        &mut self,
        runs: &[&Run],
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
        let ended = self.engine(&starts, keeper.as_ref()).and_then(|mut engine| {
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
        let mut starts: Vec<_> = starts.into_iter().map(Some).collect();
        for half in again.chunks(again.len().div_ceil(2).max(1)) {
            let runs: Vec<_> = half.iter().map(|place| runs[*place]).collect();
            let starts = half.iter().filter_map(|place| starts[*place].take()).collect();
            if self.carry_out(&runs, starts, stand, tell)?.is_break() {
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
        starts: &[Start<M::Events>],
        keeper: Option<&Keeper<'_>>,
    ) -> Result<Engine<M::Events>, EngineError> {
        let Some(keeper) = keeper else { return Engine::new(&self.device, starts, M::MOST) };
        loop {
            match Engine::resume(&self.device, starts, keeper.states(), M::MOST) {
                Err(EngineError::State { simulation, error }) => keeper.reject(simulation, error),
                engine => return engine,
            }
        }
    }
}

/// Runs that are carried out together.
struct Batch<'r, M: Studied> {
    /// How many runs were looked at.
    taken: usize,
    runs: Vec<&'r Run>,
    starts: Vec<Start<M::Events>>,
}

/// Whether an error may come of single runs, others of which would do.
fn is_of_runs(error: &EngineError) -> bool {
    matches!(
        error,
        EngineError::Start(_) | EngineError::Device(Error::Fault(_) | Error::OutOfMemory { .. } | Error::Limit { .. })
    )
}

impl<M: Studied> Laboratory for EventRuns<M> {
    fn run(&mut self, runs: &[Run], tell: Tell<'_>) -> Result<(), Fault> {
        for point in points(runs) {
            self.model.check(point).map_err(|problem| {
                let values = point.parameters().map(|(name, value)| format!("{name} = {value}")).collect();
                PointProblem { point: point.number(), values, problem }
            })?;
        }
        let mut stand = Stand { told: 0, all: runs.len() };
        let mut left = runs;
        while !left.is_empty() {
            let Continue(batch) = self.batch(left, &mut stand, tell) else { return Ok(()) };
            left = left.get(batch.taken..).unwrap_or_default();
            if !batch.runs.is_empty() && self.carry_out(&batch.runs, batch.starts, &mut stand, tell)?.is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}
