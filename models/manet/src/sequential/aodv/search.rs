//! Searches for routes: how far the next request goes, and how long a node waits for an answer.

use crate::aodv::{Aodv, RATE_LIMIT};
use std::collections::{BTreeMap, VecDeque};

/// Search for a route.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Search {
    /// Radius of the last request, if there was one.
    radius: Option<u32>,
    /// Number of requests to the whole network.
    whole: u32,
    /// Time at which the next request is due.
    pub due: u64,
}

impl Search {
    /// Returns the radius of the next request and the time to wait for an answer (sections 6.3 and 6.4), or none if
    /// enough were sent. `hops` is the last known distance of the destination.
    pub(super) fn next(&mut self, aodv: &Aodv, hops: Option<u32>) -> Option<(u32, u64)> {
        let diameter = aodv.net_diameter;
        // The threshold bounds the growth of a radius, and not the first one, which may come from a distance.
        let wanted = match self.radius {
            _ if !aodv.expanding_ring => diameter,
            None => hops.map_or(aodv.ttl_start, |hops| hops + aodv.ttl_increment),
            Some(radius) if radius + aodv.ttl_increment > aodv.ttl_threshold => diameter,
            Some(radius) => radius + aodv.ttl_increment,
        };
        if wanted < diameter {
            self.radius = Some(wanted);
            return Some((wanted, aodv.ring_traversal_time(wanted)));
        }
        if self.whole > aodv.rreq_retries {
            return None;
        }
        (self.radius, self.whole) = (Some(diameter), self.whole + 1);
        Some((diameter, aodv.net_traversal_time() << (self.whole - 1)))
    }
}

/// Limit of messages in a second.
#[derive(Debug, Default)]
pub(super) struct Limit(VecDeque<u64>);

impl Limit {
    /// Takes a message, or returns the time from which one is allowed.
    pub(super) fn take(&mut self, now: u64) -> Result<(), u64> {
        let free = if self.0.len() < RATE_LIMIT { None } else { self.0.front().map(|first| first + 1_000_000) };
        match free {
            Some(free) if free > now => return Err(free),
            Some(_) => drop(self.0.pop_front()),
            None => {}
        }
        self.0.push_back(now);
        Ok(())
    }
}

/// Requests that a node has seen: of each origin the newest number, and which of the 64 before it.
///
/// An origin begins at most ten requests in a second, so 64 are more than those of PATH_DISCOVERY_TIME, 5.6 s by
/// default. Older requests count as seen.
#[derive(Debug, Default)]
pub(super) struct Seen(BTreeMap<u32, (u32, u64)>);

/// Size of an entry of seen requests in bytes.
pub(super) const SEEN: usize = size_of::<(u32, (u32, u64))>();

impl Seen {
    /// Notes a request. Returns `true` if it is new.
    pub(super) fn note(&mut self, origin: u32, id: u32) -> bool {
        let Some((newest, before)) = self.0.get_mut(&origin) else {
            self.0.insert(origin, (id, 0));
            return true;
        };
        match id.wrapping_sub(*newest).cast_signed() {
            ahead @ 1.. => {
                // The newest so far becomes one of those before.
                *before = before.checked_shl(ahead.unsigned_abs()).unwrap_or(0);
                *before |= 1_u64.checked_shl(ahead.unsigned_abs() - 1).unwrap_or(0);
                *newest = id;
                true
            }
            0 => false,
            behind => {
                let bit = 1_u64.checked_shl(behind.unsigned_abs() - 1).unwrap_or(0);
                let is_new = bit != 0 && *before & bit == 0;
                *before |= bit;
                is_new
            }
        }
    }

    /// Memory of the list in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.0.len() * SEEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(aodv: &Aodv, hops: Option<u32>) -> Vec<(u32, u64)> {
        let mut search = Search::default();
        std::iter::from_fn(|| search.next(aodv, hops)).collect()
    }

    /// Radii and waiting times by the formulas of RFC 3561, section 10: 2 * 40 ms * (TTL + 2), and 2 * 40 ms * 35.
    #[test]
    fn searches_grow_and_then_wait_twice_as_long_each_time() {
        let aodv = Aodv::default();
        let whole = [(35, 2_800_000), (35, 5_600_000), (35, 11_200_000)];
        let rings = [(1, 240_000), (3, 400_000), (5, 560_000), (7, 720_000)];
        assert_eq!(requests(&aodv, None), [&rings[..], &whole].concat());
        assert_eq!(requests(&aodv, Some(3)), [&rings[2..], &whole].concat());
        // A first radius from a distance may be beyond the threshold of 7, and is followed by the whole network.
        assert_eq!(requests(&aodv, Some(5)), [&rings[3..], &whole].concat());
        assert_eq!(requests(&aodv, Some(6)), [&[(8, 800_000)], &whole[..]].concat());
        assert_eq!(requests(&aodv, Some(32)), [&[(34, 2_880_000)], &whole[..]].concat());
        assert_eq!(requests(&aodv, Some(33)), whole);
        assert_eq!(requests(&Aodv { expanding_ring: false, ..aodv }, Some(1)), whole);
        assert_eq!(requests(&Aodv { rreq_retries: 0, ttl_start: 8, ..aodv }, None), [(8, 800_000), whole[0]]);
        // All requests reach the whole network if TTL_START and TTL_INCREMENT are NET_DIAMETER.
        assert_eq!(requests(&Aodv { ttl_start: 35, ttl_increment: 35, ..aodv }, None), whole);
        // A ring as wide as the network is the whole network.
        let small = Aodv { net_diameter: 3, rreq_retries: 0, ..aodv };
        assert_eq!(requests(&small, None), [(1, 240_000), (3, 240_000)]);
    }

    #[test]
    fn ten_messages_are_sent_in_a_second() {
        let mut limit = Limit::default();
        let taken: Vec<_> = (0..12).map(|number| limit.take(number * 1000)).collect();
        assert!(taken[..10].iter().all(Result::is_ok));
        assert_eq!(taken[10..], [Err(1_000_000); 2]);
        assert_eq!((limit.take(1_000_000), limit.take(1_000_000)), (Ok(()), Err(1_001_000)));
    }

    /// A set of all requests is the oracle, for numbers that are not too far apart.
    #[test]
    fn a_request_is_new_once() {
        let (mut seen, mut all) = (Seen::default(), std::collections::BTreeSet::new());
        let ids = [5, 4, 5, 7, 6, 4, 6, 40, 39, 8, 8, 7, 69, 6, 41, 40, 100, 200, 199, 140, 140];
        for id in ids {
            assert_eq!(seen.note(3, id), all.insert(id), "{id}");
        }
        assert!(!seen.note(3, 100) && seen.note(4, 100));
        assert!(!seen.note(3, 130), "older than 64 before the newest");
    }
}
