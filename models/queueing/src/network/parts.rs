//! Parts of forked tokens.

use super::{Network, Routing};
use std::collections::BTreeSet;

/// Largest number of forks within one another that are followed. A token that is forked more often has more parts than
/// any run holds.
const MOST_FORKS: u32 = 16;

impl Network {
    /// Returns a node from which a part of a forked token can leave the network before it is joined, if there is one.
    /// The time of such a token in the network is not defined.
    pub(crate) fn leaves_in_parts(&self) -> Option<u32> {
        let forks = |node: u32| self.routing(node) == Routing::Fork;
        if !(0..self.len() as u32).any(forks) {
            return None;
        }
        let sources = (0..self.len() as u32).filter_map(|node| Some((node, self.source_class(node)?, 0)));
        // Node, class and number of families of tokens that can be there.
        let mut open: Vec<(u32, u32, u32)> = sources.collect();
        let mut known: BTreeSet<_> = open.iter().copied().collect();
        while let Some((node, class, families)) = open.pop() {
            let families = if forks(node) { families + 1 } else { families };
            let mut next = vec![];
            for route in self.routes(node, class).iter() {
                let Some(to) = route.to else {
                    if families > 0 {
                        return Some(node);
                    }
                    continue;
                };
                next.push((to, route.class));
            }
            let patience = self.conduct(node).and_then(|conduct| conduct.patience.get(class as usize)?.as_ref()?.1);
            next.extend(patience.map(|to| (to, class)));
            for (to, class) in next {
                let joins = self.conduct(to).is_some_and(|conduct| conduct.join.is_some());
                let state = (to, class, families.saturating_sub(u32::from(joins)));
                if state.2 <= MOST_FORKS && known.insert(state) {
                    open.push(state);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::config::NetworkConfig;

    fn leaves(text: &str) -> Option<String> {
        let text = format!("{text}[run]\nhorizon = 10.0\n");
        let network = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap().network;
        network.leaves_in_parts().map(|node| network.label(node))
    }

    const FORK: &str = "[network]
mean = 1.0
edges = [['door', 'split'], ['split', 'a'], ['split', 'b'], ['a', 'whole'], ['whole', 'out']]
[[network.source]]
name = 'door'
mean = 3.0
[[network.node]]
name = 'split'
routing = 'fork'
pass = true
[[network.node]]
name = 'whole'
join = 'all'
";

    #[test]
    fn parts_that_are_not_joined_are_found() {
        let route = |to: &str| format!("{FORK}[[network.route]]\nfrom = 'b'\nto = '{to}'\n");
        assert_eq!(leaves(&route("whole")), None);
        assert_eq!(leaves(&route("out")), Some("b".to_owned()));
        // A join of the inner fork leaves parts of the outer one.
        let inner = "[[network.node]]
name = 'inner'
routing = 'fork'
[[network.node]]
name = 'again'
join = 'all'
[[network.route]]
from = 'inner'
to = 'c'
[[network.route]]
from = 'inner'
to = 'again'
[[network.route]]
from = 'c'
to = 'again'
[[network.route]]
from = 'again'
to = 'LAST'
[[network.node]]
name = 'c'
";
        let nested = route("inner") + inner;
        assert_eq!(leaves(&nested.replace("LAST", "whole")), None);
        assert_eq!(leaves(&nested.replace("LAST", "out")), Some("again".to_owned()));
    }
}
