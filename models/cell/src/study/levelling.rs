//! The flood on a grid as a model: water that spreads until it is level.

use super::simulation::{
    Account, CellConfig, CellSimulation, Exhibits, Findings, Misfit, Setting, SingleSimulation, certainty, failed,
    interrupted,
};
use crate::flood::{self, Flood, FloodError, Outcome, kernels, water};
use crate::runner::Watch;
use crate::space::SpaceError;
use crate::time::MILLISECONDS_PER_HOUR;
use crate::{Engine, Run, memory};
use imminent_common::answer::Answer;
use imminent_common::free_memory::fits;
use imminent_core::{ModuleSource, Work};
use imminent_study::Description;
use imminent_study::description::Measure;
use imminent_study::experiment::ExperimentError;
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Content, Grid, GridView, Section};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Configuration of a flood on a grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LevellingConfig {
    /// Number of columns of the grid.
    #[schemars(range(min = 1))]
    pub width: u32,
    /// Number of rows of the grid.
    #[schemars(range(min = 1))]
    pub height: u32,
    /// Water at the four quarter points together, as its depth once it is level.
    #[schemars(range(min = 0.0))]
    pub depth: f64,
    /// Simulated time.
    #[schemars(range(min = 0.0, max = 1193.0), extend("unit" = "h"))]
    pub horizon: f64,
    /// Time advance; the result is the same.
    pub engine: Engine,
}

impl Default for LevellingConfig {
    fn default() -> Self {
        LevellingConfig { width: 1024, height: 1024, depth: 1.0, horizon: 50.0, engine: Engine::Auto }
    }
}

impl CellConfig for LevellingConfig {
    fn engine(&self) -> Engine {
        self.engine
    }
}

impl SingleSimulation for Flood {
    fn description() -> Description {
        Description::new("levelling", "1", "Water that spreads over a grid of cells until it is level.")
            .length("horizon")
            .measure(Measure::new("volume", "", "Water in all cells at the end."))
            .measure(Measure::new("outputs", "", "Changes of cells."))
            .measure(Measure::new("distinct_times", "", "Distinct times at which cells changed."))
    }

    fn kernels() -> Vec<&'static ModuleSource> {
        vec![kernels::levelling::source()]
    }

    fn moved() -> &'static [(&'static str, &'static [&'static str])] {
        &[("flood", &["elevation", "rain", "rain_hours", "source", "open", "step"])]
    }

    fn files() -> &'static [&'static str] {
        &["depth.asc", "depth.png"]
    }

    fn new(config: &mut LevellingConfig) -> Result<Self, Misfit> {
        let LevellingConfig { width, height, depth, horizon, engine } = *config;
        fits("--width", width.into(), |width| memory::flood(height.into(), width, engine))?;
        Flood::dense(height, width, depth, horizon).map_err(|error| match error {
            FloodError::Space(SpaceError::Empty(0)) => Misfit::of("height", error),
            FloodError::Space(_) => Misfit::of("width", error),
            FloodError::TooMuch { .. } => Misfit::of("depth", error),
            FloodError::Hours { .. } => Misfit::of("horizon", error),
            _ => error.into(),
        })
    }
}

impl CellSimulation for Flood {
    type Config = LevellingConfig;
    type Outcome = Outcome;
    type Records = ();

    fn measures(&self) -> Vec<Measure> {
        Self::description().measures
    }

    fn work(&self) -> Option<Work> {
        Some(flood::work(f64::from(self.width()) * f64::from(self.height()), Flood::steps(self) as f64))
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        (Some(Flood::steps(self)), "steps")
    }

    fn run(&self, setting: Setting<'_, Self>, watch: Watch<'_>) -> Result<Run<Outcome>, ExperimentError> {
        setting.run(self, watch).map_err(|error| match error {
            FloodError::Cancelled(_) => interrupted(),
            error => failed(error),
        })
    }

    fn findings(&self, outcome: &Outcome) -> Findings {
        let values = [outcome.water(), outcome.outputs as f64, outcome.distinct_times as f64];
        Findings {
            events: outcome.outputs,
            values: values.map(Some).to_vec(),
            digest: outcome.digest(),
            simulated: outcome.horizon.into(),
        }
    }

    fn account(&self, outcome: &Outcome) -> Account {
        let deepest = outcome.amounts.iter().copied().max().map_or(0.0, water);
        Account {
            title: "Flood",
            answer: Answer {
                question: format!(
                    "How level is the water of four sources after {} h?",
                    f64::from(outcome.horizon) / MILLISECONDS_PER_HOUR
                ),
                results: vec![format!("The deepest cell holds {deepest:.3} of {:.3} units.", outcome.water())],
                certainty: certainty(),
            },
            facts: vec![("grid", format!("{} columns x {} rows", outcome.width, outcome.height))],
            ..Account::default()
        }
    }

    fn exhibits(&self, outcome: &Outcome, _: bool) -> Result<Exhibits, Fault> {
        let depth = |&amount: &i64| if amount < 0 { f64::NAN } else { water(amount) };
        let grid = Grid {
            name: "depth",
            rows: outcome.height,
            columns: outcome.width,
            side: 1.0,
            values: outcome.amounts.iter().map(depth).collect(),
            view: GridView::Quantity { label: "amount\nof water", ground: 0.0, is_water: true },
            caption: "Amount of water in each cell at the end.".to_owned(),
        };
        Ok(Exhibits { sections: vec![Section::new("Flood", Content::Grid(grid))], ..Exhibits::default() })
    }
}
