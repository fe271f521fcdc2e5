//! The routes of flows: the links that each takes, in order, stored flat.

use super::error::RouteError;
use super::routing::{Metric, Tree};
use super::{Network, slice};

/// Routes, by number: lists of links of any length, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Routes {
    start: Vec<u32>,
    links: Vec<u32>,
}

impl Routes {
    /// The shortest path for each pair of a source and a destination; [`routing`](super::routing) says which where there are several.
    ///
    /// Pairs are sorted by destination, and each destination's tree is made twice: to count the hops, and to write them where they belong. So nothing is stored but the
    /// routes themselves and one tree. A pair of equal nodes has a route of no links.
    ///
    /// # Errors
    /// [`RouteError`] for pairs that no path joins, for nodes that are not there, and for more hops than 32 bits number.
    pub fn find(network: &Network, pairs: &[(u32, u32)], metric: Metric) -> Result<Self, RouteError> {
        let nodes = network.nodes();
        let stray = |pair: &&(u32, u32)| pair.0.max(pair.1) as usize >= nodes;
        if let Some(&(from, to)) = pairs.iter().find(stray) {
            return Err(RouteError::NoSuchNode { from, to, nodes });
        }
        let mut tree = Tree::new(network, metric);
        let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
        order.sort_by_key(|&pair| tree.anchor(pairs[pair as usize].1));
        let mut lengths = vec![0_u32; pairs.len()];
        let (mut unconnected, mut hops) = (Unconnected::default(), 0_u64);
        each_tree(&mut tree, &order, pairs, |tree, pair, (from, to)| {
            let length = &mut lengths[pair as usize];
            if !tree.walk(from, to, |_| *length += 1) {
                unconnected.count(pair);
            }
            hops += u64::from(*length);
        });
        unconnected.check(network, pairs)?;
        if hops > u64::from(u32::MAX) {
            return Err(RouteError::TooManyHops { hops });
        }
        let mut start = Vec::with_capacity(pairs.len() + 1);
        let mut sum = 0;
        start.push(0);
        start.extend(lengths.iter().map(|length| {
            sum += length;
            sum
        }));
        drop(lengths);
        let mut links = vec![0; hops as usize];
        each_tree(&mut tree, &order, pairs, |tree, pair, (from, to)| {
            let mut next = start[pair as usize] as usize;
            tree.walk(from, to, |link| {
                links[next] = link;
                next += 1;
            });
        });
        Ok(Self { start, links })
    }

    /// Number of routes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The links of a route, in order; none for a number that is none's.
    #[must_use]
    pub fn links(&self, route: u32) -> &[u32] {
        slice(&self.start, &self.links, route)
    }

    /// Where each route begins among the [hops](Self::hops), and at last where the last one ends.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.start
    }

    /// The links of all routes, one route after the other.
    #[must_use]
    pub fn hops(&self) -> &[u32] {
        &self.links
    }

    /// Sum of the propagation delays along a route, in nanoseconds.
    #[must_use]
    pub fn delay(&self, network: &Network, route: u32) -> u64 {
        self.links(route).iter().filter_map(|&link| network.link(link)).map(|link| link.delay).sum()
    }
}

/// Calls `each` for every pair, with its number, when the tree has the paths to its destination.
fn each_tree<'a>(
    tree: &mut Tree<'a>,
    order: &[u32],
    pairs: &[(u32, u32)],
    mut each: impl FnMut(&Tree<'a>, u32, (u32, u32)),
) {
    let mut grown = None;
    for &pair in order {
        let ends = pairs[pair as usize];
        let anchor = tree.anchor(ends.1);
        if grown != Some(anchor) {
            tree.grow(anchor);
            grown = Some(anchor);
        }
        each(tree, pair, ends);
    }
}

/// The pairs that no path joins.
#[derive(Default)]
struct Unconnected {
    first: Option<u32>,
    pairs: u64,
}

impl Unconnected {
    fn count(&mut self, pair: u32) {
        self.first = Some(self.first.map_or(pair, |first| first.min(pair)));
        self.pairs += 1;
    }

    fn check(&self, network: &Network, pairs: &[(u32, u32)]) -> Result<(), RouteError> {
        let Some(&(from, to)) = self.first.and_then(|first| pairs.get(first as usize)) else { return Ok(()) };
        let label = |node| network.label(node).to_owned();
        Err(RouteError::Unconnected { from: label(from), to: label(to), pairs: self.pairs })
    }
}

#[cfg(test)]
mod tests;
