//! Engines by their names in configurations.

use crate::engine::EngineError;
use crate::network::Network;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Engine that simulates a queueing network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The exact engine if it carries out everything that the network has, the engine of the host otherwise.
    #[default]
    Auto,
    /// Parallel engine with the same bits as the sequential engine.
    Exact,
    /// Engine of the host for everything that a network can have ([`crate::host`]), a replication on each thread.
    Host,
    /// Parallel engine that clusters events by an interval of time ([`crate::interval`]).
    Interval,
    /// Engine that executes one event after the other ([`crate::sequential`]).
    Sequential,
}

impl Engine {
    /// Returns the engine that simulates a network where this one is asked for.
    #[must_use]
    pub fn of(self, network: &Network) -> Self {
        match self {
            Self::Auto if network.beyond_exact().is_some() || EngineError::too_many_servers(network).is_some() => {
                Self::Host
            }
            Self::Auto => Self::Exact,
            other => other,
        }
    }

    /// Returns the engine that simulates a network where visits and numbers are gathered, and no device is named: one
    /// that gathers as it runs. Of the two that do, the sequential one is faster on one thread, and has less.
    #[must_use]
    pub fn gathering(self, network: &Network, replications: u64) -> Self {
        match self {
            Self::Auto if replications == 1 && network.beyond_sequential().is_none() => Self::Sequential,
            Self::Auto => Self::Host,
            other => other,
        }
    }

    /// Returns `true` if the engine needs no device.
    #[must_use]
    pub const fn is_of_host(self) -> bool {
        matches!(self, Self::Host | Self::Sequential)
    }

    /// Returns the engine's name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::Host => "host",
            Self::Interval => "interval",
            Self::Sequential => "sequential",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::NetworkConfig;

    #[test]
    fn an_engine_that_gathers_as_it_runs_is_taken_for_the_network() {
        let network = |discipline: &str| {
            let text = format!(
                "[network]\nmean = 1.0\nlinks = [['a', 'b']]\ndiscipline = '{discipline}'\n[run]\nhorizon = 9.0\n"
            );
            NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap().network
        };
        let [plain, shared] = ["fifo", "processor-sharing"].map(network);
        let taken = |engine: Engine, network, replications| engine.gathering(network, replications);
        assert_eq!(taken(Engine::Auto, &plain, 1), Engine::Sequential);
        assert_eq!(taken(Engine::Auto, &plain, 2), Engine::Host);
        assert_eq!(taken(Engine::Auto, &shared, 1), Engine::Host);
        assert_eq!(taken(Engine::Exact, &plain, 1), Engine::Exact);
    }
}
