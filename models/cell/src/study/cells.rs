//! Rule files as a model.

use super::records::Records;
use super::simulation::{
    Account, CellConfig, CellSimulation, Exhibits, Findings, Misfit, Setting, SingleSimulation, failed, interrupted,
};
use crate::rules::{self, Model, Outcome, RunError, kernels};
use crate::runner::Watch;
use crate::time::MILLISECONDS_PER_HOUR;
use crate::{Engine, Run};
use imminent_common::answer::Answer;
use imminent_core::{ModuleSource, Progress, Work};
use imminent_study::Description;
use imminent_study::description::Measure;
use imminent_study::experiment::{ExperimentError, OptionValues, RunOption};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Content, Grid, GridView, Section};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::Path;

/// Configuration of a run of a rule file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CellsConfig {
    /// Rule file (.ma) of CD++; files that it names are looked for beside it.
    #[schemars(extend("format" = "path"))]
    pub rules: String,
    /// Cell space that runs, by its name; empty for the only one of the file. Nothing that another component of the
    /// file sends may come to it.
    pub component: String,
    /// Events for the inputs of the top model, from a file as CD++ takes by its option -e: lines `HH:MM:SS:mmm PORT
    /// VALUE`; empty for none.
    #[schemars(extend("format" = "path"))]
    pub events: String,
    /// Quantum, as CD++'s option -q: a cell emits a new value only if it is another multiple, both rounded toward zero;
    /// 0 for none.
    #[schemars(range(min = 0.0))]
    pub quantum: f64,
    /// Simulated time; beyond 1,193 h delays have to be constants with a common divisor.
    #[schemars(range(min = 0.0, max = 1e7), extend("unit" = "h"))]
    pub horizon: f64,
    /// Seed of the random numbers of rules.
    pub seed: u64,
    /// Time advance; the result is the same.
    pub engine: Engine,
}

impl Default for CellsConfig {
    fn default() -> Self {
        let (rules, component, events) = (String::new(), String::new(), String::new());
        CellsConfig { rules, component, events, quantum: 0.0, horizon: 50.0, seed: 1, engine: Engine::Auto }
    }
}

impl CellConfig for CellsConfig {
    fn engine(&self) -> Engine {
        self.engine
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

/// A rule file for some time.
#[derive(Debug)]
pub struct RuleFile {
    model: Model,
    /// Simulated time, in units of the model's time.
    horizon: u32,
}

impl RuleFile {
    /// Returns the milliseconds of a time of the model.
    fn milliseconds(&self, time: u32) -> u64 {
        u64::from(time) * self.model.unit()
    }
}

impl SingleSimulation for RuleFile {
    fn description() -> Description {
        Description::new("cells", "1", "A cell space from a rule file of CD++.")
            .length("horizon")
            .measure(Measure::new("outputs", "", "Outputs of cells after the initial ones."))
            .measure(Measure::new(
                "changed",
                "",
                "Share of the cells whose last output differs from their first value.",
            ))
            .measure(Measure::new("mean", "", "Mean of the values that cells emitted last, where they are defined."))
            .measure(Measure::new("last_time", "s", "Time of the last output."))
            .measure(Measure::new(
                "distinct_times",
                "",
                "Distinct times after 0 at which cells emit or have inputs: each is a step of the engines.",
            ))
    }

    fn kernels() -> Vec<&'static ModuleSource> {
        kernels::sources()
    }

    fn keys_of_studies() -> &'static [(&'static str, &'static str)] {
        &[("seed", "its own `seed`")]
    }

    fn renamed() -> &'static [(&'static str, &'static str)] {
        &[("hours", "horizon"), ("log", "record"), ("ports", "record-ports")]
    }

    fn key_of_file(file: &Path) -> Option<&'static str> {
        file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ma")).then_some("rules")
    }

    fn options() -> &'static [RunOption] {
        Records::OPTIONS
    }

    fn files() -> &'static [&'static str] {
        &["values.asc", "values.png"]
    }

    fn new(config: &mut CellsConfig) -> Result<Self, Misfit> {
        if config.rules.is_empty() {
            return Err(Misfit::other("`rules` names no rule file: give one that ends in .ma"));
        }
        let component = Some(config.component.as_str()).filter(|name| !name.is_empty());
        let mut model = Model::read_component(config.rules.as_ref(), component)?;
        if !config.events.is_empty() {
            model.read_events(config.events.as_ref())?;
        }
        model.set_quantum(config.quantum);
        let horizon = model.reach((config.horizon * MILLISECONDS_PER_HOUR) as u64);
        Ok(RuleFile { horizon: horizon.map_err(|error| Misfit::of("horizon", error))?, model })
    }

    fn begin_records(&self, config: &CellsConfig, given: &OptionValues) -> Result<Option<Records>, Fault> {
        Records::begin(&self.model, config.engine, given)
    }
}

impl CellSimulation for RuleFile {
    type Config = CellsConfig;
    type Outcome = Outcome;
    type Records = Records;

    fn measures(&self) -> Vec<Measure> {
        Self::description().measures
    }

    /// If delays are constants, no cell changes more often than after every shortest one.
    fn work(&self) -> Option<Work> {
        let cells = self.model.space().cells() as f64;
        let delay = self.model.lookahead()?;
        let windows = f64::from(self.horizon) / f64::from(delay.max(1));
        Some(rules::work(cells, windows))
    }

    fn run(&self, setting: Setting<'_, Self>, watch: Watch<'_>) -> Result<Run<Outcome>, ExperimentError> {
        let (Setting { config, seed, device, records }, horizon) = (setting, self.horizon);
        let Some(records) = records else {
            let ran = match device {
                Some(device) => self.model.run(device, config.engine, seed, horizon, watch),
                None => self.model.run_sequentially_observed(seed, horizon, watch, &mut |_| ()),
            };
            return ran.map_err(told);
        };
        let mut recorder = records.record(&self.model);
        // A run whose outputs cannot be written ends early.
        let writes = Cell::new(true);
        let mut observe = |output| writes.set(recorder.write(&output));
        let mut go_on = |progress: Progress| if writes.get() { watch(progress) } else { ControlFlow::Break(()) };
        let ran = match device {
            Some(device) => self.model.run_observed(device, config.engine, seed, horizon, &mut go_on, &mut observe),
            None => self.model.run_sequentially_observed(seed, horizon, &mut go_on, &mut observe),
        };
        recorder.finish(ran.map_err(told))
    }

    fn findings(&self, outcome: &Outcome) -> Findings {
        let changed = outcome.values.iter().zip(self.model.initial()).filter(|(now, then)| now != then).count();
        let defined = outcome.values.iter().filter(|value| !value.is_nan());
        let (sum, count) = defined.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
        let values = vec![
            Some(outcome.outputs as f64),
            Some(changed as f64 / outcome.values.len().max(1) as f64),
            (count > 0).then(|| sum / count as f64),
            outcome.times.iter().max().map(|&time| self.milliseconds(time) as f64 / 1000.0),
            Some(outcome.distinct_times as f64),
        ];
        Findings {
            events: outcome.outputs,
            values,
            digest: outcome.digest(),
            simulated: self.milliseconds(self.horizon),
        }
    }

    fn account(&self, outcome: &Outcome) -> Account {
        let sides: Vec<String> = outcome.space.dimensions().iter().map(ToString::to_string).collect();
        let hours = self.milliseconds(self.horizon) as f64 / MILLISECONDS_PER_HOUR;
        Account {
            title: "Cell space",
            answer: Answer {
                question: format!("Which values have the cells of `{}` after {hours} h?", self.model.name()),
                results: vec![format!(
                    "{} outputs; cells emit or have inputs at {} times.",
                    outcome.outputs, outcome.distinct_times
                )],
                certainty: "The same rules, events and seed always give this result, on every device.".to_owned(),
            },
            facts: vec![("cells", sides.join(" x "))],
            warnings: self.model.warnings().iter().map(ToString::to_string).collect(),
            ..Account::default()
        }
    }

    fn exhibits(&self, outcome: &Outcome, _: bool) -> Result<Exhibits, Fault> {
        // Of cells that send by several ports, the values of the first one are shown: `out`.
        let ports = self.model.ports().len();
        let dimensions = outcome.space.dimensions().get(usize::from(ports > 1)..).unwrap_or_default();
        let shown = outcome.values.len() / ports.max(1);
        let content = match *dimensions {
            [rows, columns] => Content::Grid(Grid {
                name: "values",
                rows,
                columns,
                side: 1.0,
                values: outcome.values.iter().copied().take(shown).collect(),
                view: GridView::Quantity {
                    label: "value",
                    ground: outcome.values.iter().copied().fold(0.0, f64::min),
                    is_water: false,
                },
                caption: "Value of each cell at the end.".to_owned(),
            }),
            _ => {
                Content::Text(format!("Rasters are of cells in two dimensions, and these are in {}.", dimensions.len()))
            }
        };
        Ok(Exhibits { sections: vec![Section::new("Cell space", content)], ..Exhibits::default() })
    }
}

fn told(error: RunError) -> ExperimentError {
    match error {
        RunError::Cancelled { .. } => interrupted(),
        RunError::Unlisted { .. } => ExperimentError::Invalid(Records::unlisted().into()),
        error => failed(error),
    }
}
