//! The director's side: it gives out runs and collects reports.

use super::orders::{Order, Report, Workers};
use super::pool::Pool;
use super::tally::Tally;
use crate::laboratory::{Failed, Fault, Finished, Update};
use crate::runs::RunSet;
use std::ops::ControlFlow;
use std::time::Duration;
use thiserror::Error;

/// Longest wait for a worker's report until progress is reported again.
const PATIENCE: Duration = Duration::from_millis(200);

/// Error: all devices failed.
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
            let each: Vec<_> = tallies.iter().map(|tally| format!("{}: {}", tally.identity.name, why(tally))).collect();
            format!("no device is left: {}", each.join("; "))
        }
    }
}

/// Executes runs on workers. `tallies` has the work of each.
pub(super) fn direct(
    team: &mut dyn Workers,
    runs: &RunSet,
    tallies: &mut [Tally],
    observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let mut pool = Pool::new(runs.clone(), tallies);
    let (mut reported, mut stopped) = (0_u64, false);
    hand_out(&mut pool, team, tallies.len())?;
    while pool.is_busy() {
        let mut passed_on = None;
        match team.receive(PATIENCE)? {
            None => {}
            Some((worker, Report::Update(Update::Progress { share }))) => pool.progress(worker, share),
            Some((worker, Report::Update(update))) => {
                let (Update::Finished(Finished { run, .. }) | Update::Failed(Failed { run, .. })) = &update else {
                    continue;
                };
                // A run is passed on once, even if two workers report it.
                if pool.report(worker, *run) {
                    reported += 1;
                    passed_on = Some(update);
                    tallies.iter_mut().skip(worker).take(1).for_each(|tally| tally.runs += 1);
                }
            }
            Some((worker, Report::Idle)) => {
                let left = pool.idle(worker);
                if left > 0 && !stopped {
                    lose(
                        &mut pool,
                        tallies,
                        worker,
                        format!("it ended before {left} of its runs were finished, without an error"),
                    );
                }
            }
            Some((worker, Report::Lost(why))) => lose(&mut pool, tallies, worker, why),
        }
        let share = (reported as f64 + pool.under_way()) / runs.len().max(1) as f64;
        // Finished runs are passed on also after the request to stop.
        let update = passed_on.or_else(|| (!stopped).then_some(Update::Progress { share }));
        let broken = update.is_some_and(|update| observer(update).is_break());
        if broken && !stopped {
            stopped = true;
            for worker in 0..tallies.len() {
                team.order(worker, Order::Stop)?;
            }
        }
        if !stopped {
            hand_out(&mut pool, team, tallies.len())?;
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

/// Gives waiting runs to free workers.
fn hand_out(pool: &mut Pool, team: &mut dyn Workers, workers: usize) -> Result<(), Fault> {
    for worker in 0..workers {
        let runs = pool.take(worker);
        if !runs.is_empty() {
            team.order(worker, Order::CarryOut(runs))?;
        }
    }
    Ok(())
}
