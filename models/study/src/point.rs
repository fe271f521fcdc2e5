//! Points of a study, and their runs.

use super::description::Description;
use super::value::Value;
use std::sync::Arc;
use thiserror::Error;

/// One simulation: a point, and a seed.
#[derive(Debug, Clone)]
pub struct Run {
    /// Number of the run in the study, from 0.
    pub number: u64,
    /// The parameters.
    pub point: Arc<Point>,
    /// Number of the repetition of the point, from 0.
    pub repetition: u32,
    /// Seed from which all random numbers of the run derive.
    pub seed: u64,
}

/// A value for each parameter of a model.
#[derive(Debug, Clone)]
pub struct Point {
    pub(super) number: u64,
    pub(super) description: Arc<Description>,
    pub(super) values: Vec<Value>,
}

/// A parameter of another type than the model's program expects: a mistake of the program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "model `{model}`: its description has no parameter `{parameter}` that is {kind}: declare it, or read it as its own type"
)]
pub struct PointError {
    /// The model.
    pub model: String,
    /// The requested parameter.
    pub parameter: String,
    /// The requested type.
    pub kind: &'static str,
}

impl Point {
    /// Returns the number of the point in the study, from 0.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the values, in the order of the description.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Returns the name and value of each parameter.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.description.parameters.iter().map(|parameter| parameter.name.as_str()).zip(&self.values)
    }

    /// Returns the value of a parameter.
    #[must_use]
    pub fn value(&self, parameter: &str) -> Option<&Value> {
        self.values.get(self.description.place(parameter)?)
    }

    /// Returns the value of a parameter that is a number, whole or not.
    ///
    /// # Errors
    /// [`PointError`] for a parameter that is none.
    pub fn number_of(&self, parameter: &str) -> Result<f64, PointError> {
        let number = self.value(parameter).and_then(Value::as_number);
        number.ok_or_else(|| self.lacks(parameter, "a number"))
    }

    /// Returns the value of a parameter that is a whole number.
    ///
    /// # Errors
    /// [`PointError`] for a parameter that is none.
    pub fn integer_of(&self, parameter: &str) -> Result<i64, PointError> {
        match self.value(parameter) {
            Some(Value::Integer(value)) => Ok(*value),
            _ => Err(self.lacks(parameter, "a whole number")),
        }
    }

    /// Returns the value of a parameter that is yes or no.
    ///
    /// # Errors
    /// [`PointError`] for a parameter that is not.
    pub fn boolean_of(&self, parameter: &str) -> Result<bool, PointError> {
        match self.value(parameter) {
            Some(Value::Boolean(value)) => Ok(*value),
            _ => Err(self.lacks(parameter, "a boolean")),
        }
    }

    /// The value of a parameter that is a text.
    ///
    /// # Errors
    /// [`PointError`] for a parameter that is none.
    pub fn text_of(&self, parameter: &str) -> Result<&str, PointError> {
        match self.value(parameter) {
            Some(Value::Text(value)) => Ok(value),
            _ => Err(self.lacks(parameter, "a text")),
        }
    }

    fn lacks(&self, parameter: &str, kind: &'static str) -> PointError {
        PointError { model: self.description.name.clone(), parameter: parameter.to_owned(), kind }
    }
}
