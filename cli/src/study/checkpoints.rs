//! `--checkpoint`: states of unfinished runs.

use super::StudyArgs;
use imminent::models::study::checkpoint::Checkpoints;
use imminent::models::study::{Results, Study};
use imminent_console::print::tell;
use std::sync::Arc;
use std::time::Duration;

/// Folder of the checkpoints, beside the journal.
pub(super) const FOLDER: &str = "running";

/// Parses a number of seconds.
pub(super) fn interval(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "give a number of seconds, such as 60; with 0 no states are saved".to_owned())
}

impl StudyArgs {
    /// Opens the checkpoints, if they are to be kept.
    pub(super) fn checkpoints(&self, study: &Study) -> Option<Arc<Checkpoints>> {
        let folder = self.results.named().filter(|_| !self.checkpoint.is_zero())?;
        Some(Arc::new(Checkpoints::open(&folder.join(FOLDER), study, self.checkpoint)))
    }
}

/// Reports, before the first run, how many runs are resumed.
pub(super) fn begin(checkpoints: &Checkpoints, results: &Results) {
    tidy(checkpoints, results);
    if checkpoints.runs() > 0 {
        tell(&format!("{} unfinished runs are resumed", checkpoints.runs()));
    }
    report_problems(checkpoints);
}

/// Cleans up after the last run.
pub(super) fn end(checkpoints: &Checkpoints, results: &Results) {
    report_problems(checkpoints);
    tidy(checkpoints, results);
}

fn tidy(checkpoints: &Checkpoints, results: &Results) {
    checkpoints.tidy(|run| run < results.runs() && !results.is_done(run));
}

/// Reports problems of the checkpoints.
pub(super) fn report_problems(checkpoints: &Checkpoints) {
    for problem in checkpoints.problems() {
        tell(&problem.to_string());
    }
}
