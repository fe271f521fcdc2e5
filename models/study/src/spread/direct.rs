//! The director's side: who carries out what, and what is heard of it.

use super::Who;
use super::crew::{Crew, Order, Told};
use super::pool::Pool;
use crate::laboratory::{Failed, Fault, Finished, News};
use crate::runs::RunSet;
use std::ops::ControlFlow;
use std::time::Duration;
use thiserror::Error;

/// Longest wait for a worker's report until progress is told again.
const PATIENCE: Duration = Duration::from_millis(200);

/// Work that a worker did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Identity of the worker.
    pub who: Who,
    /// Runs that it has told of.
    pub runs: u64,
    /// Reason why the worker could not continue, if it could not.
    pub lost: Option<String>,
}

impl Tally {
    /// That of a device that has done nothing yet.
    pub(super) fn of(who: &Who) -> Self {
        Self { who: who.clone(), runs: 0, lost: None }
    }
}

/// All devices failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", list(.0))]
pub struct AllLost(
    /// Work that each worker did before.
    pub Vec<Tally>,
);

fn list(tallies: &[Tally]) -> String {
    let why = |tally: &Tally| tally.lost.clone().unwrap_or_default();
    match tallies.first().map(why) {
        Some(first) if tallies.iter().all(|tally| why(tally) == first) => first,
        _ => {
            let each: Vec<_> = tallies.iter().map(|tally| format!("{}: {}", tally.who.name, why(tally))).collect();
            format!("no device is left: {}", each.join("; "))
        }
    }
}

/// Has a crew carry out runs. What its members did is in `tallies`, one for each.
pub(super) fn direct(
    crew: &mut dyn Crew,
    runs: &RunSet,
    tallies: &mut [Tally],
    tell: &mut dyn FnMut(News) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let mut pool = Pool::new(runs.clone(), tallies);
    let (mut told, mut stopped) = (0_u64, false);
    hand_out(&mut pool, crew, tallies.len())?;
    while pool.is_busy() {
        let mut passed_on = None;
        match crew.hear(PATIENCE)? {
            None => {}
            Some((worker, Told::News(News::Progress { share }))) => pool.progress(worker, share),
            Some((worker, Told::News(news))) => {
                let (News::Finished(Finished { run, .. }) | News::Failed(Failed { run, .. })) = &news else { continue };
                // Nothing is heard twice, whoever says it.
                if pool.told(worker, *run) {
                    told += 1;
                    passed_on = Some(news);
                    tallies.iter_mut().skip(worker).take(1).for_each(|tally| tally.runs += 1);
                }
            }
            Some((worker, Told::Idle)) => {
                let left = pool.idle(worker);
                if left > 0 && !stopped {
                    lose(
                        &mut pool,
                        tallies,
                        worker,
                        format!("it ended before {left} of its runs were finished, without saying why"),
                    );
                }
            }
            Some((worker, Told::Lost(why))) => lose(&mut pool, tallies, worker, why),
        }
        let share = (told as f64 + pool.under_way()) / runs.len().max(1) as f64;
        // What is finished is told of also after the end was asked for.
        let news = passed_on.or_else(|| (!stopped).then_some(News::Progress { share }));
        let broken = news.is_some_and(|news| tell(news).is_break());
        if broken && !stopped {
            stopped = true;
            for worker in 0..tallies.len() {
                crew.order(worker, Order::Stop)?;
            }
        }
        if !stopped {
            hand_out(&mut pool, crew, tallies.len())?;
        }
    }
    if pool.is_waiting() && !stopped { Err(AllLost(tallies.to_vec()).into()) } else { Ok(()) }
}

fn lose(pool: &mut Pool, tallies: &mut [Tally], worker: usize, why: String) {
    pool.lose(worker);
    if let Some(tally) = tallies.get_mut(worker) {
        tally.lost = Some(why);
    }
}

/// Gives what there is to those that are free.
fn hand_out(pool: &mut Pool, crew: &mut dyn Crew, workers: usize) -> Result<(), Fault> {
    for worker in 0..workers {
        let runs = pool.take(worker);
        if !runs.is_empty() {
            crew.order(worker, Order::CarryOut(runs))?;
        }
    }
    Ok(())
}
