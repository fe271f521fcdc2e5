//! Loops of nodes that tokens only pass: a token that never leaves them would keep a run at one time for ever.

use super::{Network, NetworkError, Routing};
use std::collections::{HashMap, HashSet};

/// A node and a class.
type Place = (u32, u32);

impl Network {
    /// Checks that tokens leave the nodes that they only pass.
    ///
    /// A fork is left when all of its parts leave; other nodes if one of their routes leads away.
    pub(super) fn check_passes(&self) -> Result<(), NetworkError> {
        let classes = 0..self.classes() as u32;
        let places = self.passes.iter().flat_map(|&node| classes.clone().map(move |class| (node, class)));
        let places: Vec<Place> = places.filter(|&(node, class)| self.service(node, class).is_some()).collect();
        // Routes to other passed nodes that may lead away for each place, and the places before each.
        let mut missing: HashMap<Place, usize> = HashMap::new();
        let mut before: HashMap<Place, Vec<Place>> = HashMap::new();
        let mut left = vec![];
        for &place in &places {
            let passed = self.passed_after(place);
            let others = self.routes(place.0, place.1).len() - passed.len();
            let is_fork = self.routing(place.0) == Routing::Fork;
            missing.insert(place, if is_fork { passed.len() } else { usize::from(others == 0) });
            for next in passed {
                before.entry(next).or_default().push(place);
            }
            left.extend((missing.get(&place) == Some(&0)).then_some(place));
        }
        let mut leaves: HashSet<Place> = left.iter().copied().collect();
        while let Some(place) = left.pop() {
            for earlier in before.get(&place).into_iter().flatten() {
                let Some(missing) = missing.get_mut(earlier) else { continue };
                *missing = missing.saturating_sub(1);
                if *missing == 0 && leaves.insert(*earlier) {
                    left.push(*earlier);
                }
            }
        }
        let first = places.into_iter().find(|place| !leaves.contains(place));
        first.map_or(Ok(()), |first| Err(NetworkError::OnlyPassed { nodes: self.loop_after(first, &leaves) }))
    }

    /// Returns the places after one that tokens only pass, once for each route.
    fn passed_after(&self, (node, class): Place) -> Vec<Place> {
        let passed = |to: Option<u32>| to.filter(|to| self.is_pass(*to));
        self.routes(node, class).iter().filter_map(|route| Some((passed(route.to)?, route.class))).collect()
    }

    /// Returns the labels of nodes on a loop that a token never leaves, from a place that it never leaves.
    fn loop_after(&self, first: Place, leaves: &HashSet<Place>) -> Vec<String> {
        let mut way = vec![first];
        let next = |place: Place| self.passed_after(place).into_iter().find(|next| !leaves.contains(next));
        let start = loop {
            let Some(next) = way.last().and_then(|last| next(*last)) else { break 0 };
            if let Some(start) = way.iter().position(|place| *place == next) {
                break start;
            }
            way.push(next);
        };
        let nodes = way.iter().skip(start).take(NetworkError::MAX_NAMED);
        nodes.map(|(node, _)| self.label(*node)).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::law::Law;
    use crate::network::{Behaviour, Builder, Join, Network, NetworkError, Onward, Routing, Station};

    /// A source, a station, and nodes `0` to `3` that tokens pass, with these routes and rules.
    fn network(routes: &[(u32, Option<u32>)], forks: &[u32], joins: &[u32]) -> Result<Network, NetworkError> {
        let mut builder = Builder::new();
        let token = builder.class("token");
        (0..4).for_each(|number| assert_eq!(builder.pass(format!("p{number}")), number));
        let desk = builder.station("desk", Station::default());
        builder.serve_all(desk, Law::Exponential { mean: 1.0 });
        let door = builder.source("door", token, Law::Exponential { mean: 10.0 });
        builder.edge(door, 0).edge(door, desk).edge(desk, 0);
        for (from, to) in routes {
            builder.route_all(*from, Onward { to: *to, ..Onward::out() });
        }
        forks.iter().for_each(|node| _ = builder.routing(*node, Routing::Fork));
        for join in joins {
            builder.behave(*join, Behaviour { join: Some(Join::All), ..Behaviour::default() });
        }
        builder.build()
    }

    #[test]
    fn tokens_that_never_leave_passed_nodes_are_refused() {
        let way = [(0, Some(1)), (1, Some(2)), (2, Some(3)), (1, Some(4))];
        let nodes = |routes: &[(u32, Option<u32>)], forks: &[u32], joins: &[u32]| match network(routes, forks, joins) {
            Err(NetworkError::OnlyPassed { nodes }) => nodes,
            other => other.map(|_| vec![]).unwrap(),
        };
        let with = |more: &[(u32, Option<u32>)]| [&way[..], more].concat();
        assert_eq!(nodes(&with(&[(3, Some(2))]), &[], &[]), ["p2", "p3"]);
        // A chance to leave is enough, at any place of the loop.
        assert_eq!(nodes(&with(&[(3, Some(2)), (3, Some(1))]), &[], &[]), [""; 0]);
        assert_eq!(nodes(&with(&[(3, Some(0))]), &[], &[]), [""; 0]);
        assert_eq!(nodes(&with(&[(3, Some(3)), (3, None)]), &[], &[]), [""; 0]);
        // A fork sends a part along each route.
        assert_eq!(nodes(&with(&[(3, Some(3)), (3, None)]), &[3], &[]), ["p3"]);
        assert_eq!(nodes(&with(&[(3, Some(4)), (3, None)]), &[3], &[]), [""; 0]);
        assert_eq!(
            nodes(&[(0, Some(1)), (0, Some(2)), (1, Some(3)), (2, Some(3)), (3, Some(0))], &[0], &[3]),
            ["p0", "p1", "p3"]
        );
        let joined = [(0, Some(1)), (0, Some(2)), (1, Some(3)), (2, Some(3)), (3, Some(0)), (3, Some(4))];
        assert_eq!(nodes(&joined, &[0], &[3]), [""; 0]);
    }
}
