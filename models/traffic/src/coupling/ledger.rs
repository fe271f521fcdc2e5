//! Use of shared queues that the fluid side does not see.

use crate::Traffic;
use crate::fluid::Means;

/// Bytes of packets and fluid that the meters of fluids leave out, for each shared queue, since measuring began.
///
/// Packets that still wait at the end of a batch join the fluid, whose meters count them from then on. Packets that
/// leave within the batch use the capacity that the fluid leaves free; only the packets' side counts those.
#[derive(Debug, Clone)]
pub(super) struct Ledger {
    /// Start of the first batch that counts, in picoseconds.
    since: u64,
    queues: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    link: u32,
    /// Bandwidth in bytes per second.
    bandwidth: f64,
    /// Capacity in bytes.
    capacity: f64,
    /// Bytes of packets that left within a batch.
    left: u64,
    /// Bytes of fluid that were cut off at the capacity when packets joined.
    cut: f64,
}

impl Ledger {
    /// Creates an empty ledger for shared links in ascending order.
    pub(super) fn new(traffic: &Traffic, links: &[u32]) -> Self {
        let entry = |&link: &u32| {
            let found = traffic.network().link(link);
            let bandwidth = found.map_or(0.0, |found| found.bandwidth as f64 / 8.0);
            Entry {
                link,
                bandwidth,
                capacity: found.map_or(0.0, |found| found.queue.capacity as f64),
                left: 0,
                cut: 0.0,
            }
        };
        Self { since: 0, queues: links.iter().map(entry).collect() }
    }

    /// Discards all counts. Batches count that begin at `since` (picoseconds) or later.
    pub(super) fn restart(&mut self, since: u64) {
        self.since = since;
        self.queues.iter_mut().for_each(|entry| (entry.left, entry.cut) = (0, 0.0));
    }

    /// Adds the end of a batch that began at `begin`: packets left beside a fluid of `length` bytes, and `waiting`
    /// bytes of packets join it.
    pub(super) fn add(&mut self, begin: u64, place: usize, left: u64, (length, waiting): (f64, u64)) {
        if let Some(entry) = self.queues.get_mut(place).filter(|_| begin >= self.since) {
            entry.left += left;
            entry.cut += (length + waiting as f64 - entry.capacity).max(0.0);
        }
    }

    /// Adds the counts to means of fluids over `seconds`.
    pub(super) fn complete(&self, means: &mut Means, seconds: f64) {
        for entry in &self.queues {
            let place = means.queues.binary_search_by_key(&entry.link, |queue| queue.link);
            if let Some(queue) = place.ok().and_then(|place| means.queues.get_mut(place)) {
                queue.used += entry.left as f64 / (entry.bandwidth * seconds);
                queue.losses += entry.cut / seconds;
            }
        }
    }
}
