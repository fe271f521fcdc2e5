//! Options of `imminent run traffic`: each replaces a value of the configuration file, or a default.

use clap::Args;
use imminent::models::traffic::Metric;
use imminent::models::traffic::TrafficConfig;
use imminent::models::traffic::config::{Demanded, Engine, Generator, SchemeName, bandwidth_unit, delay_unit};
use imminent::models::traffic::fluid::{Precision, Recovery};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use std::path::PathBuf;

/// Source of the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Generator(Generator),
    File(PathBuf),
}

fn source(text: &str) -> Result<Source, String> {
    if text.is_empty() {
        return Err("give `validation`, `campus` or the name of a file".to_owned());
    }
    Ok(word::<Generator>(text).map_or_else(|_| Source::File(PathBuf::from(text)), Source::Generator))
}

/// Options of the network.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub(super) struct TopologyArgs {
    /// Network: validation or campus (the paper's), or a GraphML or SNDlib file.
    #[arg(long, value_name = "WHAT", value_parser = source)]
    pub(super) topology: Option<Source>,
    /// Number of campuses of the network `campus` [default: 4].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    campuses: Option<u32>,
    /// Bandwidth of links without their own, in bits per second [default for a file named here: 1e9].
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(super) bandwidth: Option<f64>,
    /// Delay of links without their own and without positions, in seconds [default for a file named here: 0.01].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) delay: Option<f64>,
    /// Smallest delay that is computed from positions, in seconds [default for a file named here: 0.005].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) least_delay: Option<f64>,
    /// Unit of bandwidths that a file gives as bare numbers, such as Mbps or 1e6 (bits per second); in SNDlib of
    /// demands too [default: in SNDlib as in the file, or else 1e6; in GraphML bps].
    #[arg(long, value_name = "U", allow_negative_numbers = true, value_parser = bandwidth_unit)]
    unit: Option<f64>,
    /// Unit of delays that a GraphML file gives as bare numbers, such as ms or 1e-3 (seconds) [default: s].
    #[arg(long, value_name = "U", allow_negative_numbers = true, value_parser = delay_unit)]
    delay_unit: Option<f64>,
    /// Capacity of each queue, in bytes [default: 5000000].
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    pub(super) buffer: Option<u64>,
    /// Capacity of each queue as a time at its link's rate, in seconds [default for campuses: 0.2; for a file named
    /// here: 0.1].
    #[arg(long, value_name = "S", allow_negative_numbers = true, conflicts_with = "buffer")]
    pub(super) buffer_time: Option<f64>,
    /// Loss probability of links without their own [default: 0].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    loss: Option<f64>,
    /// Metric of the shortest paths, hops or delay [default: hops].
    #[arg(long, value_name = "METRIC", value_parser = word::<Metric>)]
    routing: Option<Metric>,
}

/// Options of flows and demands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Traffic")]
pub(super) struct DemandArgs {
    /// Total demand in bits per second, spread over the pairs of nodes with paths in both directions, in proportion to
    /// their outgoing bandwidths.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(super) gravity: Option<f64>,
    /// Largest number of pairs for --gravity, drawn by the seed [default: all; for a file named here 4000, or fewer if
    /// paths are long].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) pairs: Option<u32>,
    /// CSV file with the columns from, to and rate (bits per second).
    #[arg(long, value_name = "FILE")]
    pub(super) matrix: Option<PathBuf>,
    /// Factor that multiplies all demands [default: 1].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    scale: Option<f64>,
    /// Kind of flow that demands become, udp or tcp [default: udp].
    #[arg(long, value_name = "KIND", value_parser = word::<Demanded>)]
    pub(super) demanded: Option<Demanded>,
    /// Bits per second of a session, if demands become TCP.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(super) session_rate: Option<f64>,
    /// Simulate demands, and all sessions of the networks `validation` and `campus`, as packets instead of fluids.
    #[arg(long)]
    packets: bool,
    /// Number of packet sessions in flow 2 of the network `validation` [default: 0].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    packet_sessions: Option<u32>,
    /// Share of the flows of the network `campus` that are packets [default: 0].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    packet_share: Option<f64>,
}

/// Options of the simulation.
#[derive(Debug, Args)]
#[command(next_help_heading = "Simulation")]
pub(super) struct SimulationArgs {
    /// Simulated time, in seconds [default: 90; for a network that is named alone 20, less if it is large].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) horizon: Option<f64>,
    /// Warm-up that statistics leave out, in seconds [default: 0].
    #[arg(long, alias = "warmup", value_name = "S", allow_negative_numbers = true)]
    warm_up: Option<f64>,
    /// Seed of all random numbers [default: 1].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Engine: fluid, sequential, packets or hybrid [default: depends on the traffic].
    #[arg(long, value_name = "E", value_parser = word::<Engine>)]
    engine: Option<Engine>,
    /// Step of the fluid equations, in seconds [default: 0.0005, or a tenth of the smallest delay if that is less].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) step: Option<f64>,
    /// Accept a step above a tenth of the smallest delay; a warning counts the links with smaller delays.
    #[arg(long)]
    accept_step: bool,
    /// Synchronization of fluids and packets in the engine `hybrid`: asynchronous or lock-step [default: asynchronous].
    #[arg(long, value_name = "SCHEME", value_parser = word::<SchemeName>)]
    scheme: Option<SchemeName>,
    /// Launches per batch of the scheme `asynchronous` [default: 3].
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    batch: Option<u32>,
    /// Longest total queueing delay of fluid on its path, in seconds, for fluids on a device [default: 2].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    waiting: Option<f64>,
    /// Floating-point type in which a device simulates fluids, f32 or f64 [default: f32].
    #[arg(long, value_name = "P", value_parser = word::<Precision>)]
    precision: Option<Precision>,
    /// Reaction of TCP fluids to several losses in one round trip: reno, new-reno or sack [default: reno].
    #[arg(long, value_name = "R", value_parser = word::<Recovery>)]
    recovery: Option<Recovery>,
    /// Interval at which queues and flows are sampled, in seconds [default: a thousandth of the horizon; a hundredth
    /// for large networks].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    sample: Option<f64>,
    /// Largest number of queues, and of flows, in the series over time.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(super) series: usize,
}

impl TopologyArgs {
    /// Returns `true` if an option gives a value of a key of `[topology]`.
    pub(super) fn gives(&self, key: &str) -> bool {
        match key {
            "bandwidth" => self.bandwidth.is_some(),
            "delay" => self.delay.is_some(),
            "least_delay" => self.least_delay.is_some(),
            "buffer" => self.buffer.is_some(),
            "buffer_time" => self.buffer_time.is_some(),
            "loss" => self.loss.is_some(),
            _ => false,
        }
    }

    pub(super) fn apply(&self, config: &mut TrafficConfig) {
        let shape = &mut config.topology;
        shape.campuses = self.campuses.or(shape.campuses);
        shape.bandwidth = self.bandwidth.or(shape.bandwidth);
        shape.delay = self.delay.or(shape.delay);
        replace(&mut shape.least_delay, self.least_delay);
        shape.unit = self.unit.or(shape.unit);
        shape.delay_unit = self.delay_unit.or(shape.delay_unit);
        // The capacity of a queue is given in one of two ways: an option replaces both.
        if self.buffer.is_some() || self.buffer_time.is_some() {
            (shape.buffer, shape.buffer_time, shape.least_buffer) = (self.buffer, self.buffer_time, None);
        }
        shape.loss = self.loss.or(shape.loss);
        replace(&mut config.traffic.routing, self.routing);
    }
}

impl DemandArgs {
    pub(super) fn apply(&self, config: &mut TrafficConfig) {
        let shape = &mut config.traffic;
        shape.gravity = self.gravity.or(shape.gravity);
        shape.pairs = self.pairs.or(shape.pairs);
        shape.matrix = self.matrix.clone().or_else(|| shape.matrix.take());
        shape.scale = self.scale.or(shape.scale);
        replace(&mut shape.demanded, self.demanded);
        shape.session_rate = self.session_rate.or(shape.session_rate);
        shape.packets |= self.packets;
        shape.packet_sessions = self.packet_sessions.or(shape.packet_sessions);
        shape.packet_share = self.packet_share.or(shape.packet_share);
    }
}

impl SimulationArgs {
    /// Returns the option that gives the value of a key of `[run]`, if it is on the command line.
    pub(super) fn option_of(&self, key: &str) -> Option<&'static str> {
        let options = [
            ("step", "--step", self.step.is_some()),
            ("accept_step", "--accept-step", self.accept_step),
            ("rules", "--recovery", self.recovery.is_some()),
            ("waiting", "--waiting", self.waiting.is_some()),
            ("precision", "--precision", self.precision.is_some()),
            ("scheme", "--scheme", self.scheme.is_some()),
            ("batch", "--batch", self.batch.is_some()),
        ];
        options.into_iter().find(|(name, _, given)| *name == key && *given).map(|(_, option, _)| option)
    }

    pub(super) fn apply(&self, config: &mut TrafficConfig) {
        let run = &mut config.run;
        replace(&mut run.horizon, self.horizon);
        replace(&mut run.warm_up, self.warm_up);
        replace(&mut run.seed, self.seed);
        run.engine = self.engine.or(run.engine);
        run.step = self.step.or(run.step);
        run.accept_step |= self.accept_step;
        run.batch = self.batch.or(run.batch);
        // The batch of a file does not apply to lock-step.
        if self.scheme == Some(SchemeName::LockStep) {
            run.batch = self.batch;
        }
        run.scheme = self.scheme.or(run.scheme);
        run.waiting = self.waiting.or(run.waiting);
        run.precision = self.precision.or(run.precision);
        replace(&mut run.rules.recovery, self.recovery);
        run.sample = self.sample.or(run.sample);
    }
}

/// Parses a word by which configurations name a choice.
fn word<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
    let words: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(words).map_err(|error| error.to_string())
}

fn replace<T>(value: &mut T, by: Option<T>) {
    if let Some(by) = by {
        *value = by;
    }
}
