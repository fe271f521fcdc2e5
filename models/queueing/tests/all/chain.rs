//! Markov chain of a small network of exponential stations and Poisson sources, state by state, with every rule of the
//! model except ties.
//!
//! The chain shares nothing with the engines: a state has every token in its place, and its steady state is found by
//! powers of the uniformized chain.

use imminent_queueing::Network;
use imminent_queueing::network::{Discipline, Overflow, Role, Routing};
use std::collections::BTreeMap;

/// State of a node: the classes in service, in ascending order, and those in line, in the order of arrival. For each
/// class it has the number of uses of its list of routes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
struct StationState {
    serving: Vec<u32>,
    waiting: Vec<u32>,
    turns: Vec<usize>,
}

/// A token whose service has ended: its node, its destination, and its new class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ended {
    from: usize,
    to: usize,
    becomes: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    places: Vec<StationState>,
    /// Tokens that block their servers, in the order in which their services ended.
    blocked: Vec<Ended>,
}

/// A change of state, and the node at which it loses a token, if any.
struct Move {
    rate: f64,
    next: State,
    lost: Option<usize>,
}

/// Steady state of the chain that begins in the initial state of the network.
pub(crate) struct Chain {
    probability: Vec<f64>,
    states: Vec<State>,
    /// Tokens lost per time unit in each state, by node.
    losses: Vec<Vec<f64>>,
}

impl Chain {
    /// Finds the steady state up to a change of all probabilities in one step.
    pub(crate) fn of(network: &Network, tolerance: f64) -> Self {
        let empty = State { places: vec![StationState::default(); network.len()], blocked: vec![] };
        let mut start = empty;
        for (node, place) in (0..).zip(&mut start.places) {
            place.turns = vec![0; network.classes()];
            for class in 0..network.classes() as u32 {
                place.waiting.extend(vec![class; network.tokens(node, class) as usize]);
            }
        }
        let (_, start) = started(network, start).swap_remove(0);
        let mut numbers = BTreeMap::from([(start.clone(), 0_usize)]);
        let (mut states, mut moves, mut losses) = (vec![start], vec![], vec![]);
        while moves.len() < states.len() {
            assert!(states.len() < 20_000, "too many states");
            let (mut onward, mut lost) = (vec![], vec![0.0; network.len()]);
            for Move { rate, next, lost: at } in departures(network, &states[moves.len()]) {
                let number = *numbers.entry(next.clone()).or_insert(states.len());
                if number == states.len() {
                    states.push(next);
                }
                onward.push((rate, number));
                if let Some(node) = at {
                    lost[node] += rate;
                }
            }
            moves.push(onward);
            losses.push(lost);
        }
        Self { probability: steady(&moves, tolerance), states, losses }
    }

    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.probability.iter().enumerate().map(|(state, probability)| probability * of(state)).sum()
    }

    /// Returns the mean number of busy servers.
    pub(crate) fn busy(&self, node: usize) -> f64 {
        self.mean(|state| self.states[state].places[node].serving.len() as f64)
    }

    /// Returns the mean number of blocked servers.
    pub(crate) fn blocked(&self, node: usize) -> f64 {
        self.mean(|state| self.states[state].blocked.iter().filter(|token| token.from == node).count() as f64)
    }

    /// Returns the mean number of tokens.
    pub(crate) fn number(&self, node: usize) -> f64 {
        self.mean(|state| present(&self.states[state], node) as f64)
    }

    /// Returns the mean number of tokens of a class that are served or wait.
    pub(crate) fn number_of(&self, node: usize, class: u32) -> f64 {
        let of_class =
            |place: &StationState| place.serving.iter().chain(&place.waiting).filter(|at| **at == class).count();
        self.mean(|state| of_class(&self.states[state].places[node]) as f64)
    }

    /// Returns the number of tokens lost per time unit.
    pub(crate) fn lost(&self, node: usize) -> f64 {
        self.mean(|state| self.losses[state][node])
    }
}

fn present(state: &State, node: usize) -> usize {
    let place = &state.places[node];
    place.serving.len() + place.waiting.len() + state.blocked.iter().filter(|token| token.from == node).count()
}

fn room(network: &Network, state: &State, node: usize) -> usize {
    let capacity = network.station(node as u32).unwrap().capacity;
    capacity.map_or(usize::MAX, |capacity| capacity as usize - present(state, node))
}

fn blocks(network: &Network, node: usize) -> bool {
    network.station(node as u32).is_some_and(|at| at.overflow == Overflow::Block && at.capacity.is_some())
}

/// Returns the possible next states with their rates.
fn departures(network: &Network, state: &State) -> Vec<Move> {
    let mut found = vec![];
    for node in 0..network.len() {
        let ending: Vec<(u32, Option<usize>)> = match network.role(node as u32) {
            Role::Source => vec![(network.source_class(node as u32).unwrap(), None)],
            Role::Station(_) => (0..).zip(&state.places[node].serving).map(|(at, &class)| (class, Some(at))).collect(),
        };
        for (class, server) in ending {
            let law = network.service(node as u32, class).unwrap() as usize;
            let rate = 1.0 / network.laws()[law].mean();
            let routes = network.routes(node as u32, class);
            let chosen: Vec<(f64, usize)> = match network.routing(node as u32) {
                Routing::RoundRobin => vec![(1.0, state.places[node].turns[list(network, node, class)])],
                Routing::Random => (0..routes.len()).map(|route| (routes.probability(route), route)).collect(),
                other => unreachable!("this chain has no {}", other.name()),
            };
            for (share, route) in chosen {
                let mut next = state.clone();
                if network.routing(node as u32) == Routing::RoundRobin {
                    next.places[node].turns[list(network, node, class)] = (route + 1) % routes.len();
                }
                if let Some(server) = server {
                    next.places[node].serving.remove(server);
                }
                let route = routes.get(route).unwrap();
                let onward = route.to.map(|to| Ended { from: node, to: to as usize, becomes: route.class });
                let (next, lost) = delivered(network, next, onward);
                for (part, next) in started(network, next) {
                    found.push(Move { rate: rate * share * part, next, lost });
                }
            }
        }
    }
    found
}

/// Returns the first class that goes to the same nodes as this one.
fn list(network: &Network, node: usize, class: u32) -> usize {
    let to = |class| network.routes(node as u32, class).iter().map(|route| route.to).collect::<Vec<_>>();
    (0..=class).find(|&other| to(other) == to(class)).unwrap() as usize
}

/// Moves a token whose service has ended, and those for which it makes room; returns the node at which one is lost.
fn delivered(network: &Network, mut state: State, onward: Option<Ended>) -> (State, Option<usize>) {
    let mut entering = vec![];
    match onward {
        // The last to end is the last to be given room.
        Some(token) if blocks(network, token.to) => state.blocked.push(token),
        Some(token) => entering.push(token),
        None => {}
    }
    let mut given = vec![];
    while let Some(first) = (0..state.blocked.len()).find(|&at| {
        let to = state.blocked[at].to;
        room(network, &state, to) > given.iter().filter(|token: &&Ended| token.to == to).count()
    }) {
        given.push(state.blocked.remove(first));
    }
    let mut lost = None;
    for token in given.into_iter().chain(entering) {
        if room(network, &state, token.to) > 0 {
            state.places[token.to].waiting.push(token.becomes);
        } else {
            lost = Some(token.to);
        }
    }
    (state, lost)
}

/// Lets free servers take waiting tokens: all possible results.
fn started(network: &Network, state: State) -> Vec<(f64, State)> {
    let free = |state: &State, node: usize| {
        let blocked = state.blocked.iter().filter(|token| token.from == node).count();
        let servers = network.station(node as u32).map_or(0, |station| station.servers as usize);
        let place = &state.places[node];
        !place.waiting.is_empty() && place.serving.len() + blocked < servers
    };
    let Some(node) = (0..network.len()).find(|&node| free(&state, node)) else { return vec![(1.0, state)] };
    let waiting = &state.places[node].waiting;
    let choices: Vec<usize> = match network.station(node as u32).unwrap().discipline {
        Discipline::Fifo => vec![0],
        Discipline::Lifo => vec![waiting.len() - 1],
        Discipline::Random => (0..waiting.len()).collect(),
        Discipline::Priority => {
            let least = waiting.iter().map(|&class| network.priority(node as u32, class)).min().unwrap();
            vec![waiting.iter().position(|&class| network.priority(node as u32, class) == least).unwrap()]
        }
        other => unreachable!("this chain has no {other}"),
    };
    let share = 1.0 / choices.len() as f64;
    let mut found = vec![];
    for choice in choices {
        let mut next = state.clone();
        let place = &mut next.places[node];
        let token = place.waiting.remove(choice);
        place.serving.push(token);
        place.serving.sort_unstable();
        found.extend(started(network, next).into_iter().map(|(part, next)| (share * part, next)));
    }
    found
}

/// Returns the steady state by powers of the uniformized chain.
fn steady(moves: &[Vec<(f64, usize)>], tolerance: f64) -> Vec<f64> {
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
        if change < tolerance {
            return now;
        }
    }
}
