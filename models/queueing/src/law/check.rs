//! Checks of the parameters of laws, independent of the tick.

use super::{Law, LawError, MAX_SHAPE, MAX_VALUES, MAX_VARIATION, MIN_SHAPE};

impl Law {
    /// Checks the parameters of the law, independent of the length of a tick.
    ///
    /// # Errors
    /// [`LawError`] for a parameter that makes no sense.
    pub fn check(&self) -> Result<(), LawError> {
        let name = self.name();
        match self {
            Self::Exponential { mean } => positive(name, "mean", *mean),
            Self::Deterministic { value } => positive(name, "value", *value),
            Self::Uniform { low, high } => {
                let right = 0.0 <= *low && low <= high && high.is_finite();
                if right { Ok(()) } else { Err(LawError::Interval { low: *low, high: *high }) }
            }
            Self::Empirical { values } => {
                if values.is_empty() || values.len() > MAX_VALUES {
                    return Err(LawError::Values { values: values.len(), limit: MAX_VALUES });
                }
                let wrong = (1..).zip(values).find(|(_, value)| !(value.is_finite() && **value >= 0.0));
                wrong.map_or(Ok(()), |(number, &value)| Err(LawError::Value { number, value }))
            }
            Self::Erlang { stages, mean } => {
                positive(name, "mean", *mean)?;
                within(name, "stages", f64::from(*stages), 1.0, MAX_SHAPE)
            }
            Self::Gamma { shape, mean } | Self::Weibull { shape, mean } => {
                positive(name, "mean", *mean)?;
                within(name, "shape", *shape, MIN_SHAPE, MAX_SHAPE)
            }
            Self::LogNormal { mean, cv } => {
                positive(name, "mean", *mean)?;
                within(name, "cv", *cv, 1e-6, MAX_VARIATION)
            }
            Self::HyperExponential { branches } => {
                let sum: f64 = branches.iter().map(|(probability, _)| probability).sum();
                let all_positive = branches.iter().all(|(probability, _)| *probability > 0.0);
                if !all_positive || sum.is_nan() || (sum - 1.0).abs() > 1e-9 {
                    return Err(LawError::Branches { sum });
                }
                branches.iter().try_for_each(|(_, mean)| positive(name, "mean", *mean))
            }
        }
    }
}

fn positive(law: &'static str, parameter: &'static str, value: f64) -> Result<(), LawError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(LawError::NotPositive { law, parameter, value }) }
}

fn within(law: &'static str, parameter: &'static str, value: f64, low: f64, high: f64) -> Result<(), LawError> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(LawError::OutOfRange { law, parameter, value, low, high }) }
}
