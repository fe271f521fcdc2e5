//! Bounds on the length of runs that keep sums of times within 64 bits.
//!
//! A sum of times over nodes and replications is at most *tokens times horizon*. Tokens here means the largest number
//! that is in the network at once. The bound covers the presence of tokens, of which waiting and service are parts.
//! Services under way at the horizon extend beyond it until the excess is subtracted; they need at most as much room
//! again. Sums are therefore exact while these products stay below 2^63 ticks, added up over all replications. Squares
//! and products of sums are floating-point numbers, which do not wrap.
//!
//! A closed network never has more tokens than at the start. The number in an open network is known after the run, from
//! the longest lines of its stations. If the product is too large then, the run is an error ([`Sums`]) and reports no
//! number. A run whose product is expected to be too large is refused before it begins ([`Growth`]). For this estimate,
//! lines of overloaded stations grow as the traffic equations say. To these come the tokens of the start, 1,024 tokens,
//! and four for each station.

use super::network::{Network, Role, Routing};
use super::outcome::{Ended, Statistics};
use super::theory::{Load, TheoryError};
use imminent_core::Error;

/// Limit of the product of tokens and horizon, in ticks; products must stay below it.
pub const LIMIT: u64 = 1 << 63;

/// Upper estimate of the number of tokens in a network: the number at the start, and the growth per tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    start: f64,
    each_tick: f64,
}

impl Growth {
    /// Estimates the growth of a network in each of `replications` replications of `horizon` ticks.
    ///
    /// The number of replications only decides whether the traffic equations are needed. [`longest`](Self::longest)
    /// divides the limit among replications itself.
    #[must_use]
    pub fn of(network: &Network, horizon: u64, replications: u64) -> Self {
        let closed = Self { start: network.total_tokens() as f64, each_tick: 0.0 };
        if !network.has_sources() {
            return closed;
        }
        let start = closed.start + 1024.0 + 4.0 * network.len() as f64;
        let emitted = Self { start, each_tick: emitted(network) };
        // Solving the traffic equations takes time, and most runs are short.
        if emitted.fits(horizon, replications) {
            return emitted;
        }
        let each_tick = match Load::of(network) {
            // Growth cannot exceed the rate of the sources, even if rounding of the equations says more. A horizon that
            // is too long for the equations is therefore too long for the sources too.
            Ok(load) => lingering(network, &load).min(emitted.each_tick),
            Err(TheoryError::NeverLeaves { .. }) => emitted.each_tick,
            Err(_) => 0.0,
        };
        Self { start, each_tick }
    }

    /// Returns the largest number of tokens expected at the end of a run.
    #[must_use]
    pub fn tokens(&self, horizon: u64) -> u64 {
        (self.start + self.each_tick * horizon as f64) as u64
    }

    /// Returns the longest horizon, in ticks, that each of `replications` replications can have.
    #[must_use]
    pub fn longest(&self, replications: u64) -> u64 {
        // The positive root of g t^2 + s t = limit.
        let limit = (LIMIT / replications.max(1)) as f64;
        let root = (self.start * self.start + 4.0 * self.each_tick * limit).sqrt();
        (2.0 * limit / (self.start + root).max(1.0)) as u64
    }

    fn fits(&self, horizon: u64, replications: u64) -> bool {
        horizon < self.longest(replications)
    }
}

/// Returns the mean number of tokens that the sources of a network emit per tick.
pub(crate) fn emitted(network: &Network) -> f64 {
    let sources = (0..network.len() as u32).filter(|&node| network.role(node) == Role::Source);
    let interval = |node: u32| {
        let law = network.service(node, network.source_class(node)?)?;
        Some(network.samplers().get(law as usize)?.mean_ticks())
    };
    sources.filter_map(interval).map(|ticks| 1.0 / ticks.max(1.0)).sum()
}

/// Returns the number of tokens by which the lines of overloaded stations grow per tick.
fn lingering(network: &Network, load: &Load) -> f64 {
    let unlimited = |node: &u32| network.station(*node).is_some_and(|station| station.capacity.is_none());
    let grows = |node: u32| load.total_rate(node) * (1.0 - 1.0 / load.offered(node).max(1.0));
    (0..network.len() as u32).filter(unlimited).map(grows).sum::<f64>() / network.tick().per_unit()
}

/// Sum of the products of tokens and horizon of the replications that are over.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums(u128);

impl Sums {
    /// Adds a replication; returns `false` if sums of times may have left 64 bits.
    ///
    /// # Errors
    /// Errors of the device on which the statistics of the nodes of an open network are.
    pub fn add(&mut self, network: &Network, ended: &Ended) -> Result<bool, Error> {
        let tokens = if network.has_sources() {
            most_tokens(network, ended.nodes.read()?)
        } else {
            // A closed network always has the tokens of the start, whatever its lines were.
            network.total_tokens()
        };
        self.0 += u128::from(tokens) * u128::from(ended.horizon);
        Ok(self.0 < u128::from(LIMIT))
    }
}

/// Returns an upper bound on the tokens that were in an open network at once: the smaller of two bounds. One counts the
/// tokens of the start and those that came, the other the tokens of its lines and servers.
fn most_tokens(network: &Network, statistics: &impl Statistics) -> u64 {
    // Tokens may also wait between nodes, or to try again, where the engine of the host is needed.
    let (mut came, mut held) = (network.total_tokens(), network.beyond_exact().is_none().then_some(0_u64));
    for node in 0..statistics.nodes() {
        let Some(of_node) = statistics.of(node) else { break };
        match network.station(node as u32) {
            None => came += of_node.completed * (1 + parts(network, node as u32)),
            // A token may have come from each server without having been seen by the line.
            Some(station) => {
                let here = |most: u32| u64::from(most) + 2 * u64::from(station.servers);
                held = held.zip(of_node.most_waiting).map(|(sum, most)| sum + here(most));
                came += of_node.completed * parts(network, node as u32);
            }
        }
    }
    held.map_or(came, |held| held.min(came))
}

/// Returns the largest number of tokens by which a fork makes more of one; 0 for other nodes.
fn parts(network: &Network, node: u32) -> u64 {
    if network.routing(node) != Routing::Fork {
        return 0;
    }
    let routes = (0..network.classes() as u32).map(|class| network.routes(node, class).len() as u64);
    routes.max().unwrap_or(0).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::analysis::Plan;
    use crate::experiment::Experiment;
    use crate::{Builder, Law, Onward, Scenario, Start, Station, sequential};
    use proptest::prelude::*;

    /// Returns `true` if `replications` replications of a network may have a horizon of `units` time units.
    fn accepts(network: &Network, replications: u64, units: u64) -> bool {
        let experiment = Experiment {
            network: network.clone(),
            start: Start::One,
            horizon: units << 20,
            seed: 1,
            first: 0,
            replications,
            interval: None,
            plan: Plan::default(),
        };
        experiment.check().is_ok()
    }

    /// Builds a source of mean interarrival time 1 in front of a line of stations. Each station sends a token back to
    /// itself with the given probability.
    fn line(stations: &[(f64, f64)]) -> Network {
        let mut network = Builder::new();
        let mut last = network.source("door", 0, Law::Exponential { mean: 1.0 });
        for (number, &(mean, _)) in stations.iter().enumerate() {
            let station = network.station(format!("{number}"), Station::default());
            network.serve_all(station, Law::Exponential { mean });
        }
        for (station, &(_, again)) in (1..).zip(stations) {
            if last == 0 {
                network.edge(last, station);
            }
            last = station;
            let next = Onward { to: (station < stations.len() as u32).then_some(station + 1), ..Onward::out() };
            if again > 0.0 {
                network.route_all(station, Onward::to(station).with(again));
                network.route_all(station, next.with(1.0 - again));
            } else {
                network.route_all(station, next);
            }
        }
        network.build().unwrap()
    }

    #[test]
    fn a_thousand_replications_of_a_stable_network_are_accepted_at_every_length() {
        // Five stations with loads up to 0.75. The sources alone bring too many tokens from about 93,000 time units on.
        // Traffic equations were used only from a length that is too long for a single replication.
        let five = line(&[(0.5, 0.0), (0.75, 0.0), (0.3, 0.5), (0.35, 0.5), (0.3, 0.0)]);
        for units in [70_000, 80_000, 100_000, 300_000, 1_000_000, 2_000_000, 4_000_000] {
            assert!(accepts(&five, 1000, units), "{units}");
        }
        // The limit is reached by a thousand times the tokens allowed for (1,044 here) at this length.
        let limit = (LIMIT / 1000 / 1048) >> 20;
        assert!(accepts(&five, 1000, limit - 1) && !accepts(&five, 1000, limit + limit / 100));
    }

    proptest! {
        /// If a run is accepted, a shorter one and one of fewer replications are accepted too. So is any run that a
        /// stable network needs.
        #[test]
        fn shorter_runs_and_fewer_of_them_are_accepted_too(
            stations in prop::collection::vec((0.05..1.3_f64, prop_oneof![Just(0.0), 0.0..0.5_f64]), 1..5),
            replications in (0.0..18.0_f64).prop_map(|bits| bits.exp2() as u64),
            lengths in prop::collection::vec((0.0..40.0_f64).prop_map(|bits| bits.exp2() as u64), 6),
        ) {
            let network = line(&stations);
            let mut lengths = lengths;
            lengths.sort_unstable();
            let accepted: Vec<bool> = lengths.iter().map(|&units| accepts(&network, replications, units)).collect();
            prop_assert!(accepted.windows(2).all(|pair| pair[0] || !pair[1]), "{lengths:?}: {accepted:?}");
            for (&units, accepted) in lengths.iter().zip(accepted) {
                prop_assert!(!accepted || replications == 1 || accepts(&network, replications - 1, units));
                // A stable network has at most 1,024 tokens and four for each node.
                let stable = stations.iter().all(|&(mean, again)| mean / (1.0 - again) < 0.99);
                let tokens = 1024 + 4 * (stations.len() as u128 + 1);
                let needed = (tokens * u128::from(replications) * u128::from(units)) << 20;
                if stable {
                    prop_assert_eq!(accepted, needed < u128::from(LIMIT), "{} replications of {}", replications, units);
                }
            }
        }
    }

    fn shop(mean: f64) -> Network {
        let mut network = Builder::new();
        let source = network.source("door", 0, Law::Exponential { mean });
        let desk = network.station("desk", Station::default());
        network.serve_all(desk, Law::Exponential { mean: 1.0 }).edge(source, desk).exit(desk).tokens(desk, 0, 5);
        network.build().unwrap()
    }

    #[test]
    fn a_stable_network_may_run_long_and_an_unstable_one_may_not() {
        let always = u64::MAX;
        let stable = Growth::of(&shop(2.0), always, 1).longest(1);
        // 1,037 tokens.
        assert!((LIMIT / 1038..LIMIT / 1036).contains(&stable), "{stable}");
        assert!((stable / 1001..stable / 999).contains(&Growth::of(&shop(2.0), always, 1).longest(1000)));
        // Half a token stays in each time unit, 2^20 ticks: T^2 / 2^21 = 2^63.
        let unstable = Growth::of(&shop(2.0 / 3.0), always, 1).longest(1);
        assert!((unstable as f64 / 2.0_f64.powi(42) - 1.0).abs() < 0.001, "{unstable}");
        assert_eq!(Growth::of(&shop(2.0 / 3.0), 1 << 40, 1).tokens(1 << 40) >> 20, 1);
    }

    #[test]
    fn a_closed_network_has_the_tokens_that_it_has() {
        let torus = Network::torus(4, 4, 10, 1).unwrap();
        assert_eq!(Growth::of(&torus, u64::MAX, 1).longest(1), 1 << 59);
        assert_eq!(Growth::of(&torus, u64::MAX, 1).tokens(1 << 50), 16);
    }

    #[test]
    fn sums_stay_below_the_tokens_that_were_there() {
        for mean in [2.0, 0.01] {
            let network = shop(mean);
            let horizon = 500 << 20;
            let outcome = sequential::simulate(&Scenario::new(&network, Start::One, horizon, 1, 0).unwrap());
            let tokens = most_tokens(&network, &outcome.statistics);
            let (emitted, desk) = (outcome.statistics[0].completed + 5, outcome.statistics[1]);
            let bound = tokens * horizon;
            assert!(desk.number_integral < bound && desk.busy < bound && desk.sojourn_sum < bound);
            assert!(tokens <= emitted && (mean < 1.0 || tokens < 50), "{tokens} of {emitted}");
            // A hundredth of the limit, a hundred times.
            let long = Ended { horizon: LIMIT / tokens / 100 + 1, ..outcome.into() };
            let mut sums = Sums::default();
            assert_eq!((1..).find(|_| !sums.add(&network, &long).unwrap()), Some(100));
        }
    }
}
