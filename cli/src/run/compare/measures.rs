//! Configurations of any model, compared by its measures.
//!
//! The replications of a configuration are a study of one point. All studies have the same seeds.

use super::common::{check_replications, key_of, same};
use super::told::{Compared, Simulated};
use clap::ArgMatches;
use imminent::Device;
use imminent::models::estimate::Estimate;
use imminent::models::study::conduct::Ending;
use imminent::models::study::{Configuration, Definition, Executed, Model, Planned, Value};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt};
use std::ops::ControlFlow;
use std::sync::Arc;

pub(super) fn compare(
    model: &Arc<dyn Model>,
    configurations: Vec<(String, Configuration)>,
    matches: &ArgMatches,
    device: &DeviceArgs,
) -> Result<Compared, Failure> {
    let count = |name: &'static str| match key_of(&**model, name) {
        Some(key) => {
            let value = |(file, configuration): &(String, Configuration)| (file.clone(), configuration.value(&key));
            let number = |(file, value)| match value {
                Some(Value::Integer(number)) if number >= 0 => Ok((file, number.unsigned_abs())),
                _ => Err(Failure::usage(format!("{file}: has no '{name}': give one by --{name}"))),
            };
            let numbers = configurations.iter().map(value).map(number).collect::<Result<Vec<_>, _>>()?;
            same(name, numbers.iter().map(|(file, number)| (&**file, *number)))
        }
        None => {
            let text = matches.try_get_one::<String>(name).ok().flatten().map_or("1", String::as_str);
            text.parse::<u64>().map_err(|_| Failure::usage(format!("--{name}: takes a whole number, 0 or more")))
        }
    };
    let (seed, replications) = (count("seed")?, count("replications")?);
    check_replications(replications)?;
    // The study has the seed and the number of the replications.
    let counts: Vec<_> = ["seed", "replications"].into_iter().filter_map(|name| key_of(&**model, name)).collect();
    let plan = |(file, mut configuration): (String, Configuration)| {
        configuration.forget(&counts);
        let definition = Definition::new(&model.description().name).seed(seed).repetitions(replications);
        let planned = Planned::of(model, &configuration, definition.common_random_numbers());
        Ok((file, planned.map_err(Failure::usage)?))
    };
    let plans = configurations.into_iter().map(plan).collect::<Result<Vec<_>, Failure>>()?;
    let (device, _) = device.open()?;
    let simulated = plans.into_iter().map(|(file, planned)| simulate(file, planned, &device));
    let simulated = interrupt::watched(|| simulated.collect::<Result<_, _>>())?;
    Ok(Compared::new(seed, replications, simulated))
}

/// Executes the replications of a configuration.
fn simulate(file: String, planned: Planned, device: &Device) -> Result<Simulated, Failure> {
    let (study, bar) = (&planned.study, Bar::new(planned.study.runs(), "replications"));
    let executed = planned.execute(device, &mut |progress| {
        bar.done(progress.done);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let Executed { results, ending, .. } = executed.map_err(Failure::run)?;
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
    let description = study.description();
    let values = |measure: usize| (0..study.runs()).map(|run| results.value(run, measure)).collect::<Vec<_>>();
    let names = description.measures.iter().enumerate();
    let values: Vec<_> = names.map(|(place, measure)| (measure.name.clone(), values(place))).collect();
    let estimate = |values: &[Option<f64>]| Estimate::of(&values.iter().copied().flatten().collect::<Vec<_>>());
    Ok(Simulated {
        file,
        digest: Some(results.digest()),
        stats: values.iter().map(|(name, values)| (name.clone(), estimate(values))).collect(),
        values: values.into_iter().collect(),
        notes: description.notes.clone(),
        warnings: planned.warnings,
    })
}
