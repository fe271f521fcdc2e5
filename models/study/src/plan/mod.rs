//! From what is asked for to points and runs.
//!
//! # Numbers
//! Points are numbered from 0, the last axis or sample varying fastest; the runs of point `p` are `p * repetitions` and
//! so on.
//!
//! # Seeds
//! A run's seed depends on the study's seed, the values of its parameters and its repetition: not on its number, so
//! neither on the order of axes nor on what else is in the study. With `mix(s, i)` for number `i` of the SplitMix64
//! sequence started at `s` ([`split_mix`]),
//!
//! ```text
//! seed = mix(mix(study seed, 0) XOR key of the point, repetition)
//! ```
//!
//! The key of a point is 0 where random numbers are common; otherwise the first eight bytes, little-endian, of BLAKE3
//! over a line `name=value` for each parameter that differs from its default, by name. Repetitions of a point never
//! share a seed. Where a sample has the same point twice (it can, of whole numbers), a line `#name=n`, with the
//! sample's first parameter and the number of the occurrence from 1, distinguishes all but the first.

mod check;
mod files;
mod fingerprint;
mod levels;
mod sample;

pub use check::MAX_CHECKED;
pub(crate) use files::Files;
pub use fingerprint::Fingerprint;

use super::definition::{Definition, DefinitionError};
use super::description::Description;
use super::point::Point;
use super::value::Value;
use imminent_common::estimate::Confidence;
use imminent_common::streams::split_mix;
use imminent_common::toml_text::nearest;
use std::collections::HashMap;
use std::sync::Arc;

/// The most runs of a study.
pub const MAX_RUNS: u64 = 100_000_000;

/// The most values of an axis, and points of a sample.
pub const MAX_VALUES: u64 = 1_000_000;

/// A study that can be carried out.
#[derive(Debug, Clone)]
pub struct Study {
    description: Arc<Description>,
    title: Option<String>,
    /// Values of the parameters that do not vary; those of the others are overwritten.
    base: Vec<Value>,
    dimensions: Vec<Dimension>,
    points: u64,
    repetitions: u64,
    confidence: Confidence,
    seed: u64,
    common: bool,
    /// Files that runs depend on.
    files: Files,
}

/// Parameters that vary together: an axis or a sample.
#[derive(Debug, Clone)]
struct Dimension {
    /// The key that gives it: `axis[1]`.
    key: String,
    /// `true` if the dimension's values are listed under `values` there.
    is_listed: bool,
    /// Their places in the description.
    parameters: Vec<usize>,
    rows: Vec<Row>,
}

/// A value for each parameter of a dimension.
#[derive(Debug, Clone)]
struct Row {
    values: Vec<Value>,
    /// Number of earlier rows with the same values.
    occurrence: u64,
}

impl Definition {
    /// Checks this study against what the model says of itself.
    ///
    /// # Errors
    /// [`DefinitionError::Toml`], which names the key at fault ([`DefinitionError::located`] finds its line in a file):
    /// parameters that are not there, are given twice or not at all, values out of range, axes and samples without
    /// points, more than [`MAX_RUNS`] runs.
    pub fn plan(&self, description: Description) -> Result<Study, DefinitionError> {
        let mut given = SetKeys { description: &description, keys: HashMap::new() };
        let mut values: Vec<Option<Value>> = description.parameters.iter().map(|p| p.default.clone()).collect();
        let mut fix = |place: usize, value: &Value, key: &str| {
            let value = accept(&description, place, value).map_err(|problem| DefinitionError::value(key, problem))?;
            if let Some(slot) = values.get_mut(place) {
                *slot = Some(value);
            }
            Ok::<_, DefinitionError>(())
        };
        if let Some(length) = &self.length {
            let Some(parameter) = &description.length else {
                let problem = format!("runs of model '{}' have no length: remove it", description.name);
                return Err(DefinitionError::value("length", problem));
            };
            fix(given.parameter(parameter, "length", "length")?, length, "length")?;
        }
        for (parameter, value) in &self.fixed {
            let key = format!("fixed.{parameter}");
            fix(given.parameter(parameter, &key, &key)?, value, &key)?;
        }
        let mut dimensions = vec![];
        for (number, axis) in self.axis.iter().enumerate() {
            let key = format!("axis[{number}]");
            let place = given.parameter(&axis.parameter, &format!("{key}.parameter"), &key)?;
            let rows = axis.levels(&key, &description, place)?.into_iter();
            let rows = rows.map(|value| Row { values: vec![value], occurrence: 0 }).collect();
            dimensions.push(Dimension { key, is_listed: axis.values.is_some(), parameters: vec![place], rows });
        }
        for (number, sample) in (0..).zip(&self.sample) {
            let mut parameters = vec![];
            for (axis, interval) in sample.axis.iter().enumerate() {
                let key = format!("sample[{number}].axis[{axis}]");
                parameters.push(given.parameter(&interval.parameter, &format!("{key}.parameter"), &key)?);
            }
            let rows = sample.rows(number, self.seed, &description, &parameters)?;
            dimensions.push(Dimension { key: format!("sample[{number}]"), is_listed: false, parameters, rows });
        }
        let varies = |place: usize| dimensions.iter().any(|dimension| dimension.parameters.contains(&place));
        let base = values.into_iter().zip(&description.parameters).enumerate().map(|(place, (value, parameter))| {
            value.or_else(|| varies(place).then_some(Value::Boolean(false))).ok_or_else(|| {
                let problem = format!(
                    "model '{}' needs `{}` ({}), which takes {}: give it here, or as an axis",
                    description.name,
                    parameter.name,
                    parameter.about.trim_end_matches('.'),
                    parameter.domain.expectation()
                );
                DefinitionError::value("fixed", problem)
            })
        });
        let base = base.collect::<Result<_, _>>()?;
        let points = self.count(&dimensions)?;
        Ok(Study {
            description: Arc::new(description),
            title: self.title.clone(),
            base,
            dimensions,
            points,
            repetitions: self.repetitions,
            confidence: self.confidence,
            seed: self.seed,
            common: self.common_random_numbers,
            files: Files::default(),
        })
    }

    /// Returns the number of points, if that is not too many.
    fn count(&self, dimensions: &[Dimension]) -> Result<u64, DefinitionError> {
        if self.repetitions == 0 {
            return Err(DefinitionError::value(
                "repetitions",
                "a point that is run 0 times shows nothing: give 1 or more",
            ));
        }
        let sizes = dimensions.iter().map(|dimension| dimension.rows.len() as u64);
        let points = sizes.clone().try_fold(1_u64, u64::checked_mul);
        let runs = points.and_then(|points| points.checked_mul(self.repetitions));
        match (points, runs) {
            (Some(points), Some(runs)) if runs <= MAX_RUNS => Ok(points),
            _ => {
                let sizes: Vec<_> = sizes.map(|size| size.to_string()).collect();
                let problem = format!(
                    "{} points, {} times each, are more than {MAX_RUNS} runs: give fewer, or sample the points",
                    if sizes.is_empty() { "1".to_owned() } else { sizes.join(" x ") },
                    self.repetitions
                );
                let key = if self.repetitions > MAX_RUNS || dimensions.is_empty() { "repetitions" } else { "axis" };
                Err(DefinitionError::value(key, problem))
            }
        }
    }
}

/// Which keys have given which parameters so far.
struct SetKeys<'a> {
    description: &'a Description,
    keys: HashMap<usize, String>,
}

impl SetKeys<'_> {
    /// The place of a parameter that is given for the first time; `at` is the key that names it, `key` the one that
    /// gives it.
    fn parameter(&mut self, name: &str, at: &str, key: &str) -> Result<usize, DefinitionError> {
        let Some(place) = self.description.place(name) else {
            let names = self.description.parameters.iter().map(|parameter| parameter.name.as_str());
            let hint = match nearest(name, names.clone()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("there are: {}", names.collect::<Vec<_>>().join(", ")),
            };
            let problem = format!("model '{}' has no parameter `{name}`; {hint}", self.description.name);
            return Err(DefinitionError::value(at, problem));
        };
        match self.keys.insert(place, key.to_owned()) {
            None => Ok(place),
            Some(before) => {
                let problem = format!("`{name}` is given by `{before}` already: remove one of them");
                Err(DefinitionError::value(at, problem))
            }
        }
    }
}

/// A value as the parameter at a place takes it.
fn accept(description: &Description, place: usize, value: &Value) -> Result<Value, String> {
    description.parameters.get(place).map_or_else(|| Ok(value.clone()), |parameter| parameter.accept(value))
}

impl Study {
    /// Sets the files that runs depend on.
    #[must_use]
    pub(crate) fn with_files(self, files: Files) -> Self {
        Self { files, ..self }
    }

    /// Returns the description of the model.
    #[must_use]
    pub fn description(&self) -> &Arc<Description> {
        &self.description
    }

    /// Returns the title of the study.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the number of points.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns the confidence of the intervals of means.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Returns the number of runs of each point.
    #[must_use]
    pub fn repetitions(&self) -> u64 {
        self.repetitions
    }

    /// Returns the number of runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.points * self.repetitions
    }

    /// Returns the seed of the study.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns `true` if a repetition has the same seed at every point.
    #[must_use]
    pub fn has_common_random_numbers(&self) -> bool {
        self.common
    }

    /// The places of the parameters that vary, in the order of axes and samples.
    #[must_use]
    pub fn varying(&self) -> Vec<usize> {
        self.dimensions.iter().flat_map(|dimension| dimension.parameters.iter().copied()).collect()
    }

    /// A point by its number.
    #[must_use]
    pub fn point(&self, number: u64) -> Option<Point> {
        let rows = self.rows(number)?;
        let mut values = self.base.clone();
        for (dimension, row) in self.dimensions.iter().zip(rows) {
            for (place, value) in dimension.parameters.iter().zip(&row.values) {
                if let Some(slot) = values.get_mut(*place) {
                    slot.clone_from(value);
                }
            }
        }
        Some(Point { number, description: Arc::clone(&self.description), values })
    }

    /// The value of a parameter at a point.
    #[must_use]
    pub fn value(&self, point: u64, place: usize) -> Option<&Value> {
        let rows = self.rows(point)?;
        let varied = self.dimensions.iter().zip(rows).find_map(|(dimension, row)| {
            let column = dimension.parameters.iter().position(|parameter| *parameter == place)?;
            row.values.get(column)
        });
        varied.or_else(|| self.base.get(place))
    }

    /// The values of a parameter in the order of its axis or sample, and how many neighbouring points have one of them;
    /// one value that all points have where it does not vary.
    pub(super) fn column(&self, place: usize) -> (Vec<&Value>, u64) {
        let mut stride = 1;
        for dimension in self.dimensions.iter().rev() {
            if let Some(column) = dimension.parameters.iter().position(|parameter| *parameter == place) {
                return (dimension.rows.iter().filter_map(|row| row.values.get(column)).collect(), stride);
            }
            stride *= dimension.rows.len() as u64;
        }
        (self.base.get(place).into_iter().collect(), stride)
    }

    /// The seed of a repetition of a point.
    #[must_use]
    pub fn seed_of(&self, point: u64, repetition: u64) -> Option<u64> {
        let key = if self.common { 0 } else { self.key(point)? };
        Some(split_mix(split_mix(self.seed, 0) ^ key, repetition))
    }

    /// Returns the hash of a point's values.
    fn key(&self, number: u64) -> Option<u64> {
        let mut lines = vec![];
        for (parameter, value) in self.description.parameters.iter().zip(self.point(number)?.values) {
            if parameter.default.as_ref() != Some(&value) {
                lines.push(format!("{}={}\n", parameter.name, value.canonical()));
            }
        }
        for (dimension, row) in self.dimensions.iter().zip(self.rows(number)?) {
            let first = dimension.parameters.first().and_then(|place| self.description.parameters.get(*place));
            if let Some(parameter) = first.filter(|_| row.occurrence > 0) {
                lines.push(format!("#{}={}\n", parameter.name, row.occurrence));
            }
        }
        lines.sort();
        let hash = blake3::hash(lines.concat().as_bytes());
        hash.as_bytes().first_chunk().copied().map(u64::from_le_bytes)
    }

    /// The row of each dimension at a point.
    fn rows(&self, number: u64) -> Option<Vec<&Row>> {
        if number >= self.points {
            return None;
        }
        let mut left = number;
        let mut rows = vec![];
        for dimension in self.dimensions.iter().rev() {
            let count = dimension.rows.len() as u64;
            rows.push(dimension.rows.get((left % count) as usize)?);
            left /= count;
        }
        rows.reverse();
        Some(rows)
    }
}
