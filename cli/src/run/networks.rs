//! Options of the network models: each replaces a value of the configuration file, or a default.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use imminent::models::queueing::config::{GenerateShape, NetworkConfig, NetworkShape};
use imminent::models::queueing::law::{LawName, LawShape};
use imminent::models::queueing::network::{Discipline, Network, Overflow, Routing};
use imminent_console::Failure;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use std::path::{Path, PathBuf};

/// Options of a network.
#[derive(Debug, Args)]
pub(crate) struct NetworkArgs {
    /// GraphML or TOML file.
    pub(super) file: Option<PathBuf>,
    /// Node of a GraphML file, by id or label, that is a source of tokens; may be given several times.
    #[arg(long, value_name = "NODE", value_parser = NonEmptyStringValueParser::new())]
    source: Vec<String>,
    /// Node of a GraphML file that is a sink: tokens that are sent there leave the network; may be given several times.
    #[arg(long, value_name = "NODE", value_parser = NonEmptyStringValueParser::new())]
    sink: Vec<String>,
    /// Mean of the exponential time between tokens, for sources of a GraphML file without their own, in time units.
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    interarrival: Option<f64>,
    #[command(flatten)]
    stations: StationArgs,
}

impl NetworkArgs {
    /// Refuses options whose values no node takes.
    pub(super) fn check_used(&self, network: &Network) -> Result<(), Failure> {
        let stray = network.unused().iter().find(|(key, _)| self.gives(key));
        stray.map_or(Ok(()), |(key, why)| Err(Failure::usage(format!("{key}: {why}: leave it out, or remove theirs"))))
    }

    /// Returns `true` if an option gives a value of a key.
    fn gives(&self, key: &str) -> bool {
        let stations = &self.stations;
        match key {
            "network.mean" => stations.mean.is_some(),
            "network.service" => stations.law.is_some(),
            "network.tokens" => stations.tokens.is_some(),
            "network.servers" => stations.servers.is_some(),
            "network.discipline" => stations.discipline.is_some(),
            "network.capacity" => stations.capacity.is_some(),
            "network.overflow" => stations.overflow.is_some(),
            "network.routing" => stations.routing.is_some(),
            "network.graph_interarrival" => self.interarrival.is_some(),
            _ => false,
        }
    }

    pub(super) fn apply(&self, shape: &mut NetworkShape) {
        self.stations.apply(shape);
        if !self.source.is_empty() {
            shape.graph_sources.clone_from(&self.source);
        }
        if !self.sink.is_empty() {
            shape.graph_sinks.clone_from(&self.sink);
        }
        if self.interarrival.is_some() {
            let law = LawShape { mean: self.interarrival, ..LawShape::named(LawName::Exponential) };
            shape.graph_interarrival = Some(law);
        }
    }
}

/// Defaults for stations.
#[derive(Debug, Args)]
#[command(next_help_heading = "Stations that do not say otherwise")]
struct StationArgs {
    /// Tokens of the first class at the start [default: 1 in a closed network].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    tokens: Option<u32>,
    /// Mean service time, in time units [default: 10 in a closed network].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    mean: Option<f64>,
    /// Service law: exponential, deterministic, uniform, erlang, hyper-exponential, gamma, log-normal or weibull
    /// [default: exponential].
    #[arg(long, value_name = "LAW", value_parser = word::<LawName>)]
    law: Option<LawName>,
    /// Coefficient of variation of a law that takes one.
    #[arg(long, value_name = "X", requires = "law", allow_negative_numbers = true)]
    cv: Option<f64>,
    /// Shape of a gamma or Weibull law.
    #[arg(long, value_name = "K", requires = "law", allow_negative_numbers = true)]
    shape: Option<f64>,
    /// Stages of an Erlang law.
    #[arg(long, value_name = "N", requires = "law", allow_negative_numbers = true)]
    stages: Option<u32>,
    /// Least duration of a uniform law, in time units.
    #[arg(long, value_name = "T", requires = "law", allow_negative_numbers = true)]
    low: Option<f64>,
    /// Greatest duration of a uniform law, in time units.
    #[arg(long, value_name = "T", requires = "law", allow_negative_numbers = true)]
    high: Option<f64>,
    /// Servers [default: 1].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    servers: Option<u32>,
    /// Order of service: fifo, lifo, random or priority [default: fifo].
    #[arg(long, value_name = "WHO", value_parser = word::<Discipline>)]
    discipline: Option<Discipline>,
    /// Largest number of tokens waiting and in service [default: no limit].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    capacity: Option<u32>,
    /// Effect on a token that finds a full station: lose or block [default: lose].
    #[arg(long, value_name = "WHAT", value_parser = word::<Overflow>)]
    overflow: Option<Overflow>,
    /// Choice among a node's routes: random or round-robin [default: random].
    #[arg(long, value_name = "HOW", value_parser = word::<Routing>)]
    routing: Option<Routing>,
}

impl StationArgs {
    fn apply(&self, shape: &mut NetworkShape) {
        shape.tokens = self.tokens.or(shape.tokens);
        shape.servers = self.servers.or(shape.servers);
        shape.discipline = self.discipline.or(shape.discipline);
        shape.capacity = self.capacity.or(shape.capacity);
        shape.overflow = self.overflow.or(shape.overflow);
        shape.routing = self.routing.or(shape.routing);
        match self.law {
            None => {
                if self.mean.is_some() {
                    (shape.mean, shape.rate, shape.service) = (self.mean, None, None);
                }
            }
            Some(law) => {
                // A deterministic law is also given by its mean, which is its value.
                let mean = self.mean.or(shape.mean).or(shape.rate.map(|rate| 1.0 / rate));
                let constant = law == LawName::Deterministic;
                let without_mean = constant || law == LawName::Uniform;
                (shape.mean, shape.rate) = (None, None);
                shape.service = Some(LawShape {
                    mean: if without_mean { None } else { mean },
                    value: if constant { mean } else { None },
                    cv: self.cv,
                    shape: self.shape,
                    stages: self.stages,
                    low: self.low,
                    high: self.high,
                    ..LawShape::named(law)
                });
            }
        }
    }
}

/// Options of lines of servers in tandem.
#[derive(Debug, Args)]
pub(crate) struct OpenArgs {
    /// Lines [default: 32].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    lines: Option<u32>,
    /// Servers in each line, one after the other [default: 32].
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    servers: Option<u32>,
    /// Mean service time, in time units [default: 10].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    mean: Option<f64>,
    /// Mean time between the tokens of one line, in time units [default: 20].
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    interarrival: Option<f64>,
    /// Use one source for all lines, which sends each token to a random line.
    #[arg(long)]
    shared: bool,
    /// Largest number of tokens waiting and in service at each server [default: no limit].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    capacity: Option<u32>,
}

impl OpenArgs {
    /// Returns the configuration of a file, or the default one, with the values of the options.
    pub(super) fn config(&self, file: Option<&Path>) -> Result<NetworkConfig, Failure> {
        let mut config = match file {
            Some(path) => NetworkConfig::from_file(path).map_err(Failure::usage)?,
            None => {
                let (mean, lines, servers) = (Some(20.0), 32, 32);
                let generate =
                    GenerateShape::Open { lines, servers, interarrival: None, mean, rate: None, shared: false };
                let network = NetworkShape { generate: Some(generate), mean: Some(10.0), ..NetworkShape::default() };
                NetworkConfig { network, ..NetworkConfig::default() }
            }
        };
        let shape = &mut config.network;
        let Some(GenerateShape::Open { lines, servers, interarrival, mean, rate, shared }) = &mut shape.generate else {
            return Err(Failure::usage(
                "run open needs a configuration with `[network] generate = { shape = \"open\", .. }`: use `run network` for others",
            ));
        };
        *lines = self.lines.unwrap_or(*lines);
        *servers = self.servers.unwrap_or(*servers);
        *shared |= self.shared;
        if self.interarrival.is_some() {
            (*mean, *rate, *interarrival) = (self.interarrival, None, None);
        }
        if self.mean.is_some() {
            (shape.mean, shape.rate, shape.service) = (self.mean, None, None);
        }
        shape.capacity = self.capacity.or(shape.capacity);
        Ok(config)
    }
}

/// Parses a word by which configurations name a choice.
pub(super) fn word<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
    let words: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(words).map_err(|error| error.to_string())
}
