//! Networks that configurations describe.

use super::{ConfigError, DestinationsName, Engine, ManetConfig, MobilityName};
use crate::field::{Field, MAX_SIDE};
use crate::network::{Beacons, Destinations, Exchange, Medium, Mobility, Network, Placement, Traffic, Waypoints};
use crate::trace::Trace;
use crate::{NetworkError, Position};
use imminent_common::toml_text::{self, TomlError};
use std::path::Path;

/// Converts a number of units to whole small units, from `least` to `most`.
fn scaled(key: &str, value: f64, unit: f64, [least, most]: [f64; 2]) -> Result<f64, ConfigError> {
    let scaled = (value * unit).round();
    match (least..=most).contains(&scaled) {
        true => Ok(scaled),
        false => Err(refused(
            key,
            format!("{value} is not possible; give a number from {} to {}", least / unit, most / unit),
        )),
    }
}

/// Returns the error that a key has an invalid value.
fn refused(key: &str, problem: String) -> ConfigError {
    TomlError::value(key, problem).into()
}

/// Converts metres to millimetres.
fn length(key: &str, metres: f64, least: u32) -> Result<u32, ConfigError> {
    scaled(key, metres, 1e3, [least, MAX_SIDE].map(f64::from)).map(|length| length as u32)
}

/// Converts seconds to microseconds.
fn time(key: &str, seconds: f64) -> Result<u64, ConfigError> {
    scaled(key, seconds, 1e6, [0.0, (1_u64 << 50) as f64]).map(|time| time as u64)
}

/// Converts seconds to microseconds of 32 bits, at least 1.
fn short_time(key: &str, seconds: f64) -> Result<u32, ConfigError> {
    scaled(key, seconds, 1e6, [1.0, f64::from(u32::MAX / 2)]).map(|time| time as u32)
}

impl ManetConfig {
    /// Returns the network of this configuration, checked. Reads the trace that it names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line), or reports an error in
    /// a trace.
    pub fn build(&self) -> Result<Network, ConfigError> {
        let run = &self.run;
        if run.replications == 0 {
            return Err(refused("run.replications", "0 replications give no result; give at least 1".into()));
        }
        let mobility = self.mobility()?;
        let nodes = self.nodes(&mobility)?;
        let usual = Network::scenario(nodes.max(1));
        let usual_field = match &mobility {
            // Nodes move where the trace says, and its field has room for it.
            Mobility::Trace(trace) => {
                let [width, height] = trace.extent().map(|side| (side as u32).max(1));
                Field { width, height }
            }
            _ => usual.field,
        };
        let side = |key: &str, given: Option<f64>, usual: u32| given.map_or(Ok(usual), |metres| length(key, metres, 1));
        let interval = time("run.interval", run.interval)?;
        let network = Network {
            nodes,
            field: Field {
                width: side("network.width", self.network.width, usual_field.width)?,
                height: side("network.height", self.network.height, usual_field.height)?,
            },
            placement: self.placement()?,
            mobility,
            range: length("network.range", self.network.range, 1)?,
            beacons: self.beacons()?,
            planar: self.routing.planar,
            medium: self.medium()?,
            traffic: self.packets(nodes, usual.traffic.gap)?,
            interval: if run.engine == Engine::Interval { interval } else { 1 },
            warm_up: time("run.warm_up", run.warm_up)?,
            end: time("run.horizon", run.horizon)?,
            seed: run.seed,
        };
        network.check().map_err(|error| match error {
            NetworkError::Outside { .. } if self.network.trace.is_some() => refused("network.trace", error.to_string()),
            other => other.into(),
        })?;
        for (key, begin, what) in [
            ("run.warm_up", network.warm_up, "no packet would count"),
            ("traffic.start", network.traffic.start, "no packet would be created"),
        ] {
            if begin >= network.end && network.traffic.senders > 0 {
                let (begin, end) = (begin as f64 / 1e6, run.horizon);
                let problem = format!("{begin} s is not before the end at {end} s, so {what}; raise 'horizon'");
                return Err(refused(key, problem));
            }
        }
        Ok(network)
    }

    /// Returns the keys that have no effect because others override them, with the reasons.
    #[must_use]
    pub fn unused(&self) -> Vec<(&'static str, &'static str)> {
        let moves = match (&self.network.trace, self.network.mobility) {
            (Some(_), _) => Some("a trace has the movements"),
            (None, MobilityName::Static) => Some("static nodes do not move"),
            (None, MobilityName::Waypoints) => None,
        };
        let clock = (self.run.engine != Engine::Interval).then_some("only the engine `interval` has a clock");
        let keys = [("network.speed", moves), ("network.pause", moves), ("run.interval", clock)];
        keys.into_iter().filter_map(|(key, why)| Some((key, why?))).collect()
    }

    /// Returns the number of nodes, on which the configuration and its trace have to agree.
    fn nodes(&self, mobility: &Mobility) -> Result<u32, ConfigError> {
        let shape = &self.network;
        let moved = match (mobility, &shape.positions) {
            (Mobility::Trace(trace), _) => Some(("trace", trace.nodes())),
            (_, positions) => positions.as_ref().map(|positions| ("list of positions", positions.len())),
        };
        match (shape.nodes, moved) {
            (Some(nodes), Some((source, other))) if nodes as usize != other => {
                let problem = format!("{nodes} nodes were asked for, and the {source} has {other}; leave `nodes` out");
                Err(refused("network.nodes", problem))
            }
            (Some(nodes), _) => Ok(nodes),
            // Too many are refused when the network is checked.
            (None, Some((_, other))) => Ok(u32::try_from(other).unwrap_or(u32::MAX)),
            (None, None) => Ok(Network::default().nodes),
        }
    }

    fn mobility(&self) -> Result<Mobility, ConfigError> {
        let shape = &self.network;
        let speed =
            |value: f64| scaled("network.speed", value, 1e6, [0.0, f64::from(u32::MAX)]).map(|speed| speed as u32);
        let ([slow, fast], [short, long]) = (shape.speed, shape.pause);
        let waypoints = Waypoints {
            speed: [speed(slow)?, speed(fast)?],
            pause: [time("network.pause", short)?, time("network.pause", long)?],
        };
        let Some(path) = &shape.trace else {
            if shape.activity.is_some() {
                let problem = "it tells when the nodes of a trace enter and leave; give 'trace', too";
                return Err(refused("network.activity", problem.into()));
            }
            return Ok(match shape.mobility {
                MobilityName::Static => Mobility::Static,
                MobilityName::Waypoints => Mobility::Waypoints(waypoints),
            });
        };
        let ignored =
            |key: &str| Err(refused(key, "the file of 'trace' has the positions and movements; leave one out".into()));
        if shape.positions.is_some() {
            return ignored("network.positions");
        }
        if shape.mobility == MobilityName::Static {
            return ignored("network.mobility");
        }
        let read = |key: &str, path: &Path| toml_text::read(path).map_err(|error| refused(key, error.to_string()));
        let text = read("network.trace", path)?;
        let activity = shape.activity.as_ref().map(|path| read("network.activity", path)).transpose()?;
        let file = || path.display().to_string();
        let trace = Trace::of_file(&text, activity.as_deref());
        Ok(Mobility::Trace(trace.map_err(|error| ConfigError::Trace { file: file(), error })?))
    }

    fn placement(&self) -> Result<Placement, ConfigError> {
        let Some(positions) = &self.network.positions else { return Ok(Placement::Uniform) };
        let metres = |value: f64| length("network.positions", value, 0).map(|length| length as i32);
        let place = |&[x, y]: &[f64; 2]| Ok(Position { x: metres(x)?, y: metres(y)? });
        Ok(Placement::At(positions.iter().map(place).collect::<Result<_, ConfigError>>()?))
    }

    fn beacons(&self) -> Result<Beacons, ConfigError> {
        let [least, most] = self.beacons.interval;
        let key = "beacons.interval";
        Ok(Beacons {
            interval: [short_time(key, least)?, short_time(key, most)?],
            timeout: time("beacons.timeout", self.beacons.timeout)?,
        })
    }

    fn medium(&self) -> Result<Medium, ConfigError> {
        let [least, most] = self.mac.backoff;
        let key = "mac.backoff";
        Ok(Medium {
            bit_rate: scaled("mac.bit_rate", self.mac.bit_rate, 1.0, [1.0, 1e15])? as u64,
            backoff: [short_time(key, least)?, short_time(key, most)?],
            queue: self.mac.queue,
            hops: self.routing.ttl,
            retries: self.routing.retries,
        })
    }

    fn packets(&self, nodes: u32, usual_gap: u64) -> Result<Traffic, ConfigError> {
        let shape = &self.traffic;
        let gap = match shape.rate {
            None => usual_gap,
            Some(rate) if rate > 0.0 => (1e6 / rate).round() as u64,
            Some(rate) => {
                let problem =
                    format!("{rate} packets a second are not possible; give a number above 0, or `senders = 0`");
                return Err(refused("traffic.rate", problem));
            }
        };
        let exchange =
            shape.response_bytes.map_or(Exchange::Data, |response_bytes| Exchange::Requests { response_bytes });
        let each = shape.destinations == DestinationsName::EachPacket;
        let ignored = [
            ("traffic.senders", shape.pairs.is_some() && shape.senders.is_some(), "`pairs` has the senders"),
            ("traffic.within", shape.pairs.is_some() && shape.within.is_some(), "`pairs` has the destinations"),
            ("traffic.destinations", shape.pairs.is_some() && each, "`pairs` has the destinations"),
            ("traffic.destinations", shape.within.is_some() && each, "'within' gives each sender one destination"),
        ];
        if let Some((key, _, why)) = ignored.into_iter().find(|(_, is_ignored, _)| *is_ignored) {
            return Err(refused(key, format!("{why}; leave one out")));
        }
        let destinations = match (&shape.pairs, shape.within, each) {
            (Some(pairs), ..) => Destinations::Pairs(pairs.clone()),
            (None, Some(metres), _) => Destinations::Within(length("traffic.within", metres, 1)?),
            (None, None, false) => Destinations::Fixed,
            (None, None, true) => Destinations::EachPacket,
        };
        Ok(Traffic {
            senders: shape.senders.unwrap_or(nodes),
            bytes: shape.bytes,
            exchange,
            gap,
            arrivals: shape.arrivals,
            destinations,
            start: time("traffic.start", shape.start)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_default_network() {
        let config = ManetConfig::from_toml("", "empty.toml").unwrap();
        assert_eq!(config.build().unwrap(), Network::default());
    }

    #[test]
    fn keys_that_others_override_are_found() {
        let keys = |text: &str| {
            let unused = ManetConfig::from_toml(text, "net.toml").unwrap().unused();
            unused.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        };
        assert_eq!(keys(""), ["run.interval"]);
        assert_eq!(keys("[network]\nmobility = 'static'"), ["network.speed", "network.pause", "run.interval"]);
        assert_eq!(keys("[network]\ntrace = 'a.tcl'\n[run]\nengine = 'interval'"), ["network.speed", "network.pause"]);
    }

    #[test]
    fn errors_name_line_and_key() {
        let text = |text: &str| {
            let built = ManetConfig::from_toml(text, "net.toml").and_then(|config| config.build());
            built.map_err(|error| error.located(text, "net.toml").to_string()).unwrap_err()
        };
        let texts = [
            "[network]\nrange = 0",
            "[network]\nspeed = [0, 0]\npause = [0, 0]",
            "[network]\nspeed = [20, 0]",
            "[network]\nmobility = \"static\"\nspeed = [nan, 0]",
            "[network]\nnodes = 1",
            "[network]\nnodes = 2\npositions = [[1, 2], [1e4, 5]]",
            "[network]\nnodes = 3\npositions = [[1, 2], [1e4, 5]]",
            "[network]\npositions = [[1, 2]]",
            "[network]\ntrace = \"no such folder/a.tcl\"",
            "[network]\nactivity = \"a.tcl\"",
            "[network]\ntrace = \"a.tcl\"\npositions = [[1, 2]]",
            "[network]\ntrace = \"a.tcl\"\nmobility = \"static\"",
            "[network]\nwidth = -4",
            "[traffic]\nsenders = 51",
            "[traffic]\nrate = 0",
            "[traffic]\nwithin = 0",
            "[traffic]\npairs = [[0, 50]]",
            "[traffic]\npairs = [[0, 5]]\nsenders = 50",
            "[traffic]\npairs = [[0, 5]]\nwithin = 50",
            "[traffic]\npairs = [[0, 5]]\ndestinations = \"each-packet\"",
            "[traffic]\nwithin = 50\ndestinations = \"each-packet\"",
            "[traffic]\nstart = 100",
            "[run]\nengine = \"interval\"\ninterval = 0.01",
            "[run]\ninterval = nan",
            "[run]\nwarm_up = 100.0",
            "[run]\nreplications = 0",
            "[run]\nengin = \"exact\"",
            "[mac]\nbackoff = [0, 0.02]",
        ];
        insta::assert_snapshot!(texts.map(text).join("\n"));
    }
}
