//! Warnings about networks that can be simulated but are unusual.

use super::{Column, Discipline, Network, Overflow, Role, Rounding};
use crate::theory::{Load, TheoryError};
use imminent_common::number::Shown;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A property of a network that its author should know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// Nodes of a graph have no edges, and were left out with their tokens.
    LeftOut {
        /// Number of such nodes.
        nodes: u64,
    },
    /// Probabilities of routes did not add up to one, but nearly, and were scaled.
    Scaled {
        /// Label or number of the node.
        node: String,
        /// Name of the class.
        class: String,
        /// Sum of the probabilities that were given.
        sum: f64,
        /// Number of other nodes and classes for which this is true.
        others: usize,
    },
    /// An unlimited station is offered more work than its servers can do.
    Unstable {
        /// Label or number of the node.
        node: String,
        /// Offered load: work per time unit, divided by the number of servers.
        load: f64,
        /// Number of other nodes that are overloaded.
        others: usize,
    },
    /// Tokens come from a source and can never leave.
    NeverLeaves {
        /// Label or number of the node.
        node: String,
        /// Name of the class.
        class: String,
    },
    /// Classes have priorities at a station whose discipline ignores them.
    PriorityIgnored {
        /// Label or number of the node.
        node: String,
        /// Discipline of the node.
        discipline: Discipline,
        /// Number of other nodes for which this is true.
        others: usize,
    },
    /// A station serves by priority, but all of its classes have the same.
    PriorityAlike {
        /// Label or number of the node.
        node: String,
        /// Number of other nodes for which this is true.
        others: usize,
    },
    /// Parts of forked tokens never come to a node that joins them.
    NeverJoined {
        /// Label or number of the node that forks.
        node: String,
        /// Number of other nodes for which this is true.
        others: usize,
    },
    /// Servers come on duty, or tokens come from a source, only after the end of the run.
    TooLate {
        /// Servers or arrivals that are too late, in words.
        what: String,
        /// Label or number of the node.
        node: String,
        /// Time of the first, in time units.
        time: f64,
        /// Length of the run, in time units.
        horizon: f64,
    },
    /// Tokens wait outside of a region, where no statistics count them.
    OutsideRegion {
        /// Label or number of the region's first node.
        node: String,
    },
    /// A law has an infinite variance.
    InfiniteVariance {
        /// Label or number of a node that has the law.
        node: String,
        /// Name of the law.
        law: String,
    },
    /// The draws of a law have another mean than the law.
    Rounded {
        /// Label or number of a node that has the law.
        node: String,
        /// Name of the law.
        law: String,
        /// Mean requested, in time units.
        mean: f64,
        /// Mean of all draws, in time units.
        drawn: f64,
        /// Length of a tick, in time units.
        tick: f64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftOut { nodes: 1 } => write!(f, "1 node without edges takes no part"),
            Self::LeftOut { nodes } => write!(f, "{nodes} nodes without edges take no part"),
            Self::Scaled { node, class, sum, others } => write!(
                f,
                "the probabilities of class '{class}' at node '{node}'{} add up to {}: they are scaled to add up to 1",
                and_others(*others),
                Shown(*sum)
            ),
            Self::Unstable { node, load, others } => {
                write!(f, "the network is unstable: node '{node}' is offered {load:.4} times what its servers can do")?;
                match others {
                    0 => {}
                    1 => write!(f, ", and another node is overloaded too")?,
                    _ => write!(f, ", and {others} others are overloaded too")?,
                }
                write!(
                    f,
                    "; lines grow as long as the run lasts, and means say nothing of a steady state: add servers, shorten services or \
                     arrivals' rates, or limit the capacity"
                )
            }
            Self::NeverLeaves { node, class } => write!(
                f,
                "the network is unstable: tokens of class '{class}' come to node '{node}' from a source and can never leave; give them a \
                 route out of the network"
            ),
            Self::PriorityIgnored { node, discipline, others } => write!(
                f,
                "the classes at node '{node}'{} have priorities, which the discipline '{discipline}' ignores: give it the discipline \
                 'priority', or remove them",
                and_others(*others)
            ),
            Self::PriorityAlike { node, others } => write!(
                f,
                "node '{node}'{} has the discipline 'priority' and the same priority for all classes, so it serves first come, first \
                 served: give a class another 'priority', or use the discipline 'fifo'",
                and_others(*others)
            ),
            Self::NeverJoined { node, others } => write!(
                f,
                "node '{node}'{} forks tokens, and their parts never come to a join, so each part leaves by itself: give a node to which all \
                 parts come 'join = \"all\"', or choose another 'routing' where a token should take one of the routes",
                and_others(*others)
            ),
            Self::TooLate { what, node, time, horizon } => write!(
                f,
                "{what} at node '{node}' come at {} at the earliest and the run ends at {}, so there are none: let them come earlier, or give a \
                 longer horizon",
                Shown(*time),
                Shown(*horizon)
            ),
            Self::OutsideRegion { node } => write!(
                f,
                "tokens wait outside of the region of node '{node}' while it is full, and are at no node then: the number in the network, its \
                 distribution and costs leave them out; --end-to-end has their times"
            ),
            Self::InfiniteVariance { node, law } => write!(
                f,
                "the law '{law}' of node '{node}' has an infinite variance: means settle so slowly that confidence intervals mislead; give it \
                 a 'shape' above 2, or use 'empirical' with measured durations"
            ),
            Self::Rounded { node, law, mean, drawn, tick } => {
                let error = 100.0 * (drawn / mean - 1.0);
                let wrong = if error > 0.0 { "long" } else { "short" };
                write!(
                    f,
                    "the law '{law}' of node '{node}' has a mean of {} time units and is drawn {:.3} % too {wrong}: durations are whole ticks of {} \
                     time units, of which the rarest, beyond a probability of 2^-33, are left out",
                    Shown(*mean),
                    error.abs(),
                    Shown(*tick)
                )
            }
        }
    }
}

fn and_others(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " (and at another node)".to_owned(),
        _ => format!(" (and at {others} others)"),
    }
}

impl Network {
    /// Returns warnings that an author should read before the results. They concern nodes that were left out,
    /// probabilities that were scaled, unstable open networks, priorities that are ignored, forks without joins, tokens
    /// outside of regions, infinite variances, and rounded durations.
    ///
    /// If several nodes are concerned, the worst or the first is named. Stability is not checked if the traffic
    /// equations take too long.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = vec![];
        warnings.extend((self.left_out > 0).then_some(Warning::LeftOut { nodes: self.left_out }));
        warnings.extend(self.scaled.first().map(|first| Warning::Scaled {
            node: self.label(first.node),
            class: self.class_name(first.class),
            sum: first.sum,
            others: self.scaled.len() - 1,
        }));
        warnings.extend(self.of_stability());
        warnings.extend(self.of_priorities());
        warnings.extend(self.of_forks());
        warnings.extend(self.of_regions());
        warnings.extend(self.of_variance());
        warnings.extend(self.of_rounding());
        warnings
    }

    fn of_stability(&self) -> Option<Warning> {
        if !self.has_sources() {
            return None;
        }
        let load = match Load::of(self) {
            Ok(load) => load,
            Err(TheoryError::NeverLeaves { label, class }) => return Some(Warning::NeverLeaves { node: label, class }),
            Err(_) => return None,
        };
        let unlimited = |node: &u32| self.station(*node).is_some_and(|station| station.capacity.is_none());
        // A load of 1 has no steady state either; the equations are solved to a part in 10^12.
        let overloaded = (0..self.len() as u32).filter(unlimited).filter(|&node| load.offered(node) >= 1.0 - 1e-9);
        let overloaded: Vec<u32> = overloaded.collect();
        let worst =
            overloaded.iter().copied().max_by(|&a, &b| load.offered(a).total_cmp(&load.offered(b)).then(b.cmp(&a)))?;
        Some(Warning::Unstable { node: self.label(worst), load: load.offered(worst), others: overloaded.len() - 1 })
    }

    fn of_priorities(&self) -> Vec<Warning> {
        let by_priority = |role: Role| matches!(role, Role::Station(station) if station.discipline.is_by_priority());
        if self.priority == Column::All(0) && !self.profiles.iter().any(|profile| by_priority(profile.role)) {
            return vec![];
        }
        let mut ignored: Option<(u32, Discipline, usize)> = None;
        let mut alike: Option<(u32, usize)> = None;
        for node in 0..self.len() as u32 {
            let Some(station) = self.station(node) else { continue };
            let priorities = self.priorities(node);
            if !station.discipline.is_by_priority() && priorities.iter().any(|(_, priority)| *priority != 0) {
                ignored.get_or_insert((node, station.discipline, 0)).2 += 1;
            }
            let first = priorities.first().map(|(_, priority)| priority);
            if station.discipline.is_by_priority() && priorities.iter().all(|(_, other)| Some(other) == first) {
                alike.get_or_insert((node, 0)).1 += 1;
            }
        }
        let ignored = ignored.map(|(node, discipline, count)| Warning::PriorityIgnored {
            node: self.label(node),
            discipline,
            others: count - 1,
        });
        let alike = alike.map(|(node, count)| Warning::PriorityAlike { node: self.label(node), others: count - 1 });
        ignored.into_iter().chain(alike).collect()
    }

    fn of_forks(&self) -> Option<Warning> {
        let unjoined = self.unjoined_forks();
        let first = unjoined.first()?;
        Some(Warning::NeverJoined { node: self.label(*first), others: unjoined.len() - 1 })
    }

    fn of_regions(&self) -> Option<Warning> {
        let region = self.regions().iter().find(|region| region.overflow == Overflow::Block)?;
        region.nodes.first().map(|node| Warning::OutsideRegion { node: self.label(*node) })
    }

    fn of_variance(&self) -> Option<Warning> {
        let number = self.laws().iter().position(|law| law.squared_variation().is_infinite())?;
        let law = self.laws().get(number)?.name().to_owned();
        let has =
            |&node: &u32| (0..self.classes() as u32).any(|class| self.service(node, class) == Some(number as u32));
        let node = (0..self.len() as u32).find(has).unwrap_or(0);
        Some(Warning::InfiniteVariance { node: self.label(node), law })
    }

    fn of_rounding(&self) -> Option<Warning> {
        let Rounding { node, law, mean, drawn } =
            self.rounding().filter(|rounding| rounding.error().abs() > Rounding::UNNOTICED)?;
        let tick = self.tick().units(1);
        Some(Warning::Rounded { node: self.label(node), law: law.to_owned(), mean, drawn, tick })
    }
}
