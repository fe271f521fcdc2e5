//! Network traffic as a [`Model`] of a catalogue: networks and flows of [configurations](crate::config).
//!
//! A run is one simulation, whose random numbers come from its seed alone. Runs are executed one after the other, each
//! by the engine that its configuration names or that its traffic asks for.

mod measures;
#[cfg(test)]
mod tests;

use crate::experiment::Scenarios;
use crate::fluid::kernels;
use crate::simulation::{Kept, Results, Setup, warnings};
use crate::{TrafficConfig, benchmarks, figures};
use imminent_common::graph::is_graph;
use imminent_core::{Device, ModuleSource};
use imminent_study::experiment::Experiments;
use imminent_study::laboratory::{Fault, Laboratory, Point};
use imminent_study::{
    Base, Benchmark, Description, Figures, GoOn, Keys, Means, Measured, Model, Possible, Single, Singly, Unused,
};
use std::path::Path;
use std::sync::Arc;

/// Network traffic, as fluids and as packets.
#[derive(Debug, Clone, Copy)]
pub struct NetworkTraffic;

impl Model for NetworkTraffic {
    fn description(&self) -> Description {
        let description = Description::new("traffic", "1", "Network traffic as fluids and as packets.");
        measures::described(description.length("run.horizon"))
    }

    fn keys(&self) -> Keys {
        Keys::of::<TrafficConfig>()
    }

    fn keys_of_studies(&self) -> &'static [(&'static str, &'static str)] {
        &[("run.seed", "`seed`"), ("run.replications", "`repetitions`")]
    }

    fn key_of_file(&self, _: &Path, text: &str) -> Option<&'static str> {
        is_graph(text).then_some("topology.file")
    }

    fn alternatives(&self) -> &'static [&'static [&'static str]] {
        &[&["buffer", "buffer_time"], &["buffer", "least_buffer"]]
    }

    fn experiments(&self) -> Option<&dyn Experiments> {
        Some(&Scenarios)
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        [kernels::sources(), kernels::double_sources()].concat()
    }

    fn benchmarks() -> Vec<Benchmark> {
        benchmarks::all()
    }

    fn figures() -> Vec<Figures> {
        figures::all()
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let base = Arc::clone(base);
        Box::new(move |point| {
            let config: TrafficConfig = base.config(point)?;
            let built = config.build()?;
            Setup::new(&config, &built.traffic)?;
            Ok(())
        })
    }

    fn unused(&self, base: &Base, point: &Point) -> Vec<Unused> {
        let unused = || -> Result<Vec<Unused>, Fault> {
            let config: TrafficConfig = base.config(point)?;
            let built = config.build()?;
            let engine = Setup::new(&config, &built.traffic)?.engine();
            Ok(warnings::unused(engine, &config, &built))
        };
        // Points are possible.
        unused().unwrap_or_default()
    }

    fn open(&self, base: &Arc<Base>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Ok(Box::new(Singly::new(base, Simulations { device: device.clone() })))
    }
}

/// Executor of one simulation at a time.
struct Simulations {
    device: Device,
}

impl Single for Simulations {
    type Config = TrafficConfig;

    fn run(&mut self, config: &TrafficConfig, seed: u64, go_on: GoOn<'_>) -> Result<Measured, Fault> {
        let mut config = config.clone();
        config.run.seed = seed;
        let traffic = config.traffic()?;
        let setup = Setup::new(&config, &traffic)?;
        let record = setup.begin(Some(&self.device))?.run(Kept::MeansAlone, &mut |_| go_on())?;
        let events = record.packets.as_ref().map_or(0, |packets| packets.events);
        let values = measures::values(&Results::of(&traffic, &record));
        Ok(Measured { events: events + setup.fluid_steps(), values })
    }
}
