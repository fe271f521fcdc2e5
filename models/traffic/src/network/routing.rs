//! Shortest paths from trees, one for each destination, built on demand.
//!
//! At each node a path takes the link with the smallest number among those that begin a shortest path. A path thus does
//! not depend on the order of any list or search, and the paths to one destination form a tree.
//!
//! A node with one neighbour, such as a host in a LAN, is never in the middle of a path. Such nodes have no tree of
//! their own. Paths to them are those to their neighbour with the last link appended; paths from them begin with their
//! only link. A network of 269,000 nodes, of which 252,000 are hosts, needs some thousand small trees.
//!
//! With a hash a path takes any of the links that begin a shortest path, by the hash and the node (ECMP). Links that
//! are down are no links.

use super::{Link, Network, slice};
use imminent_common::streams::split_mix;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Measure of the length of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Number of links.
    #[default]
    Hops,
    /// Sum of propagation delays; of two equal sums, the path with fewer links is shorter.
    Delay,
}

/// Length of a path: the metric's value, then the number of links as a tie-breaker.
type Length = (u64, u32);

const UNREACHED: Length = (u64::MAX, u32::MAX);

/// Tree of shortest paths to one destination, whose memory is reused for the next tree. Clones share the map of the
/// network.
#[derive(Debug, Clone)]
pub struct Tree<'a> {
    network: &'a Network,
    metric: Metric,
    map: Arc<Map>,
    /// Length of the path from each node to the destination.
    lengths: Vec<Length>,
    /// Nodes with a length.
    reached: Vec<u32>,
    heap: BinaryHeap<Reverse<(Length, u32)>>,
}

impl<'a> Tree<'a> {
    /// Allocates memory for the trees of a network whose links are all up.
    #[must_use]
    pub fn new(network: &'a Network, metric: Metric) -> Self {
        Self::without(network, metric, &[])
    }

    /// Allocates memory for the trees of a network of which some links are down, given by number. All links beyond the
    /// end of the list are up.
    #[must_use]
    pub fn without(network: &'a Network, metric: Metric, down: &[bool]) -> Self {
        let (lengths, map) = (vec![UNREACHED; network.nodes()], Arc::new(Map::of(network, down)));
        Self { network, metric, map, lengths, reached: vec![], heap: BinaryHeap::new() }
    }

    /// Returns the root of the tree that has the paths to `node`: the node itself, or its only neighbour.
    #[must_use]
    pub fn anchor(&self, node: u32) -> u32 {
        self.map.anchors.get(node as usize).copied().unwrap_or(node)
    }

    /// Builds the tree of an [anchor](Self::anchor).
    pub fn grow(&mut self, anchor: u32) {
        for node in self.reached.drain(..) {
            self.lengths[node as usize] = UNREACHED;
        }
        if (anchor as usize) < self.lengths.len() {
            self.lengths[anchor as usize] = (0, 0);
            self.reached.push(anchor);
            match self.metric {
                Metric::Hops => self.grow_by_hops(),
                Metric::Delay => self.grow_by_delay(anchor),
            }
        }
    }

    /// Searches breadth first, against the links' direction; `reached` is the queue.
    fn grow_by_hops(&mut self) {
        let mut next = 0;
        while let Some(&node) = self.reached.get(next) {
            next += 1;
            let length = (self.lengths[node as usize].0 + 1, 0);
            for hop in self.map.into.at(node) {
                let known = &mut self.lengths[hop.node as usize];
                if *known == UNREACHED {
                    *known = length;
                    self.reached.push(hop.node);
                }
            }
        }
    }

    /// Runs Dijkstra's algorithm, against the links' direction.
    fn grow_by_delay(&mut self, anchor: u32) {
        self.heap.clear();
        self.heap.push(Reverse(((0, 0), anchor)));
        while let Some(Reverse((length, node))) = self.heap.pop() {
            if length > self.lengths[node as usize] {
                continue;
            }
            for hop in self.map.into.at(node) {
                let (longer, old) = (self.with(hop.delay, length), self.lengths[hop.node as usize]);
                if longer < old {
                    if old == UNREACHED {
                        self.reached.push(hop.node);
                    }
                    self.lengths[hop.node as usize] = longer;
                    self.heap.push(Reverse((longer, hop.node)));
                }
            }
        }
    }

    /// Returns the length of a path with one more link in front.
    fn with(&self, delay: u64, length: Length) -> Length {
        match self.metric {
            Metric::Hops => (length.0 + 1, 0),
            Metric::Delay => (length.0.saturating_add(delay), length.1 + 1),
        }
    }

    /// Calls `each` for every link of the path between two nodes, in order; the tree must be that of `to`'s anchor.
    /// Where several links begin a shortest path, the hash chooses one, or the smallest number without a hash. Returns
    /// `false` if there is no path.
    pub fn walk(&self, from: u32, to: u32, hash: Option<u64>, mut each: impl FnMut(u32)) -> bool {
        if from == to {
            return true;
        }
        let goal = self.anchor(to);
        let mut node = self.anchor(from);
        if self.lengths.get(node as usize).is_none_or(|length| *length == UNREACHED) {
            return false;
        }
        if let (true, Some(&link)) = (node != from, self.network.out_links(from).first()) {
            each(link);
        }
        while node != goal {
            let length = self.lengths[node as usize];
            let on_path = |hop: &&Hop| {
                let rest = self.lengths[hop.node as usize];
                rest != UNREACHED && self.with(hop.delay, rest) == length
            };
            let mut hops = self.map.out.at(node).iter().filter(on_path);
            let place = hash.map_or(0, |hash| {
                let all = hops.clone().count().max(1) as u64;
                (split_mix(hash, node.into()) % all) as usize
            });
            let Some(hop) = hops.nth(place) else { return false };
            each(hop.link);
            node = hop.node;
        }
        if let (true, Some(&link)) = (goal != to, self.network.in_links(to).first()) {
            each(link);
        }
        true
    }
}

/// Map of a network, shared by all its trees.
#[derive(Debug)]
struct Map {
    into: Hops,
    out: Hops,
    /// Only neighbour of a node with one neighbour; other nodes have themselves.
    anchors: Vec<u32>,
}

impl Map {
    fn of(network: &Network, down: &[bool]) -> Map {
        // The only link of a node may be down.
        let anchors = if down.contains(&true) { (0..network.nodes() as u32).collect() } else { anchors(network) };
        let into = Hops::of(network, (&anchors, down), Network::in_links, |link| link.from);
        let out = Hops::of(network, (&anchors, down), Network::out_links, |link| link.to);
        Map { into, out, anchors }
    }
}

/// Link as seen from one of its ends.
#[derive(Debug, Clone, Copy)]
struct Hop {
    link: u32,
    /// Node at the other end.
    node: u32,
    delay: u64,
}

/// Links between nodes that may be in the middle of a path, grouped by one end, in ascending order. They are a small
/// part of all links if most nodes are hosts.
#[derive(Debug)]
struct Hops {
    start: Vec<u32>,
    hops: Vec<Hop>,
}

impl Hops {
    fn of(
        network: &Network,
        (anchors, down): (&[u32], &[bool]),
        links: impl for<'n> Fn(&'n Network, u32) -> &'n [u32],
        other: impl Fn(&Link) -> u32,
    ) -> Self {
        let own = |node: u32| anchors.get(node as usize) == Some(&node);
        let is_up = |link: u32| down.get(link as usize) != Some(&true);
        let (mut start, mut hops) = (vec![0], vec![]);
        for node in 0..network.nodes() as u32 {
            for &link in links(network, node).iter().filter(|link| own(node) && is_up(**link)) {
                let ends = network.link(link).map(|ends| (other(ends), ends.delay));
                if let Some((node, delay)) = ends.filter(|(node, _)| own(*node)) {
                    hops.push(Hop { link, node, delay });
                }
            }
            start.push(hops.len() as u32);
        }
        Self { start, hops }
    }

    fn at(&self, node: u32) -> &[Hop] {
        slice(&self.start, &self.hops, node)
    }
}

/// Returns the anchor of each node. It is the only neighbour of a node with one neighbour, joined by one link in each
/// direction, unless that neighbour has only this node too. Other nodes are their own anchors.
fn anchors(network: &Network) -> Vec<u32> {
    let only = |node: u32| match (network.out_links(node), network.in_links(node)) {
        (&[there], &[back]) => {
            let (there, back) = (network.link(there)?, network.link(back)?);
            (there.to == back.from).then_some(there.to)
        }
        _ => None,
    };
    let anchor = |node: u32| only(node).filter(|&neighbour| only(neighbour).is_none()).unwrap_or(node);
    (0..network.nodes() as u32).map(anchor).collect()
}
