//! Execution of the unfinished runs of a study.

use super::journal::{Journal, JournalError};
use super::laboratory::{Fault, Finished, Laboratory, Update};
use super::plan::Study;
use super::results::{ResultError, Results};
use super::runs::Runs;
use std::ops::ControlFlow;
use thiserror::Error;

/// Progress of a study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Runs of the study.
    pub runs: u64,
    /// Runs that are finished.
    pub done: u64,
    /// Runs that failed.
    pub failed: u64,
    /// Share of the whole study's work that is done, as the laboratory reports it, from 0 to 1.
    pub share: f64,
}

/// Outcome of executing a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Every run is finished.
    Complete,
    /// The study was interrupted by its caller.
    Interrupted,
    /// Some runs [failed](Results::failures); all others are finished.
    Failed,
}

/// Reason why a study could not be finished. The results and the journal hold the runs that were finished before.
#[derive(Debug, Error)]
pub enum ConductError {
    /// The laboratory failed.
    #[error("{0}")]
    Laboratory(Fault),
    /// The laboratory reported an impossible result.
    #[error(
        "the model's program is at fault: {0}; let it report each requested run once, with a value for each measure of its description"
    )]
    Result(#[from] ResultError),
    /// The laboratory ended without having executed all runs.
    #[error(
        "the model's program is at fault: it ended without an error before {left} runs were finished; let its laboratory report each run as finished or failed"
    )]
    LeftOut {
        /// Number of runs that were left out.
        left: u64,
    },
    /// A finished run could not be written to the journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Executes the runs that `results` lacks, and writes each to the journal as soon as it is finished. `watch` is called
/// after each run and with progress in between; if it breaks, the study is interrupted.
///
/// # Errors
/// [`ConductError`].
pub fn conduct(
    study: &Study,
    results: &mut Results,
    laboratory: &mut dyn Laboratory,
    mut journal: Option<&mut Journal>,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Ending, ConductError> {
    let runs = Runs::new(study, results.missing());
    if runs.is_empty() {
        return Ok(Ending::Complete);
    }
    let (all, before) = (results.runs(), results.done());
    let mut trouble = None;
    results.forget_failures();
    let mut interrupted = false;
    let outcome = laboratory.run(&runs, &mut |update| {
        let share = match update {
            Update::Progress { share } => (before as f64 + share.clamp(0.0, 1.0) * runs.len() as f64) / all as f64,
            Update::Finished(finished) => {
                if let Err(error) = keep(results, journal.as_deref_mut(), &finished) {
                    trouble.get_or_insert(error);
                    return ControlFlow::Break(());
                }
                (results.done() + results.failed()) as f64 / all as f64
            }
            Update::Failed(run) => {
                if let Err(error) = results.fail(&run) {
                    trouble.get_or_insert(error.into());
                    return ControlFlow::Break(());
                }
                (results.done() + results.failed()) as f64 / all as f64
            }
        };
        let flow = watch(Progress { runs: all, done: results.done(), failed: results.failed(), share });
        interrupted |= flow.is_break();
        flow
    });
    if let Some(journal) = journal {
        journal.sync()?;
    }
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    outcome.map_err(ConductError::Laboratory)?;
    match all - results.done() {
        0 => Ok(Ending::Complete),
        left if left == results.failed() => Ok(Ending::Failed),
        _ if interrupted => Ok(Ending::Interrupted),
        left => Err(ConductError::LeftOut { left }),
    }
}

fn keep(results: &mut Results, journal: Option<&mut Journal>, finished: &Finished) -> Result<(), ConductError> {
    results.insert(finished)?;
    Ok(journal.map_or(Ok(()), |journal| journal.append(finished))?)
}
