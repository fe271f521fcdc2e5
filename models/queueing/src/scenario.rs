//! Input of one replication; and the rules of the model.
//!
//! # The rules
//! An exact engine must give these results bit for bit, in whatever order it works. Times are ticks.
//!
//! **A tick** has three parts, over the whole network:
//! 1. Services that end in it leave their servers.
//! 2. Tokens that left another node (or the same) in it enter, in the order of the sending node's number and the
//!    sender's service number. The tokens of the start enter in tick 0, before all others, in the order of their
//!    classes. A token that finds a node at its capacity, counting tokens waiting and in service, is lost: counted and
//!    removed.
//! 3. Free servers take waiting tokens by the discipline, until no server is free or no token waits.
//!
//! A service takes at least one tick, so nothing that starts in a tick ends in it.
//!
//! **Disciplines** choose among all tokens that wait after the second part. First in, first out: the order of entering.
//! Last in, first out: the last that entered. Priority: the least [priority](Network::priority), then the order of
//! entering. Random: the waiting tokens are a list, and a newcomer is appended. Token number `(w * length) >> 32` is
//! taken, and the last of the list moves into its place. For the `k`-th start of the node, `w` is word `k` of its
//! *choice stream* ([`StreamKey::choice`]).
//!
//! **Words.** The services that start at a node are numbered from 0. Service `k` takes word `2k` of the node's stream
//! ([`StreamKey::node`]) for its duration, by the law of the token's class ([`law`](crate::law)). It takes word
//! `2k + 1` for its route. Among `n` equally likely routes this is number `(w * n) >> 32`, otherwise the first whose
//! cumulative threshold is above the word.
//!
//! **Turns.** With round-robin routing, a token takes its turn when its service ends, in the first part of a tick.
//! Services that end in one tick take turns in the order of their numbers. The classes of a node that go to the same
//! nodes in the same order share a list of routes and its turns. Every list begins with its first route. The word for
//! the route is drawn all the same. Services under way at the horizon take their turns in the order of their ends.
//!
//! **Sources** emit tokens of one class. Emission `k` is a service. It starts when number `k - 1` ends, the first at
//! time 0, and a new token leaves when it ends.
//!
//! **The horizon.** Every service that starts before the horizon is carried out completely. Its token arrives at its
//! next node, even beyond the horizon. No service starts at the horizon or later; no tick at the horizon or later is
//! carried out.
//!
//! **Blocking after service** replaces loss where a node's overflow is [`Block`](crate::network::Overflow::Block). A
//! token that goes there leaves its server, in the first part of a tick, only if there is room; until then it blocks
//! the server. Room is given to waiting tokens in the order of the ends of their services, then of node and service
//! number. This is repeated while a token's departure makes room for another. Tokens enter in that order, too. Only the
//! oracle ([`sequential`](crate::sequential)) and the [engine of the host](crate::host) implement this rule.
//!
//! Consider a network of one class whose nodes all have one server and an unbounded first-in, first-out line. There the
//! order of tokens that arrive in the same tick makes no difference: a line is a multiset of times. The lean engines
//! use this.

use crate::bounds;
use crate::network::{Network, Simple};
use imminent_common::number::Shown;
use imminent_common::streams::{StreamKey, below};
use imminent_common::time::Tick;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Placement of the tokens at time 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// Each node starts with the tokens that the network gives it.
    #[default]
    One,
    /// Tokens are placed by the network's stationary law: every placement is equally likely.
    ///
    /// Service times are exponential, so a service that starts at time 0 has the law of one under way, and the whole
    /// process is stationary. Only for a [balanced](Network::is_balanced) network.
    Stationary,
}

/// Reasons why a scenario cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScenarioError {
    /// A stationary start was requested for a network whose stationary law is not uniform.
    #[error(
        "the stationary start needs a network whose nodes are all equally loaded (such as a torus with equal means), \
         and node '{label}' of this one is not: use the start 'one' and a horizon long enough to forget it"
    )]
    NotBalanced {
        /// Label of a node whose load differs.
        label: String,
    },
    /// Sums of times could exceed 64 bits: see [`bounds`].
    #[error(
        "a horizon of {} time units with some {tokens} tokens could overflow the sums of their times: \
         give {} at most", Shown(tick.units(*horizon)), Shown(tick.units(*limit))
    )]
    HorizonTooLong {
        /// Horizon requested, in ticks.
        horizon: u64,
        /// Number of tokens in the network, including the expected growth.
        tokens: u64,
        /// Longest possible horizon, in ticks.
        limit: u64,
        /// Length of a tick.
        tick: Tick,
    },
    /// Sums of times over all replications could exceed 64 bits.
    #[error(
        "{replications} replications of {} time units with some {tokens} tokens could overflow the sums of their times: give {} time units at most, or \
         fewer replications", Shown(tick.units(*horizon)), Shown(tick.units(*limit))
    )]
    TooManyReplications {
        /// Number of replications requested.
        replications: u64,
        /// Horizon of each replication, in ticks.
        horizon: u64,
        /// Number of tokens of each replication, including the expected growth.
        tokens: u64,
        /// Longest possible horizon for this number of replications, in ticks.
        limit: u64,
        /// Length of a tick.
        tick: Tick,
    },
}

/// Complete input of one replication of a network's simulation.
#[derive(Debug, Clone)]
pub struct Scenario<'a> {
    network: &'a Network,
    /// Number of tokens by node and class.
    tokens: Vec<u32>,
    horizon: u64,
    key: StreamKey,
    counted_from: Option<u64>,
}

impl<'a> Scenario<'a> {
    /// Creates replication `replication` (from 0) of `network` under the user's `seed`, up to `horizon` ticks.
    ///
    /// # Errors
    /// [`ScenarioError::NotBalanced`] for a stationary start of an unbalanced network,
    /// [`ScenarioError::HorizonTooLong`] if the tokens of the start times the horizon reach 2^63. Emissions of sources
    /// are checked by [`Experiment::check`](super::experiment::Experiment::check).
    pub fn new(
        network: &'a Network,
        start: Start,
        horizon: u64,
        seed: u64,
        replication: u64,
    ) -> Result<Self, ScenarioError> {
        Self::check(network, start, horizon)?;
        let key = StreamKey::new(seed, replication);
        let tokens = match start {
            Start::One => network.all_tokens(),
            Start::Stationary => uniform_composition(network.len(), network.total_tokens(), key),
        };
        Ok(Self { network, tokens, horizon, key, counted_from: None })
    }

    /// Checks that [`new`](Self::new) would succeed, for any seed and replication.
    ///
    /// # Errors
    /// Same as [`new`](Self::new).
    pub fn check(network: &Network, start: Start, horizon: u64) -> Result<(), ScenarioError> {
        let tokens = network.total_tokens();
        let limit = bounds::LIMIT / tokens.max(1) - 1;
        if horizon > limit {
            return Err(ScenarioError::HorizonTooLong { horizon, tokens, limit, tick: network.tick() });
        }
        if start == Start::Stationary
            && let Some(node) = network.unbalanced_node()
        {
            return Err(ScenarioError::NotBalanced { label: network.label(node) });
        }
        Ok(())
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// Returns the network in the form of the lean engines; `None` if they cannot run it.
    #[must_use]
    pub fn simple(&self) -> Option<Simple<'a>> {
        self.network.simple()
    }

    /// Returns the tokens at each node at time 0, by node, and at a node by class. All of them arrive at time 0.
    #[must_use]
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Returns the number of tokens of a class at a node at time 0.
    #[must_use]
    pub fn tokens_of(&self, node: u32, class: u32) -> u32 {
        self.tokens.get(node as usize * self.network.classes() + class as usize).copied().unwrap_or(0)
    }

    /// Returns the time, in ticks, from which on no service starts.
    #[must_use]
    pub fn horizon(&self) -> u64 {
        self.horizon
    }

    /// Returns the same replication up to an earlier time: the first part of its history.
    #[must_use]
    pub fn until(&self, time: u64) -> Self {
        Self { horizon: time.min(self.horizon), ..self.clone() }
    }

    /// Makes engines that count classes, and the oracle, sum up the visits of tokens that arrive at `time`, in ticks,
    /// or later: [`NodeStatistics::arrived`](crate::outcome::NodeStatistics::arrived).
    #[must_use]
    pub fn counting_from(self, time: u64) -> Self {
        Self { counted_from: Some(time), ..self }
    }

    /// Returns the time from which arrivals are [counted](Self::counting_from); `None` if they are not.
    #[must_use]
    pub fn counted_from(&self) -> Option<u64> {
        self.counted_from
    }

    /// Returns the key of this replication's random streams.
    #[must_use]
    pub fn key(&self) -> StreamKey {
        self.key
    }
}

/// Places `tokens` tokens on `nodes` nodes; all possible placements are equally likely.
///
/// A placement is a row of tokens with `nodes - 1` bars between them. Going along the row, the next symbol is a bar
/// with probability (bars left) / (symbols left). This is decided in integers without bias.
fn uniform_composition(nodes: usize, tokens: u64, key: StreamKey) -> Vec<u32> {
    let mut rng = key.start().generator();
    let mut placement = vec![0_u32; nodes];
    let mut tokens_left = tokens;
    let mut bars_left = nodes as u64 - 1;
    for place in &mut placement {
        while tokens_left > 0 {
            if below(&mut rng, bars_left + tokens_left) < bars_left {
                break;
            }
            *place += 1;
            tokens_left -= 1;
        }
        bars_left = bars_left.saturating_sub(1);
    }
    placement
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::Node;
    use std::collections::BTreeMap;

    #[test]
    fn every_placement_is_equally_likely() {
        // Three tokens on three nodes: 10 placements.
        let mut counts = BTreeMap::new();
        let draws = 20_000;
        for replication in 0..draws {
            let placement = uniform_composition(3, 3, StreamKey::new(5, replication));
            assert_eq!(placement.iter().sum::<u32>(), 3);
            *counts.entry(placement).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 10);
        let expected = draws as f64 / 10.0;
        let chi_square: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        // The 99.9 % point for 9 degrees of freedom.
        assert!(chi_square < 27.9, "{chi_square}: {counts:?}");
    }

    #[test]
    fn a_single_node_and_no_token_are_placed_too() {
        let key = StreamKey::new(1, 1);
        assert_eq!(uniform_composition(1, 7, key), [7]);
        assert_eq!(uniform_composition(4, 0, key), [0; 4]);
    }

    #[test]
    fn replications_differ_and_repeat() {
        let torus = Network::torus(8, 8, 10, 1).unwrap();
        let tokens = |seed, replication| {
            Scenario::new(&torus, Start::Stationary, 10, seed, replication).unwrap().tokens().to_vec()
        };
        assert_eq!(tokens(1, 0), tokens(1, 0));
        assert_ne!(tokens(1, 0), tokens(1, 1));
        assert_ne!(tokens(1, 0), tokens(2, 0));
    }

    #[test]
    fn an_unbalanced_network_has_no_stationary_start_here() {
        let node = |label: &str| Node { label: Some(label.to_owned()), mean_service: 10, tokens: 1 };
        let path = [(0, 1), (1, 0), (1, 2), (2, 1)];
        let network = Network::from_edges(vec![node("a"), node("b"), node("c")], &path).unwrap();
        let error = Scenario::new(&network, Start::Stationary, 10, 1, 0).unwrap_err();
        assert_eq!(error, ScenarioError::NotBalanced { label: "a".to_owned() });
        assert!(Scenario::new(&network, Start::One, 10, 1, 0).is_ok());
    }

    #[test]
    fn sums_of_times_cannot_overflow() {
        let torus = Network::torus(4, 4, 10, 1).unwrap();
        let error = Scenario::new(&torus, Start::One, 1 << 59, 1, 0).unwrap_err();
        assert!(matches!(error, ScenarioError::HorizonTooLong { limit, .. } if limit == (1 << 59) - 1));
        assert!(Scenario::new(&torus, Start::One, (1 << 59) - 1, 1, 0).is_ok());
    }
}
