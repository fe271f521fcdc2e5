//! `imminent study`.

mod checkpoints;
mod devices;
mod output;
mod ranks;
mod report;
mod sheets;
mod team;

#[cfg(feature = "report")]
mod html;

use super::results::ResultsArgs;
use clap::Args;
use devices::DevicesArgs;
use imminent::models::input;
use imminent::models::study::checkpoint::Checkpoints;
use imminent::models::study::conduct::{ConductError, Ending, Progress, conduct};
use imminent::models::study::journal::{Journal, JournalError, Recovered};
use imminent::models::study::{Catalogue, Definition, DefinitionError, Means, Planned, Results, Study};
use imminent::models::toml_text::TomlError;
use imminent_console::Failure;
use imminent_console::interrupt;
use imminent_console::print::tell;
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_report::folder::{Folder, Names};
use ranks::Ranks;
use report::{Carried, Report};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Options of `imminent study`.
#[derive(Debug, Args)]
pub(crate) struct StudyArgs {
    /// Study file (TOML).
    #[arg(required_unless_present = "models")]
    file: Option<PathBuf>,
    /// Earlier spelling of `imminent describe`.
    #[arg(long, hide = true)]
    models: bool,
    /// Carry out the study together with the other processes that `mpirun` has started, each of which takes the device
    /// with its number on its machine among those of --device.
    #[arg(long, conflicts_with = "plan")]
    mpi: bool,
    /// Say how many points and runs the study has, and list the points, without running any.
    #[arg(long, conflicts_with = "out")]
    plan: bool,
    /// Keep the runs of event models that are under way in --out every so many seconds, and at Ctrl-C, to go on with
    /// them later; 0 to keep none. No more than a fiftieth of the time goes into it.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = checkpoints::interval, requires = "out")]
    checkpoint: Duration,
    /// Which runs of an event model a device has side by side, whatever the study says; it changes no result.
    #[arg(long, value_name = "none|due|spread|sort|pad|compact|auto")]
    mapping: Option<String>,
    #[command(flatten)]
    device: DevicesArgs,
    #[command(flatten)]
    results: ResultsArgs,
}

/// The files of a study.
const NAMES: Names<'_> = Names {
    written: &["result.json", "runs.csv", "runs.parquet", "points.csv", "points.parquet", "report.html"],
    kept: &[JOURNAL, checkpoints::FOLDER],
};

/// File of finished runs, from which an interrupted study is resumed.
const JOURNAL: &str = "runs.journal";

/// A study that was read and checked.
struct Task {
    planned: Planned,
    mapping: Option<String>,
    /// `true` for the replications of one configuration.
    is_run: bool,
}

impl Task {
    /// Reads a study; `mapping` overrides that of the file.
    fn read(path: &Path, mapping: Option<&str>, catalogue: &Catalogue) -> Result<Self, Failure> {
        let file = path.display().to_string();
        let mut definition = Definition::from_file(path).map_err(Failure::usage)?;
        definition.mapping = mapping.map(str::to_owned).or(definition.mapping);
        let folder = path.parent().unwrap_or(Path::new(""));
        let planned = catalogue.plan(&definition, folder).map_err(|error| {
            if let (Some(_), DefinitionError::Toml(TomlError::Value { key, problem, .. })) = (mapping, &error)
                && key == "mapping"
            {
                return Failure::option("--mapping", problem);
            }
            // The file existed a moment ago; without it, the line is not known.
            let text = input::text(path).unwrap_or_default();
            Failure::usage(error.located(&text, &file))
        })?;
        Ok(Self { planned, mapping: definition.mapping, is_run: false })
    }

    fn study(&self) -> &Study {
        &self.planned.study
    }

    /// Returns the means by which runs are carried out.
    fn means(&self, checkpoints: Option<Arc<Checkpoints>>) -> Means {
        Means { mapping: self.mapping.clone(), checkpoints }
    }
}

impl StudyArgs {
    /// Carries out a study of one point, as which `imminent run` executes models of the catalogue.
    pub(crate) fn run_point(planned: Planned, device: DeviceArgs, results: ResultsArgs) -> Result<(), Failure> {
        let (file, mapping, checkpoint) = (None, None, Duration::from_secs(60));
        let device = DevicesArgs::one(device);
        let study = StudyArgs { file, models: false, mpi: false, plan: false, checkpoint, mapping, device, results };
        study.carry_out(&Task { planned, mapping: None, is_run: true }, None)
    }

    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        if self.models {
            return Err(Failure::usage(
                "--models: `imminent describe` lists the models, `imminent describe MODEL` its keys",
            ));
        }
        if self.mpi {
            return ranks::run(&self, catalogue);
        }
        let task = self.task(catalogue)?;
        if self.plan {
            return output::plan(task.study(), self.results.json);
        }
        self.carry_out(&task, None)
    }

    /// Reads the study that the study file defines.
    fn task(&self, catalogue: &Catalogue) -> Result<Task, Failure> {
        // The options require a file.
        Task::read(self.file.as_deref().unwrap_or(Path::new("")), self.mapping.as_deref(), catalogue)
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
        let checkpoints = self.checkpoints(study);
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
        let report = Report { is_run: task.is_run, ..report };
        if let Some(folder) = &folder {
            folder.replace(|folder| {
                folder.json(&report)?;
                folder.sheet(&sheets::Runs::new(study, &results))?;
                folder.sheet(&sheets::Points::new(study, &results))?;
                #[cfg(feature = "report")]
                folder.page(html::page(&report, study, &results))?;
                Ok(())
            })?;
        }
        let print = || {
            if self.results.json {
                imminent_console::print::print_json(&report)
            } else {
                imminent_console::print::print_text(&output::text(&report, study))
            }
        };
        // A table without a value says nothing.
        let print_part = || if results.done() > 0 || self.results.json { print() } else { Ok(()) };
        let left = || output::left(&report);
        let again = if folder.is_some() { ", and kept: the same command goes on with the others" } else { "" };
        match ending {
            Ok(Ending::Complete) => print(),
            Ok(Ending::Interrupted) => {
                print_part()?;
                Err(Failure::run(format!("interrupted: {}{again}", left())))
            }
            Ok(Ending::Failed) => {
                print_part()?;
                Err(Failure::run(format!("{}\n{}{again}", output::failures(&report, study, &results), left())))
            }
            // Without results there is only the error to report.
            Err(error) if results.done() == 0 => Err(Failure::run(error)),
            Err(error) => {
                print()?;
                Err(Failure::run(format!("{error}\n{}{again}", left())))
            }
        }
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
        let (mut team, why) = team::assemble(self, task, &task.means(checkpoints), ranks)?;
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
    let (journal, recovered) = opened.map_err(|error| match error {
        JournalError::System { .. } => Failure::run(error),
        _ => Failure::usage(error),
    })?;
    Ok((Some(journal), recovered))
}
