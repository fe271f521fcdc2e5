//! The Markov chain of a closed network of exponential stations, state by state.

#![allow(clippy::unwrap_used)]

use crate::network::{Discipline, Network};
use std::collections::BTreeMap;

/// Classes of the tokens at a node: those in service, in ascending order, and those in line, in the order of arrival.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
struct StationState {
    serving: Vec<u32>,
    waiting: Vec<u32>,
}

type State = Vec<StationState>;

/// Steady state of the Markov chain that begins in the initial state of the network.
pub(super) struct Enumerated {
    /// Probability of each state.
    probability: Vec<f64>,
    states: Vec<State>,
}

impl Enumerated {
    pub(super) fn of(network: &Network) -> Self {
        let mut numbers = BTreeMap::new();
        let mut states = vec![start(network)];
        numbers.insert(states[0].clone(), 0_usize);
        let mut moves: Vec<Vec<(f64, usize)>> = vec![];
        while moves.len() < states.len() {
            let onward = departures(network, &states[moves.len()]).into_iter().map(|(rate, next)| {
                let number = *numbers.entry(next.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(next);
                }
                (rate, number)
            });
            let onward = onward.collect();
            moves.push(onward);
        }
        Self { probability: steady(&moves), states }
    }

    fn mean(&self, of: impl Fn(&State) -> usize) -> f64 {
        self.probability.iter().zip(&self.states).map(|(probability, state)| probability * of(state) as f64).sum()
    }

    pub(super) fn busy(&self, node: usize) -> f64 {
        self.mean(|state| state[node].serving.len())
    }

    pub(super) fn number(&self, node: usize) -> f64 {
        self.mean(|state| state[node].serving.len() + state[node].waiting.len())
    }

    pub(super) fn number_of(&self, node: usize, class: u32) -> f64 {
        let all = |place: &StationState| place.serving.iter().chain(&place.waiting).filter(|&&at| at == class).count();
        self.mean(|state| all(&state[node]))
    }
}

fn start(network: &Network) -> State {
    let mut state = vec![StationState::default(); network.len()];
    for (node, place) in (0..).zip(&mut state) {
        for class in 0..network.classes() as u32 {
            place.waiting.extend(vec![class; network.tokens(node, class) as usize]);
        }
    }
    // The initial choice of tokens in service does not affect the steady state if orders turn into each other.
    for (node, place) in (0..).zip(&mut state) {
        let servers = network.station(node).unwrap().servers as usize;
        place.serving = place.waiting.drain(..servers.min(place.waiting.len())).collect();
        place.serving.sort_unstable();
    }
    state
}

/// Returns the possible next states with their rates.
fn departures(network: &Network, state: &State) -> Vec<(f64, State)> {
    let mut found = vec![];
    for (node, place) in (0..).zip(state) {
        for (server, &class) in place.serving.iter().enumerate() {
            let law = network.service(node, class).unwrap() as usize;
            let routes = network.routes(node, class);
            for (index, route) in routes.iter().enumerate() {
                let mut next = state.clone();
                next[node as usize].serving.remove(server);
                let to = route.to.unwrap();
                next[to as usize].waiting.push(route.class);
                let rate = routes.probability(index) / network.laws()[law].mean();
                for (share, next) in taken_up(network, next, node) {
                    found.extend(
                        taken_up(network, next, to).into_iter().map(|(rest, next)| (rate * share * rest, next)),
                    );
                }
            }
        }
    }
    found
}

/// Lets a free server of a node take the next token, if one waits: all possible results.
fn taken_up(network: &Network, state: State, node: u32) -> Vec<(f64, State)> {
    let station = network.station(node).unwrap();
    let StationState { serving, waiting } = &state[node as usize];
    if serving.len() == station.servers as usize || waiting.is_empty() {
        return vec![(1.0, state)];
    }
    let choices: Vec<usize> = match station.discipline {
        Discipline::Fifo => vec![0],
        Discipline::Lifo => vec![waiting.len() - 1],
        Discipline::Random => (0..waiting.len()).collect(),
        Discipline::Priority => {
            let least = waiting.iter().map(|&class| network.priority(node, class)).min();
            vec![waiting.iter().position(|&class| Some(network.priority(node, class)) == least).unwrap()]
        }
    };
    let share = 1.0 / choices.len() as f64;
    let take = |choice| {
        let mut next = state.clone();
        let place = &mut next[node as usize];
        let token = place.waiting.remove(choice);
        place.serving.push(token);
        place.serving.sort_unstable();
        (share, next)
    };
    choices.into_iter().map(take).collect()
}

/// Returns the steady state by powers of the uniformized chain.
fn steady(moves: &[Vec<(f64, usize)>]) -> Vec<f64> {
    let leaving: Vec<f64> = moves.iter().map(|onward| onward.iter().map(|(rate, _)| rate).sum()).collect();
    let pace = 1.1 * leaving.iter().copied().fold(0.0, f64::max);
    let mut now = vec![1.0 / moves.len() as f64; moves.len()];
    loop {
        let mut next: Vec<f64> = now.iter().zip(&leaving).map(|(now, leaving)| now * (1.0 - leaving / pace)).collect();
        for (now, onward) in now.iter().zip(moves) {
            for &(rate, to) in onward {
                next[to] += now * rate / pace;
            }
        }
        let change: f64 = now.iter().zip(&next).map(|(now, next)| (now - next).abs()).sum();
        now = next;
        if change < 1e-14 {
            return now;
        }
    }
}
