//! Classes of tokens, as JMT has them.

use super::not_written::NotWritten;
use crate::network::Network;

/// Classes of a network, as JMT has them.
pub(super) struct Classes {
    /// `true` for classes that no source's tokens become.
    pub(super) closed: Vec<bool>,
    /// Priority of each class: the largest is served first.
    pub(super) priorities: Vec<u32>,
}

impl Classes {
    /// Collects the priorities of classes, and finds those that are closed.
    pub(super) fn of(network: &Network) -> Result<Self, NotWritten> {
        let ranks = Self::ranks(network)?;
        let lowest = ranks.iter().copied().max().unwrap_or(0);
        let closed = Self::closed(network);
        let exits = |class: &u32, node: u32| network.routes(node, *class).iter().any(|route| route.to.is_none());
        for node in 0..network.len() as u32 {
            let is_closed = |class: &u32| closed.get(*class as usize) == Some(&true);
            if let Some(class) = (0..network.classes() as u32).filter(is_closed).find(|class| exits(class, node)) {
                let class = network.class_name(class);
                let problem =
                    format!("no source emits class '{class}', and in JMT such jobs cannot leave: add a source");
                return Err(NotWritten { node: network.label(node), problem });
            }
        }
        Ok(Self { closed, priorities: ranks.into_iter().map(|rank| lowest - rank).collect() })
    }

    /// Returns a rank for each class, in the one order in which all stations serve by priority, as JMT has one.
    fn ranks(network: &Network) -> Result<Vec<u32>, NotWritten> {
        let mut ranks = vec![0; network.classes()];
        let by_priority =
            |node: &u32| network.station(*node).is_some_and(|station| station.discipline.is_by_priority());
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..network.len() as u32).filter(by_priority) {
                for pair in network.priorities(node).windows(2) {
                    let [(first, before), (second, after)] = pair else { continue };
                    let rank = |class: &u32| ranks.get(*class as usize).copied().unwrap_or(0);
                    let (of_first, of_second) = (rank(first), rank(second));
                    let [least_first, least_second] = match before == after {
                        true => [of_first.max(of_second); 2],
                        false => [of_first, of_second.max(of_first + 1)],
                    };
                    if least_first.max(least_second) as usize >= network.classes() {
                        let problem = "its classes have priorities in another order than elsewhere, and in JMT they have one for all nodes: order them alike";
                        return Err(NotWritten { node: network.label(node), problem: problem.to_owned() });
                    }
                    for (class, least) in [(first, least_first), (second, least_second)] {
                        if let Some(entry) = ranks.get_mut(*class as usize).filter(|entry| **entry != least) {
                            (*entry, changed) = (least, true);
                        }
                    }
                }
            }
        }
        Ok(ranks)
    }

    /// Returns `true` for each class that no source emits, and that no token from a source becomes.
    fn closed(network: &Network) -> Vec<bool> {
        let mut closed = vec![true; network.classes()];
        let mut open: Vec<u32> = (0..network.len() as u32).filter_map(|node| network.source_class(node)).collect();
        while let Some(class) = open.pop() {
            let Some(entry) = closed.get_mut(class as usize).filter(|closed| **closed) else { continue };
            *entry = false;
            for node in 0..network.len() as u32 {
                open.extend(
                    network.routes(node, class).iter().map(|route| route.class).filter(|other| *other != class),
                );
            }
        }
        closed
    }
}
