//! Forms of the keys of costs.

use super::super::ConfigError;
use crate::costs::Rates;
use imminent_common::number::Shown;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Costs: `[network.costs]` for all stations, `[network.node.costs]` for one. What a station does not say comes from
/// those for all. Money has any unit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "give a table of costs, such as { server = 20, lost = 5 }")]
pub struct CostsShape {
    /// Cost of each server on duty, for each time unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<f64>,
    /// Cost of each token that waits, for each time unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<f64>,
    /// Cost of each token at the station, waiting or in service, for each time unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_system: Option<f64>,
    /// Cost of each token that is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<f64>,
    /// Cost of each token that loses patience.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reneged: Option<f64>,
    /// Gain of each completed service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// Costs that differ for some classes, by the name of the class.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub class: BTreeMap<String, ClassCostsShape>,
}

/// Costs of one class of tokens: `[network.costs.class.NAME]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, expecting = "give a table of costs, such as { waiting = 2, lost = 5 }")]
pub struct ClassCostsShape {
    /// Cost of each token that waits, for each time unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<f64>,
    /// Cost of each token at the station, waiting or in service, for each time unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_system: Option<f64>,
    /// Cost of each token that is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<f64>,
    /// Cost of each token that loses patience.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reneged: Option<f64>,
    /// Gain of each completed service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
}

impl CostsShape {
    /// Returns the costs of tokens that do not differ by class.
    const fn of_all(&self) -> ClassCostsShape {
        let Self { waiting, in_system, lost, reneged, gain, .. } = *self;
        ClassCostsShape { waiting, in_system, lost, reneged, gain }
    }

    /// Returns the costs of a class, those of all tokens where it has none of its own.
    pub(super) fn of_class(&self, name: &str) -> ClassCostsShape {
        self.class.get(name).map_or_else(|| self.of_all(), |own| own.or(&self.of_all()))
    }

    /// Refuses classes that are not there, and costs that are no amounts; `key` is the entry that has the costs.
    pub(super) fn check(&self, key: &str, classes: &[String]) -> Result<(), ConfigError> {
        amount(&format!("{key}.server"), self.server)?;
        self.of_all().check(key)?;
        for (name, costs) in &self.class {
            let key = format!("{key}.class.{name}");
            if !classes.contains(name) {
                let problem = format!("no class is called '{name}', only '{}'", classes.join("', '"));
                return Err(ConfigError::value(&key, problem));
            }
            costs.check(&key)?;
        }
        Ok(())
    }
}

impl ClassCostsShape {
    pub(super) fn or(&self, other: &Self) -> Self {
        Self {
            waiting: self.waiting.or(other.waiting),
            in_system: self.in_system.or(other.in_system),
            lost: self.lost.or(other.lost),
            reneged: self.reneged.or(other.reneged),
            gain: self.gain.or(other.gain),
        }
    }

    pub(super) fn rates(&self) -> Rates {
        Rates {
            waiting: self.waiting.unwrap_or(0.0),
            in_system: self.in_system.unwrap_or(0.0),
            lost: self.lost.unwrap_or(0.0),
            reneged: self.reneged.unwrap_or(0.0),
            gain: self.gain.unwrap_or(0.0),
        }
    }

    fn check(&self, key: &str) -> Result<(), ConfigError> {
        let all = [
            ("waiting", self.waiting),
            ("in_system", self.in_system),
            ("lost", self.lost),
            ("reneged", self.reneged),
            ("gain", self.gain),
        ];
        all.into_iter().try_for_each(|(name, given)| amount(&format!("{key}.{name}"), given))
    }
}

/// Largest amount: products with the sums of a run stay far below the largest number.
const LARGEST: f64 = 1e15;

fn amount(key: &str, given: Option<f64>) -> Result<(), ConfigError> {
    match given.filter(|amount| !(0.0..=LARGEST).contains(amount)) {
        None => Ok(()),
        Some(amount) => {
            let problem = format!(
                "{} is no amount of money: give a number from 0 to {LARGEST:e}; what tokens bring in is a 'gain'",
                Shown(amount)
            );
            Err(ConfigError::value(key, problem))
        }
    }
}
