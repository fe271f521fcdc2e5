//! Motion of a configuration's nodes.

use super::units::{length, refused, scaled, time};
use super::{ConfigError, ManetConfig, MobilityName};
use crate::Position;
use crate::mobility::{GaussMarkov, Manhattan, Mobility, Waypoints};
use crate::network::{Network, Placement};
use crate::trace::Trace;
use imminent_common::toml_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Section `[gauss_markov]`: motion of nodes whose speeds and directions change gradually.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GaussMarkovShape {
    /// Mean speed in m/s; by default the middle of `network.speed`, which limits the speeds.
    #[schemars(range(min = 0.0, max = 4000.0), extend("unit" = "m/s"))]
    pub mean_speed: Option<f64>,
    /// Standard deviation of the speed in m/s.
    #[schemars(range(min = 0.0, max = 4000.0), extend("unit" = "m/s"))]
    pub speed_deviation: f64,
    /// Standard deviation of the direction in degrees.
    #[schemars(range(min = 0.0, max = 180.0), extend("unit" = "degrees"))]
    pub direction_deviation: f64,
    /// Share of a speed and of a direction that the next one keeps: 0 for independent ones, 1 for constant ones.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub memory: f64,
    /// Time between two changes of speed and direction in s.
    #[schemars(range(min = 0.01, max = 3600.0), extend("unit" = "s"))]
    pub update: f64,
    /// Distance from the edges in m within which nodes turn away.
    #[schemars(range(min = 0.0, max = 1e6), extend("unit" = "m"))]
    pub margin: f64,
}

/// Section `[manhattan]`: motion of nodes along streets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ManhattanShape {
    /// Distance of two streets in m.
    #[schemars(range(min = 1.0, max = 1e6), extend("unit" = "m"))]
    pub block: f64,
    /// Probability that a node turns at a crossing: as often to each side.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub turn: f64,
}

impl Default for GaussMarkovShape {
    fn default() -> Self {
        GaussMarkovShape {
            mean_speed: None,
            speed_deviation: 2.0,
            direction_deviation: 30.0,
            memory: 0.75,
            update: 1.0,
            margin: 50.0,
        }
    }
}

impl Default for ManhattanShape {
    fn default() -> Self {
        ManhattanShape { block: 100.0, turn: 0.5 }
    }
}

/// Converts a share to units of 2^-32.
fn share(key: &str, share: f64) -> Result<u64, ConfigError> {
    let one = 4_294_967_296.0;
    scaled(key, share, one, [0.0, one]).map(|share| share as u64)
}

/// Converts metres per second to µm/s.
fn speed(key: &str, value: f64) -> Result<u32, ConfigError> {
    scaled(key, value, 1e6, [0.0, f64::from(u32::MAX)]).map(|speed| speed as u32)
}

impl ManetConfig {
    /// Returns the number of nodes, on which the configuration and its trace have to agree.
    pub(super) fn nodes(&self, mobility: &Mobility) -> Result<u32, ConfigError> {
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

    /// Returns the motion of the nodes. Reads the trace that the configuration names.
    pub(super) fn mobility(&self) -> Result<Mobility, ConfigError> {
        let shape = &self.network;
        let Some(path) = &shape.trace else {
            if shape.activity.is_some() {
                let problem = "it tells when the nodes of a trace enter and leave; give 'trace', too";
                return Err(refused("network.activity", problem.into()));
            }
            return self.drawn();
        };
        let ignored =
            |key: &str| Err(refused(key, "the file of 'trace' has the positions and movements; leave one out".into()));
        if shape.positions.is_some() {
            return ignored("network.positions");
        }
        if shape.mobility != MobilityName::Waypoints {
            return ignored("network.mobility");
        }
        let read = |key: &str, path: &Path| toml_text::read(path).map_err(|error| refused(key, error.to_string()));
        let text = read("network.trace", path)?;
        let activity = shape.activity.as_ref().map(|path| read("network.activity", path)).transpose()?;
        let file = || path.display().to_string();
        let trace = Trace::of_file(&text, activity.as_deref());
        Ok(Mobility::Trace(trace.map_err(|error| ConfigError::Trace { file: file(), error })?))
    }

    pub(super) fn placement(&self) -> Result<Placement, ConfigError> {
        let Some(positions) = &self.network.positions else { return Ok(Placement::Uniform) };
        let metres = |value: f64| length("network.positions", value, 0).map(|length| length as i32);
        let place = |&[x, y]: &[f64; 2]| Ok(Position { x: metres(x)?, y: metres(y)? });
        Ok(Placement::At(positions.iter().map(place).collect::<Result<_, ConfigError>>()?))
    }

    /// Returns the motion of nodes that move without a trace.
    fn drawn(&self) -> Result<Mobility, ConfigError> {
        let shape = &self.network;
        let [slow, fast] = shape.speed;
        let speeds = [speed("network.speed", slow)?, speed("network.speed", fast)?];
        let [short, long] = shape.pause;
        let pause = [time("network.pause", short)?, time("network.pause", long)?];
        Ok(match shape.mobility {
            MobilityName::Static => Mobility::Static,
            MobilityName::Waypoints => Mobility::Waypoints(Waypoints { speed: speeds, pause }),
            MobilityName::GaussMarkov => Mobility::GaussMarkov(self.gauss_markov.motion(speeds)?),
            MobilityName::Manhattan => Mobility::Manhattan(Manhattan {
                block: length("manhattan.block", self.manhattan.block, 1_000)?,
                turn: share("manhattan.turn", self.manhattan.turn)?,
                speed: speeds,
                pause,
            }),
        })
    }
}

impl GaussMarkovShape {
    /// Returns the motion of nodes whose speeds have limits, in µm/s.
    fn motion(&self, limits: [u32; 2]) -> Result<GaussMarkov, ConfigError> {
        let middle = limits[0] / 2 + limits[1] / 2;
        let mean = self.mean_speed.map(|mean| speed("gauss_markov.mean_speed", mean)).transpose()?;
        let turns = scaled(
            "gauss_markov.direction_deviation",
            self.direction_deviation,
            4_294_967_296.0 / 360.0,
            [0.0, 2_147_483_648.0],
        )?;
        Ok(GaussMarkov {
            mean: mean.unwrap_or(middle),
            deviation: speed("gauss_markov.speed_deviation", self.speed_deviation)?,
            limits,
            turn: turns as u32,
            memory: share("gauss_markov.memory", self.memory)?,
            interval: scaled("gauss_markov.update", self.update, 1e6, [1e4, 3.6e9])? as u32,
            margin: length("gauss_markov.margin", self.margin, 0)?,
        })
    }
}
