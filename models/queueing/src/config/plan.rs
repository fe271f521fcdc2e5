//! Keys of `[run]` for the analysis of the output.

use super::error::ConfigError;
use super::options::RunOptions;
use super::warm_up::{WarmUpOption, WarmUpRule};
use crate::analysis::{Ending, Plan, PlanError, WarmUp};
use crate::tally::Wanted;
use imminent_common::estimate::Confidence;
use imminent_common::number::Shown;
use imminent_common::output::Precision;
use imminent_common::time::Tick;
use imminent_study::Unused;

/// Default number of observations for a warm-up rule that needs a series, such as MSER.
const LOOKS_FOR_MSER: u32 = 250;

/// Default number of observations of a run that ends by count.
const LOOKS_FOR_COUNT: u64 = 1_000;

impl RunOptions {
    /// Returns the plan of these options, for a horizon in ticks.
    pub(super) fn plan(&self, horizon: u64, tick: Tick) -> Result<Plan, ConfigError> {
        let warm_up = match self.warm_up {
            None => WarmUp::Time(0),
            Some(WarmUpOption::Rule(WarmUpRule::Mser5)) => WarmUp::Mser5,
            Some(WarmUpOption::Time(units)) => WarmUp::Time(ticks("run.warm_up", units, tick)?),
        };
        let ending = match (self.precision, self.until_count) {
            (Some(_), Some(_)) => {
                let problem = "a run ends by precision or by count: remove 'precision' or 'until_count'".to_owned();
                return Err(ConfigError::value("run.until_count", problem));
            }
            (Some(relative), None) => Ending::Precision(
                Precision::new(relative).map_err(|error| ConfigError::value("run.precision", error.to_string()))?,
            ),
            (None, Some(0)) => {
                let problem = "0 services are completed before the run begins: give 1 at least".to_owned();
                return Err(ConfigError::value("run.until_count", problem));
            }
            (None, Some(completions)) => Ending::Count { completions, check: self.check(horizon, tick)? },
            (None, None) => Ending::Horizon,
        };
        if self.check.is_some() && self.until_count.is_none() {
            let problem = "how often to check a count needs one: give 'until_count', or remove 'check'".to_owned();
            return Err(ConfigError::value("run.check", problem));
        }
        let every = self.every.map(|units| self.period(units, warm_up, tick)).transpose()?;
        let observations = self.observations.unwrap_or(if warm_up == WarmUp::Mser5 { LOOKS_FOR_MSER } else { 1 });
        Ok(Plan {
            warm_up,
            batches: self.batches,
            observations,
            every,
            measure: self.measure,
            counted: self.count,
            ending,
            confidence: Confidence::new(self.confidence)
                .map_err(|error| ConfigError::value("run.confidence", error.to_string()))?,
            by_class: false,
            costs: None,
            wanted: Wanted::default(),
        })
    }

    /// Returns the keys that have no effect on the plan.
    pub(crate) fn unused(&self) -> Vec<Unused> {
        let instead = match (self.until_count, self.precision, self.batches) {
            _ if self.every.is_some() => "a run with results by period is observed at the end of each",
            (Some(_), ..) => "a run that ends by count is observed every `check` time units",
            (None, Some(_), Some(_)) => "a run that ends by precision has 16 observations for each of its batches",
            _ => return vec![],
        };
        self.observations.iter().map(|_| Unused::new("run.observations", instead)).collect()
    }

    /// Returns the length of periods in ticks.
    fn period(&self, units: f64, warm_up: WarmUp, tick: Tick) -> Result<u64, ConfigError> {
        let other = [
            ("batches", self.batches.is_some()),
            ("until_count", self.until_count.is_some()),
            ("warm_up = \"mser5\"", warm_up == WarmUp::Mser5),
        ];
        if let Some((other, _)) = other.into_iter().find(|(_, is_given)| *is_given) {
            let problem = format!(
                "periods are the same in all replications, and '{other}' cuts each by itself: remove one of them"
            );
            return Err(ConfigError::value("run.every", problem));
        }
        match ticks("run.every", units, tick)? {
            0 => {
                let problem = format!("a period of {} time units has no length: give a longer one", Shown(units));
                Err(ConfigError::value("run.every", problem))
            }
            length => Ok(length),
        }
    }

    fn check(&self, horizon: u64, tick: Tick) -> Result<u64, ConfigError> {
        let check = match self.check {
            Some(units) => ticks("run.check", units, tick)?,
            None => horizon.div_ceil(LOOKS_FOR_COUNT).max(1),
        };
        let least = horizon.div_ceil(Plan::MAX_LOOKS).max(1);
        if check < least {
            let least = Shown(tick.units(least));
            let problem = format!("a count is checked every {least} time units at most here: give a longer time");
            return Err(ConfigError::value("run.check", problem));
        }
        Ok(check)
    }
}

fn ticks(key: &str, units: f64, tick: Tick) -> Result<u64, ConfigError> {
    tick.ticks(units).map_err(|error| ConfigError::value(key, error.to_string()))
}

/// Names the key at fault and describes the problem in time units.
pub(super) fn blame(error: &PlanError, tick: Tick) -> ConfigError {
    let key = match error {
        PlanError::NothingLeft { .. } | PlanError::TooManyNodes { .. } => "run.warm_up",
        PlanError::ArrivedByMser => "run.count",
        PlanError::Batches { .. } => "run.batches",
        PlanError::TooManyPeriods { .. } => "run.every",
        PlanError::Looks { .. } | PlanError::TooFewForMser { .. } => "run.observations",
        PlanError::LengthenMany { .. } | PlanError::AddNone { .. } => "run.replications",
    };
    let problem = match error {
        PlanError::NothingLeft { warm_up, horizon } => format!(
            "a warm-up of {} time units leaves nothing of a horizon of {}: give a longer horizon",
            Shown(tick.units(*warm_up)),
            Shown(tick.units(*horizon))
        ),
        other => other.to_string(),
    };
    ConfigError::value(key, problem)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::TorusConfig;
    use crate::measures::{Counted, Measure};

    fn plan(run: &str) -> Result<Plan, ConfigError> {
        let text = format!("[torus]\nwidth = 8\nheight = 8\n[run]\n{run}");
        let config = TorusConfig::from_toml(&text, "torus.toml")?;
        assert_eq!(TorusConfig::from_toml(&toml::to_string(&config).unwrap(), "again").unwrap(), config);
        config.experiment().map(|experiment| experiment.plan).map_err(|error| error.located(&text, "torus.toml"))
    }

    #[test]
    fn the_keys_make_a_plan() {
        assert_eq!(plan("").unwrap(), Plan::default());
        let keys = "warm_up = 100\nbatches = 20\nobservations = 40\nmeasure = 'queue_length'\ncount = 'started'\nprecision = 0.05\nconfidence = 0.9";
        let expected = Plan {
            warm_up: WarmUp::Time(100 << 20),
            batches: Some(20),
            observations: 40,
            every: None,
            measure: Measure::QueueLength,
            counted: Counted::Started,
            ending: Ending::Precision(Precision::new(0.05).unwrap()),
            confidence: Confidence::new(0.9).unwrap(),
            by_class: false,
            costs: None,
            wanted: Wanted::default(),
        };
        assert_eq!(plan(keys).unwrap(), expected);
        let mser = plan("warm_up = 'mser5'").unwrap();
        assert_eq!((mser.warm_up, mser.observations), (WarmUp::Mser5, 250));
        assert_eq!(plan("until_count = 5").unwrap().ending, Ending::Count { completions: 5, check: 1 << 20 });
        let ending = Ending::Count { completions: 5, check: 5 << 19 };
        assert_eq!(plan("until_count = 5\ncheck = 2.5").unwrap().ending, ending);
    }

    #[test]
    fn mistakes_name_file_line_and_key() {
        let cases = [
            (
                "horizon = 10\nwarm_up = 10",
                "torus.toml, line 6: run.warm_up: a warm-up of 10 time units leaves nothing",
            ),
            (
                "warm_up = 'mser5'\ncount = 'arrived'",
                "torus.toml, line 6: run.count: visits are counted by their arrival",
            ),
            ("warm_up = -1.5", "torus.toml, line 5: run.warm_up: -1.5 is not a time"),
            ("batches = 1", "torus.toml, line 5: run.batches: 1 batches are not possible: give 2 to 10000"),
            ("observations = 0", "torus.toml, line 5: run.observations: 0 observations"),
            ("warm_up = 'mser5'\nobservations = 20", "torus.toml, line 6: run.observations: MSER-5 needs at least 50"),
            ("confidence = 95", "torus.toml, line 5: run.confidence: a confidence of 95 is not possible: give"),
            ("precision = 2.0", "torus.toml, line 5: run.precision: a relative error of 2 is not possible"),
            (
                "precision = 0.1\nbatches = 10\nreplications = 3",
                "torus.toml, line 7: run.replications: a precision with batches",
            ),
            (
                "precision = 0.1",
                "torus.toml, line 4: run.replications: a precision without batches needs at least 10 replications",
            ),
            ("precision = 0.1\nuntil_count = 7", "torus.toml, line 6: run.until_count: a run ends by"),
            ("until_count = 0", "torus.toml, line 5: run.until_count: 0 services are completed before the run begins"),
            ("horizon = 0", "torus.toml, line 5: run.horizon: nothing happens within a horizon of 0 time units: give"),
            ("horizon = 1e300", "torus.toml, line 5: run.horizon: 1e300 time units are too long: at most"),
            ("every = 0", "torus.toml, line 5: run.every: a period of 0 time units has no length"),
            ("every = -1", "torus.toml, line 5: run.every: -1 is not a time"),
            ("every = 10\nbatches = 2", "torus.toml, line 5: run.every: periods are the same in all replications"),
            ("every = 0.001", "torus.toml, line 5: run.every: 999596 periods of a network of 65 nodes are not"),
            ("check = 1.0", "torus.toml, line 5: run.check: how often to check a count needs one"),
            ("until_count = 7\ncheck = 1e-6", "torus.toml, line 6: run.check: a count is checked every"),
        ];
        for (run, expected) in cases {
            let error = plan(run).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
        }
        let error = plan("warm_up = 'mser'").unwrap_err().to_string();
        assert!(error.contains("line 5") && error.contains("a number of time units, or \"mser5\""), "{error}");
        let error = plan("measure = 'beauty'").unwrap_err().to_string();
        assert!(error.contains("beauty") && error.contains("queue_length"), "{error}");
    }
}
