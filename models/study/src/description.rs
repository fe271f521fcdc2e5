//! Description of a model as data: the parameters that it takes and the measures of its runs.

use super::value::Value;
use imminent_common::quantity::in_unit;
use imminent_core::nearest;
use serde::Serialize;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use thiserror::Error;

/// A model's parameters and measures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Description {
    /// The model's name in study files.
    pub name: String,
    /// Which version of the model this is: another one whenever the same parameters and seed give other values.
    pub revision: String,
    /// One sentence.
    pub about: String,
    /// Parameters of the model.
    pub parameters: Vec<Parameter>,
    /// Measures of each run.
    pub measures: Vec<Measure>,
    /// The parameter that says how long a run is, if one does: `length` in study files.
    pub length: Option<String>,
    /// Notes on the model for readers of results.
    pub notes: Vec<String>,
}

/// A parameter of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameter {
    /// Name of the parameter in study files.
    pub name: String,
    /// Unit of the parameter; empty for numbers without one.
    pub unit: String,
    /// Which values it takes.
    pub domain: Domain,
    /// The value where a study gives none; without it, every study has to give one.
    pub default: Option<Value>,
    /// One sentence.
    pub about: String,
}

/// The values that a parameter takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", tag = "type")]
pub enum Domain {
    /// Yes or no.
    Boolean,
    /// A whole number.
    Integer {
        /// The least.
        least: i64,
        /// The greatest.
        greatest: i64,
    },
    /// A whole number, or a name that stands for one.
    #[serde(rename = "integer or name")]
    IntegerOrName {
        /// The least number.
        least: i64,
        /// The greatest number.
        greatest: i64,
        /// The names; any text if there are none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        names: Vec<String>,
    },
    /// A seed: a whole number of 64 bits without a sign. Those beyond `i64::MAX` are [texts](Value::Text) of their
    /// digits, since TOML has no such numbers.
    Seed,
    /// A number.
    Number {
        /// The least.
        least: f64,
        /// The greatest.
        greatest: f64,
    },
    /// A number, or a name that stands for one.
    #[serde(rename = "number or name")]
    NumberOrName {
        /// The least number.
        least: f64,
        /// The greatest number.
        greatest: f64,
        /// The names; any text if there are none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        names: Vec<String>,
        /// Description of the texts, if they are not names.
        #[serde(skip_serializing_if = "Option::is_none")]
        texts: Option<String>,
    },
    /// A text.
    Text {
        /// The words of which it is one; any text if there are none.
        choices: Vec<String>,
    },
}

/// Measure of a run: one number, or none where a run has nothing to measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measure {
    /// Name of the measure, which is also the name of its columns in tables.
    pub name: String,
    /// Unit of the measure; empty for numbers without one.
    pub unit: String,
    /// One sentence.
    pub about: String,
}

/// A description that no program can use, or that contradicts itself.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("model `{}`: {problem}", model.escape_debug())]
pub struct DescriptionError {
    /// The model.
    pub model: String,
    /// Problem with the description.
    pub problem: DescriptionProblem,
}

/// Problem with a description.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DescriptionProblem {
    /// The model's name cannot be written on a command line.
    #[error("its name is no word: give lowercase letters, digits, `-` and `_`, with a letter first")]
    Name,
    /// The catalogue has another model of this name.
    #[error("another model of the catalogue has this name: rename one of them")]
    SameModel,
    /// The sentence about the model is missing, or has several lines.
    #[error("its description is empty or has several lines: give one sentence about it")]
    About,
    /// The model has no revision.
    #[error("its revision is empty: give \"1\", and another one whenever results change")]
    Revision,
    /// A measure has no name, or one that no table can have as its heading.
    #[error("a measure is called `{}`: name it without spaces", .0.escape_debug())]
    Measure(String),
    /// A name belongs to a column of every table.
    #[error("`{0}` is the name of a column that every table has: rename it")]
    Reserved(String),
    /// Two parameters or measures have one name.
    #[error("`{0}` is there twice: rename one of them")]
    Twice(String),
    /// The default of a parameter is not one of its values.
    #[error("the default of `{parameter}`: {problem}")]
    Default {
        /// The parameter.
        parameter: String,
        /// Problem with the default.
        problem: String,
    },
    /// There are no measures.
    #[error("it measures nothing: describe one measure at least")]
    NoMeasures,
    /// The length of a run is no parameter.
    #[error("its length `{0}` is no key of its configuration: name the key with the length of a run")]
    Length(String),
}

impl Description {
    /// A model without parameters and measures.
    #[must_use]
    pub fn new(name: &str, revision: &str, about: &str) -> Self {
        let (parameters, measures) = (vec![], vec![]);
        Self {
            name: name.to_owned(),
            revision: revision.to_owned(),
            about: about.to_owned(),
            parameters,
            measures,
            length: None,
            notes: vec![],
        }
    }

    /// With one more parameter.
    #[must_use]
    pub fn parameter(mut self, parameter: Parameter) -> Self {
        self.parameters.push(parameter);
        self
    }

    /// With one more measure.
    #[must_use]
    pub fn measure(mut self, measure: Measure) -> Self {
        self.measures.push(measure);
        self
    }

    /// The name of the parameter that says how long a run is.
    #[must_use]
    pub fn length(mut self, parameter: &str) -> Self {
        self.length = Some(parameter.to_owned());
        self
    }

    /// With something that a reader of results should know.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        self.notes.push(note.to_owned());
        self
    }

    /// The place of a parameter.
    #[must_use]
    pub fn place(&self, parameter: &str) -> Option<usize> {
        self.parameters.iter().position(|declared| declared.name == parameter)
    }

    /// Checks that names are unique and can be written, that defaults are possible, and that there is something to
    /// measure. The [length](Self::check_length) is checked by itself.
    ///
    /// # Errors
    /// [`DescriptionError`] for the first thing that is not so: a mistake in the model, not in a study.
    pub fn check(&self) -> Result<(), DescriptionError> {
        self.problem().map_or(Ok(()), |problem| Err(self.wrong(problem)))
    }

    /// Checks that the length of a run is one of the keys of a configuration.
    ///
    /// # Errors
    /// [`DescriptionError`] if it is not.
    pub fn check_length(&self, is_key: impl FnOnce(&str) -> bool) -> Result<(), DescriptionError> {
        match &self.length {
            Some(length) if !is_key(length) => Err(self.wrong(DescriptionProblem::Length(length.clone()))),
            _ => Ok(()),
        }
    }

    pub(crate) fn wrong(&self, problem: DescriptionProblem) -> DescriptionError {
        DescriptionError { model: self.name.clone(), problem }
    }

    fn problem(&self) -> Option<DescriptionProblem> {
        if !is_word(&self.name) {
            return Some(DescriptionProblem::Name);
        }
        if self.about.trim().is_empty() || self.about.contains(char::is_control) {
            return Some(DescriptionProblem::About);
        }
        if self.revision.trim().is_empty() {
            return Some(DescriptionProblem::Revision);
        }
        let is_bad = |name: &str| name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control());
        if let Some(measure) = self.measures.iter().find(|measure| is_bad(&measure.name)) {
            return Some(DescriptionProblem::Measure(measure.name.clone()));
        }
        let mut names = HashSet::new();
        let measures = self.measures.iter().map(|measure| &measure.name);
        for name in self.parameters.iter().map(|parameter| &parameter.name).chain(measures) {
            if RESERVED.contains(&name.as_str()) {
                return Some(DescriptionProblem::Reserved(name.clone()));
            }
            if !names.insert(name) {
                return Some(DescriptionProblem::Twice(name.clone()));
            }
        }
        for parameter in &self.parameters {
            if let Some(Err(problem)) = parameter.default.as_ref().map(|default| parameter.accept(default)) {
                return Some(DescriptionProblem::Default { parameter: parameter.name.clone(), problem });
            }
        }
        self.measures.is_empty().then_some(DescriptionProblem::NoMeasures)
    }
}

/// Returns `true` for a name that a command line takes as it is.
fn is_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c))
}

/// Columns of the tables of every study.
const RESERVED: [&str; 6] = ["run", "point", "repetition", "seed", "events", "measure"];

impl Parameter {
    fn new(name: &str, unit: &str, domain: Domain, about: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), domain, default: None, about: about.to_owned() }
    }

    /// A number within a range.
    #[must_use]
    pub fn number(name: &str, unit: &str, range: RangeInclusive<f64>, about: &str) -> Self {
        Self::new(name, unit, Domain::Number { least: *range.start(), greatest: *range.end() }, about)
    }

    /// A whole number within a range.
    #[must_use]
    pub fn integer(name: &str, unit: &str, range: RangeInclusive<i64>, about: &str) -> Self {
        Self::new(name, unit, Domain::Integer { least: *range.start(), greatest: *range.end() }, about)
    }

    /// Yes or no.
    #[must_use]
    pub fn boolean(name: &str, about: &str) -> Self {
        Self::new(name, "", Domain::Boolean, about)
    }

    /// One of a few words.
    #[must_use]
    pub fn choice<const N: usize>(name: &str, choices: [&str; N], about: &str) -> Self {
        Self::new(name, "", Domain::Text { choices: choices.map(str::to_owned).to_vec() }, about)
    }

    /// Any text.
    #[must_use]
    pub fn text(name: &str, about: &str) -> Self {
        Self::new(name, "", Domain::Text { choices: vec![] }, about)
    }

    /// With a value for studies that give none.
    #[must_use]
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        let value = value.into();
        self.default = Some(self.accept(&value).unwrap_or(value));
        self
    }

    /// The name with the unit.
    #[must_use]
    pub fn label(&self) -> String {
        label(&self.name, &self.unit)
    }

    /// Parses a value of the parameter's type. A number may have a unit of its own, such as `5ms`. `None` for a text of
    /// another type.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<Value> {
        self.domain.parse(text).or_else(|| self.in_unit(text))
    }

    /// Returns the number that a text with a unit of its own means in the unit of the parameter.
    fn in_unit(&self, text: &str) -> Option<Value> {
        let number = in_unit(text, &self.unit)?;
        let is_whole = number.fract() == 0.0 && number.abs() < i64::MAX as f64;
        match self.domain {
            Domain::Number { .. } => Some(Value::Number(number)),
            Domain::Integer { .. } if is_whole => Some(Value::Integer(number as i64)),
            _ => None,
        }
    }

    /// The value as the model gets it: a whole number becomes a number where the model takes numbers.
    ///
    /// # Errors
    /// A text that says what is wrong with a value of another type or outside the range, and what to write instead.
    pub fn accept(&self, value: &Value) -> Result<Value, String> {
        let expected = self.domain.expectation();
        let refuse = || Err(format!("{value} is {}: `{}` takes {expected}", value.kind(), self.name));
        let accepted = match (&self.domain, value) {
            (Domain::Number { .. } | Domain::NumberOrName { .. }, Value::Integer(value)) => {
                Value::Number(*value as f64)
            }
            // A text with a unit of its own, such as `5ms`.
            (Domain::Number { .. } | Domain::Integer { .. }, Value::Text(text)) => match self.in_unit(text) {
                Some(number) => number,
                None => return refuse(),
            },
            (Domain::Number { .. } | Domain::NumberOrName { .. }, Value::Number(_))
            | (Domain::NumberOrName { .. }, Value::Text(_))
            | (Domain::IntegerOrName { .. }, Value::Integer(_) | Value::Text(_))
            | (Domain::Integer { .. } | Domain::Seed, Value::Integer(_))
            | (Domain::Boolean, Value::Boolean(_))
            | (Domain::Text { .. }, Value::Text(_)) => value.clone(),
            (Domain::Seed, Value::Text(text)) => match seed(text) {
                Some(seed) => seed,
                None => return refuse(),
            },
            _ => return refuse(),
        };
        let inside = match (&self.domain, &accepted) {
            (
                Domain::Number { least, greatest } | Domain::NumberOrName { least, greatest, .. },
                Value::Number(value),
            ) => value.is_finite() && (*least..=*greatest).contains(value),
            (
                Domain::Integer { least, greatest } | Domain::IntegerOrName { least, greatest, .. },
                Value::Integer(value),
            ) => (*least..=*greatest).contains(value),
            (Domain::Seed, Value::Integer(value)) => *value >= 0,
            (
                Domain::Text { choices: words }
                | Domain::IntegerOrName { names: words, .. }
                | Domain::NumberOrName { names: words, .. },
                Value::Text(value),
            ) => words.is_empty() || words.contains(value),
            _ => true,
        };
        let hint = self.domain.hint(&accepted);
        match inside {
            true => Ok(accepted),
            false => Err(format!("{value} is not possible: `{}` takes {expected}{hint}", self.name)),
        }
    }
}

impl Domain {
    /// Parses a value of the domain's type; `None` for a text of another type.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<Value> {
        match self {
            Self::Boolean => text.parse().ok().map(Value::Boolean),
            Self::Integer { .. } => text.parse().ok().map(Value::Integer),
            Self::IntegerOrName { .. } => Some(text.parse().map_or_else(|_| text.into(), Value::Integer)),
            Self::Seed => seed(text),
            Self::Number { .. } => text.parse().ok().map(Value::Number),
            Self::NumberOrName { .. } => Some(text.parse().map_or_else(|_| text.into(), Value::Number)),
            Self::Text { .. } => Some(Value::Text(text.to_owned())),
        }
    }

    /// Returns the word that a value may mean, as the end of a sentence; empty if it resembles none.
    pub(crate) fn hint(&self, value: &Value) -> String {
        match (self, value) {
            (
                Self::Text { choices: words }
                | Self::IntegerOrName { names: words, .. }
                | Self::NumberOrName { names: words, .. },
                Value::Text(text),
            ) => {
                let meant = nearest(text, words.iter().map(String::as_str));
                meant.map_or_else(String::new, |meant| format!("; did you mean '{meant}'?"))
            }
            _ => String::new(),
        }
    }

    /// Returns the accepted values, in words.
    #[must_use]
    pub fn expectation(&self) -> String {
        match self {
            Self::Boolean => "true or false".to_owned(),
            Self::Integer { least, greatest: i64::MAX } => format!("whole numbers from {least}"),
            Self::Integer { least, greatest } => format!("whole numbers from {least} to {greatest}"),
            Self::IntegerOrName { least, greatest, names } => {
                let numbers = Self::Integer { least: *least, greatest: *greatest }.expectation();
                match names.is_empty() {
                    true => format!("{numbers}, or a name"),
                    false => format!("{numbers}, or '{}'", names.join("', '")),
                }
            }
            Self::Seed => format!("whole numbers from 0 to {}", u64::MAX),
            Self::Number { least, greatest } => numbers(*least, *greatest),
            Self::NumberOrName { least, greatest, names, texts } => {
                let or = match texts {
                    Some(texts) => texts.clone(),
                    None if names.is_empty() => "a name".to_owned(),
                    None => format!("'{}'", names.join("', '")),
                };
                format!("{}, or {or}", numbers(*least, *greatest))
            }
            Self::Text { choices } if choices.is_empty() => "texts".to_owned(),
            Self::Text { choices } => format!("'{}'", choices.join("', '")),
        }
    }
}

/// Returns the value of a seed.
fn seed(text: &str) -> Option<Value> {
    let seed: u64 = text.parse().ok()?;
    Some(i64::try_from(seed).map_or_else(|_| Value::Text(seed.to_string()), Value::Integer))
}

fn numbers(least: f64, greatest: f64) -> String {
    match (least.is_finite(), greatest.is_finite()) {
        (true, true) => format!("numbers from {least} to {greatest}"),
        (true, false) => format!("numbers from {least}"),
        (false, true) => format!("numbers up to {greatest}"),
        (false, false) => "numbers".to_owned(),
    }
}

impl Measure {
    /// A measure.
    #[must_use]
    pub fn new(name: &str, unit: &str, about: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), about: about.to_owned() }
    }

    /// The name with the unit.
    #[must_use]
    pub fn label(&self) -> String {
        label(&self.name, &self.unit)
    }
}

fn label(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} in {unit}") }
}
