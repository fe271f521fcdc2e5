//! Configurations of any model of the catalogue, compared by its measures.
//!
//! The replications of a configuration are a study of one point. All studies have the same seeds.

use super::told::{Compared, Configuration, Difference};
use crate::run::model::{definition, options, told};
use clap::ArgMatches;
use clap::parser::ValueSource;
use imminent::Device;
use imminent::models::estimate::Estimate;
use imminent::models::output::Comparison;
use imminent::models::study::conduct::{Ending, conduct};
use imminent::models::study::{Catalogue, Means, Model, Planned, Results};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Keys of all runs of a study, which no configuration sets.
const COUNTS: [&str; 2] = ["run.seed", "run.replications"];

/// Command line of a comparison.
pub(super) struct Command<'c> {
    pub(super) files: Vec<&'c PathBuf>,
    pub(super) matches: &'c ArgMatches,
    pub(super) device: &'c DeviceArgs,
}

/// Compares configurations of a model. Options of `usual`, whose options the command has, are refused where the model
/// does not have them.
pub(super) fn compare(
    command: &Command<'_>,
    model: &dyn Model,
    usual: &dyn Model,
    catalogue: &Catalogue,
) -> Result<Compared, Failure> {
    refuse_others(command.matches, model, usual)?;
    let count = |key: &str| {
        let text = command.matches.try_get_one::<String>(key).ok().flatten().map_or("1", String::as_str);
        text.parse::<u64>().map_err(|_| Failure::usage(format!("{key}: takes a whole number, 0 or more")))
    };
    let [seed, replications] = COUNTS.map(count);
    let (seed, replications) = (seed?, replications?);
    if replications < 2 {
        return Err(Failure::usage(
            "a comparison needs two replications at least: give --replications, for instance --replications 20",
        ));
    }
    let mut options = options(model);
    options.retain(|(_, key)| !COUNTS.contains(&key.name.as_str()));
    let plan = |file: &&PathBuf| {
        let file = file.display().to_string();
        let definition = definition(model, &options, Some(&file), command.matches)?;
        let definition = definition.repetitions(replications).seed(seed).common_random_numbers();
        let planned = catalogue.plan(&definition, Path::new("")).map_err(|error| told(&error, &options))?;
        Ok((file, planned))
    };
    let plans = command.files.iter().map(plan).collect::<Result<Vec<_>, Failure>>()?;
    let (device, _) = command.device.open()?;
    let found = plans.iter().map(|(file, planned)| values(planned, &device, file));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = model.description().measures.into_iter().map(|measure| measure.name).collect();
    let configuration = |((file, planned), values): (&(String, Planned), &Vec<Vec<Option<f64>>>)| {
        let estimate = |values: &Vec<Option<f64>>| Estimate::of(&values.iter().copied().flatten().collect::<Vec<_>>());
        Configuration {
            file: file.clone(),
            digest: None,
            stats: names.iter().cloned().zip(values.iter().map(estimate)).collect(),
            warnings: planned.study.description().notes.clone(),
        }
    };
    let configurations: Vec<_> = plans.iter().zip(&found).map(configuration).collect();
    let first = plans.first().zip(found.first());
    let difference = |((file, _), after): (&(String, Planned), &Vec<Vec<Option<f64>>>)| {
        let ((first, _), before) = first?;
        let measures = names.iter().cloned().zip(before.iter().zip(after).map(|(a, b)| paired(a, b))).collect();
        Some(Difference { first: first.clone(), second: file.clone(), measures })
    };
    let comparisons = plans.iter().zip(&found).skip(1).filter_map(difference).collect();
    Ok(Compared { seed, replications, configurations, comparisons })
}

/// Refuses options of queueing networks that another model does not have.
fn refuse_others(matches: &ArgMatches, model: &dyn Model, usual: &dyn Model) -> Result<(), Failure> {
    let is_given = |id: &str| matches!(matches.value_source(id), Some(ValueSource::CommandLine));
    let name = model.description().name;
    let refused = |option: &str| Failure::usage(format!("--{option}: the model `{name}` does not have it; remove it"));
    if is_given("schedule") {
        return Err(refused("schedule"));
    }
    let of_run = options(usual).into_iter().filter(|(_, key)| key.name.starts_with("run."));
    let is_missing = |key: &str| !COUNTS.contains(&key) && model.keys().key(key).is_none();
    for (option, key) in of_run {
        if is_given(&key.name) && is_missing(&key.name) {
            return Err(refused(&option));
        }
    }
    Ok(())
}

/// Executes the replications of a configuration. Returns the values of each measure, replication by replication.
fn values(planned: &Planned, device: &Device, file: &str) -> Result<Vec<Vec<Option<f64>>>, Failure> {
    let Planned { model, base, study } = planned;
    let mut results = Results::new(study).map_err(Failure::run)?;
    let mut laboratory = model.open(base, device, &Means::default()).map_err(Failure::run)?;
    let bar = Bar::new(study.runs(), "replications");
    let ending = interrupt::watched(|| {
        conduct(study, &mut results, &mut *laboratory, None, &mut |progress| {
            bar.done(progress.done);
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    });
    match ending.map_err(Failure::run)? {
        Ending::Complete => {}
        Ending::Interrupted => {
            return Err(Failure::run("interrupted: a comparison needs all replications of all configurations"));
        }
        Ending::Failed => {
            let why = results.failures().next().map_or("a replication failed", |(_, why)| why);
            return Err(Failure::run(format!("{file}: {why}")));
        }
    }
    let measures = 0..study.description().measures.len();
    Ok(measures.map(|measure| (0..study.runs()).map(|run| results.value(run, measure)).collect()).collect())
}

/// Compares two configurations by the replications in which both have a value.
fn paired(first: &[Option<f64>], second: &[Option<f64>]) -> Comparison {
    let both = first.iter().zip(second).filter_map(|(first, second)| Some((*first.as_ref()?, *second.as_ref()?)));
    let (first, second): (Vec<f64>, Vec<f64>) = both.unzip();
    Comparison::of(&first, &second)
}
