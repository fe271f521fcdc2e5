//! `imminent run manet`: mobile ad hoc networks.

mod folder;
#[cfg(feature = "report")]
mod html;
#[cfg(feature = "report")]
mod map;
mod replication;
mod report;
mod simulate;

use crate::results::ResultsArgs;
use clap::Args;
use imminent::models::manet::config::{ConfigError, Engine, ManetConfig};
use imminent::models::manet::{Network, sequential};
use imminent::models::toml_text;
use imminent::{Work, WorkKind};
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;
use imminent_console::{clock, interrupt};
use report::{Ran, Report};
use simulate::Plan;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `imminent run manet`.
#[derive(Debug, Args)]
pub(crate) struct ManetArgs {
    /// Configuration (TOML), whose values options replace. The default is the first scenario of Table 5-1.
    file: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
    /// Engine: exact, interval or sequential. The first and the last have the same result.
    #[arg(long, value_name = "ENGINE", value_parser = engine)]
    engine: Option<Engine>,
    /// Number of nodes; field and traffic follow Table 5-1 unless they are given.
    #[arg(long, value_name = "N")]
    nodes: Option<u32>,
    /// Width of the field, in metres.
    #[arg(long, value_name = "M")]
    width: Option<f64>,
    /// Height of the field, in metres.
    #[arg(long, value_name = "M")]
    height: Option<f64>,
    /// Transmission range, in metres.
    #[arg(long, value_name = "M")]
    range: Option<f64>,
    /// Packets of each sender in a second.
    #[arg(long, value_name = "PER_S")]
    rate: Option<f64>,
    /// Send to nodes that start within this distance, in metres.
    #[arg(long, value_name = "M")]
    within: Option<f64>,
    /// Movements of the nodes, a file in the format of ns-2's setdest.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Clock interval of the engine `interval`, in seconds.
    #[arg(long, value_name = "S")]
    interval: Option<f64>,
    /// Simulated time, in seconds.
    #[arg(long, value_name = "S")]
    duration: Option<f64>,
    /// Time from which packets count in statistics, in seconds.
    #[arg(long, value_name = "S")]
    warm_up: Option<f64>,
    /// Number of replications.
    #[arg(long, value_name = "N")]
    replications: Option<u32>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Write the movements of the first replication to this file, in the format of ns-2's setdest.
    #[arg(long, value_name = "FILE")]
    write_trace: Option<PathBuf>,
    #[command(flatten)]
    results: ResultsArgs,
}

fn engine(text: &str) -> Result<Engine, String> {
    match text {
        "exact" => Ok(Engine::Exact),
        "interval" => Ok(Engine::Interval),
        "sequential" => Ok(Engine::Sequential),
        _ => Err("use `exact`, `interval` or `sequential`".to_owned()),
    }
}

/// Replaces a value by that of an option, if it was given.
fn replace<T: Clone>(value: &mut T, given: &Option<T>) {
    if let Some(given) = given {
        value.clone_from(given);
    }
}

impl ManetArgs {
    /// Returns the device options for replacement.
    pub(super) fn device_mut(&mut self) -> &mut DeviceArgs {
        &mut self.device
    }

    pub(super) fn run(self) -> Result<(), Failure> {
        let (config, network) = self.network()?;
        let seconds = network.end as f64 / 1e6 * f64::from(config.run.replications);
        let work = Work::new(WorkKind::NodeSeconds, f64::from(network.nodes) * seconds);
        let opened = if config.run.engine == Engine::Sequential {
            self.device.warn_unused("sequential");
            None
        } else {
            Some(self.device.open_for(Some(work))?)
        };
        let plan = Plan {
            network: &network,
            replications: config.run.replications.into(),
            device: opened.as_ref().map(|(device, _)| device),
            keeps_nodes: self.results.named().is_some(),
        };
        plan.check_memory()?;
        let folder = self.results.folder(folder::NAMES)?;
        if let Some(path) = &self.write_trace {
            let trace = sequential::trace(&network, 0).map_err(Failure::usage)?;
            std::fs::write(path, trace.to_string()).map_err(|error| {
                Failure::run(format!("{}: cannot be written: {error}; check its folder", path.display()))
            })?;
        }
        interrupt::watch();
        let began = Instant::now();
        let simulated = plan.simulate()?;
        let ran = Ran { config, network, simulated, opened, wall: began.elapsed(), total: clock::elapsed() };
        let report = Report::new(&ran);
        if let Some(folder) = folder {
            folder.replace(|folder| folder::write(folder, &report, &ran))?;
        }
        if self.results.json {
            imminent_console::print::print_json(&report)?;
        } else {
            imminent_console::print::print_text(&report.text())?;
        }
        report.partial.map_or(Ok(()), |partial| Err(Failure::run(format!("interrupted: {partial}"))))
    }

    /// Reads the configuration, and builds its network.
    fn network(&self) -> Result<(ManetConfig, Network), Failure> {
        let mut config = match &self.file {
            Some(path) => ManetConfig::from_file(path).map_err(Failure::usage)?,
            None => ManetConfig::default(),
        };
        let ManetConfig { network, traffic, run, .. } = &mut config;
        network.nodes = self.nodes.or(network.nodes);
        replace(&mut network.range, &self.range);
        for (value, given) in [
            (&mut network.width, self.width),
            (&mut network.height, self.height),
            (&mut traffic.rate, self.rate),
            (&mut traffic.within, self.within),
        ] {
            *value = given.or(*value);
        }
        network.trace = self.trace.clone().or(network.trace.take());
        replace(&mut run.engine, &self.engine);
        replace(&mut run.interval, &self.interval);
        replace(&mut run.duration, &self.duration);
        replace(&mut run.warm_up, &self.warm_up);
        replace(&mut run.replications, &self.replications);
        replace(&mut run.seed, &self.seed);
        let network = config.build().or_else(|error| Err(self.located(error)?))?;
        if self.interval.is_some() && config.run.engine != Engine::Interval {
            let text = "--interval: only the engine `interval` has a clock; add `--engine interval`, or leave it out";
            return Err(Failure::usage(text));
        }
        config.network.nodes = Some(network.nodes);
        Ok((config, network))
    }

    /// Adds file and line to an error of a configuration.
    fn located(&self, error: ConfigError) -> Result<Failure, Failure> {
        Ok(Failure::usage(match &self.file {
            Some(path) => error.located(&toml_text::read(path).map_err(Failure::usage)?, &path.display().to_string()),
            None => error,
        }))
    }
}
