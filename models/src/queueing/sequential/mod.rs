//! The oracle: one event list, one event at a time.
//!
//! This is the textbook's event-scheduling simulator, and it is meant to be checked by reading. Tokens are objects that
//! stand in a first-in, first-out line or in a server; the only event is the end of a service; statistics are kept by
//! watching the clock (areas under curves), not by the sums over services that define them. The parallel engines share
//! none of this.

pub(crate) mod exponential;

use crate::queueing::outcome::{NodeState, NodeStatistics, Outcome, WaitingLines};
use crate::queueing::scenario::Scenario;
use crate::streams::Seed;
use rand_core::Rng as _;
use rand_pcg::Pcg32;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Simulates one replication.
///
/// Exact by construction, and the reference for every exact engine's bits. Time: one heap operation per event.
#[must_use]
pub fn simulate(scenario: &Scenario<'_>) -> Outcome {
    let mut simulator = Simulator::new(scenario);
    simulator.run();
    simulator.outcome()
}

/// A node's random numbers, in the order in which the model draws them.
pub(crate) struct Draws {
    rng: Pcg32,
    seed: Seed,
    drawn: u64,
}

impl Draws {
    pub(crate) fn new(seed: Seed) -> Self {
        Self { rng: seed.generator(), seed, drawn: 0 }
    }

    fn word(&mut self) -> u32 {
        self.drawn += 1;
        self.rng.next_u32()
    }

    pub(crate) fn service(&mut self, mean: u32) -> u64 {
        exponential::service(self.word(), mean)
    }

    pub(crate) fn destination(&mut self, out_edges: &[u32]) -> u32 {
        let choice = (u64::from(self.word()) * out_edges.len() as u64) >> 32;
        out_edges.get(choice as usize).copied().unwrap_or(0)
    }

    pub(crate) fn state(&self) -> u64 {
        self.seed.state_after(self.drawn)
    }
}

/// A token being served.
struct InService {
    arrived: u64,
    started: u64,
}

struct Server {
    draws: Draws,
    next_service: u64,
    free_at: u64,
    serving: Option<InService>,
    line: VecDeque<u64>,
    statistics: NodeStatistics,
    /// When the number of tokens at the node last changed.
    changed: u64,
}

/// The end of a service: time, node, and where the token goes.
type Departure = Reverse<(u64, u32, u32)>;

struct Simulator<'a> {
    scenario: &'a Scenario<'a>,
    servers: Vec<Server>,
    future: BinaryHeap<Departure>,
}

impl<'a> Simulator<'a> {
    fn new(scenario: &'a Scenario<'a>) -> Self {
        let network = scenario.simple();
        let servers = (0..).zip(scenario.tokens()).map(|(node, &tokens)| {
            let mut draws = Draws::new(scenario.key().node(node));
            Server {
                next_service: draws.service(network.mean_service(node)),
                draws,
                free_at: 0,
                serving: None,
                line: vec![0; tokens as usize].into(),
                statistics: NodeStatistics::default(),
                changed: 0,
            }
        });
        Self { scenario, servers: servers.collect(), future: BinaryHeap::new() }
    }

    fn run(&mut self) {
        let horizon = self.scenario.horizon();
        if horizon == 0 {
            return;
        }
        for node in 0..self.servers.len() as u32 {
            self.start_service(node, 0);
        }
        while let Some(&Reverse((now, node, to))) = self.future.peek() {
            if now >= horizon {
                break;
            }
            self.future.pop();
            self.depart(node, now);
            self.arrive(to, now);
            self.start_service(node, now);
            self.start_service(to, now);
        }
    }

    fn depart(&mut self, node: u32, now: u64) {
        let Some(server) = self.servers.get_mut(node as usize) else { return };
        server.observe(now);
        if let Some(token) = server.serving.take() {
            server.statistics.completed += 1;
            server.statistics.sojourn_sum += now - token.arrived;
            server.statistics.waiting_sum += token.started - token.arrived;
        }
    }

    fn arrive(&mut self, node: u32, now: u64) {
        let Some(server) = self.servers.get_mut(node as usize) else { return };
        server.observe(now);
        server.line.push_back(now);
    }

    /// Puts the first token of the line into the server, if there is one and the server is idle.
    fn start_service(&mut self, node: u32, now: u64) {
        let network = self.scenario.simple();
        let Some(server) = self.servers.get_mut(node as usize) else { return };
        if server.serving.is_some() {
            return;
        }
        let Some(arrived) = server.line.pop_front() else { return };
        server.observe(now);
        server.serving = Some(InService { arrived, started: now });
        server.statistics.served += 1;
        server.free_at = now + server.next_service;
        let to = server.draws.destination(network.out_edges(node));
        server.next_service = server.draws.service(network.mean_service(node));
        self.future.push(Reverse((server.free_at, node, to)));
    }

    /// Ends the watch at the horizon and sends the tokens still in service on to their next nodes.
    fn outcome(mut self) -> Outcome {
        let horizon = self.scenario.horizon();
        for server in &mut self.servers {
            server.observe(horizon);
            if server.free_at == horizon && server.serving.is_some() {
                // Ended in the horizon's own tick: completed, although no service follows it.
                let token = server.serving.take();
                server.statistics.completed += 1;
                server.statistics.sojourn_sum += token.as_ref().map_or(0, |token| horizon - token.arrived);
                server.statistics.waiting_sum += token.map_or(0, |token| token.started - token.arrived);
            }
        }
        let mut waiting: Vec<(u32, u64)> = self.future.iter().map(|Reverse((time, _, to))| (*to, *time)).collect();
        for (node, server) in (0..).zip(&self.servers) {
            waiting.extend(server.line.iter().map(|&arrival| (node, arrival)));
        }
        Outcome {
            horizon,
            states: self.servers.iter().map(Server::state).collect(),
            statistics: self.servers.iter().map(|server| server.statistics).collect(),
            waiting: WaitingLines::from_pairs(self.servers.len(), &waiting),
        }
    }
}

impl Server {
    /// Adds the time since the last change to the areas under "is serving" and "number of tokens here".
    fn observe(&mut self, now: u64) {
        let elapsed = now - self.changed;
        let serving = u64::from(self.serving.is_some());
        self.statistics.busy += elapsed * serving;
        self.statistics.number_integral += elapsed * (self.line.len() as u64 + serving);
        self.changed = now;
    }

    fn state(&self) -> NodeState {
        NodeState { free_at: self.free_at, next_service: self.next_service, rng_state: self.draws.state() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::queueing::network::{Network, Node};
    use crate::queueing::scenario::Start;

    fn network(mean: u32, tokens: [u32; 2]) -> Network {
        let node = |tokens| Node { label: None, mean_service: mean, tokens };
        Network::from_edges(tokens.map(node).to_vec(), &[(0, 1), (1, 0)]).unwrap()
    }

    #[test]
    fn a_lone_token_is_always_in_service() {
        let network = network(1000, [1, 0]);
        let scenario = Scenario::new(&network, Start::One, 100_000, 9, 0).unwrap();
        let outcome = simulate(&scenario);
        let totals = outcome.totals();
        assert_eq!(totals.busy, 100_000);
        assert_eq!(totals.number_integral, 100_000);
        assert_eq!(totals.waiting_sum, 0);
        assert_eq!(outcome.waiting.total(), 1);
        assert!(totals.served - totals.completed <= 1);
        assert!((60..160).contains(&totals.served), "{}", totals.served);
    }

    #[test]
    fn by_hand_two_tokens_at_one_node() {
        let network = network(1000, [2, 0]);
        // The services of both nodes, drawn apart from the simulator.
        let scenario = Scenario::new(&network, Start::One, 1, 4, 0).unwrap();
        let mut words = scenario.key().node(0).generator();
        let first = exponential::service(words.next_u32(), 1000);
        let _only_edge = words.next_u32();
        let second = exponential::service(words.next_u32(), 1000);
        let mut words = scenario.key().node(1).generator();
        let other = exponential::service(words.next_u32(), 1000);

        // Up to the instant before the first departure, one token is served and one waits.
        let scenario = Scenario::new(&network, Start::One, first, 4, 0).unwrap();
        let outcome = simulate(&scenario);
        let node = outcome.statistics[0];
        assert_eq!((node.served, node.completed, node.busy), (1, 1, first));
        assert_eq!((node.sojourn_sum, node.waiting_sum, node.number_integral), (first, 0, 2 * first));
        assert_eq!(outcome.waiting.of(0), [0]);
        assert_eq!(outcome.waiting.of(1), [first]);
        assert_eq!(outcome.states[0], NodeState { free_at: first, next_service: second, ..outcome.states[0] });

        // One tick more: both nodes start a service in that tick.
        let scenario = Scenario::new(&network, Start::One, first + 1, 4, 0).unwrap();
        let outcome = simulate(&scenario);
        assert_eq!(outcome.states[0].free_at, first + second);
        assert_eq!(outcome.states[1].free_at, first + other);
        assert_eq!(outcome.statistics[1].busy, 1);
        assert_eq!(outcome.statistics[0].number_integral, 2 * first + 1);
    }

    #[test]
    fn nothing_happens_before_a_horizon_of_zero() {
        let network = network(1000, [2, 1]);
        let outcome = simulate(&Scenario::new(&network, Start::One, 0, 4, 0).unwrap());
        assert_eq!(outcome.totals(), NodeStatistics::default());
        assert_eq!(outcome.waiting.of(0), [0, 0]);
        assert_eq!(outcome.states[0].free_at, 0);
        assert!(outcome.states[0].next_service > 0);
    }
}
