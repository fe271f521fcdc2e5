//! Simulations side by side, each reported when it has ended.

use super::keeper::Keeper;
use crate::laboratory::{Failed, News, Run};
use imminent_events::{Engine, EngineError, Events, Outcome};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::{Duration, Instant};

/// No more of the time than one part in this many goes into looking.
const SHARE_OF_LOOKING: u32 = 20;

/// Callback that receives news of runs.
pub(super) type Tell<'a> = &'a mut dyn FnMut(News) -> ControlFlow<()>;

/// Progress of all runs.
pub(super) struct Stand {
    pub(super) told: usize,
    pub(super) all: usize,
}

impl Stand {
    /// The share that is done, where so much of runs that are under way is.
    pub(super) fn share(&self, under_way: f64) -> News {
        News::Progress { share: (self.told as f64 + under_way) / self.all.max(1) as f64 }
    }
}

/// Callback that receives the outcome of a simulation, given its number.
type Hear<'a, E> = &'a mut dyn FnMut(usize, Outcome<E>, &mut Stand, Tell<'_>) -> ControlFlow<()>;

/// Runs simulations to their ends. `hear` receives each outcome, perhaps more than once. Simulations under way are
/// saved at times, and when the study ends early.
pub(super) fn together<E: Events>(
    engine: &mut Engine<E>,
    ends: &[u64],
    every: Duration,
    stand: &mut Stand,
    (tell, hear): (Tell<'_>, Hear<'_, E>),
    mut keeper: Option<&mut Keeper<'_>>,
) -> Result<ControlFlow<()>, EngineError> {
    let mut over = vec![false; ends.len()];
    let outcome = look_on(engine, (ends, &mut over), every, stand, (tell, hear), &mut keeper);
    if let (Ok(Break(())), Some(keeper)) = (&outcome, keeper) {
        keeper.keep(engine, &over);
    }
    outcome
}

fn look_on<E: Events>(
    engine: &mut Engine<E>,
    (ends, over): (&[u64], &mut [bool]),
    every: Duration,
    stand: &mut Stand,
    (tell, hear): (Tell<'_>, Hear<'_, E>),
    keeper: &mut Option<&mut Keeper<'_>>,
) -> Result<ControlFlow<()>, EngineError> {
    let mut every = keeper.as_ref().map_or(every, |keeper| every.min(keeper.every()));
    let mut under_way = 0.0;
    loop {
        let (began, mut interrupted) = (Instant::now(), false);
        let ended = engine.run_with(|_| {
            interrupted = tell(stand.share(under_way)).is_break();
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
                hear(place, outcome, stand, tell)
            }));
        }
        let looking = Instant::now();
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
                if hear(place, outcome, stand, tell).is_break() {
                    return Ok(Break(()));
                }
            }
        }
        every = every.max(SHARE_OF_LOOKING * looking.elapsed());
        if let Some(keeper) = keeper {
            keeper.keep_if_due(engine, over);
        }
    }
}

/// Tells of a run that came to where it cannot go on.
pub(super) fn fail(run: &Run, why: &dyn std::fmt::Display, stand: &mut Stand, tell: Tell<'_>) -> ControlFlow<()> {
    stand.told += 1;
    tell(News::Failed(Failed { run: run.number, why: why.to_string() }))
}
