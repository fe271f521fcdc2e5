//! `imminent study`.

mod args;
mod checkpoints;
mod devices;
mod output;
mod ranks;
mod report;
mod task;
mod team;

#[cfg(feature = "report")]
mod html;

pub(crate) use args::StudyArgs;

use crate::results::told;
use imminent::models::study::checkpoint::Checkpoints;
use imminent::models::study::conduct::{ConductError, Ending, Progress, conduct};
use imminent::models::study::journal::{Journal, Recovered};
use imminent::models::study::{Catalogue, Results, Study, sheets};
use imminent_console::Failure;
use imminent_console::interrupt;
use imminent_console::print::tell;
use imminent_console::progress::Bar;
use imminent_report::folder::{Folder, Names};
use ranks::Ranks;
use report::{Carried, Report};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;
use task::Task;

/// The files of a study.
const NAMES: Names<'_> = Names {
    written: &["result.json", "runs.csv", "runs.parquet", "points.csv", "points.parquet", "report.html"],
    kept: &[JOURNAL, checkpoints::FOLDER],
};

/// File of finished runs, from which an interrupted study is resumed.
const JOURNAL: &str = "runs.journal";

impl StudyArgs {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        if self.models {
            return Err(Failure::usage(
                "--models: `imminent describe` lists the models, `imminent describe MODEL` its keys",
            ));
        }
        if self.mpi {
            let mut lead = |task: &Task, ranks: &Ranks| self.carry_out(task, Some(ranks));
            return ranks::run(&self, catalogue, &mut lead);
        }
        let task = Task::of(&self, catalogue)?;
        if self.plan {
            return output::plan(task.study(), self.results.json);
        }
        self.carry_out(&task, None)
    }

    /// Carries out a study, together with other ranks if there are any.
    fn carry_out(&self, task: &Task, ranks: Option<&Ranks>) -> Result<(), Failure> {
        let study = task.study();
        let mut results = Results::new(study).map_err(Failure::run)?;
        let folder = self.results.folder(NAMES)?;
        let (mut journal, recovered) = open(folder.as_ref(), study, &mut results)?;
        if recovered.runs > 0 {
            tell(&format!("{} of {} runs were finished before", recovered.runs, study.runs()));
        }
        if recovered.damaged > 0 {
            tell(&format!("{} lines of {JOURNAL} were not whole: their runs are carried out again", recovered.damaged));
        }
        let began = Instant::now();
        let checkpoints = checkpoints::open(self, study);
        if let Some(checkpoints) = &checkpoints {
            checkpoints::begin(checkpoints, &results);
        }
        let (ending, mut carried) =
            self.conduct(task, ranks, &mut results, (journal.as_mut(), checkpoints.clone()), recovered)?;
        if let Some(checkpoints) = &checkpoints {
            checkpoints::end(checkpoints, &results);
            carried.went_on = checkpoints.taken_up();
        }
        let report = Report::new(study, &results, &carried, began.elapsed(), recovered.runs);
        let saved = folder.as_ref().map_or(Ok(()), |folder| {
            folder.replace(|folder| {
                folder.json(&report)?;
                folder.sheet(&sheets::Runs::new(study, &results))?;
                folder.sheet(&sheets::Points::new(study, &results))?;
                #[cfg(feature = "report")]
                folder.page(html::page(&report, study, &results))?;
                Ok(())
            })
        });
        // A table without a value says nothing, and without results there is only the error to report.
        if results.done() > 0 || (self.results.json && ending.is_ok()) {
            match self.results.json {
                true => imminent_console::print::print_json(&report)?,
                false => imminent_console::print::print_text(&output::text(&report, study))?,
            }
        }
        let again = if folder.is_some() { ", and kept: the same command goes on with the others" } else { "" };
        let left = || format!("{}{again}", output::left(&report));
        let lacks = match ending {
            Ok(Ending::Complete) => None,
            Ok(Ending::Interrupted) => Some(format!("interrupted: {}", left())),
            Ok(Ending::Failed) => Some(format!("{}\n{}", output::failures(study, &results), left())),
            Err(error) if results.done() == 0 => Some(error.to_string()),
            Err(error) => Some(format!("{error}\n{}", left())),
        };
        told(lacks.into_iter().chain(saved.err().map(|error| error.to_string())))
    }

    /// Carries out the missing runs; opens a device only if some are missing.
    fn conduct(
        &self,
        task: &Task,
        ranks: Option<&Ranks>,
        results: &mut Results,
        (journal, checkpoints): (Option<&mut Journal>, Option<Arc<Checkpoints>>),
        recovered: Recovered,
    ) -> Result<(Result<Ending, ConductError>, Carried), Failure> {
        if results.done() == results.runs() {
            return Ok((Ok(Ending::Complete), Carried::default()));
        }
        let means = task.means(checkpoints);
        let (mut team, why) = match ranks {
            Some(ranks) => ranks::assemble(self, task, &means, ranks)?,
            None => team::assemble(self, task, &means)?,
        };
        let bar = Bar::with_time_to_go(task.study().runs(), recovered.runs, "runs");
        let mut watch = |progress: Progress| {
            bar.done(((progress.share * progress.runs as f64) as u64).max(progress.done + progress.failed));
            // The answer is that of the laboratories.
            if interrupt::is_due() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let ending = interrupt::watched(|| conduct(task.study(), results, team.as_mut(), journal, &mut watch));
        drop(bar);
        let carried = Carried { stations: team.tallies().to_vec(), why: Some(why), went_on: 0 };
        if ending.is_ok() {
            carried.report_losses();
        }
        Ok((ending, carried))
    }
}

/// Opens the journal in the folder, if there is one, and inserts its results.
fn open(
    folder: Option<&Folder>,
    study: &Study,
    results: &mut Results,
) -> Result<(Option<Journal>, Recovered), Failure> {
    let Some(folder) = folder else { return Ok((None, Recovered::default())) };
    let opened = Journal::open(&folder.file(JOURNAL), study, results);
    let (journal, recovered) = opened.map_err(Failure::usage)?;
    Ok((Some(journal), recovered))
}
