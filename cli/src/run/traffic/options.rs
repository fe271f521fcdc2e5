//! Options of `imminent run traffic`: each replaces the value of a configuration file, or of the default.

use super::super::networks::word;
use super::super::options::replace;
use clap::Args;
use imminent::models::traffic::Metric;
use imminent::models::traffic::TrafficConfig;
use imminent::models::traffic::config::{Demanded, Engine, Generator, SchemeName};
use imminent::models::traffic::fluid::{Precision, Recovery};
use std::path::PathBuf;

/// Where the network comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Generator(Generator),
    File(PathBuf),
}

fn source(text: &str) -> Result<Source, String> {
    Ok(word::<Generator>(text).map_or_else(|_| Source::File(PathBuf::from(text)), Source::Generator))
}

/// The network.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub(super) struct TopologyArgs {
    /// The network: validation or campus, the paper's; or a GraphML or SNDlib file.
    #[arg(long, value_name = "WHAT", value_parser = source)]
    pub(super) topology: Option<Source>,
    /// Campuses of the network `campus` [default: 4].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    campuses: Option<u32>,
    /// Bandwidth of links that give none, in bits per second [default for a file named here: 1e9].
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(super) bandwidth: Option<f64>,
    /// Delay of links that give none and have no places from which it would follow, in seconds [default for a file named here: 0.01].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) delay: Option<f64>,
    /// The least delay that follows from places, in seconds [default for a file named here: 0.005].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) least_delay: Option<f64>,
    /// Bits per second in the unit of an SNDlib file's capacities and demands [default: what the file says, or else 1e6].
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    unit: Option<f64>,
    /// Bytes that a queue takes [default: 5000000].
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    pub(super) buffer: Option<u64>,
    /// Seconds of its link's rate that a queue takes, instead [default for campuses: 0.2; for a file named here: 0.1].
    #[arg(long, value_name = "S", allow_negative_numbers = true, conflicts_with = "buffer")]
    pub(super) buffer_time: Option<f64>,
    /// Share of what links send that is lost on the way at random, for links that give none [default: 0].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    loss: Option<f64>,
    /// Which paths are shortest, hops or delay [default: hops].
    #[arg(long, value_name = "METRIC", value_parser = word::<Metric>)]
    routing: Option<Metric>,
}

/// What flows over it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Traffic")]
pub(super) struct DemandArgs {
    /// Bits per second, spread over the pairs of nodes with paths there and back in proportion to the bandwidths that leave them.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(super) gravity: Option<f64>,
    /// The most pairs that --gravity is spread over, drawn by the seed [default: all; for a file named here 4000, or fewer where ways are long].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) pairs: Option<u32>,
    /// CSV file with the columns from, to and rate (bits per second).
    #[arg(long, value_name = "FILE")]
    pub(super) matrix: Option<PathBuf>,
    /// What demands are multiplied by [default: 1].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    scale: Option<f64>,
    /// What demands become, udp or tcp [default: udp].
    #[arg(long, value_name = "KIND", value_parser = word::<Demanded>)]
    pub(super) demanded: Option<Demanded>,
    /// Bits per second of a session, where demands become TCP.
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub(super) session_rate: Option<f64>,
    /// Demands become packets instead of fluids, and so do all sessions of the networks `validation` and `campus`.
    #[arg(long)]
    packets: bool,
    /// Sessions of flow 2 that are packets, of the network `validation` [default: 0].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    packet_sessions: Option<u32>,
    /// Share of the flows that are packets, of the network `campus` [default: 0].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    packet_share: Option<f64>,
}

/// How it is simulated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Simulation")]
pub(super) struct SimulationArgs {
    /// How long to simulate, in seconds [default: 90; of a network that is named alone 20, less where it is large].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) horizon: Option<f64>,
    /// What of the beginning is not counted, in seconds [default: 0].
    #[arg(long, alias = "warmup", value_name = "S", allow_negative_numbers = true)]
    warm_up: Option<f64>,
    /// Seed of all random numbers [default: 1].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Engine: fluid, sequential, packets or hybrid [default: by what there is to simulate].
    #[arg(long, value_name = "E", value_parser = word::<Engine>)]
    engine: Option<Engine>,
    /// Step of the fluid equations, in seconds [default: 0.0005, or a tenth of the smallest delay if that is less].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) step: Option<f64>,
    /// Accept a step above a tenth of the smallest delay; the links that it is too long for are told.
    #[arg(long)]
    accept_step: bool,
    /// How the engine `hybrid` lets fluids and packets wait for each other: asynchronous or lock-step [default: asynchronous].
    #[arg(long, value_name = "SCHEME", value_parser = word::<SchemeName>)]
    scheme: Option<SchemeName>,
    /// Launches of a batch, of the scheme `asynchronous` [default: 3].
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    batch: Option<u32>,
    /// The longest that fluid waits in all queues of its way together, in seconds, for the engine `fluid` [default: 2].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    waiting: Option<f64>,
    /// The numbers in which a device simulates fluids, f32 or f64 [default: f32].
    #[arg(long, value_name = "P", value_parser = word::<Precision>)]
    precision: Option<Precision>,
    /// How fluids of TCP get over several losses of one round trip: reno, new-reno or sack [default: reno].
    #[arg(long, value_name = "R", value_parser = word::<Recovery>)]
    recovery: Option<Recovery>,
    /// How often queues and flows are looked at, in seconds [default: a thousandth of the horizon; a hundredth for large networks].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    sample: Option<f64>,
    /// The most queues, and the most flows, that a series over time is kept of.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(super) series: usize,
}

impl TopologyArgs {
    pub(super) fn apply(&self, config: &mut TrafficConfig) {
        let shape = &mut config.topology;
        shape.campuses = self.campuses.or(shape.campuses);
        shape.bandwidth = self.bandwidth.or(shape.bandwidth);
        shape.delay = self.delay.or(shape.delay);
        replace(&mut shape.least_delay, self.least_delay);
        shape.unit = self.unit.or(shape.unit);
        // A queue's room is said in one of two ways: an option replaces either.
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
    pub(super) fn apply(&self, config: &mut TrafficConfig) {
        let run = &mut config.run;
        replace(&mut run.horizon, self.horizon);
        replace(&mut run.warm_up, self.warm_up);
        replace(&mut run.seed, self.seed);
        run.engine = self.engine.or(run.engine);
        run.step = self.step.or(run.step);
        run.accept_step |= self.accept_step;
        run.batch = self.batch.or(run.batch);
        // A batch that a file gives is none of lock-step's.
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
