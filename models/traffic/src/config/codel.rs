//! Parameters of CoDel and FqCoDel of a configuration.

use super::error::{ConfigError, time};
use super::unit;
use crate::network::{Codel, Discipline, FqCodel, NetworkError};
use crate::units::seconds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parameters of CoDel and FqCoDel. Missing ones of a queue come from those for all queues, and then from the standard.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CodelShape {
    /// Wait that is accepted for longer than an interval; 5 ms if not given.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 1e3), extend("unit" = "s"))]
    pub target: Option<f64>,
    /// Time within which the shortest wait is looked for, about the longest round trip; 100 ms if not given.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "unit::some_seconds")]
    #[schemars(range(min = 1e-9, max = 1e3), extend("unit" = "s"))]
    pub interval: Option<f64>,
    /// Number of bytes that a queue of FqCoDel sends in its turn; those of a packet if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 64, max = 1048576), extend("unit" = "B"))]
    pub quantum: Option<u32>,
    /// Number of queues of FqCoDel; 1024 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65536))]
    pub queues: Option<u32>,
}

impl CodelShape {
    /// Returns `true` if no parameter is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` for each parameter that is given: `target`, `interval`, `quantum` and `queues`.
    pub(super) fn given(&self) -> [bool; 4] {
        let Self { target, interval, quantum, queues } = self;
        [target.is_some(), interval.is_some(), quantum.is_some(), queues.is_some()]
    }

    /// Returns the given parameters over those of `usual`. `key` is the key of the section.
    pub(super) fn over(&self, usual: FqCodel, key: &str) -> Result<FqCodel, ConfigError> {
        let nanoseconds = |name: &str, seconds: Option<f64>, usual: u64| {
            seconds.map_or(Ok(usual), |seconds| time(&format!("{key}.{name}"), seconds))
        };
        let made = FqCodel {
            codel: Codel {
                target: nanoseconds("target", self.target, usual.codel.target)?,
                interval: nanoseconds("interval", self.interval, usual.codel.interval)?,
            },
            quantum: self.quantum.or(usual.quantum),
            queues: self.queues.unwrap_or(usual.queues),
        };
        made.check().map(|()| made).map_err(|error| match &error {
            // The interval alone was given, and is shorter than the usual target.
            NetworkError::Codel { parameter: "target", .. } if self.target.is_none() => {
                let Codel { target, interval } = made.codel;
                let (target, interval) = (seconds(target), seconds(interval));
                let problem = format!(
                    "'interval' of CoDel is {interval} s: it must be at least 'target', {target} s if not given: give that too"
                );
                ConfigError::value(&format!("{key}.interval"), problem)
            }
            NetworkError::Codel { parameter, .. } => {
                ConfigError::value(&format!("{key}.{parameter}"), error.to_string())
            }
            _ => ConfigError::value(key, error.to_string()),
        })
    }

    /// Returns the discipline of a queue with these parameters over those of `usual`.
    pub(super) fn discipline(&self, of: Discipline, usual: FqCodel, key: &str) -> Result<Discipline, ConfigError> {
        let refuse = |key: &str, what, needed| {
            let error = NetworkError::OtherDiscipline { discipline: of.kind().name(), of: what, needed };
            Err(ConfigError::value(key, error.to_string()))
        };
        match of {
            Discipline::Codel(_) if self.quantum.is_some() => refuse(&format!("{key}.quantum"), "FqCoDel", "fq-codel"),
            Discipline::Codel(_) if self.queues.is_some() => refuse(&format!("{key}.queues"), "FqCoDel", "fq-codel"),
            Discipline::Codel(_) => Ok(Discipline::Codel(self.over(usual, key)?.codel)),
            Discipline::FqCodel(_) => Ok(Discipline::FqCodel(self.over(usual, key)?)),
            other if self.is_empty() => Ok(other),
            _ => refuse(key, "CoDel", "codel' or 'fq-codel"),
        }
    }
}
