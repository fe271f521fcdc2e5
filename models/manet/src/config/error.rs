//! Errors of configurations.

use crate::error::NetworkError;
use crate::trace::FileError;
use imminent_common::toml_text::TomlError;

/// Error in a configuration.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read, is not TOML, or gives a key an invalid value.
    #[error("{0}")]
    Toml(#[from] TomlError),
    /// A trace cannot be used.
    #[error("{file}: {error}")]
    Trace {
        /// Path of the trace.
        file: String,
        /// The error.
        error: FileError,
    },
}

impl ConfigError {
    /// Adds the line of the key at fault in `text`, the TOML text of the configuration.
    #[must_use]
    pub fn located(self, text: &str, file: &str) -> Self {
        match self {
            ConfigError::Toml(error) => ConfigError::Toml(error.located(text, file)),
            other => other,
        }
    }
}

impl From<NetworkError> for ConfigError {
    fn from(error: NetworkError) -> Self {
        TomlError::value(key(&error), in_units(&error)).into()
    }
}

/// Units of values of a network, each with that of the keys, and how often it is in that.
const UNITS: [(&str, &str, f64); 5] = [
    (" (µs)", " s", 1e6),
    (" (mm)", " m", 1e3),
    (" (µm/s)", " m/s", 1e6),
    (" (2^-32)", "", 4_294_967_296.0),
    (" (2^-32 turns)", " degrees", 4_294_967_296.0 / 360.0),
];

/// Returns the text of an error, with values in the units of the keys.
fn in_units(error: &NetworkError) -> String {
    let (NetworkError::OutOfRange { name, .. } | NetworkError::Reversed { name, .. }) = error else {
        return error.to_string();
    };
    let found = UNITS.iter().find_map(|(small, unit, scale)| Some((name.strip_suffix(small)?, unit, scale)));
    let Some((name, unit, scale)) = found else { return error.to_string() };
    let written = |value: u64| format!("{}{unit}", value as f64 / scale);
    match error {
        NetworkError::OutOfRange { value, least, most, .. } => {
            format!("{name} is {}, and must be from {} to {}", written(*value), written(*least), written(*most))
        }
        NetworkError::Reversed { least, most, .. } => {
            format!("{name} ranges from {} to {}; give the smaller value first", written(*least), written(*most))
        }
        other => other.to_string(),
    }
}

/// Returns the key that an error is about.
fn key(error: &NetworkError) -> &'static str {
    let name = match error {
        NetworkError::Senders { .. } => return "traffic.senders",
        NetworkError::Motionless => return "network.speed",
        NetworkError::Nodes { .. } => return "network.nodes",
        NetworkError::Outside { .. } | NetworkError::OffStreet { .. } => return "network.positions",
        NetworkError::Pair { .. } => "flow",
        NetworkError::OutOfRange { name, .. } | NetworkError::Reversed { name, .. } => *name,
    };
    const KEYS: [(&str, &str); 37] = [
        ("flow", "traffic.flow"),
        ("nodes", "network.nodes"),
        ("field width", "network.width"),
        ("field height", "network.height"),
        ("range", "network.range"),
        ("speed", "network.speed"),
        ("mean speed", "gauss_markov.mean_speed"),
        ("deviation of speed", "gauss_markov.speed_deviation"),
        ("deviation of direction", "gauss_markov.direction_deviation"),
        ("memory", "gauss_markov.memory"),
        ("time between changes", "gauss_markov.update"),
        ("margin", "gauss_markov.margin"),
        ("block", "manhattan.block"),
        ("probability of a turn", "manhattan.turn"),
        ("pause", "network.pause"),
        ("neighbour timeout", "beacons.timeout"),
        ("bit rate", "mac.bit_rate"),
        ("queue", "mac.queue"),
        ("TTL of the first search", "aodv.ttl_start"),
        ("TTL increment", "aodv.ttl_increment"),
        ("TTL threshold", "aodv.ttl_threshold"),
        ("TTL", "routing.ttl"),
        ("active route timeout", "aodv.active_route_timeout"),
        ("node traversal time", "aodv.node_traversal_time"),
        ("net diameter", "aodv.net_diameter"),
        ("retries of searches", "aodv.rreq_retries"),
        ("buffer timeout", "aodv.buffer_timeout"),
        ("buffer (", "aodv.buffer"),
        ("jitter", "aodv.jitter"),
        ("retries", "routing.retries"),
        ("packet size", "traffic.bytes"),
        ("response size", "traffic.response_bytes"),
        ("time between packets", "traffic.rate"),
        ("start of traffic", "traffic.start"),
        ("clock interval", "run.interval"),
        ("warm-up", "run.warm_up"),
        ("end", "run.horizon"),
    ];
    let found = KEYS.iter().find(|(prefix, _)| name.starts_with(prefix));
    match found {
        Some((_, key)) => key,
        None if name.contains("backoff") => "mac.backoff",
        None if name.contains("airtime") => "traffic.bytes",
        None => "beacons.interval",
    }
}
