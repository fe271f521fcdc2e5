//! Keys that give a law.

use super::super::ConfigError;
use crate::law::{Law, LawShape, LawShapeError};
use std::fmt::Display;

/// Keys that can give a law.
pub(super) struct Keys<'a> {
    /// Name and value of the key of the law itself.
    pub(super) law: (&'a str, Option<&'a LawShape>),
    /// Value of the key `mean` of an exponential law.
    pub(super) mean: Option<f64>,
    /// Value of the key `rate` of an exponential law.
    pub(super) rate: Option<f64>,
}

impl Keys<'_> {
    /// Returns the name of the key that gives the law, if one does.
    pub(super) fn name(&self) -> Option<&str> {
        let (name, shape) = self.law;
        let given = [("mean", self.mean.is_some()), ("rate", self.rate.is_some()), (name, shape.is_some())];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Returns the law that one of the keys gives, if any; `key` is the entry that contains them.
    pub(super) fn law(&self, key: impl Display) -> Result<Option<Law>, ConfigError> {
        let (name, shape) = self.law;
        let given = [(name, shape.is_some()), ("mean", self.mean.is_some()), ("rate", self.rate.is_some())];
        let mut given = given.iter().filter(|(_, given)| *given).map(|(name, _)| *name);
        let Some(first) = given.next() else { return Ok(None) };
        if let Some(second) = given.next() {
            let problem = format!("both '{first}' and '{second}' are given: remove one of them");
            return Err(ConfigError::value(&format!("{key}.{second}"), problem));
        }
        let wrong = |problem: String| ConfigError::value(&format!("{key}.{first}"), problem);
        let law = match (shape, self.mean, self.rate) {
            (Some(shape), ..) => shape.law().map_err(|error| wrong(error.to_string()))?,
            (_, Some(mean), _) => Law::Exponential { mean },
            (.., rate) => {
                let rate = rate.unwrap_or_default();
                if !(rate.is_finite() && rate > 0.0) {
                    return Err(wrong(LawShapeError::Rate { rate }.to_string()));
                }
                Law::Exponential { mean: 1.0 / rate }
            }
        };
        // Errors of the law are reported with its key; one may be too long whatever the tick.
        law.check_alone().map_err(|error| wrong(error.to_string()))?;
        Ok(Some(law))
    }
}
