//! Routes of flows: the links of each route in order, stored flat.

use super::error::RouteError;
use super::routing::{Metric, Tree};
use super::{Network, slice};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of destinations that a thread takes at once.
const AT_ONCE: usize = 32;

/// Choice of paths: the metric, links that are down, and hashes among equal paths.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search<'a> {
    /// Measure of the length of a path.
    pub metric: Metric,
    /// `true` for each link that is down, by number; all links beyond the end are up.
    pub down: &'a [bool],
    /// Hash of each pair, by which it takes one of several shortest paths. Without hashes all pairs take the same one.
    pub hashes: Option<&'a [u64]>,
}

/// Routes by number: lists of links of any length, stored one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Routes {
    start: Vec<u32>,
    links: Vec<u32>,
}

impl Routes {
    /// Finds the shortest path for each pair of a source and a destination. [`routing`](super::routing) defines the
    /// choice among several shortest paths.
    ///
    /// Pairs are sorted by destination. Each destination's tree is built once, on all threads of the process's pool. A
    /// pair of equal nodes has a route without links.
    ///
    /// # Errors
    /// [`RouteError`] for pairs without a path, for unknown nodes, and for more hops than 32-bit numbers allow.
    pub fn find(network: &Network, pairs: &[(u32, u32)], metric: Metric) -> Result<Self, RouteError> {
        Self::find_by(network, pairs, Search { metric, ..Search::default() })
    }

    /// Finds a shortest path for each pair as [`find`](Self::find) does, around links that are down, and by hashes.
    ///
    /// # Errors
    /// [`RouteError`], as for [`find`](Self::find).
    pub fn find_by(network: &Network, pairs: &[(u32, u32)], search: Search<'_>) -> Result<Self, RouteError> {
        let (routes, unconnected) = Self::search(network, pairs, search)?;
        unconnected.check(network, pairs)?;
        Ok(routes)
    }

    /// Finds a shortest path for each pair as [`find_by`](Self::find_by) does. A pair without a path has a route
    /// without links.
    ///
    /// # Errors
    /// [`RouteError`] for unknown nodes, and for more hops than 32-bit numbers allow.
    pub(crate) fn find_where_joined(
        network: &Network,
        pairs: &[(u32, u32)],
        search: Search<'_>,
    ) -> Result<Self, RouteError> {
        Self::search(network, pairs, search).map(|(routes, _)| routes)
    }

    fn search(network: &Network, pairs: &[(u32, u32)], search: Search<'_>) -> Result<(Self, Unconnected), RouteError> {
        let nodes = network.nodes();
        let stray = |pair: &&(u32, u32)| pair.0.max(pair.1) as usize >= nodes;
        if let Some(&(from, to)) = pairs.iter().find(stray) {
            return Err(RouteError::NoSuchNode { from, to, nodes });
        }
        let tree = Tree::without(network, search.metric, search.down);
        let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
        order.sort_by_key(|&pair| tree.anchor(pairs[pair as usize].1));
        let same_tree = |a: &u32, b: &u32| tree.anchor(pairs[*a as usize].1) == tree.anchor(pairs[*b as usize].1);
        let trees: Vec<&[u32]> = order.chunk_by(same_tree).collect();
        let hops = AtomicU64::new(0);
        let pieces =
            trees.par_chunks(AT_ONCE).map(|trees| Piece::find(tree.clone(), trees, (pairs, search.hashes), &hops));
        let found: Vec<Piece> = pieces.collect();
        let hops = hops.into_inner();
        if hops > u64::from(u32::MAX) {
            return Err(RouteError::TooManyHops { hops });
        }
        Ok((Self::joined(pairs.len(), &found), Unconnected::of(&found)))
    }

    /// Joins routes that were found in pieces.
    fn joined(count: usize, found: &[Piece]) -> Self {
        let mut start = vec![0; count + 1];
        for (pair, route) in found.iter().flat_map(Piece::routes) {
            start[pair as usize + 1] = route.len() as u32;
        }
        let mut sum = 0;
        for start in &mut start {
            sum += *start;
            *start = sum;
        }
        let mut links = vec![0; sum as usize];
        for (pair, route) in found.iter().flat_map(Piece::routes) {
            let first = start[pair as usize] as usize;
            links[first..first + route.len()].copy_from_slice(route);
        }
        Self { start, links }
    }

    /// Number of routes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Returns `true` if there are no routes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the links of a route, in order; none for an unknown number.
    #[must_use]
    pub fn links(&self, route: u32) -> &[u32] {
        slice(&self.start, &self.links, route)
    }

    /// Index among the [hops](Self::hops) at which each route starts, followed by the end of the last route.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.start
    }

    /// Returns the links of all routes, one route after the other.
    #[must_use]
    pub fn hops(&self) -> &[u32] {
        &self.links
    }

    /// Returns the sum of the propagation delays along a route, in nanoseconds.
    #[must_use]
    pub fn delay(&self, network: &Network, route: u32) -> u64 {
        self.links(route).iter().filter_map(|&link| network.link(link)).map(|link| link.delay).sum()
    }
}

/// Part of the routes, one after the other.
#[derive(Default)]
struct Piece {
    /// For each route, its pair and its end in `links`.
    ends: Vec<(u32, u32)>,
    links: Vec<u32>,
    /// Pairs without a path.
    unconnected: Vec<u32>,
}

impl Piece {
    /// Finds the routes of pairs, grouped by tree. Adds to `hops`, and stops storing links beyond the largest number of
    /// hops.
    fn find(
        mut tree: Tree<'_>,
        trees: &[&[u32]],
        (pairs, hashes): (&[(u32, u32)], Option<&[u64]>),
        hops: &AtomicU64,
    ) -> Piece {
        let mut piece = Piece::default();
        for &of_tree in trees {
            let Some(&(_, destination)) = of_tree.first().map(|&pair| &pairs[pair as usize]) else { continue };
            tree.grow(tree.anchor(destination));
            for &pair in of_tree {
                let (from, to) = pairs[pair as usize];
                let before = piece.links.len();
                let hash = hashes.and_then(|hashes| hashes.get(pair as usize)).copied();
                if !tree.walk(from, to, hash, |link| piece.links.push(link)) {
                    piece.links.truncate(before);
                    piece.unconnected.push(pair);
                }
                let more = (piece.links.len() - before) as u64;
                if hops.fetch_add(more, Ordering::Relaxed) + more > u64::from(u32::MAX) {
                    piece.links.truncate(before);
                }
                piece.ends.push((pair, piece.links.len() as u32));
            }
        }
        piece
    }

    /// Returns the pairs with their routes.
    fn routes(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(_, end)| *end));
        let routes = starts.zip(&self.ends);
        routes.map(|(start, &(pair, end))| (pair, self.links.get(start as usize..end as usize).unwrap_or(&[])))
    }
}

/// Pairs without a path.
struct Unconnected {
    first: Option<u32>,
    pairs: u64,
}

impl Unconnected {
    fn of(found: &[Piece]) -> Self {
        let pairs = found.iter().flat_map(|piece| &piece.unconnected).copied();
        Unconnected { first: pairs.clone().min(), pairs: pairs.count() as u64 }
    }

    fn check(self, network: &Network, pairs: &[(u32, u32)]) -> Result<(), RouteError> {
        let Some(&(from, to)) = self.first.and_then(|first| pairs.get(first as usize)) else { return Ok(()) };
        let label = |node| network.label(node).to_owned();
        Err(RouteError::Unconnected { from: label(from), to: label(to), pairs: self.pairs })
    }
}

#[cfg(test)]
mod tests;
