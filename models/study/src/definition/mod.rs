//! Definition of a study: a model, the values of its parameters, and the number of runs of each point.
//!
//! ```
//! use imminent_study::definition::{Axis, Definition};
//!
//! let text = "format = 1\nmodel = 'mesh'\nrepetitions = 30\n[[axis]]\nparameter = 'rate'\nvalues = [1, 5, 10]\n";
//! let from_file = Definition::from_toml(text, "study.toml")?;
//! let from_code = Definition::new("mesh").repetitions(30).axis(Axis::values("rate", [1, 5, 10]));
//! assert_eq!(from_file, from_code);
//! # Ok::<(), imminent_study::DefinitionError>(())
//! ```

mod axis;
mod error;

pub use axis::{Axis, Interval, Method, Sample, Spacing};
pub use error::DefinitionError;

use super::value::Value;
use imminent_common::estimate::Confidence;
use imminent_common::toml_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The version of study files that is read.
pub const FORMAT: i64 = 1;

/// A study as it is asked for. [`plan`](Self::plan) checks it against what the model says of itself.
///
/// The study has a point for each combination of a value of every axis and a row of every sample. The last axis or
/// sample varies fastest; samples come after axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// [`FORMAT`].
    pub format: i64,
    /// The model's name.
    pub model: String,
    /// Title of the study in reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Seed from which all random numbers derive.
    #[serde(default = "one")]
    pub seed: u64,
    /// Number of runs of each point, each with another seed.
    #[serde(default = "one")]
    pub repetitions: u64,
    /// Confidence of the intervals of means. It changes no run.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub confidence: Confidence,
    /// `true` if a repetition has the same seed at every point: differences between points are then seen sooner.
    #[serde(default)]
    pub common_random_numbers: bool,
    /// Length of a run, for models that have a length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Value>,
    /// Which runs of an event model a device has side by side: one of the names of
    /// [`Model::mappings`](crate::Model::mappings). It changes no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<String>,
    /// Parameters that are the same at every point.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fixed: BTreeMap<String, Value>,
    /// Parameters that take several values, each with all values of the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axis: Vec<Axis>,
    /// Parameters that are sampled together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sample: Vec<Sample>,
}

/// The one key that all versions of study files have.
#[derive(Deserialize)]
struct Version {
    format: Option<i64>,
}

fn is_usual(confidence: &Confidence) -> bool {
    *confidence == Confidence::DEFAULT
}

const fn one() -> u64 {
    1
}

impl Definition {
    /// One run of a model with the defaults of its parameters.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self {
            format: FORMAT,
            model: model.to_owned(),
            title: None,
            seed: 1,
            repetitions: 1,
            confidence: Confidence::DEFAULT,
            common_random_numbers: false,
            length: None,
            mapping: None,
            fixed: BTreeMap::new(),
            axis: vec![],
            sample: vec![],
        }
    }

    /// With another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// With so many repetitions of each point.
    #[must_use]
    pub fn repetitions(self, repetitions: u64) -> Self {
        Self { repetitions, ..self }
    }

    /// With another confidence of its intervals.
    #[must_use]
    pub fn confidence(self, confidence: Confidence) -> Self {
        Self { confidence, ..self }
    }

    /// With the same seeds at every point.
    #[must_use]
    pub fn common_random_numbers(self) -> Self {
        Self { common_random_numbers: true, ..self }
    }

    /// With a parameter that is the same at every point.
    #[must_use]
    pub fn fix(mut self, parameter: &str, value: impl Into<Value>) -> Self {
        self.fixed.insert(parameter.to_owned(), value.into());
        self
    }

    /// With one more axis.
    #[must_use]
    pub fn axis(mut self, axis: Axis) -> Self {
        self.axis.push(axis);
        self
    }

    /// With one more sample.
    #[must_use]
    pub fn sample(mut self, sample: Sample) -> Self {
        self.sample.push(sample);
        self
    }

    /// Reads a study from a file.
    ///
    /// # Errors
    /// [`DefinitionError`], as for [`from_toml`](Self::from_toml), and for a file that cannot be read.
    pub fn from_file(path: &Path) -> Result<Self, DefinitionError> {
        Self::from_toml(&toml_text::read(path)?, &path.display().to_string())
    }

    /// Reads a study from TOML text; `file` is the name under which errors speak of it.
    ///
    /// # Errors
    /// [`DefinitionError::Format`] for files of another version, [`DefinitionError::Toml`], with line and key, for what
    /// is not TOML, unknown keys and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, DefinitionError> {
        // A file of another version may have other keys, so its version is read first.
        let Version { format } = toml_text::parse(text, file)?;
        if format != Some(FORMAT) {
            let line = toml_text::line_of(text, "format");
            return Err(DefinitionError::Format { file: file.to_owned(), line, found: format });
        }
        Ok(toml_text::parse(text, file)?)
    }
}
