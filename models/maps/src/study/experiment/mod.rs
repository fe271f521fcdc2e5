//! One fire, or an ensemble, with its outcome.

mod ignition;
mod many;
mod one;
mod points;
mod potential;
mod scene;
mod tables;
mod weather;

use super::config::WildfireConfig;
use super::measures::measures;
use crate::plate::Files;
use imminent_cell::Run;
use imminent_cell::fire;
use imminent_cell::landscape::{self, Ensemble, Report, WildfireError};
use imminent_cell::runner::Watch;
use imminent_cell::study::{Account, CellSimulation, Exhibits, Findings, Misfit, OneRun, Setting, failed, interrupted};
use imminent_common::estimate::Confidence;
use imminent_core::{Progress, Work};
use imminent_study::description::Measure;
use imminent_study::experiment::{
    CONFIDENCE, Experiment, ExperimentError, Experiments, NO_PICTURES, OptionValues, RunOption,
};
use imminent_study::laboratory::Fault;
use imminent_study::{Configuration, Keys, Unused};
use potential::PotentialRun;
use scene::Scene;

/// Experiments of fires on landscapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fires;

impl Experiments for Fires {
    fn options(&self) -> &'static [RunOption] {
        &[NO_PICTURES, CONFIDENCE]
    }

    fn tables(&self) -> &'static [&'static str] {
        &["arrivals", "growth", "sizes", "weathers"]
    }

    fn files(&self) -> &'static [&'static str] {
        &[
            "arrival.tif",
            "arrival.asc",
            "arrival.prj",
            "arrival.png",
            "arrival.apng",
            "arrival_10.tif",
            "arrival_10.asc",
            "arrival_10.prj",
            "arrival_50.tif",
            "arrival_50.asc",
            "arrival_50.prj",
            "arrival_90.tif",
            "arrival_90.asc",
            "arrival_90.prj",
            "burn_probability.tif",
            "burn_probability.asc",
            "burn_probability.prj",
            "burn_probability.png",
            "crown.tif",
            "crown.asc",
            "crown.prj",
            "flame_length.tif",
            "flame_length.asc",
            "flame_length.prj",
            "flame_length.png",
            "flames_0_2ft.tif",
            "flames_0_2ft.asc",
            "flames_0_2ft.prj",
            "flames_2_4ft.tif",
            "flames_2_4ft.asc",
            "flames_2_4ft.prj",
            "flames_4_6ft.tif",
            "flames_4_6ft.asc",
            "flames_4_6ft.prj",
            "flames_6_8ft.tif",
            "flames_6_8ft.asc",
            "flames_6_8ft.prj",
            "flames_8_12ft.tif",
            "flames_8_12ft.asc",
            "flames_8_12ft.prj",
            "flames_above_12ft.tif",
            "flames_above_12ft.asc",
            "flames_above_12ft.prj",
            "heat_per_area.tif",
            "heat_per_area.asc",
            "heat_per_area.prj",
            "horizontal_rate.tif",
            "horizontal_rate.asc",
            "horizontal_rate.prj",
            "intensity.tif",
            "intensity.asc",
            "intensity.prj",
            "isochrones.geojson",
            "midflame_wind.tif",
            "midflame_wind.asc",
            "midflame_wind.prj",
            "perimeter.geojson",
            "spread_direction.tif",
            "spread_direction.asc",
            "spread_direction.prj",
            "spread_rate.tif",
            "spread_rate.asc",
            "spread_rate.prj",
            "spread_rate.png",
        ]
    }

    fn prepare(&self, configuration: &mut Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault> {
        let mut config: WildfireConfig = configuration.parse()?;
        let unused = config.unused().into_iter().map(|(key, why)| Unused::new(key, why));
        let warnings = configuration.check_unused(unused.chain(unused_in_run(&config, configuration.keys())))?;
        let draws = !given.is_given(NO_PICTURES.name);
        let mut scene = Scene::read(&config).map_err(|misfit| misfit.told(configuration))?;
        scene.warnings.extend(warnings);
        if config.has_files() {
            config.grid_declination = scene.landscape.declination().at(0.5, 0.5).to_string();
        }
        if let Some(hour) = config.behaviour {
            if given.is_given(CONFIDENCE.name) {
                return Err("--confidence: 'behaviour' has no interval: leave it out".into());
            }
            return Ok(Box::new(PotentialRun { scene, config, hour, draws }));
        }
        let burning = Burning::new(&scene, &config).map_err(|misfit| misfit.told(configuration))?;
        config.ignite.clone_from(&scene.lit.points);
        config.weathers = config.fires.map(|_| scene.scenarios.len() as u32);
        let (fires, large, confidence) = (config.fires.unwrap_or(1).into(), config.large, given.confidence()?);
        if config.fires.is_none() && given.is_given(CONFIDENCE.name) {
            return Err("--confidence: one fire has no interval: give 'fires', or leave it out".into());
        }
        let simulation = Fire { scene, burning, fires, large, confidence };
        Ok(Box::new(OneRun { simulation, config, records: None, draws, warnings: vec![] }))
    }
}

/// Keys of fires that spread from cell to cell.
const OF_SPREAD: [&str; 16] = [
    "at",
    "corners",
    "directions",
    "engine",
    "fires",
    "flame_probabilities",
    "horizon",
    "ignite",
    "ignite_at",
    "ignite_file",
    "large",
    "length_to_width",
    "row",
    "column",
    "seed",
    "weathers",
];

/// Returns keys that have no effect in a run, each with the reason.
fn unused_in_run(config: &WildfireConfig, keys: &Keys) -> Vec<Unused> {
    let mut unused = vec![];
    if config.behaviour.is_some() {
        unused.extend(OF_SPREAD.map(|key| Unused::new(key, "`behaviour` lights no cell")));
    } else if config.fires.is_none() {
        let why = "only `fires` draws cells and weathers";
        unused.extend(["seed", "weathers"].map(|key| Unused::new(key, why)));
        unused.push(Unused::new("flame_probabilities", "one fire has no probabilities: `flame_length` is written"));
    }
    unused.extend(unused_with_weather(config, keys));
    unused
}

/// Returns keys that have no effect beside files of weather, or without them.
fn unused_with_weather(config: &WildfireConfig, keys: &Keys) -> Vec<Unused> {
    let has_stream = config.weather.iter().any(|file| weather::is_stream(file));
    let has_table = config.weather.iter().any(|file| !weather::is_stream(file));
    let mut unused = vec![];
    if !config.weather.is_empty() {
        let begins = |key: &str| ["wind", "moisture", "foliar"].iter().any(|of| key.starts_with(of));
        let has_effect = |key: &str| match key {
            "wind_units" | "wind_height" => has_table || !config.wind_speeds.is_empty(),
            "wind_speeds" | "wind_directions" | "wind_step" | "wind_grids" | "wind_north" => true,
            // Rasters have it, as is told.
            "wind" | "wind_spread" | "wind_from" | "wind_from_spread" => config.has_winds(),
            // A stream has no moistures.
            "foliar" => has_stream,
            _ => has_stream && key.starts_with("moisture") && !key.ends_with("spread"),
        };
        let all = keys.all();
        let of_weather = all.iter().filter(|key| key.name == "weathers" || begins(&key.name) && !has_effect(&key.name));
        unused.extend(of_weather.map(|key| Unused::new(&key.name, "`weather` has it")));
    }
    if !config.wind_grids.is_empty() && !has_table {
        let why = "`wind_grids` tells them";
        unused.extend(["wind_units", "wind_height"].map(|key| Unused::new(key, why)));
    }
    if !has_stream {
        let why = "`weather` names no weather stream, `.wxs` or `.fw21`";
        unused.push(Unused::new("conditioning", why));
        if config.wind_grids.is_empty() {
            unused.push(Unused::new("start", why));
        }
    }
    unused
}

/// One fire, or an ensemble.
enum Burning {
    One(landscape::Wildfire),
    Many(Ensemble),
}

impl Burning {
    fn new(scene: &Scene, config: &WildfireConfig) -> Result<Self, Misfit> {
        let told = |error: WildfireError| match error {
            WildfireError::Outside { .. } | WildfireError::Unburnable { .. } | WildfireError::NothingBurns
                if config.has_files() =>
            {
                let file = if config.layers.is_empty() { &config.fuel } else { &config.layers };
                Misfit::other(format!("{file}: {error}"))
            }
            WildfireError::Weather(error) if config.weather.is_empty() => weather::refused(error),
            WildfireError::Hours { .. } => Misfit::of("horizon", error),
            WildfireError::Fires { .. } => Misfit::of("fires", error),
            error => error.into(),
        };
        let landscape = scene.landscape.clone();
        match config.fires {
            None => {
                let weather = scene.scenarios.first().map_or(&[][..], |scenario| &scenario.weather);
                let fire = landscape::Wildfire::new(landscape, weather, &scene.lit.cells, config.horizon);
                fire.map(Burning::One).map_err(told)
            }
            Some(fires) => {
                let weathers: Vec<_> = scene.scenarios.iter().map(|scenario| scenario.weather.clone()).collect();
                let ensemble = Ensemble::drawn(landscape, &weathers, fires, config.seed, config.horizon)
                    .and_then(|ensemble| ensemble.with_points(&scene.points))
                    .map_err(told)?;
                Ok(Burning::Many(if config.flame_probabilities { ensemble.with_flames() } else { ensemble }))
            }
        }
    }
}

/// One fire or an ensemble of a configuration.
struct Fire {
    scene: Scene,
    burning: Burning,
    fires: u64,
    /// Hectares above which a fire is large.
    large: f64,
    /// Confidence of the interval of an ensemble.
    confidence: Confidence,
}

/// Outcome of one fire or of an ensemble.
enum Burnt {
    One(landscape::Outcome),
    Many(landscape::Burnt),
}

impl CellSimulation for Fire {
    type Config = WildfireConfig;
    type Outcome = Burnt;
    type Records = ();

    fn measures(&self) -> Vec<Measure> {
        match self.burning {
            Burning::One(_) => [&measures()[..], &one::measures()].concat(),
            Burning::Many(_) => [&measures()[..], &many::measures()].concat(),
        }
    }

    fn work(&self) -> Option<Work> {
        Some(fire::work(self.scene.landscape.cells() as f64, self.fires as f64))
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        match self.burning {
            Burning::One(_) => (None, "steps"),
            Burning::Many(_) => (Some(self.fires), "fires"),
        }
    }

    fn has_partial_outcomes(&self) -> bool {
        matches!(self.burning, Burning::Many(_))
    }

    fn run(&self, setting: Setting<'_, Self>, watch: Watch<'_>) -> Result<Run<Burnt>, ExperimentError> {
        let ran = match &self.burning {
            Burning::One(fire) => setting.run(fire, watch).map(|ran| ran.map(Burnt::One)),
            Burning::Many(ensemble) => {
                let mut over = 0;
                let ran = setting.run(ensemble, &mut |report| {
                    over += u64::from(matches!(report, Report::Ended { .. }));
                    watch(Progress { steps: over })
                });
                ran.map(|ran| ran.map(Burnt::Many))
            }
        };
        ran.map_err(|error| match error {
            WildfireError::Cancelled(_) => interrupted(),
            WildfireError::Device(_) | WildfireError::Memory { .. } | WildfireError::TooLarge { .. } => failed(error),
            error => ExperimentError::Invalid(error.into()),
        })
    }

    fn findings(&self, outcome: &Burnt) -> Findings {
        match outcome {
            Burnt::One(outcome) => one::findings(&self.scene, outcome, self.large),
            Burnt::Many(burnt) => many::findings(&self.scene, burnt, self.large),
        }
    }

    fn account(&self, outcome: &Burnt) -> Account {
        match outcome {
            Burnt::One(outcome) => one::account(&self.scene, outcome),
            Burnt::Many(burnt) => {
                let (over, all) = (u64::from(burnt.fires), self.fires);
                let partial = (over < all).then(|| format!("{over} of {all} fires"));
                Account { partial, ..many::account(&self.scene, burnt, self.confidence) }
            }
        }
    }

    fn exhibits(&self, outcome: &Burnt, with_pictures: bool) -> Result<Exhibits, Fault> {
        let (mut files, mut sections) = (Files::new(with_pictures), vec![]);
        let tables = match (&self.burning, outcome) {
            (Burning::One(fire), Burnt::One(outcome)) => {
                one::exhibits(&self.scene, fire, outcome, &mut files, &mut sections)?
            }
            (Burning::Many(ensemble), Burnt::Many(burnt)) => {
                many::exhibits(&self.scene, ensemble, burnt, &mut files, &mut sections)?
            }
            _ => vec![],
        };
        Ok(Exhibits { sections, files: files.list, tables })
    }
}
