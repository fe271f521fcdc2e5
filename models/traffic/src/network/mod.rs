//! Networks of nodes and directed links with queues, and their flows.
//!
//! | module | contents |
//! | --- | --- |
//! | [`link`] | a link: its delay, its bandwidth, its queue with its discipline, its loss probability |
//! | [`discipline`] | queue disciplines of single links |
//! | [`codel`] | parameters of CoDel and FqCoDel |
//! | [`buffer`] | capacities of queues as users give them, in bytes or packets |
//! | [`builder`] | construction of networks |
//! | [`flow`] | a flow: TCP or UDP, as a fluid or as packets |
//! | [`session`] | TCP of a flow's packet sessions: variant, initial window, finite transfers |
//! | [`failure`] | times during which links carry nothing |
//! | [`routing`], [`routes`] | shortest paths from trees built on demand, stored flat |
//! | [`validation`], [`campus`] | the two networks of the paper |
//! | [`demand`], [`gravity`] | demands between nodes: given, or by the gravity model |
//! | [`files`] | networks from GraphML and SNDlib files |
//! | [`error`] | errors of networks, flows and routes |
//!
//! Nodes and links have numbers from 0. The queue of a link is at its beginning, and has the number of the link.

pub(crate) mod amount;
pub mod buffer;
pub mod builder;
pub mod campus;
pub mod codel;
pub mod demand;
pub mod discipline;
pub mod error;
pub mod failure;
pub mod files;
pub mod flow;
pub mod gravity;
mod limits;
pub mod link;
mod parts;
pub mod routes;
pub mod routing;
pub mod session;
pub mod validation;

pub use buffer::Buffer;
pub use builder::Builder;
pub use campus::Campus;
pub use codel::{Codel, FqCodel};
pub use demand::{Demand, Demands};
pub use discipline::{Disciplines, OwnRed, QueueKind};
pub use error::{FlowError, NetworkError, RouteError};
pub use failure::{Failure, Failures};
pub use flow::{Flow, Flows, Kind};
pub use gravity::{Gravity, Spread};
pub use limits::MAX_COUNT;
pub(crate) use limits::is_share;
pub use link::{Discipline, Link, OfPackets, Queue, QueueRule, Red, Room};
pub use routes::{Routes, Search};
pub use session::{OwnTcp, Variant};

use std::ops::Range;

/// Valid network: every link joins two existing nodes, and has a bandwidth and a queue that takes packets.
///
/// ```
/// use imminent_traffic::network::{Builder, Link, QueueRule};
///
/// # fn main() -> Result<(), imminent_traffic::network::NetworkError> {
/// let mut builder = Builder::new();
/// let [host, router] = ["host", "router"].map(|label| builder.node(label));
/// let bandwidth = 100_000_000; // bits per second
/// let queue = QueueRule::default().queue(bandwidth);
/// let link = Link { from: host, to: router, delay: 2_000_000, bandwidth, queue, loss: 0.0 }; // 2 ms
/// let there = builder.both_ways(link);
/// let network = builder.build()?;
/// assert_eq!(network.link_label(there), "host -> router");
/// assert_eq!(network.link_between(router, host), Some(there + 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    labels: Vec<String>,
    places: Vec<Option<[f64; 2]>>,
    links: Vec<Link>,
    out_start: Vec<u32>,
    out_links: Vec<u32>,
    in_start: Vec<u32>,
    in_links: Vec<u32>,
}

impl Network {
    /// Creates a network from nodes and links that a [`Builder`] has checked.
    fn assemble(labels: Vec<String>, places: Vec<Option<[f64; 2]>>, links: Vec<Link>) -> Self {
        let (out_start, out_links) = group(labels.len(), &links, |link| link.from);
        let (in_start, in_links) = group(labels.len(), &links, |link| link.to);
        Self { labels, places, links, out_start, out_links, in_start, in_links }
    }

    /// Returns the network with the given loss probability on every link.
    ///
    /// # Errors
    /// [`NetworkError::Loss`] for a share below 0 or not below 1.
    pub fn with_loss(mut self, loss: f64) -> Result<Self, NetworkError> {
        for link in &mut self.links {
            link.loss = loss;
        }
        match self.links.first() {
            Some(link) if !limits::is_share(loss) => {
                let [from, to] = [link.from, link.to].map(|node| self.label(node).to_owned());
                Err(NetworkError::Loss { from, to, loss })
            }
            _ => Ok(self),
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.labels.len()
    }

    /// Returns the links by number.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns a link; `None` for an unknown number.
    #[must_use]
    pub fn link(&self, link: u32) -> Option<&Link> {
        self.links.get(link as usize)
    }

    /// Returns the label of a node; empty for an unknown number.
    #[must_use]
    pub fn label(&self, node: u32) -> &str {
        self.labels.get(node as usize).map_or("", String::as_str)
    }

    /// Returns the labels of a link's two ends as one text; empty for an unknown number.
    #[must_use]
    pub fn link_label(&self, link: u32) -> String {
        self.link(link).map_or_else(String::new, |link| format!("{} -> {}", self.label(link.from), self.label(link.to)))
    }

    /// Returns the labels of a link's two ends; empty for an unknown number.
    #[must_use]
    pub fn ends(&self, link: u32) -> [String; 2] {
        self.link(link)
            .map_or_else(Default::default, |link| [link.from, link.to].map(|node| self.label(node).to_owned()))
    }

    /// Returns the first node with a label.
    #[must_use]
    pub fn node(&self, label: &str) -> Option<u32> {
        self.labels.iter().position(|other| other == label).map(|node| node as u32)
    }

    /// Returns the position of a node, if known: longitude and latitude in degrees.
    #[must_use]
    pub fn place(&self, node: u32) -> Option<[f64; 2]> {
        self.places.get(node as usize).copied().flatten()
    }

    /// Returns the links that begin at a node, in ascending order.
    #[must_use]
    pub fn out_links(&self, node: u32) -> &[u32] {
        slice(&self.out_start, &self.out_links, node)
    }

    /// Returns the links that end at a node, in ascending order.
    #[must_use]
    pub fn in_links(&self, node: u32) -> &[u32] {
        slice(&self.in_start, &self.in_links, node)
    }

    /// Returns the first link from one node to another.
    #[must_use]
    pub fn link_between(&self, from: u32, to: u32) -> Option<u32> {
        self.out_links(from).iter().copied().find(|&link| self.link(link).is_some_and(|link| link.to == to))
    }
}

/// Groups the numbers of the links by one of their ends. Returns the start of each node's group, and the numbers.
fn group(nodes: usize, links: &[Link], end: impl Fn(&Link) -> u32) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0_u32; nodes + 1];
    for link in links {
        if let Some(count) = start.get_mut(end(link) as usize + 1) {
            *count += 1;
        }
    }
    for node in 0..nodes {
        start[node + 1] += start[node];
    }
    let mut next = start.clone();
    let mut grouped = vec![0; links.len()];
    for (number, link) in links.iter().enumerate() {
        let place = &mut next[end(link) as usize];
        grouped[*place as usize] = number as u32;
        *place += 1;
    }
    (start, grouped)
}

fn slice<'a, T>(start: &[u32], values: &'a [T], row: u32) -> &'a [T] {
    range(start, row).and_then(|range| values.get(range)).unwrap_or(&[])
}

fn range(start: &[u32], row: u32) -> Option<Range<usize>> {
    Some(*start.get(row as usize)? as usize..*start.get(row as usize + 1)? as usize)
}
