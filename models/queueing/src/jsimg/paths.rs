//! Ways of tokens: what becomes of those that pass routers, loggers and class switches.

use super::JsimgError;
use super::forks::Parts;
use super::nodes::{Node, Role, Station};
use super::parameter::File;
use super::routing::Choice;
use crate::law::Law;
use crate::network::Routing;
use std::collections::BTreeMap;

/// Nodes and connections of a file.
pub(super) struct Paths<'r, 'a> {
    pub(super) file: File<'a>,
    pub(super) nodes: &'r [Node<'a>],
    /// Numbers of the nodes to which each node is connected, in the order of the file.
    pub(super) connections: &'r [Vec<usize>],
    pub(super) classes: &'r [String],
    /// `true` for closed classes, whose tokens go to no sink by chance.
    pub(super) closed: &'r [bool],
}

/// Largest number of nodes and classes that the ways of one token pass, those of a circle included, and of parts into
/// which it is divided: 2^16.
const MOST_PASSED: usize = 65_536;

/// End of a way: number of a station and of the class there; or `None` outside, and 0.
pub(super) type End = (Option<usize>, usize);

/// Number of the next node, class of the token there, and probability.
type Onward = (usize, usize, f64);

/// Ways of a class from a node.
pub(super) struct Ways {
    pub(super) routing: Routing,
    /// Ends, in the order of connections, with probabilities.
    pub(super) ends: Vec<(End, f64)>,
}

impl Paths<'_, '_> {
    /// Returns the ways of a class from a source or a station.
    pub(super) fn from(&self, node: usize, class: usize) -> Result<Ways, JsimgError> {
        let (routing, steps) = self.steps(node, class)?;
        let mut ends: Vec<(End, f64)> = vec![];
        for (to, class, probability) in steps {
            let found = self.resolve(to, class)?;
            if routing != Routing::Random && found.len() > 1 {
                let problem = "takes turns, or chooses by length, to a node that tokens pass at once and leave by chance: use 'random'";
                return Err(self.wrong(node, class, problem));
            }
            for (end, share) in found {
                match ends.iter_mut().find(|(known, _)| *known == end && routing == Routing::Random) {
                    Some((_, sum)) => *sum += probability * share,
                    None => ends.push((end, probability * share)),
                }
            }
        }
        Ok(Ways { routing: if ends.len() > 1 { routing } else { Routing::Random }, ends })
    }

    /// Returns the next nodes of a class that leaves a node, with the class there and the probability.
    fn steps(&self, node: usize, class: usize) -> Result<(Routing, Vec<Onward>), JsimgError> {
        let all = self.connections.get(node).map_or(&[][..], Vec::as_slice);
        let is_closed = self.closed.get(class) == Some(&true);
        let is_sink = |to: usize| matches!(self.nodes.get(to).map(|node| &node.role), Some(Role::Sink));
        let open: Vec<usize> = all.iter().copied().filter(|&to| !(is_closed && is_sink(to))).collect();
        let choice = self.nodes.get(node).and_then(|node| node.choices.get(class)).unwrap_or(&Choice::Nowhere);
        let equal = |routing| (routing, open.iter().map(|&to| (to, class, 1.0 / open.len() as f64)).collect());
        let steps: (Routing, Vec<Onward>) = match choice {
            Choice::Random => equal(Routing::Random),
            Choice::RoundRobin => equal(Routing::RoundRobin),
            Choice::ShortestQueue => equal(Routing::ShortestQueue),
            Choice::Fork(parts) => {
                let branches = match parts {
                    Parts::Each(parts) => open.iter().map(|&to| (to, *parts)).collect(),
                    Parts::To(branches) => {
                        let to = |(name, parts): &(&str, u32)| self.connected(node, class, name).map(|to| (to, *parts));
                        branches.iter().map(to).collect::<Result<Vec<_>, _>>()?
                    }
                };
                let all: u64 = branches.iter().map(|(_, parts)| u64::from(*parts)).sum();
                if all > MOST_PASSED as u64 {
                    let problem = format!("divides a token into {all} parts: make them at most {MOST_PASSED}");
                    return Err(self.wrong(node, class, &problem));
                }
                let steps =
                    branches.into_iter().flat_map(|(to, parts)| std::iter::repeat_n((to, class, 1.0), parts as usize));
                (Routing::Fork, steps.collect())
            }
            Choice::FastestService => {
                let means = open.iter().map(|&to| self.mean_service(node, to, class)).collect::<Result<Vec<_>, _>>()?;
                let shortest = means.iter().copied().fold(f64::INFINITY, f64::min);
                let fastest = open.iter().zip(&means).filter(|(_, mean)| **mean <= shortest).map(|(&to, _)| to);
                let fastest: Vec<_> = fastest.collect();
                (Routing::Random, fastest.iter().map(|&to| (to, class, 1.0 / fastest.len() as f64)).collect())
            }
            // Any rule chooses the only connection.
            Choice::Other(_) if open.len() == 1 => equal(Routing::Random),
            Choice::Other(name) => {
                let problem = format!("the routing strategy '{name}' has no counterpart here");
                return Err(self.wrong(node, class, &problem));
            }
            Choice::Nowhere => (Routing::Random, vec![]),
            Choice::Probabilities(entries) => {
                let mut steps = vec![];
                for (name, becomes, probability) in entries {
                    steps.push((self.connected(node, class, name)?, becomes.unwrap_or(class), *probability));
                }
                (Routing::Random, steps)
            }
        };
        if steps.1.is_empty() {
            return Err(self.wrong(node, class, "has no way on: connect it, or give it a route"));
        }
        Ok(steps)
    }

    /// Returns the node of a name to which another is connected.
    fn connected(&self, from: usize, class: usize, name: &str) -> Result<usize, JsimgError> {
        let to = self.nodes.iter().position(|node| node.name == name);
        let all = self.connections.get(from).map_or(&[][..], Vec::as_slice);
        to.filter(|to| all.contains(to))
            .ok_or_else(|| self.wrong(from, class, &format!("has a route to '{name}', to which it is not connected")))
    }

    /// Returns the mean service of a class at a node, for a choice at another; 0 outside.
    ///
    /// JMT compares the means of the services so far, and nodes without any come first. These means settle on those of
    /// the laws.
    fn mean_service(&self, from: usize, to: usize, class: usize) -> Result<f64, JsimgError> {
        let law = match self.nodes.get(to).map(|node| &node.role) {
            Some(Role::Sink) => return Ok(0.0),
            Some(Role::Station(station)) => station.services.get(class).and_then(Option::as_ref),
            _ => None,
        };
        law.map(Law::mean).ok_or_else(|| {
            let name = self.nodes.get(to).map_or("", |node| node.name);
            self.wrong(from, class, &format!("chooses the fastest service, and '{name}' has none: use 'random'"))
        })
    }

    /// Returns `true` if tokens of a class that come to a node choose there, wait for others or are served, rather than
    /// go on by chance.
    fn is_end(&self, node: usize, station: &Station<'_>, class: usize) -> bool {
        let choice = self.nodes.get(node).and_then(|node| node.choices.get(class));
        !station.pass
            || station.join.is_some()
            || station.obstacle.is_some()
            || !choice.is_some_and(Choice::is_by_chance)
    }

    /// Returns the ends of the ways of a token that comes to a node.
    fn resolve(&self, to: usize, class: usize) -> Result<Vec<(End, f64)>, JsimgError> {
        let mut ends: Vec<(End, f64)> = vec![];
        let mut on_the_way = BTreeMap::from([((to, class), 1.0)]);
        let mut passed = 0;
        // A way without a circle passes each node and class at most once.
        for _ in 0..=self.nodes.len() * self.classes.len() {
            let mut next = BTreeMap::new();
            passed += on_the_way.len();
            if passed > MOST_PASSED {
                break;
            }
            for ((node, class), share) in on_the_way {
                for (end, weight) in self.pass(node, class)? {
                    match end {
                        Step::End(end) => match ends.iter_mut().find(|(known, _)| *known == end) {
                            Some((_, sum)) => *sum += share * weight,
                            None => ends.push((end, share * weight)),
                        },
                        Step::Next(node, class) => *next.entry((node, class)).or_insert(0.0) += share * weight,
                    }
                }
            }
            if next.is_empty() {
                return Ok(ends);
            }
            on_the_way = next;
        }
        Err(self.wrong(to, class, "leads back to itself by nodes that tokens pass at once: put a station between them"))
    }

    /// Returns what becomes of a token that comes to a node, in one step.
    fn pass(&self, node: usize, class: usize) -> Result<Vec<(Step, f64)>, JsimgError> {
        let onward = |class: usize, weight: f64| -> Result<Vec<(Step, f64)>, JsimgError> {
            let (routing, steps) = self.steps(node, class)?;
            if routing != Routing::Random && steps.len() > 1 {
                let problem = "takes turns, or chooses by length, without a service: use 'random', or a queue";
                return Err(self.wrong(node, class, problem));
            }
            Ok(steps.into_iter().map(|(to, class, p)| (Step::Next(to, class), weight * p)).collect())
        };
        match self.nodes.get(node).map(|node| &node.role) {
            // Outside, a class no longer matters.
            Some(Role::Sink) => Ok(vec![(Step::End((None, 0)), 1.0)]),
            Some(Role::Station(station)) if self.is_end(node, station, class) => {
                Ok(vec![(Step::End((Some(node), class)), 1.0)])
            }
            Some(Role::Station(_) | Role::Pass) => onward(class, 1.0),
            Some(Role::Switch(weights)) => {
                let row = weights.get(class).map_or(&[][..], Vec::as_slice);
                let sum: f64 = row.iter().sum();
                if sum <= 0.0 {
                    return Err(self.wrong(node, class, "gives the class no probability: let its row add up to 1"));
                }
                let mut all = vec![];
                for (becomes, weight) in row.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                    all.extend(onward(becomes, weight / sum)?);
                }
                Ok(all)
            }
            Some(Role::Source(_)) => Err(self.wrong(node, class, "is a source, to which no token can go")),
            Some(Role::Other(section)) => {
                Err(self.wrong(node, class, &format!("the section '{section}' has no counterpart here")))
            }
            None => Ok(vec![]),
        }
    }

    /// Returns the error for a node and class.
    pub(super) fn wrong(&self, node: usize, class: usize, problem: &str) -> JsimgError {
        let class = self.classes.get(class).map_or("", String::as_str);
        match self.nodes.get(node) {
            Some(node) => self.file.wrong(node.element, &format!("station '{}', class '{class}'", node.name), problem),
            None => JsimgError::NoModel { file: self.file.name.to_owned() },
        }
    }
}

/// Step of a token that comes to a node.
enum Step {
    End(End),
    Next(usize, usize),
}
