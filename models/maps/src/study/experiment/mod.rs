//! One fire, or an ensemble, with its outcome.

mod ignition;
mod many;
mod one;
mod scene;
mod tables;
mod weather;

use super::config::WildfireConfig;
use super::measures::measures;
use crate::plate::Files;
use imminent_cell::fire::IGNITIONS;
use imminent_cell::landscape::{Ensemble, Report, WildfireError};
use imminent_cell::study::{CellConfig, Misfit, failed, interrupted, outcome, phases};
use imminent_cell::{Engine, landscape};
use imminent_core::clock::Instant;
use imminent_core::{Device, Work};
use imminent_study::experiment::{
    Detail, Experiment, ExperimentError, Experiments, Given, NO_PICTURES, Progress, RunOption, RunsOn,
};
use imminent_study::laboratory::Fault;
use imminent_study::outcome::Outcome;
use imminent_study::{Configuration, Unused};
use scene::Scene;
use std::ops::ControlFlow;

/// Experiments of fires on landscapes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fires;

impl Experiments for Fires {
    fn options(&self) -> &'static [RunOption] {
        &[NO_PICTURES]
    }

    fn tables(&self) -> &'static [&'static str] {
        &["growth", "sizes", "weathers"]
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
            "horizontal_rate.tif",
            "horizontal_rate.asc",
            "horizontal_rate.prj",
            "intensity.tif",
            "intensity.asc",
            "intensity.prj",
            "isochrones.geojson",
            "spread_rate.tif",
            "spread_rate.asc",
            "spread_rate.prj",
        ]
    }

    fn prepare(&self, configuration: &Configuration, given: &Given) -> Result<Box<dyn Experiment>, Fault> {
        let mut config: WildfireConfig = configuration.parse()?;
        let unused = config.unused().into_iter().chain(unused_in_run(&config));
        let warnings = configuration.check_unused(unused.map(|(key, why)| Unused::new(key, why)))?;
        let draws = !given.is_given(NO_PICTURES.name);
        let mut scene = Scene::read(&config).map_err(|misfit| misfit.told(configuration))?;
        scene.warnings.extend(warnings);
        let burning = Burning::new(&scene, &config).map_err(|misfit| misfit.told(configuration))?;
        config.ignite.clone_from(&scene.lit);
        config.weathers = config.fires.map(|_| scene.scenarios.len() as u32);
        if !config.elevation.is_empty() {
            config.grid_declination = scene.landscape.declination().at(0.5, 0.5).to_string();
        }
        Ok(Box::new(Fire { config, scene, burning, draws }))
    }
}

/// Returns keys that have no effect in a run, each with the reason.
fn unused_in_run(config: &WildfireConfig) -> Vec<(&'static str, &'static str)> {
    let mut unused = vec![];
    if config.fires.is_none() {
        let why = "only `fires` draws cells and weathers";
        unused.extend([("seed", why), ("weathers", why)]);
    }
    if !config.weather.is_empty() {
        let keys = [
            "wind",
            "wind_spread",
            "wind_from",
            "wind_from_spread",
            "moisture_1h",
            "moisture_10h",
            "moisture_100h",
            "moisture_spread",
            "moisture_1h_spread",
            "moisture_10h_spread",
            "moisture_100h_spread",
            "moisture_herb",
            "moisture_herb_spread",
            "moisture_wood",
            "moisture_wood_spread",
            "foliar",
            "foliar_spread",
            "weathers",
        ];
        unused.extend(keys.map(|key| (key, "`weather` has it")));
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
                if !config.fuel.is_empty() =>
            {
                Misfit::other(format!("{}: {error}", config.fuel))
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
                let fire = landscape::Wildfire::new(landscape, weather, &scene.lit, config.horizon);
                fire.map(Burning::One).map_err(told)
            }
            Some(fires) => {
                let weathers: Vec<_> = scene.scenarios.iter().map(|scenario| scenario.weather.clone()).collect();
                let ensemble = Ensemble::drawn(landscape, &weathers, fires, config.seed, config.horizon);
                ensemble.map(Burning::Many).map_err(told)
            }
        }
    }
}

/// One fire or an ensemble of a configuration.
struct Fire {
    config: WildfireConfig,
    scene: Scene,
    burning: Burning,
    /// `true` to draw pictures.
    draws: bool,
}

impl Fire {
    fn fires(&self) -> u64 {
        self.config.fires.unwrap_or(1).into()
    }

    /// Adds what a folder of results has besides.
    fn exhibit(
        &self,
        outcome: &mut Outcome,
        add: impl FnOnce(&mut Files, &mut Outcome) -> Result<(), Fault>,
    ) -> Result<(), ExperimentError> {
        let mut files = Files::new(self.draws);
        add(&mut files, outcome).map_err(ExperimentError::Failed)?;
        outcome.files = files.list;
        Ok(())
    }
}

impl Experiment for Fire {
    /// Each cell burns once at most.
    fn place(&self) -> RunsOn {
        match self.config.engine() {
            Engine::Sequential => RunsOn::Host("sequential"),
            _ => RunsOn::Device(Some(Work::new(IGNITIONS, self.fires() as f64 * self.scene.landscape.cells() as f64))),
        }
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        match self.burning {
            Burning::One(_) => (None, "steps"),
            Burning::Many(_) => (Some(self.fires()), "fires"),
        }
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        let (began, all, engine) = (Instant::now(), self.fires(), self.config.engine());
        let is_many = matches!(self.burning, Burning::Many(_));
        let mut step = |done: u64| watch(Progress { done, all, now: String::new(), has_results: is_many && done > 0 });
        let config = serde_json::to_value(&self.config).unwrap_or_default();
        match &self.burning {
            Burning::One(fire) => {
                let ran = match device {
                    Some(device) => fire.run(device, engine, &mut |now| step(now.steps)),
                    None => fire.run_sequentially_while(&mut |now| step(now.steps)),
                };
                let ran = ran.map_err(told)?;
                let findings = one::findings(&self.scene, &ran.outcome, self.config.large);
                let account = one::account(&self.scene, &ran.outcome);
                let measures = [&measures()[..], &one::measures()].concat();
                let mut result = outcome(&measures, config, &ran, findings, account, phases(&ran.spent, began));
                if detail == Detail::Full {
                    self.exhibit(&mut result, |files, result| {
                        let sections = &mut result.sections;
                        result.tables = one::exhibits(&self.scene, fire, &ran.outcome, files, sections)?;
                        Ok(())
                    })?;
                }
                Ok(result)
            }
            Burning::Many(ensemble) => {
                let mut over = 0;
                let ran = match device {
                    Some(device) => ensemble.run_each(device, engine, &mut |report| {
                        over += u64::from(matches!(report, Report::Ended { .. }));
                        step(over)
                    }),
                    None => ensemble.run_sequentially_while(&mut |now| step(now.steps)),
                };
                let ran = ran.map_err(told)?;
                let fires = u64::from(ran.outcome.fires);
                let findings = many::findings(&self.scene, &ran.outcome, self.config.large);
                let account = many::account(&self.scene, &ran.outcome);
                let measures = [&measures()[..], &many::measures()].concat();
                let mut result = outcome(&measures, config, &ran, findings, account, phases(&ran.spent, began));
                result.partial = (fires < all).then(|| format!("{fires} of {all} fires"));
                if detail == Detail::Full {
                    self.exhibit(&mut result, |files, result| {
                        let sections = &mut result.sections;
                        result.tables = many::exhibits(&self.scene, ensemble, &ran.outcome, files, sections)?;
                        Ok(())
                    })?;
                }
                Ok(result)
            }
        }
    }
}

fn told(error: WildfireError) -> ExperimentError {
    match error {
        WildfireError::Cancelled { .. } => interrupted(),
        WildfireError::Device(_) | WildfireError::Memory { .. } | WildfireError::TooLarge { .. } => failed(error),
        error => ExperimentError::Invalid(error.into()),
    }
}
