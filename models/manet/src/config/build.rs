//! Networks that configurations describe.

use super::{ConfigError, DestinationsName, Engine, ManetConfig, MobilityName};
use crate::Place;
use crate::field::{Field, MOST_SIDE};
use crate::network::{Beacons, Destinations, Exchange, Medium, Mobility, Network, Placement, Traffic, Waypoints};
use crate::trace::Trace;
use imminent_common::toml_text::{self, TomlError};

/// Converts a number of units to whole small units.
fn scaled(key: &str, value: f64, unit: f64, most: f64) -> Result<f64, ConfigError> {
    let scaled = (value * unit).round();
    if (0.0..=most).contains(&scaled) {
        return Ok(scaled);
    }
    Err(TomlError::value(key, format!("{value} is not possible: give a number from 0 to {}", most / unit)).into())
}

/// Converts metres to millimetres.
fn length(key: &str, metres: f64) -> Result<u32, ConfigError> {
    scaled(key, metres, 1e3, f64::from(MOST_SIDE)).map(|length| length as u32)
}

/// Converts seconds to microseconds.
fn time(key: &str, seconds: f64) -> Result<u64, ConfigError> {
    scaled(key, seconds, 1e6, (1_u64 << 50) as f64).map(|time| time as u64)
}

/// Converts seconds to microseconds of 32 bits.
fn short_time(key: &str, seconds: f64) -> Result<u32, ConfigError> {
    scaled(key, seconds, 1e6, f64::from(u32::MAX / 2)).map(|time| time as u32)
}

impl ManetConfig {
    /// Returns the network of this configuration, checked. Reads the trace that it names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line), or reports an error in
    /// a trace.
    pub fn build(&self) -> Result<Network, ConfigError> {
        if self.run.replications == 0 {
            return Err(
                TomlError::value("run.replications", "0 replications give no result: give at least 1".into()).into()
            );
        }
        let mobility = self.mobility()?;
        let nodes = match &mobility {
            Mobility::Trace(trace) => trace.nodes() as u32,
            _ => self.network.nodes,
        };
        let usual = Network::scenario(nodes.max(1));
        let side = |key: &str, given: Option<f64>, usual: u32| given.map_or(Ok(usual), |metres| length(key, metres));
        let network = Network {
            nodes,
            field: Field {
                width: side("network.width", self.network.width, usual.field.width)?,
                height: side("network.height", self.network.height, usual.field.height)?,
            },
            placement: self.placement()?,
            mobility,
            range: length("network.range", self.network.range)?,
            beacons: self.beacons()?,
            planar: self.routing.planar,
            medium: self.medium()?,
            traffic: self.packets(nodes, usual.traffic.gap)?,
            interval: match self.run.engine {
                Engine::Exact | Engine::Sequential => 1,
                Engine::Interval => time("run.interval", self.run.interval)?,
            },
            warm_up: time("run.warm_up", self.run.warm_up)?,
            end: time("run.duration", self.run.duration)?,
            seed: self.run.seed,
        };
        network.check()?;
        Ok(network)
    }

    fn mobility(&self) -> Result<Mobility, ConfigError> {
        if let Some(path) = &self.network.trace {
            let text = toml_text::read(path)?;
            let file = || path.display().to_string();
            let trace = Trace::read(&text).map_err(|error| ConfigError::Trace { file: file(), error })?;
            return Ok(Mobility::Trace(trace));
        }
        let speed = |value: f64| scaled("network.speed", value, 1e6, f64::from(u32::MAX)).map(|speed| speed as u32);
        let [slow, fast] = self.network.speed;
        let [short, long] = self.network.pause;
        Ok(match self.network.mobility {
            MobilityName::Static => Mobility::Static,
            MobilityName::Waypoints => Mobility::Waypoints(Waypoints {
                speed: [speed(slow)?, speed(fast)?],
                pause: [time("network.pause", short)?, time("network.pause", long)?],
            }),
        })
    }

    fn placement(&self) -> Result<Placement, ConfigError> {
        let Some(positions) = &self.network.positions else { return Ok(Placement::Uniform) };
        let metres = |value: f64| length("network.positions", value).map(|length| length as i32);
        let place = |&[x, y]: &[f64; 2]| Ok(Place { x: metres(x)?, y: metres(y)? });
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
            bit_rate: scaled("mac.bit_rate", self.mac.bit_rate, 1.0, 1e15)? as u64,
            backoff: [short_time(key, least)?, short_time(key, most)?],
            queue: self.mac.queue,
            hops: self.routing.ttl,
        })
    }

    fn packets(&self, nodes: u32, usual_gap: u64) -> Result<Traffic, ConfigError> {
        let shape = &self.traffic;
        let gap = match shape.rate {
            None => usual_gap,
            Some(rate) if rate > 0.0 => (1e6 / rate).round() as u64,
            Some(rate) => {
                let problem =
                    format!("{rate} packets a second are not possible: give a number above 0, or `senders = 0`");
                return Err(TomlError::value("traffic.rate", problem).into());
            }
        };
        let exchange =
            shape.response_bytes.map_or(Exchange::Data, |response_bytes| Exchange::Requests { response_bytes });
        let destinations = match (&shape.pairs, shape.within, shape.destinations) {
            (Some(pairs), ..) => Destinations::Pairs(pairs.clone()),
            (None, Some(metres), _) => Destinations::Within(length("traffic.within", metres)?),
            (None, None, DestinationsName::Fixed) => Destinations::Fixed,
            (None, None, DestinationsName::EachPacket) => Destinations::EachPacket,
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
    fn the_defaults_are_the_first_scenario() {
        let config = ManetConfig::from_toml("", "empty.toml").unwrap();
        assert_eq!(config.build().unwrap(), Network::scenario(50));
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
            "[network]\nnodes = 1",
            "[network]\nnodes = 2\npositions = [[1, 2], [1e4, 5]]",
            "[network]\nwidth = -4",
            "[traffic]\nsenders = 51",
            "[traffic]\nrate = 0",
            "[traffic]\npairs = [[0, 50]]",
            "[run]\nengine = \"interval\"\ninterval = 0.01",
            "[run]\nreplications = 0",
            "[run]\nengin = \"exact\"",
            "[mac]\nbackoff = [0, 0.02]",
        ];
        insta::assert_snapshot!(texts.map(text).join("\n"));
    }
}
