//! Execution of simulations side by side, with a report of each when it has ended.

use super::keeper::Keeper;
use crate::{Engine, EngineError, Events, Outcome};
use imminent_core::clock::Instant;
use imminent_study::laboratory::{Failed, Run, Update};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Duration;

/// Divisor of the time: at most this part of it is spent on checks for finished runs.
const SHARE_OF_POLLING: u32 = 20;

/// Callback that receives updates of runs.
pub(super) type Observer<'a> = &'a mut dyn FnMut(Update) -> ControlFlow<()>;

/// Progress of all runs.
pub(super) struct Progress {
    pub(super) reported: usize,
    pub(super) all: usize,
}

impl Progress {
    /// Returns the progress of all runs. `under_way` is the sum of the finished shares of unfinished runs.
    pub(super) fn share(&self, under_way: f64) -> Update {
        Update::Progress { share: (self.reported as f64 + under_way) / self.all.max(1) as f64 }
    }
}

/// Callback that receives the outcome of a simulation, given its number.
type OnOutcome<'a, E> = &'a mut dyn FnMut(usize, Outcome<E>, &mut Progress, Observer<'_>) -> ControlFlow<()>;

/// Runs simulations to their ends. `on_outcome` receives each outcome, perhaps more than once. The keeper saves the
/// states of unfinished simulations at intervals, and when the study ends early.
pub(super) fn together<E: Events>(
    engine: &mut Engine<E>,
    ends: &[u64],
    every: Duration,
    progress: &mut Progress,
    (observer, on_outcome): (Observer<'_>, OnOutcome<'_, E>),
    mut keeper: Option<&mut Keeper<'_>>,
) -> Result<ControlFlow<()>, EngineError> {
    let mut over = vec![false; ends.len()];
    let outcome = run_and_poll(engine, (ends, &mut over), every, progress, (observer, on_outcome), &mut keeper);
    if let (Ok(Break(())), Some(keeper)) = (&outcome, keeper) {
        keeper.keep(engine, &over);
    }
    outcome
}

fn run_and_poll<E: Events>(
    engine: &mut Engine<E>,
    (ends, over): (&[u64], &mut [bool]),
    every: Duration,
    progress: &mut Progress,
    (observer, on_outcome): (Observer<'_>, OnOutcome<'_, E>),
    keeper: &mut Option<&mut Keeper<'_>>,
) -> Result<ControlFlow<()>, EngineError> {
    let mut every = keeper.as_ref().map_or(every, |keeper| every.min(keeper.every()));
    let mut under_way = 0.0;
    loop {
        let (began, mut interrupted) = (Instant::now(), false);
        let ended = engine.run_with(|_| {
            interrupted = observer(progress.share(under_way)).is_break();
            if interrupted || began.elapsed() >= every { Break(()) } else { Continue(()) }
        });
        let outcomes = match ended {
            Ok(outcomes) => Some(outcomes),
            Err(EngineError::Cancelled { .. }) if interrupted => return Ok(Break(())),
            Err(EngineError::Cancelled { .. }) => None,
            Err(error) => return Err(error),
        };
        if let Some(outcomes) = outcomes {
            let mut outcomes = outcomes.into_iter().enumerate();
            return Ok(outcomes.try_for_each(|(place, outcome)| {
                over[place] = true;
                on_outcome(place, outcome, progress, observer)
            }));
        }
        let polling = Instant::now();
        let reached = engine.reached()?;
        under_way = 0.0;
        let mut new = vec![];
        for (place, (reached, end)) in reached.into_iter().zip(ends).enumerate() {
            if reached < *end {
                under_way += reached as f64 / *end as f64;
            } else if !over[place] {
                new.push(place);
            }
        }
        if !new.is_empty() {
            for (place, outcome) in new.iter().copied().zip(engine.outcomes(new.iter().copied())?) {
                over[place] = true;
                if on_outcome(place, outcome, progress, observer).is_break() {
                    return Ok(Break(()));
                }
            }
        }
        every = every.max(SHARE_OF_POLLING * polling.elapsed());
        if let Some(keeper) = keeper {
            keeper.keep_if_due(engine, over);
        }
    }
}

/// Reports a run that cannot continue.
pub(super) fn fail(
    run: &Run,
    why: &dyn std::fmt::Display,
    progress: &mut Progress,
    observer: Observer<'_>,
) -> ControlFlow<()> {
    progress.reported += 1;
    observer(Update::Failed(Failed { run: run.number, why: why.to_string() }))
}
