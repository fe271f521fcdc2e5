//! Parts of a network: sets of nodes with paths in both directions.

use super::Network;

impl Network {
    /// Returns `true` if no link begins or ends at a node.
    #[must_use]
    pub fn is_isolated(&self, node: u32) -> bool {
        self.out_links(node).is_empty() && self.in_links(node).is_empty()
    }

    /// Number of nodes without links.
    #[must_use]
    pub fn isolated(&self) -> u64 {
        (0..self.nodes() as u32).filter(|&node| self.is_isolated(node)).count() as u64
    }

    /// Returns the nodes of each part, ascending. Two nodes belong to one part if each has a path to the other (a
    /// strongly connected component, by Kosaraju's algorithm).
    #[must_use]
    pub fn parts(&self) -> Vec<Vec<u32>> {
        let nodes = self.nodes() as u32;
        let mut seen = vec![false; self.nodes()];
        let mut done = Vec::with_capacity(self.nodes());
        for root in 0..nodes {
            self.finish(root, &mut seen, &mut done);
        }
        let mut parts = vec![];
        let mut taken = vec![false; self.nodes()];
        for &root in done.iter().rev() {
            let mut part = vec![];
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if std::mem::replace(&mut taken[node as usize], true) {
                    continue;
                }
                part.push(node);
                open.extend(self.in_links(node).iter().filter_map(|&link| self.link(link)).map(|link| link.from));
            }
            if !part.is_empty() {
                part.sort_unstable();
                parts.push(part);
            }
        }
        parts.sort_unstable();
        parts
    }

    /// Appends the unseen nodes that can be reached from a root, each after the nodes that can be reached from it.
    fn finish(&self, root: u32, seen: &mut [bool], done: &mut Vec<u32>) {
        if std::mem::replace(&mut seen[root as usize], true) {
            return;
        }
        // Nodes on the path from the root, with the number of their links that were followed.
        let mut way = vec![(root, 0)];
        while let Some((node, followed)) = way.last_mut() {
            let (node, next) = (*node, *followed);
            *followed += 1;
            match self.out_links(node).get(next).and_then(|&link| self.link(link)) {
                Some(link) => {
                    if !std::mem::replace(&mut seen[link.to as usize], true) {
                        way.push((link.to, 0));
                    }
                }
                None => {
                    done.push(node);
                    way.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::network::{Builder, Discipline, Link, Network, Queue};
    use proptest::prelude::*;

    fn network(nodes: u32, links: &[(u32, u32)]) -> Network {
        let mut builder = Builder::new();
        (0..nodes).for_each(|node| {
            builder.node(node.to_string());
        });
        let queue = Queue::of_bytes(10_000, Discipline::DropTail);
        for &(from, to) in links {
            builder.link(Link { from, to, delay: 1_000_000, bandwidth: 1_000_000, queue, loss: 0.0 });
        }
        builder.build().unwrap()
    }

    proptest! {
        #[test]
        fn two_nodes_are_of_one_part_where_each_reaches_the_other(
            nodes in 1_u32..12, ends in proptest::collection::vec((0_u32..12, 0_u32..12), 0..30)
        ) {
            let links: Vec<_> = ends.into_iter().filter(|(a, b)| a != b && *a < nodes && *b < nodes).collect();
            // Reachability by Warshall's algorithm.
            let count = nodes as usize;
            let mut reaches = vec![vec![false; count]; count];
            (0..count).for_each(|node| reaches[node][node] = true);
            links.iter().for_each(|&(a, b)| reaches[a as usize][b as usize] = true);
            for via in 0..count {
                for a in 0..count {
                    for b in 0..count {
                        reaches[a][b] |= reaches[a][via] && reaches[via][b];
                    }
                }
            }
            let network = network(nodes, &links);
            let parts = network.parts();
            let mut all = parts.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..nodes).collect::<Vec<_>>());
            let part = |node: u32| parts.iter().position(|part| part.contains(&node));
            for a in 0..nodes {
                prop_assert_eq!(network.is_isolated(a), !links.iter().any(|ends| ends.0 == a || ends.1 == a));
                for b in 0..nodes {
                    let (x, y) = (a as usize, b as usize);
                    prop_assert_eq!(part(a) == part(b), reaches[x][y] && reaches[y][x]);
                }
            }
        }
    }
}
