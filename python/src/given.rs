//! Configurations and options as Python gives them.

use crate::errors::Trouble;
use crate::files::Files;
use imminent::models::study::experiment::{Experiments, OptionValues};
use imminent::models::study::{Configuration, Key, Model};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::type_hint_identifier;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Name of a configuration that has no file.
const NAME: &str = "configuration";

/// Configuration and options of a run.
///
/// The object is read by its attributes: that of the package `imminent` comes to extension modules of models of one's
/// own, too, whose classes differ from those of the package's module.
#[derive(Debug)]
pub(crate) struct Given {
    /// File of the configuration.
    file: Option<PathBuf>,
    /// TOML text of the configuration, if there is no file.
    text: Option<String>,
    /// `true` if Python made the text of values, so that its lines say nothing to people.
    is_made: bool,
    /// Keys that are given values, each with a text as on a command line.
    settings: Vec<(String, String)>,
    /// Other arguments by name, each with texts: options of the run, or keys by their short names.
    arguments: Vec<(String, Vec<String>)>,
    /// Files in memory, to which paths in the other fields lead.
    pub(crate) files: Files,
}

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("imminent._given", "Given");

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self {
            file: given.getattr("file")?.extract()?,
            text: given.getattr("text")?.extract()?,
            is_made: given.getattr("is_made")?.extract()?,
            settings: given.getattr("settings")?.extract()?,
            arguments: given.getattr("arguments")?.extract()?,
            files: given.getattr("files")?.extract()?,
        })
    }
}

impl Given {
    /// Reads the configuration and the options.
    pub(crate) fn read(
        &self,
        model: &dyn Model,
        experiments: &dyn Experiments,
    ) -> Result<(Configuration, OptionValues), Trouble> {
        let read = match &self.text {
            Some(text) => Configuration::of_text(model, text.clone(), Path::new(NAME)),
            None => Configuration::read(model, self.file.as_deref()),
        };
        let mut configuration = read.map_err(|error| Trouble::toml(error, self.made()))?;
        for (key, text) in &self.settings {
            configuration.set_text(key, text).map_err(|problem| Trouble::of_key(key, problem))?;
        }
        let options = experiments.options();
        let mut values = OptionValues::default().recording_by(imminent_cli::begin_records);
        let taken = options.iter().map(|option| option.name.to_owned()).collect();
        let short = configuration.keys().short_names(taken);
        for (name, texts) in &self.arguments {
            let dashed = name.replace('_', "-");
            if let Some(option) = options.iter().find(|option| option.name == dashed) {
                values = texts.iter().fold(values, |values, text| values.with(option.name, text));
                continue;
            }
            let key = short.iter().find(|(short, _)| *short == dashed).map(|(_, key)| key);
            let key = key.ok_or_else(|| unknown(name, &dashed, model, experiments, &short))?;
            set(&mut configuration, key, texts).map_err(|problem| Trouble::of_key(&key.name, problem))?;
        }
        Ok((configuration, values))
    }

    /// Returns the TOML text of the configuration, if Python made it.
    pub(crate) fn made(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| self.is_made)
    }
}

/// Gives a key the value of texts.
fn set(configuration: &mut Configuration, key: &Key, texts: &[String]) -> Result<(), String> {
    if key.is_list {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        return configuration.set_list(&key.name, &texts);
    }
    match texts {
        [text] => configuration.set_text(&key.name, text),
        _ => Err("takes one value".to_owned()),
    }
}

/// Returns the trouble of an argument that a model does not have.
fn unknown(
    name: &str,
    dashed: &str,
    model: &dyn Model,
    experiments: &dyn Experiments,
    short: &[(String, Key)],
) -> Trouble {
    let model = model.description().name;
    let options = experiments.options().iter().map(|option| option.name);
    let names: Vec<&str> = short.iter().map(|(name, _)| name.as_str()).chain(options).collect();
    let hint = match imminent::models::toml_text::nearest(dashed, names.iter().copied()) {
        Some(meant) => format!("did you mean `{}`?", meant.replace('-', "_")),
        None => format!("imminent.describe(\"{model}\") lists the keys; others go into `set`"),
    };
    Trouble::of_key(name, format!("the model `{model}` has no such argument; {hint}"))
}

/// Returns values of Python as TOML: dictionaries, lists, texts, numbers and booleans.
#[pyfunction]
pub(crate) fn to_toml(values: &Bound<'_, PyAny>) -> PyResult<String> {
    let values: Json = pythonize::depythonize(values).map_err(|error| {
        Trouble::configuration(format!("a configuration has dictionaries, lists, texts, numbers and booleans: {error}"))
    })?;
    Ok(toml::to_string(&values).map_err(Trouble::configuration)?)
}
