//! Laws as written in configurations.

use super::Law;
use super::column::read_column;
use super::error::LawShapeError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Kinds of laws, by their names in configurations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LawName {
    /// [`Law::Exponential`].
    #[default]
    Exponential,
    /// [`Law::Deterministic`].
    Deterministic,
    /// [`Law::Uniform`].
    Uniform,
    /// [`Law::Erlang`].
    Erlang,
    /// [`Law::HyperExponential`].
    HyperExponential,
    /// [`Law::Gamma`].
    Gamma,
    /// [`Law::LogNormal`].
    LogNormal,
    /// [`Law::Weibull`].
    Weibull,
    /// [`Law::Pareto`].
    Pareto,
    /// [`Law::Triangular`].
    Triangular,
    /// [`Law::Normal`].
    Normal,
    /// [`Law::HypoExponential`].
    HypoExponential,
    /// [`Law::Coxian`].
    Coxian,
    /// [`Law::PhaseType`].
    PhaseType,
    /// [`Law::Empirical`].
    Empirical,
}

impl LawName {
    /// Returns the name in configurations.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exponential => "exponential",
            Self::Deterministic => "deterministic",
            Self::Uniform => "uniform",
            Self::Erlang => "erlang",
            Self::HyperExponential => "hyper-exponential",
            Self::Gamma => "gamma",
            Self::LogNormal => "log-normal",
            Self::Weibull => "weibull",
            Self::Pareto => "pareto",
            Self::Triangular => "triangular",
            Self::Normal => "normal",
            Self::HypoExponential => "hypo-exponential",
            Self::Coxian => "coxian",
            Self::PhaseType => "phase-type",
            Self::Empirical => "empirical",
        }
    }
}

/// A law as written in a configuration: `{ law = "gamma", mean = 10, shape = 2 }`.
///
/// | law | keys |
/// | --- | --- |
/// | exponential | `mean` |
/// | deterministic | `value` |
/// | uniform | `low`, `high` |
/// | erlang | `stages`, `mean` |
/// | hyper-exponential | `branches`, a list of `[probability, mean]`; or `mean` and `cv`, for two branches with balanced means |
/// | gamma, weibull | `shape`, `mean` |
/// | log-normal | `mean`, `cv` |
/// | pareto | `shape`, and `mean` or `scale`, the least duration |
/// | triangular | `low`, `mode`, `high` |
/// | normal | `location`, `deviation`: mean and standard deviation before the law is cut at 0 |
/// | hypo-exponential | `means` or `rates`, a list with one entry for each phase |
/// | coxian | `means` or `rates`; and `onward`, a list of the probabilities to go on to the next phase |
/// | phase-type | `initial`, a list of probabilities; `generator`, a list of rows |
/// | empirical | `values`, a list; or `file` and `column`, a column of a CSV file with a heading |
///
/// `rate`, one over the mean, may stand in place of `mean`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "give a law, such as { mean = 4 } or { law = \"log-normal\", mean = 4, cv = 0.9 }"
)]
pub struct LawShape {
    /// Kind of the law; exponential if left out.
    #[serde(default)]
    pub law: LawName,
    /// Mean, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Inverse of the mean, per time unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Duration, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Least duration, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Greatest duration, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Shape parameter of a gamma or Weibull law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<f64>,
    /// Coefficient of variation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cv: Option<f64>,
    /// Number of exponential stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stages: Option<u32>,
    /// Probability and mean of each branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branches: Option<Vec<(f64, f64)>>,
    /// Least duration of a Pareto law, in time units, instead of its mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Likeliest duration of a triangular law, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<f64>,
    /// Mean of a normal law before it is cut at 0, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<f64>,
    /// Standard deviation of a normal law before it is cut at 0, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// Mean of each phase, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<Vec<f64>>,
    /// Rate of each phase, per time unit, instead of `means`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<Vec<f64>>,
    /// Probability to go on to the next phase, for each phase but the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onward: Option<Vec<f64>>,
    /// Probability of each phase at the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Vec<f64>>,
    /// Sub-generator of a phase-type law, row by row, per time unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<Vec<Vec<f64>>>,
    /// Values of an empirical law, in time units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
    /// Path of a CSV file with the values of an empirical law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "path"))]
    pub file: Option<PathBuf>,
    /// Heading of the column of `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
}

impl LawShape {
    /// Creates a description with nothing but the kind of law.
    #[must_use]
    pub fn named(law: LawName) -> Self {
        Self { law, ..Self::default() }
    }

    /// Creates the description of an exponential law.
    #[must_use]
    pub fn exponential(mean: f64) -> Self {
        Self { mean: Some(mean), ..Self::named(LawName::Exponential) }
    }

    /// Makes the path of a file relative to `folder`.
    pub fn move_to(&mut self, folder: &Path) {
        if let Some(file) = &mut self.file {
            *file = folder.join(&*file);
        }
    }

    /// Builds the law; reads the file of an empirical one. Parameters are checked later, by [`Law::sampler`].
    ///
    /// # Errors
    /// [`LawShapeError`] for missing or superfluous keys, and for files that do not have the column.
    pub fn law(&self) -> Result<Law, LawShapeError> {
        let keys = Keys { shape: self };
        match self.law {
            LawName::Exponential => {
                let keys = keys.only("'mean'", &["mean"])?;
                Ok(Law::Exponential { mean: keys.mean()? })
            }
            LawName::Deterministic => {
                let keys = keys.only("'value'", &["value"])?;
                Ok(Law::Deterministic { value: keys.need("value", self.value)? })
            }
            LawName::Uniform => {
                let keys = keys.only("'low' and 'high'", &["low", "high"])?;
                Ok(Law::Uniform { low: keys.need("low", self.low)?, high: keys.need("high", self.high)? })
            }
            LawName::Erlang => {
                let keys = keys.only("'stages' and 'mean'", &["stages", "mean"])?;
                Ok(Law::Erlang { stages: keys.need("stages", self.stages)?, mean: keys.mean()? })
            }
            LawName::Gamma | LawName::Weibull => {
                let keys = keys.only("'shape' and 'mean'", &["shape", "mean"])?;
                let (shape, mean) = (keys.need("shape", self.shape)?, keys.mean()?);
                Ok(if self.law == LawName::Gamma { Law::Gamma { shape, mean } } else { Law::Weibull { shape, mean } })
            }
            LawName::LogNormal => {
                let keys = keys.only("'mean' and 'cv'", &["mean", "cv"])?;
                Ok(Law::LogNormal { mean: keys.mean()?, cv: keys.need("cv", self.cv)? })
            }
            LawName::Pareto => {
                let names = "'shape', and 'mean' or 'scale'";
                let keys =
                    keys.only(names, if self.scale.is_some() { &["shape", "scale"] } else { &["shape", "mean"] })?;
                let shape = keys.need("shape", self.shape)?;
                match self.scale {
                    Some(scale) => Ok(Law::pareto_of_scale(shape, scale)),
                    None => Ok(Law::Pareto { shape, mean: keys.mean()? }),
                }
            }
            LawName::Triangular => {
                let keys = keys.only("'low', 'mode' and 'high'", &["low", "mode", "high"])?;
                let (low, mode) = (keys.need("low", self.low)?, keys.need("mode", self.mode)?);
                Ok(Law::Triangular { low, mode, high: keys.need("high", self.high)? })
            }
            LawName::Normal => {
                let keys = keys.only("'location' and 'deviation'", &["location", "deviation"])?;
                let location = keys.need("location", self.location)?;
                Ok(Law::Normal { location, deviation: keys.need("deviation", self.deviation)? })
            }
            LawName::HypoExponential => {
                let keys = keys.only("'means' or 'rates'", &["means"])?;
                Ok(Law::HypoExponential { means: keys.means()? })
            }
            LawName::Coxian => {
                let keys = keys.only("'means' or 'rates', and 'onward'", &["means", "onward"])?;
                let means = keys.means()?;
                Ok(Law::Coxian { means, onward: keys.need("onward", self.onward.clone())? })
            }
            LawName::PhaseType => {
                let keys = keys.only("'initial' and 'generator'", &["initial", "generator"])?;
                let initial = keys.need("initial", self.initial.clone())?;
                Ok(Law::PhaseType { initial, generator: keys.need("generator", self.generator.clone())? })
            }
            LawName::HyperExponential => match &self.branches {
                Some(branches) => {
                    keys.only("'branches' alone, or 'mean' and 'cv'", &["branches"])?;
                    Ok(Law::HyperExponential { branches: branches.clone() })
                }
                None => {
                    let keys = keys.only("'branches', or 'mean' and 'cv'", &["mean", "cv"])?;
                    balanced(keys.mean()?, keys.need("cv", self.cv)?)
                }
            },
            LawName::Empirical => match &self.values {
                Some(values) => {
                    keys.only("'values' alone, or 'file' and 'column'", &["values"])?;
                    Ok(Law::Empirical { values: values.clone() })
                }
                None => {
                    let keys = keys.only("'values', or 'file' and 'column'", &["file", "column"])?;
                    let (file, column) =
                        (keys.need("file", self.file.as_ref())?, keys.need("column", self.column.as_ref())?);
                    Ok(Law::Empirical { values: read_column(file, column)? })
                }
            },
        }
    }
}

/// Builds two branches, each of which contributes half of the mean.
fn balanced(mean: f64, cv: f64) -> Result<Law, LawShapeError> {
    if !(cv.is_finite() && cv > 1.0) {
        return Err(LawShapeError::Variation { cv });
    }
    let squared = cv * cv;
    let probability = f64::midpoint(1.0, ((squared - 1.0) / (squared + 1.0)).sqrt());
    let branch = |probability: f64| (probability, mean / (2.0 * probability));
    Ok(Law::HyperExponential { branches: vec![branch(probability), branch(1.0 - probability)] })
}

/// Keys of a law, while they are checked.
struct Keys<'a> {
    shape: &'a LawShape,
}

impl<'a> Keys<'a> {
    /// Checks that no other keys are given.
    fn only(self, keys: &'static str, allowed: &[&'static str]) -> Result<Checked<'a>, LawShapeError> {
        let shape = self.shape;
        let given = [
            ("mean", shape.mean.is_some()),
            ("rate", shape.rate.is_some()),
            ("value", shape.value.is_some()),
            ("low", shape.low.is_some()),
            ("high", shape.high.is_some()),
            ("shape", shape.shape.is_some()),
            ("cv", shape.cv.is_some()),
            ("stages", shape.stages.is_some()),
            ("branches", shape.branches.is_some()),
            ("scale", shape.scale.is_some()),
            ("mode", shape.mode.is_some()),
            ("location", shape.location.is_some()),
            ("deviation", shape.deviation.is_some()),
            ("means", shape.means.is_some()),
            ("rates", shape.rates.is_some()),
            ("onward", shape.onward.is_some()),
            ("initial", shape.initial.is_some()),
            ("generator", shape.generator.is_some()),
            ("values", shape.values.is_some()),
            ("file", shape.file.is_some()),
            ("column", shape.column.is_some()),
        ];
        let rate_allowed = allowed.contains(&"mean") && shape.mean.is_none();
        let rates_allowed = allowed.contains(&"means") && shape.means.is_none();
        let allowed =
            |key: &str| allowed.contains(&key) || (key == "rate" && rate_allowed) || (key == "rates" && rates_allowed);
        match given.into_iter().find(|&(key, given)| given && !allowed(key)) {
            Some((key, _)) => Err(LawShapeError::Superfluous { law: shape.law.as_str(), keys, key }),
            None => Ok(Checked { shape, law: shape.law.as_str(), keys }),
        }
    }
}

/// Keys that have been checked: none is superfluous.
struct Checked<'a> {
    shape: &'a LawShape,
    law: &'static str,
    keys: &'static str,
}

impl Checked<'_> {
    fn need<T>(&self, missing: &'static str, value: Option<T>) -> Result<T, LawShapeError> {
        value.ok_or(LawShapeError::Missing { law: self.law, keys: self.keys, missing })
    }

    fn mean(&self) -> Result<f64, LawShapeError> {
        match self.shape.rate {
            Some(rate) if rate.is_finite() && rate > 0.0 => Ok(1.0 / rate),
            Some(rate) => Err(LawShapeError::Rate { rate }),
            None => self.need("mean", self.shape.mean),
        }
    }

    fn means(&self) -> Result<Vec<f64>, LawShapeError> {
        let Some(rates) = &self.shape.rates else { return self.need("means", self.shape.means.clone()) };
        let wrong = (1..).zip(rates).find(|(_, rate)| !(rate.is_finite() && **rate > 0.0));
        match wrong {
            Some((number, &rate)) => Err(LawShapeError::Rates { number, rate }),
            None => Ok(rates.iter().map(|rate| 1.0 / rate).collect()),
        }
    }
}

impl From<Law> for LawShape {
    fn from(law: Law) -> Self {
        let named = Self::named;
        match law {
            Law::Exponential { mean } => Self::exponential(mean),
            Law::Deterministic { value } => Self { value: Some(value), ..named(LawName::Deterministic) },
            Law::Uniform { low, high } => Self { low: Some(low), high: Some(high), ..named(LawName::Uniform) },
            Law::Erlang { stages, mean } => Self { stages: Some(stages), mean: Some(mean), ..named(LawName::Erlang) },
            Law::HyperExponential { branches } => Self { branches: Some(branches), ..named(LawName::HyperExponential) },
            Law::Gamma { shape, mean } => Self { shape: Some(shape), mean: Some(mean), ..named(LawName::Gamma) },
            Law::Weibull { shape, mean } => Self { shape: Some(shape), mean: Some(mean), ..named(LawName::Weibull) },
            Law::LogNormal { mean, cv } => Self { mean: Some(mean), cv: Some(cv), ..named(LawName::LogNormal) },
            Law::Pareto { shape, mean } => Self { shape: Some(shape), mean: Some(mean), ..named(LawName::Pareto) },
            Law::Triangular { low, mode, high } => {
                Self { low: Some(low), mode: Some(mode), high: Some(high), ..named(LawName::Triangular) }
            }
            Law::Normal { location, deviation } => {
                Self { location: Some(location), deviation: Some(deviation), ..named(LawName::Normal) }
            }
            Law::HypoExponential { means } => Self { means: Some(means), ..named(LawName::HypoExponential) },
            Law::Coxian { means, onward } => {
                Self { means: Some(means), onward: Some(onward), ..named(LawName::Coxian) }
            }
            Law::PhaseType { initial, generator } => {
                Self { initial: Some(initial), generator: Some(generator), ..named(LawName::PhaseType) }
            }
            Law::Empirical { values } => Self { values: Some(values), ..named(LawName::Empirical) },
        }
    }
}

impl TryFrom<LawShape> for Law {
    type Error = LawShapeError;

    fn try_from(shape: LawShape) -> Result<Self, LawShapeError> {
        shape.law()
    }
}

#[cfg(test)]
mod tests;
