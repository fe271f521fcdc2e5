//! The key `generate = { shape = "torus", .. }`.

use super::super::ConfigError;
use super::keys::Keys;
use crate::law::LawShape;
use crate::network::Topology;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rule that makes nodes and routes: the keys of [`Topology`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "kebab-case", deny_unknown_fields)]
pub enum GenerateShape {
    /// Grid with periodic boundaries.
    Torus {
        /// Number of columns.
        width: u32,
        /// Number of rows.
        height: u32,
    },
    /// Lines of servers in tandem with arrivals from outside.
    Open {
        /// Number of lines.
        lines: u32,
        /// Number of servers in a line, each a station of its own.
        servers: u32,
        /// Law of the times between the tokens of one line, instead of `mean`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interarrival: Option<LawShape>,
        /// Mean of an exponential time between the tokens of one line, in time units.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mean: Option<f64>,
        /// Inverse of the mean of an exponential time between the tokens of one line, instead of `mean`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rate: Option<f64>,
        /// `true` if one source serves all lines.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shared: bool,
    },
    /// Layers of stations, each with random edges to the next, and arrivals from outside.
    FeedForward {
        /// Number of layers.
        layers: u32,
        /// Number of stations in a layer.
        width: u32,
        /// Number of out-edges of a station.
        degree: u32,
        /// Law of the times between the tokens of one source, instead of `mean`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interarrival: Option<LawShape>,
        /// Mean of an exponential time between the tokens of one source, in time units.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mean: Option<f64>,
        /// Inverse of the mean of an exponential time between the tokens of one source, instead of `mean`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rate: Option<f64>,
        /// Seed of the random edges.
        #[serde(default)]
        seed: u64,
    },
    /// Complete graph: every node sends to every other.
    Complete {
        /// Number of nodes.
        nodes: u32,
    },
}

impl GenerateShape {
    pub(super) fn interarrival_mut(&mut self) -> Option<&mut LawShape> {
        match self {
            Self::Open { interarrival, .. } | Self::FeedForward { interarrival, .. } => interarrival.as_mut(),
            Self::Torus { .. } | Self::Complete { .. } => None,
        }
    }

    /// Returns the keys of the law of arrivals, if tokens come from outside.
    pub(super) fn arrivals(&self) -> Option<Keys<'_>> {
        match self {
            Self::Open { interarrival, mean, rate, .. } | Self::FeedForward { interarrival, mean, rate, .. } => {
                Some(Keys { law: ("interarrival", interarrival.as_ref()), mean: *mean, rate: *rate })
            }
            Self::Torus { .. } | Self::Complete { .. } => None,
        }
    }

    /// Returns `true` if tokens come from outside.
    pub(super) const fn is_open(&self) -> bool {
        matches!(self, Self::Open { .. } | Self::FeedForward { .. })
    }

    pub(super) fn topology(&self) -> Result<Topology, ConfigError> {
        let arrivals = || {
            let law = self.arrivals().map(|keys| keys.law("network.generate")).transpose()?;
            law.flatten().ok_or_else(|| {
                let problem = "no time between arrivals: give 'mean', 'rate' or 'interarrival'".to_owned();
                ConfigError::value("network.generate", problem)
            })
        };
        Ok(match self {
            Self::Torus { width, height } => Topology::Torus { width: *width, height: *height },
            Self::Open { lines, servers, shared, .. } => {
                Topology::Lines { lines: *lines, stations: *servers, interarrival: arrivals()?, shared: *shared }
            }
            Self::FeedForward { layers, width, degree, seed, .. } => Topology::FeedForward {
                layers: *layers,
                width: *width,
                degree: *degree,
                interarrival: arrivals()?,
                seed: *seed,
            },
            Self::Complete { nodes } => Topology::Complete { nodes: *nodes },
        })
    }
}
