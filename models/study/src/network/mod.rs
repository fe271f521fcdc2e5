//! Queueing networks as a model to study: any configuration of [`queueing`](imminent_queueing), any of whose keys may
//! vary.
//!
//! The parameter `file` names the configuration; every other parameter is a key of it, written as errors write them:
//! `network.mean`, `network.node[2].servers`. Its type is that of the value in the file, or else of those that the
//! study gives; the value in the file is its default. A key takes whole numbers alone where all of these are whole.
//! Runs of one study are simulated side by side by the [exact engine](imminent_queueing::engine::watched), or one by
//! one where the file asks for the engine `sequential`. Determinism class: exact.

mod key;
mod laboratory;
mod set;

pub use laboratory::{NetworkRunError, Networks};
pub use set::SetError;

use super::catalogue::{Means, Possible, Source};
use super::definition::{Definition, DefinitionError};
use super::description::{Description, Domain, Measure, Parameter};
use super::laboratory::{Fault, Laboratory};
use super::value::Value;
use imminent_common::toml_text;
use imminent_core::Device;
use imminent_queueing::config::{ConfigError, NetworkConfig};
use imminent_queueing::measures;
use set::Sets;
use std::path::PathBuf;

/// Keys that a study has its own words for.
const OF_THE_STUDY: [(&str, &str); 5] = [
    ("run.seed", "`seed`"),
    ("run.reps", "`repetitions`"),
    ("run.precision", "`repetitions`"),
    ("run.batches", "`repetitions`"),
    ("run.engine", "the file, as `exact` or `sequential`"),
];

/// A configuration of a network that a study is about.
struct Configuration {
    path: PathBuf,
    text: String,
    table: toml::Table,
}

impl Configuration {
    fn read(source: &Source<'_>) -> Result<(String, Self), DefinitionError> {
        let name = match source.definition.fixed.get("file") {
            Some(Value::Text(name)) => name.clone(),
            Some(other) => {
                return Err(DefinitionError::value("fixed.file", format!("{other} is no name of a file: give a text")));
            }
            None => {
                let problem = "model 'network' needs `file`, a configuration of a network: give it here";
                return Err(DefinitionError::value("fixed", problem));
            }
        };
        let path = source.folder.join(&name);
        let text = toml_text::read(&path)?;
        let file = path.display().to_string();
        // An error of the file itself has its lines, but shows nothing of a file that is no configuration.
        NetworkConfig::from_toml(&text, &file).map_err(|error| match error {
            ConfigError::Toml(error) => DefinitionError::Toml(error.without_quotes()),
            other => DefinitionError::value("fixed.file", other.to_string()),
        })?;
        let table = toml_text::parse(&text, &file)?;
        Ok((name, Self { path, text, table }))
    }
}

/// Returns the description of the model, for the file and the keys that a study is about.
///
/// # Errors
/// [`DefinitionError`] for a file that is not given or cannot be read, and for keys that cannot vary.
pub fn describe(source: &Source<'_>) -> Result<Description, DefinitionError> {
    let (name, configuration) = Configuration::read(source)?;
    let text = blake3::hash(configuration.text.as_bytes()).to_hex();
    let revision = format!("1-{}", text.chars().take(16).collect::<String>());
    let file = Parameter::text("file", "Configuration of the network (TOML).").default(name);
    let mut description =
        Description::new("network", &revision, "A queueing network, simulated exactly.").parameter(file);
    for key in keys(source.definition) {
        description = description.parameter(parameter(&configuration, &key)?);
    }
    for measure in measures::Measure::ALL {
        let (unit, about) = said(measure);
        description = description.measure(Measure::new(measure.name(), unit, about));
    }
    Ok(description.length(LENGTH))
}

/// Returns the check of whether there can be runs of a point.
///
/// # Errors
/// [`DefinitionError`] for a file that cannot be read any more.
pub fn possible(source: &Source<'_>) -> Result<Possible, DefinitionError> {
    let (_, configuration) = Configuration::read(source)?;
    let sets = Sets::new(configuration.table, configuration.path);
    Ok(Box::new(move |point| sets.at(point).map(drop).map_err(Fault::from)))
}

/// Opens the laboratory that carries out the runs.
///
/// # Errors
/// [`DefinitionError`] for a file that cannot be read any more.
pub fn open(source: &Source<'_>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
    let (_, configuration) = Configuration::read(source)?;
    Ok(Box::new(Networks::new(device, Sets::new(configuration.table, configuration.path))))
}

/// The key that says how long a run is.
const LENGTH: &str = "run.horizon";

/// A key of the configuration that a study is about.
struct Key {
    name: String,
    /// Place in the study that names the key.
    at: String,
    /// A value that the study gives.
    given: Value,
}

/// Every key that the study is about, once, in alphabetical order.
fn keys(definition: &Definition) -> Vec<Key> {
    let key = |name: &str, at, given| Key { name: name.to_owned(), at, given };
    let mut keys = vec![key(LENGTH, "length".to_owned(), Value::Number(0.0))];
    keys.extend(definition.fixed.iter().map(|(name, value)| key(name, format!("fixed.{name}"), value.clone())));
    for (place, axis) in definition.axis.iter().enumerate() {
        let listed = axis.values.iter().flatten();
        let listed = listed.clone().find(|value| matches!(value, Value::Number(_))).or_else(|| listed.clone().next());
        let ends = [axis.from, axis.to, axis.step];
        let given = listed.cloned().unwrap_or_else(|| of_range(ends.into_iter().flatten()));
        keys.push(key(&axis.parameter, format!("axis[{place}].parameter"), given));
    }
    for (place, sample) in definition.sample.iter().enumerate() {
        for (inner, interval) in sample.axis.iter().enumerate() {
            let at = format!("sample[{place}].axis[{inner}].parameter");
            keys.push(key(&interval.parameter, at, of_range([interval.from, interval.to].into_iter())));
        }
    }
    keys.retain(|key| key.name != "file");
    keys.sort_by(|a, b| a.name.cmp(&b.name));
    keys.dedup_by(|later, earlier| later.name == earlier.name);
    keys
}

/// A number of a range, whole if all are.
fn of_range(mut numbers: impl Iterator<Item = f64>) -> Value {
    numbers.find(|number| number.fract() != 0.0).map_or(Value::Integer(0), Value::Number)
}

fn parameter(configuration: &Configuration, key: &Key) -> Result<Parameter, DefinitionError> {
    let Key { name: key, at, given } = key;
    let wrong = |problem: String| DefinitionError::value(at, problem);
    if let Some((_, instead)) = OF_THE_STUDY.iter().find(|(name, _)| name == key) {
        return Err(wrong(format!("a study says this by {instead}: remove the key")));
    }
    let default = match key::find(&configuration.table, key) {
        Ok(value) => value
            .map(key::value)
            .transpose()
            .map_err(|found| wrong(format!("is {found} in {}: name a key in it", configuration.path.display())))?,
        Err(missing) => {
            return Err(wrong(format!(
                "{} has no `{missing}`: add it there, or name another key",
                configuration.path.display()
            )));
        }
    };
    let shown = match (&default, given) {
        // A whole number in the file may stand for any.
        (Some(Value::Integer(_)), Value::Number(_)) => given,
        (Some(default), _) => default,
        (None, given) => given,
    };
    let domain = match shown {
        _ if key == LENGTH => Domain::Number { least: 0.0, greatest: f64::INFINITY },
        Value::Number(_) => Domain::Number { least: f64::NEG_INFINITY, greatest: f64::INFINITY },
        Value::Integer(_) => Domain::Integer { least: i64::MIN, greatest: i64::MAX },
        Value::Boolean(_) => Domain::Boolean,
        Value::Text(_) => Domain::Text { choices: vec![] },
    };
    let file = configuration.path.display();
    let parameter = Parameter {
        name: key.clone(),
        unit: if key == LENGTH { "time units".to_owned() } else { String::new() },
        domain,
        default: None,
        about: format!("The key of {file}."),
    };
    Ok(match default {
        Some(default) => parameter.default(default),
        None if key == LENGTH => parameter.default(1000.0),
        None => parameter,
    })
}

/// Unit of a measure, and what it is.
const fn said(measure: measures::Measure) -> (&'static str, &'static str) {
    use measures::Measure as M;
    match measure {
        M::Utilization => ("", "Share of the time that the average server is busy."),
        M::Throughput => ("1/time unit", "Services that the average station completes."),
        M::QueueLength => ("", "Tokens that wait at the average station."),
        M::NumberInSystem => ("", "Tokens at the average station."),
        M::Waiting => ("time units", "Mean wait of the counted visits."),
        M::Sojourn => ("time units", "Mean duration of the counted visits."),
        M::WaitingByLittle => ("time units", "Queue length over throughput: a mean wait in a stationary run alone."),
        M::SojournByLittle => ("time units", "Number over throughput: a mean duration in a stationary run alone."),
        M::Loss => ("", "Share of the arriving tokens that found no room."),
        M::Blocking => ("", "Share of the services whose token could not leave at once."),
    }
}
