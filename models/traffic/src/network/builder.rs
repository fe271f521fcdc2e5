//! Construction of networks.

use super::Network;
use super::error::NetworkError;
use super::limits::{MAX_COUNT, is_share};
use super::link::Link;
use crate::units::{FASTEST, NANOSECONDS};
use std::collections::HashSet;

/// Longest delay of a link, in nanoseconds.
pub const LONGEST_DELAY: u64 = 1000 * NANOSECONDS;

/// Largest capacity of a queue, in bytes.
pub const LARGEST_QUEUE: u64 = 1 << 48;

/// Builder of a network. Nodes and links are numbered in the order in which they are added.
#[derive(Debug, Clone, Default)]
pub struct Builder {
    labels: Vec<String>,
    places: Vec<Option<[f64; 2]>>,
    links: Vec<Link>,
}

impl Builder {
    /// Creates a builder without nodes and links.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node and returns its number.
    pub fn node(&mut self, label: impl Into<String>) -> u32 {
        self.labels.push(label.into());
        self.places.push(None);
        (self.labels.len() - 1) as u32
    }

    /// Sets the position of a node: longitude and latitude, in degrees.
    pub fn place(&mut self, node: u32, place: [f64; 2]) {
        if let Some(old) = self.places.get_mut(node as usize) {
            *old = Some(place);
        }
    }

    /// Adds a directed link and returns its number.
    pub fn link(&mut self, link: Link) -> u32 {
        self.links.push(link);
        (self.links.len() - 1) as u32
    }

    /// Adds a link and its opposite, and returns the number of the first. The number of the opposite is one more.
    pub fn both_ways(&mut self, link: Link) -> u32 {
        let first = self.link(link);
        self.link(Link { from: link.to, to: link.from, ..link });
        first
    }

    /// Checks and returns the network.
    ///
    /// # Errors
    /// [`NetworkError`] for nodes with the same label, for links without an end or from a node to itself, and for
    /// bandwidths, delays, capacities, losses or RED parameters out of range.
    pub fn build(self) -> Result<Network, NetworkError> {
        if self.labels.is_empty() {
            return Err(NetworkError::NoNodes);
        }
        for (what, count) in [("nodes", self.labels.len()), ("links", self.links.len())] {
            if count > MAX_COUNT {
                return Err(NetworkError::TooMany { what, count: count as u64 });
            }
        }
        let mut seen = HashSet::with_capacity(self.labels.len());
        if let Some(label) = self.labels.iter().find(|label| !seen.insert(label.as_str())) {
            return Err(NetworkError::DuplicateNode { label: label.clone() });
        }
        for (number, link) in self.links.iter().enumerate() {
            self.check(number, link)?;
        }
        Ok(Network::assemble(self.labels, self.places, self.links))
    }

    fn check(&self, number: usize, link: &Link) -> Result<(), NetworkError> {
        let label = |node: u32| {
            let (label, nodes) = (self.labels.get(node as usize), self.labels.len());
            label.cloned().ok_or(NetworkError::NoSuchNode { link: number, node, nodes })
        };
        // Labels are copied only for an error.
        if link.from as usize >= self.labels.len() || link.to as usize >= self.labels.len() || link.from == link.to {
            let (node, _) = (label(link.from)?, label(link.to)?);
            return Err(NetworkError::Loop { node });
        }
        if !(1..=FASTEST).contains(&link.bandwidth) {
            return Err(NetworkError::Bandwidth {
                from: label(link.from)?,
                to: label(link.to)?,
                bandwidth: link.bandwidth,
            });
        }
        if link.delay > LONGEST_DELAY {
            return Err(NetworkError::Delay { from: label(link.from)?, to: label(link.to)?, delay: link.delay });
        }
        if !(1..=LARGEST_QUEUE).contains(&link.queue.capacity) {
            let capacity = link.queue.capacity;
            return Err(NetworkError::Buffer { from: label(link.from)?, to: label(link.to)?, capacity });
        }
        if !is_share(link.loss) {
            return Err(NetworkError::Loss { from: label(link.from)?, to: label(link.to)?, loss: link.loss });
        }
        link.queue.discipline.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::link::{Discipline, Queue, Red};

    const LINK: Link = Link {
        from: 0,
        to: 1,
        delay: 1_000_000,
        bandwidth: 1_000_000,
        queue: Queue::of_bytes(10_000, Discipline::DropTail),
        loss: 0.0,
    };

    fn with(link: Link) -> Result<Network, NetworkError> {
        let mut builder = Builder::new();
        builder.node("a");
        builder.node("b");
        builder.link(link);
        builder.build()
    }

    #[test]
    fn links_are_found_from_both_ends() {
        let mut builder = Builder::new();
        let [a, b, c] = ["a", "b", "c"].map(|label| builder.node(label));
        builder.place(b, [8.0, 50.0]);
        assert_eq!(builder.both_ways(Link { from: a, to: b, ..LINK }), 0);
        assert_eq!(builder.link(Link { from: c, to: b, ..LINK }), 2);
        assert_eq!(builder.link(Link { from: a, to: b, ..LINK }), 3);
        let network = builder.build().unwrap();
        assert_eq!((network.nodes(), network.links().len()), (3, 4));
        assert_eq!(
            (network.out_links(a), network.out_links(b), network.out_links(c)),
            (&[0, 3][..], &[1][..], &[2][..])
        );
        assert_eq!(
            (network.in_links(a), network.in_links(b), network.in_links(c)),
            (&[1][..], &[0, 2, 3][..], &[][..])
        );
        assert_eq!((network.link_between(a, b), network.link_between(b, c)), (Some(0), None));
        assert_eq!((network.label(c), network.node("b"), network.node("z")), ("c", Some(b), None));
        assert_eq!((network.place(a), network.place(b)), (None, Some([8.0, 50.0])));
        assert_eq!(network.link_label(2), "c -> b");
        assert_eq!((network.out_links(9), network.label(9), network.link_label(9)), (&[][..], "", String::new()));
    }

    #[test]
    fn what_cannot_be_is_told() {
        let queue = Queue::of_bytes(0, Discipline::DropTail);
        let red = Queue::of_bytes(1, Discipline::Red(Red { weight: 2.0, ..Red::default() }));
        let cases = [
            (Link { bandwidth: 0, ..LINK }, "the link from 'a' to 'b' has a bandwidth of 0 bit/s: give 1 to"),
            (
                Link { bandwidth: FASTEST + 1, ..LINK },
                "the link from 'a' to 'b' has a bandwidth of 10000000000001 bit/s",
            ),
            (
                Link { delay: LONGEST_DELAY + 1, ..LINK },
                "the link from 'a' to 'b' has a delay of 1000.000000001 s: give at most",
            ),
            (Link { queue, ..LINK }, "the queue of the link from 'a' to 'b' takes 0 bytes: give 1 to 2^48"),
            (Link { queue: red, ..LINK }, "'weight' of RED is 2: it must be above 0 and at most 1"),
            (Link { loss: 1.0, ..LINK }, "the link from 'a' to 'b' loses a share of 1: give at least 0 and below 1"),
            (Link { loss: -0.1, ..LINK }, "the link from 'a' to 'b' loses a share of -0.1: give"),
            (Link { loss: f64::NAN, ..LINK }, "the link from 'a' to 'b' loses a share of NaN: give"),
            (Link { to: 0, ..LINK }, "the link from 'a' leads to 'a' itself: remove it"),
            (Link { to: 7, ..LINK }, "link 0 joins node 7, and there are nodes 0 to 1: add the node"),
        ];
        for (link, expected) in cases {
            let error = with(link).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
        }
        let lossy = |loss| with(LINK).and_then(|network| network.with_loss(loss));
        assert_eq!(lossy(0.25).map(|network| network.links()[0].loss), Ok(0.25));
        assert_eq!(lossy(1.5).unwrap_err(), with(Link { loss: 1.5, ..LINK }).unwrap_err());
        assert_eq!(Builder::new().build(), Err(NetworkError::NoNodes));
        let mut twins = Builder::new();
        twins.node("a");
        twins.node("a");
        assert_eq!(twins.build(), Err(NetworkError::DuplicateNode { label: "a".to_owned() }));
    }
}
