//! `--checkpoint`: states of unfinished runs.

use super::args::StudyArgs;
use imminent::models::study::checkpoint::Checkpoints;
use imminent::models::study::{Results, Study};
use imminent_console::print::tell;
use std::sync::Arc;

/// Folder of the checkpoints, beside the journal.
pub(super) const FOLDER: &str = "running";

/// Opens the checkpoints, if they are to be kept.
pub(super) fn open(args: &StudyArgs, study: &Study) -> Option<Arc<Checkpoints>> {
    let folder = args.results.named().filter(|_| !args.checkpoint.is_zero())?;
    Some(Arc::new(Checkpoints::open(&folder.join(FOLDER), study, args.checkpoint)))
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
