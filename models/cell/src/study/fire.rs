//! The fire with published rates of spread as a model.

use super::simulation::{
    Account, CellConfig, CellSimulation, Exhibits, Findings, Misfit, Setting, SingleSimulation, certainty, failed,
    interrupted,
};
use crate::figures::of_liu_and_wainer;
use crate::fire::{self, CELL_SIDE, Fire, FireError, NEVER, Outcome, kernels};
use crate::runner::Watch;
use crate::space::SpaceError;
use crate::time::MILLISECONDS_PER_HOUR;
use crate::{Engine, Run, memory};
use imminent_common::answer::Answer;
use imminent_common::free_memory::fits;
use imminent_core::{ModuleSource, Work};
use imminent_study::description::Measure;
use imminent_study::experiment::ExperimentError;
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Content, Grid, GridView, Section};
use imminent_study::{Description, Figures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Configuration of a fire with published rates of spread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FireConfig {
    /// Number of columns of the grid.
    #[schemars(range(min = 1))]
    pub width: u32,
    /// Number of rows of the grid.
    #[schemars(range(min = 1))]
    pub height: u32,
    /// Cell that is lit at the start, as row and column from 0 in the north-west; by default the south-west corner.
    #[schemars(extend("unit" = "ROW,COLUMN"))]
    pub ignite: Vec<(u32, u32)>,
    /// Simulated time.
    #[schemars(range(min = 0.0, max = 1193.0), extend("unit" = "h"))]
    pub horizon: f64,
    /// Time advance; the result is the same.
    pub engine: Engine,
}

impl Default for FireConfig {
    fn default() -> Self {
        FireConfig { width: 1024, height: 1024, ignite: vec![], horizon: 50.0, engine: Engine::Auto }
    }
}

impl CellConfig for FireConfig {
    fn engine(&self) -> Engine {
        self.engine
    }
}

/// Keys of fires on landscapes.
const OF_LANDSCAPES: &[&str] = &[
    "elevation",
    "fuel",
    "slope",
    "aspect",
    "cover",
    "canopy_height",
    "base_height",
    "bulk_density",
    "grid_declination",
    "corners",
    "directions",
    "length_to_width",
    "weather",
    "weathers",
    "wind",
    "wind_from",
    "moisture",
    "foliar",
    "ignite_at",
    "ignite_file",
    "fires",
    "seed",
];

impl SingleSimulation for Fire {
    fn description() -> Description {
        Description::new("fire", "1", "A forest fire on a grid of cells, with the published rates of spread.")
            .length("horizon")
            .measure(Measure::new("cells_burnt", "", "Cells that ignite, without those that are lit at the start."))
            .measure(Measure::new("distinct_times", "", "Distinct times of ignition."))
            .measure(Measure::new("most_simultaneous", "", "Most cells that ignite at one time."))
            .measure(Measure::new("outputs", "", "Outputs of cells after the initial ones: one for each that ignites."))
    }

    fn kernels() -> Vec<&'static ModuleSource> {
        vec![kernels::window::source(), kernels::step::source()]
    }

    fn figures() -> Vec<Figures> {
        vec![of_liu_and_wainer()]
    }

    fn moved() -> &'static [(&'static str, &'static [&'static str])] {
        &[("wildfire", OF_LANDSCAPES)]
    }

    fn files() -> &'static [&'static str] {
        &["arrival.asc", "arrival.png", "arrival.apng", "isochrones.geojson"]
    }

    fn new(config: &mut FireConfig) -> Result<Self, Misfit> {
        let FireConfig { width, height, horizon, engine, .. } = *config;
        fits("--width", width.into(), |width| memory::fire(height.into(), width, engine))?;
        if config.ignite.is_empty() {
            config.ignite.push((height.saturating_sub(1), 0));
        }
        Fire::new(height, width, &config.ignite, horizon).map_err(|error| match error {
            FireError::Space(SpaceError::Empty(0)) => Misfit::of("height", error),
            FireError::Space(_) => Misfit::of("width", error),
            FireError::Outside { .. } => Misfit::of("ignite", error),
            FireError::Hours { .. } => Misfit::of("horizon", error),
            _ => error.into(),
        })
    }
}

impl CellSimulation for Fire {
    type Config = FireConfig;
    type Outcome = Outcome;
    type Records = ();

    fn measures(&self) -> Vec<Measure> {
        Self::description().measures
    }

    fn work(&self) -> Option<Work> {
        Some(fire::work(f64::from(self.width()) * f64::from(self.height()), 1.0))
    }

    fn run(&self, setting: Setting<'_, Self>, watch: Watch<'_>) -> Result<Run<Outcome>, ExperimentError> {
        setting.run(self, watch).map_err(|error| match error {
            FireError::Cancelled(_) => interrupted(),
            error => failed(error),
        })
    }

    fn findings(&self, outcome: &Outcome) -> Findings {
        let counts =
            [outcome.cells_burnt, outcome.distinct_times, outcome.most_simultaneous.into(), outcome.cells_burnt];
        Findings {
            events: outcome.cells_burnt,
            values: counts.map(|count| Some(count as f64)).to_vec(),
            digest: outcome.digest(),
            simulated: outcome.horizon.into(),
        }
    }

    fn account(&self, outcome: &Outcome) -> Account {
        let Outcome { height, width, cells_burnt, .. } = *outcome;
        let hours = f64::from(outcome.horizon) / MILLISECONDS_PER_HOUR;
        let cells = u64::from(width) * u64::from(height);
        Account {
            title: "Forest fire",
            answer: Answer {
                question: format!("Which cells does the fire burn within {hours} h, and when?"),
                results: vec![format!("{cells_burnt} of {cells} cells ignite. The map shows when.")],
                certainty: certainty(),
            },
            facts: vec![("grid", format!("{width} columns x {height} rows of {CELL_SIDE} m"))],
            ..Account::default()
        }
    }

    fn exhibits(&self, outcome: &Outcome, _: bool) -> Result<Exhibits, Fault> {
        let hours = |&time: &u32| if time == NEVER { f64::NAN } else { f64::from(time) / MILLISECONDS_PER_HOUR };
        let grid = Grid {
            name: "arrival",
            rows: outcome.height,
            columns: outcome.width,
            side: CELL_SIDE,
            values: outcome.ignition.iter().map(hours).collect(),
            view: GridView::Arrival { sources: self.ignitions().to_vec() },
            caption: "Hours until the fire came, with lines of equal time; stars are where it began.".to_owned(),
        };
        Ok(Exhibits { sections: vec![Section::new("Forest fire", Content::Grid(grid))], ..Exhibits::default() })
    }
}
