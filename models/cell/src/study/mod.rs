//! Cell spaces from rule files as a [`Model`] of a catalogue.
//!
//! A run is the rule file's model with its seed, to the end of `hours`. Runs are executed one after the other, each on
//! the whole device. Determinism class: exact.

#[cfg(test)]
mod tests;

use crate::Engine;
use crate::rules;
use imminent_core::{Device, ModuleSource};
use imminent_study::description::Measure;
use imminent_study::laboratory::{Fault, Laboratory};
use imminent_study::{Base, Description, GoOn, Keys, Means, Measured, Model, Possible, Single, Singly};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Milliseconds of an hour.
const HOUR: f64 = 3_600_000.0;

/// Configuration of a run of a rule file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CellsConfig {
    /// Rule file (.ma) of CD++; files that it names are looked for beside it.
    #[schemars(extend("format" = "path"))]
    pub rules: String,
    /// Events for the inputs of the top model, from a file as CD++ takes by its option -e; empty for none.
    #[schemars(extend("format" = "path"))]
    pub events: String,
    /// Quantum, as CD++'s option -q; 0 for none.
    #[schemars(range(min = 0.0))]
    pub quantum: f64,
    /// Simulated time.
    #[schemars(range(min = 0.0, max = 1193.0), extend("unit" = "h"))]
    pub hours: f64,
}

impl Default for CellsConfig {
    fn default() -> Self {
        CellsConfig { rules: String::new(), events: String::new(), quantum: 0.0, hours: 1.0 }
    }
}

impl CellsConfig {
    fn model(&self) -> Result<rules::Model, Fault> {
        if self.rules.is_empty() {
            return Err("`rules` names no rule file: give one that ends in .ma".into());
        }
        let mut model = rules::Model::read(self.rules.as_ref())?;
        if !self.events.is_empty() {
            model.read_events(self.events.as_ref())?;
        }
        model.set_quantum(self.quantum);
        Ok(model)
    }
}

/// Cell spaces from rule files.
#[derive(Debug, Clone, Copy)]
pub struct Cells;

impl Model for Cells {
    fn description(&self) -> Description {
        Description::new("cells", "1", "A cell space from a rule file of CD++.")
            .length("hours")
            .measure(Measure::new("outputs", "", "Outputs of cells after the initial ones."))
            .measure(Measure::new(
                "changed",
                "",
                "Share of the cells whose last output differs from their first value.",
            ))
            .measure(Measure::new("mean", "", "Mean of the values that cells emitted last, where they are defined."))
            .measure(Measure::new("last_time", "s", "Time of the last output."))
    }

    fn keys(&self) -> Keys {
        Keys::of::<CellsConfig>()
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        rules::kernels::sources()
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let base = Arc::clone(base);
        Box::new(move |point| base.config::<CellsConfig>(point)?.model().map(drop))
    }

    fn open(&self, base: &Arc<Base>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Ok(Box::new(Singly::new(base, RuleFile { device: device.clone(), last: None })))
    }
}

/// Executor of runs, with the rule file that was read last.
struct RuleFile {
    device: Device,
    last: Option<(CellsConfig, rules::Model)>,
}

impl Single for RuleFile {
    type Config = CellsConfig;

    fn run(&mut self, config: &CellsConfig, seed: u64, go_on: GoOn<'_>) -> Result<Measured, Fault> {
        let kept = self.last.take().filter(|(kept, _)| kept == config);
        let kept = match kept {
            Some(kept) => kept,
            None => (config.clone(), config.model()?),
        };
        let model = &self.last.insert(kept).1;
        let outcome =
            model.run(&self.device, Engine::Auto, seed, (config.hours * HOUR) as u32, &mut |_| go_on())?.outcome;
        let changed = outcome.values.iter().zip(model.initial()).filter(|(now, then)| now != then).count();
        let (sum, defined) = outcome
            .values
            .iter()
            .filter(|value| !value.is_nan())
            .fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
        let values = vec![
            Some(outcome.outputs as f64),
            Some(changed as f64 / outcome.values.len().max(1) as f64),
            (defined > 0).then(|| sum / defined as f64),
            outcome.times.iter().max().map(|time| f64::from(*time) / 1000.0),
        ];
        Ok(Measured { events: outcome.outputs, values })
    }
}
