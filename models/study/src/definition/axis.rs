//! Axes and samples, as they are asked for.

use super::super::value::Value;
use serde::{Deserialize, Serialize};

/// An `[[axis]]`: one parameter and its values: a list, a range with a step, or so many values between two.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The parameter's name.
    pub parameter: String,
    /// The values; instead of all that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// The first value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// The last value, or what the last value does not exceed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Step between two values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Number of values, instead of `step`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Spacing of the `count` values; even if this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spacing: Option<Spacing>,
}

/// Spacing of values between two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spacing {
    /// Each as far from the one before.
    #[default]
    Linear,
    /// Each so many times the one before.
    Log,
}

/// A `[[sample]]`: points that are drawn from intervals of several parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// Method by which the points are drawn.
    pub method: Method,
    /// Number of points.
    pub points: u64,
    /// The parameters.
    #[serde(default)]
    pub axis: Vec<Interval>,
}

/// Method by which points are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Each interval is cut into as many strata as there are points, and each stratum has one point.
    LatinHypercube,
    /// Each value is uniform, whatever the others are.
    Random,
}

/// A `[[sample.axis]]`: one parameter and the interval that its values come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// The parameter's name.
    pub parameter: String,
    /// The least value.
    pub from: f64,
    /// The greatest value.
    pub to: f64,
    /// Spacing of the interval: either the value is uniform, or its logarithm is.
    #[serde(default)]
    pub spacing: Spacing,
}

impl Axis {
    /// Returns an axis of these values.
    #[must_use]
    pub fn values<T: Into<Value>>(parameter: &str, values: impl IntoIterator<Item = T>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self { parameter: parameter.to_owned(), values: Some(values), ..Self::default() }
    }

    /// `from`, and so on by steps, up to `to`.
    #[must_use]
    pub fn steps(parameter: &str, from: f64, to: f64, step: f64) -> Self {
        let parameter = parameter.to_owned();
        Self { parameter, from: Some(from), to: Some(to), step: Some(step), ..Self::default() }
    }

    /// `count` values from `from` to `to`.
    #[must_use]
    pub fn spaced(parameter: &str, from: f64, to: f64, count: u64, spacing: Spacing) -> Self {
        let (from, to, count, spacing) = (Some(from), Some(to), Some(count), Some(spacing));
        Self { parameter: parameter.to_owned(), from, to, count, spacing, ..Self::default() }
    }
}

impl Sample {
    /// A sample of no parameter yet.
    #[must_use]
    pub fn new(method: Method, points: u64) -> Self {
        Self { method, points, axis: vec![] }
    }

    /// With one more parameter.
    #[must_use]
    pub fn over(mut self, parameter: &str, from: f64, to: f64, spacing: Spacing) -> Self {
        self.axis.push(Interval { parameter: parameter.to_owned(), from, to, spacing });
        self
    }
}
