//! Forks without joins, and joins without forks.

use super::behaviour::BehaviourError;
use super::{Network, NetworkError, Routing};

impl Network {
    /// Checks that parts of forked tokens can come to each node that joins some, and that no region limits classes of
    /// parts, which count one by one.
    pub(super) fn check_joins(&self) -> Result<(), NetworkError> {
        let limits = self.regions.iter().find(|region| !region.classes.is_empty());
        if let Some((fork, _)) = self.forks().first().zip(limits) {
            return Err(NetworkError::ForkedClasses { label: self.label(*fork) });
        }
        let joins: Vec<u32> = self.joins().collect();
        if joins.is_empty() {
            return Ok(());
        }
        let reached = self.reached_from(&self.forks());
        let lone = joins.into_iter().find(|join| reached.get(*join as usize) != Some(&true));
        lone.map_or(Ok(()), |node| {
            Err(NetworkError::Behaviour { label: self.label(node), error: BehaviourError::NoParts })
        })
    }

    /// Returns the nodes that fork tokens whose parts can never come to a join.
    pub(super) fn unjoined_forks(&self) -> Vec<u32> {
        let comes_to_join = |fork: u32| {
            let reached = self.reached_from(&[fork]);
            self.joins().any(|join| reached.get(join as usize) == Some(&true))
        };
        self.forks().into_iter().filter(|fork| !comes_to_join(*fork)).collect()
    }

    /// Returns the nodes that split tokens into parts: those with several routes of a class.
    fn forks(&self) -> Vec<u32> {
        if !self.profiles.iter().any(|profile| profile.routing == Routing::Fork) {
            return vec![];
        }
        let splits = |&node: &u32| (0..self.classes() as u32).any(|class| self.routes(node, class).len() > 1);
        (0..self.len() as u32).filter(|&node| self.routing(node) == Routing::Fork).filter(splits).collect()
    }

    fn joins(&self) -> impl Iterator<Item = u32> + '_ {
        self.behaviours.iter().filter(|(_, behaviour)| behaviour.join.is_some()).map(|(node, _)| *node)
    }

    /// Marks the nodes to which tokens of any class can come after some nodes.
    fn reached_from(&self, nodes: &[u32]) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut open = nodes.to_vec();
        while let Some(node) = open.pop() {
            let classes = 0..self.classes() as u32;
            let routes = classes.clone().flat_map(|class| self.routes(node, class).targets());
            let impatient =
                classes.flat_map(|class| self.behaviour(node).map_or_else(Vec::new, |of| of.leads_to(class)));
            for to in routes.chain(impatient) {
                if let Some(mark) = reached.get_mut(to as usize).filter(|mark| !**mark) {
                    *mark = true;
                    open.push(to);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::law::Law;
    use crate::network::{Behaviour, BehaviourError, Builder, Join, Network, NetworkError, Routing, Station, Warning};

    /// A source, two stations, and a last one; some of them fork and join.
    fn network(forks: bool, joins: bool) -> Result<Network, NetworkError> {
        let mut builder = Builder::new();
        let token = builder.class("token");
        let door = builder.source("door", token, Law::Exponential { mean: 10.0 });
        let [left, right, last] = ["left", "right", "last"].map(|name| builder.station(name, Station::default()));
        for node in [left, right, last] {
            builder.serve_all(node, Law::Exponential { mean: 1.0 });
        }
        builder.routing(door, if forks { Routing::Fork } else { Routing::Random });
        builder.edge(door, left).edge(door, right).edge(left, last).edge(right, last).exit(last);
        if joins {
            builder.behave(last, Behaviour { join: Some(Join::All), ..Behaviour::default() });
        }
        builder.build()
    }

    #[test]
    fn joins_need_forks_and_forks_without_joins_are_told() {
        let error = network(false, true).unwrap_err();
        assert_eq!(error, NetworkError::Behaviour { label: "last".into(), error: BehaviourError::NoParts });
        assert_eq!(network(true, true).unwrap().warnings(), []);
        assert_eq!(network(false, false).unwrap().warnings(), []);
        let warning = Warning::NeverJoined { node: "door".into(), others: 0 };
        assert_eq!(network(true, false).unwrap().warnings(), [warning]);
    }
}
