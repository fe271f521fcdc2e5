//! Simulations side by side, of each of which is told once it is over.

use crate::events::{Engine, EngineError, Events, Outcome, Start};
use crate::study::laboratory::{Failed, News, Run};
use imminent_core::Device;
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::{Duration, Instant};

/// No more of the time than one part in this many goes into looking.
const SHARE_OF_LOOKING: u32 = 20;

/// What hears of runs.
pub(super) type Tell<'a> = &'a mut dyn FnMut(News) -> ControlFlow<()>;

/// How far all runs are.
pub(super) struct Stand {
    pub(super) told: usize,
    pub(super) all: usize,
}

impl Stand {
    /// The share that is done, where so much of runs that are under way is.
    fn share(&self, under_way: f64) -> News {
        News::Progress { share: (self.told as f64 + under_way) / self.all.max(1) as f64 }
    }
}

/// What hears of the simulation of a number.
type Hear<'a, E> = &'a mut dyn FnMut(usize, Outcome<E>, &mut Stand, Tell<'_>) -> ControlFlow<()>;

/// Runs simulations to their ends; `hear` is told of each once it is over, maybe more than once.
pub(super) fn together<E: Events>(
    device: &Device,
    every: Duration,
    (starts, most): (&[Start<E>], u32),
    stand: &mut Stand,
    tell: Tell<'_>,
    hear: Hear<'_, E>,
) -> Result<ControlFlow<()>, EngineError> {
    let mut engine = Engine::new(device, starts, most)?;
    let mut over = vec![false; starts.len()];
    let (mut every, mut under_way) = (every, 0.0);
    loop {
        let (began, mut interrupted) = (Instant::now(), false);
        let ended = engine.run_with(|_| {
            interrupted = tell(stand.share(under_way)).is_break();
            if interrupted || began.elapsed() >= every { Break(()) } else { Continue(()) }
        });
        match ended {
            Ok(ends) => {
                let mut ends = ends.into_iter().enumerate();
                return Ok(ends.try_for_each(|(place, end)| hear(place, end, stand, tell)));
            }
            Err(EngineError::Cancelled { .. }) if interrupted => return Ok(Break(())),
            Err(EngineError::Cancelled { .. }) => {}
            Err(error) => return Err(error),
        }
        let looking = Instant::now();
        let reached = engine.reached()?;
        under_way = 0.0;
        let mut new = vec![];
        for (place, (reached, start)) in reached.into_iter().zip(starts).enumerate() {
            if reached < start.end {
                under_way += reached as f64 / start.end as f64;
            } else if !std::mem::replace(&mut over[place], true) {
                new.push(place);
            }
        }
        if !new.is_empty() {
            for (place, outcome) in new.iter().copied().zip(engine.outcomes(new.iter().copied())?) {
                if hear(place, outcome, stand, tell).is_break() {
                    return Ok(Break(()));
                }
            }
        }
        every = every.max(SHARE_OF_LOOKING * looking.elapsed());
    }
}

/// Tells of a run that came to where it cannot go on.
pub(super) fn fail(run: &Run, why: &dyn std::fmt::Display, stand: &mut Stand, tell: Tell<'_>) -> ControlFlow<()> {
    stand.told += 1;
    tell(News::Failed(Failed { run: run.number, why: why.to_string() }))
}
