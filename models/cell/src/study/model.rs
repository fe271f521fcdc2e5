//! Simulations of cells as models of a catalogue.

use super::experiment::OneRun;
use super::simulation::{CellConfig, Misfit, Setting, SingleSimulation};
use crate::Engine;
use imminent_core::{Device, ModuleSource};
use imminent_study::experiment::{Experiment, Experiments, NO_PICTURES, OptionValues, RunOption};
use imminent_study::laboratory::{Fault, Laboratory, Point};
use imminent_study::{
    Base, Configuration, Description, Figures, GoOn, Keys, Means, Measured, Model, Possible, Single, Singly, Unused,
};
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

/// Model whose runs are simulations of cells, one after the other, each on the whole device.
pub struct CellsModel<S>(PhantomData<fn() -> S>);

/// Returns the model of a simulation.
#[must_use]
pub const fn model<S: SingleSimulation>() -> CellsModel<S> {
    CellsModel(PhantomData)
}

impl<S: SingleSimulation> fmt::Debug for CellsModel<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&S::description().name)
    }
}

impl<S: SingleSimulation> Model for CellsModel<S> {
    fn description(&self) -> Description {
        S::description()
    }

    fn keys(&self) -> Keys {
        Keys::of::<S::Config>()
    }

    fn keys_of_studies(&self) -> &'static [(&'static str, &'static str)] {
        S::keys_of_studies()
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        S::renamed()
    }

    fn moved(&self) -> &'static [(&'static str, &'static [&'static str])] {
        S::moved()
    }

    fn key_of_file(&self, file: &Path, _: &str) -> Option<&'static str> {
        S::key_of_file(file)
    }

    fn unused(&self, base: &Base, point: &Point) -> Vec<Unused> {
        let config = base.config(point).unwrap_or_default();
        S::unused(&config).into_iter().map(|(key, why)| Unused::new(key, why)).collect()
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        S::kernels()
    }

    fn experiments(&self) -> Option<&dyn Experiments> {
        Some(self)
    }

    fn figures() -> Vec<Figures> {
        S::figures()
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let base = Arc::clone(base);
        Box::new(move |point| S::new(&mut base.config(point)?).map(drop).map_err(Misfit::into_fault))
    }

    fn open(&self, base: &Arc<Base>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Ok(Box::new(Singly::new(base, Executor::<S> { device: device.clone(), last: None })))
    }
}

impl<S: SingleSimulation> Experiments for CellsModel<S> {
    fn options(&self) -> &'static [RunOption] {
        S::options()
    }

    fn files(&self) -> &'static [&'static str] {
        S::files()
    }

    fn prepare(&self, configuration: &mut Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault> {
        let mut config = configuration.parse()?;
        let simulation = S::new(&mut config).map_err(|misfit| misfit.told(configuration))?;
        let unused = S::unused(&config).into_iter().map(|(key, why)| Unused::new(key, why));
        let warnings = configuration.check_unused(unused)?;
        let records = simulation.begin_records(&config, given)?;
        let draws = !given.is_given(NO_PICTURES.name);
        Ok(Box::new(OneRun { simulation, config, records, draws, warnings }))
    }
}

/// Executor of runs, with the simulation that was created last.
struct Executor<S: SingleSimulation> {
    device: Device,
    last: Option<(S::Config, S)>,
}

impl<S: SingleSimulation> Single for Executor<S> {
    type Config = S::Config;

    fn run(&mut self, config: &S::Config, seed: u64, go_on: GoOn<'_>) -> Result<Measured, Fault> {
        let kept = self.last.take().filter(|(kept, _)| kept == config);
        let kept = match kept {
            Some(kept) => kept,
            None => (config.clone(), S::new(&mut config.clone()).map_err(Misfit::into_fault)?),
        };
        let simulation = &self.last.insert(kept).1;
        let device = Some(&self.device).filter(|_| config.engine() != Engine::Sequential);
        let setting = Setting { config, seed, device, records: None };
        let outcome = simulation.run(setting, &mut |_| go_on())?.outcome;
        let findings = simulation.findings(&outcome);
        Ok(Measured { events: findings.events, values: findings.values })
    }
}
