//! Reachability of nodes by classes, with checks that each class is served and has a route there.

use super::{Behaviour, Network, NetworkError, Role};
use std::collections::BTreeMap;

impl Network {
    /// Marks the pairs of node and class that tokens can reach, and checks each.
    pub(super) fn reached(&self, behaviours: &BTreeMap<u32, Behaviour>) -> Result<Vec<bool>, NetworkError> {
        let classes = self.classes() as u32;
        let mut reached = vec![false; self.nodes * self.classes()];
        let mut open = self.beginnings();
        if open.is_empty() {
            return Err(NetworkError::Empty);
        }
        while let Some((node, class)) = open.pop() {
            let Some(mark) = self.pair(node, class).and_then(|pair| reached.get_mut(pair)) else { continue };
            if std::mem::replace(mark, true) {
                continue;
            }
            let place = || (self.label(node), self.class_name(class));
            if self.service(node, class).is_none() {
                let (label, class) = place();
                return Err(NetworkError::NotServed { label, class });
            }
            // Tokens that lose patience keep their class.
            let impatient = behaviours.get(&node).map(|behaviour| behaviour.leads_to(class)).unwrap_or_default();
            for to in impatient {
                if self.role(to) == Role::Source {
                    return Err(NetworkError::IntoSource { label: self.label(to), what: "go" });
                }
                open.push((to, class));
            }
            let routes = self.routes(node, class);
            if routes.is_empty() {
                let (label, class) = place();
                return Err(if classes == 1 {
                    NetworkError::DeadEnd { label }
                } else {
                    NetworkError::DeadEndForClass { label, class }
                });
            }
            for route in routes.iter() {
                let Some(to) = route.to else { continue };
                if self.role(to) == Role::Source {
                    return Err(NetworkError::IntoSource { label: self.label(to), what: "go" });
                }
                open.push((to, route.class));
            }
        }
        let unreached = (0..self.nodes as u32).find(|&node| {
            !(0..classes).any(|class| self.pair(node, class).is_some_and(|pair| reached.get(pair) == Some(&true)))
        });
        match unreached {
            Some(node) => Err(NetworkError::Unreachable { label: self.label(node) }),
            None => Ok(reached),
        }
    }

    /// Returns the nodes and classes where tokens are at time 0 or are emitted.
    fn beginnings(&self) -> Vec<(u32, u32)> {
        let pairs = (0..self.nodes as u32).flat_map(|node| (0..self.classes() as u32).map(move |class| (node, class)));
        let begins = |&(node, class): &(u32, u32)| match self.role(node) {
            Role::Source => self.service(node, class).is_some(),
            Role::Station(_) => self.tokens(node, class) > 0,
        };
        pairs.filter(begins).collect()
    }
}
