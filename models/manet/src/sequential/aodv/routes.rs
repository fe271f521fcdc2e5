//! Route table of a node.
//!
//! Entries are never expunged, which section 6.4 of RFC 3561 allows. Along the next hops of valid routes to a
//! destination the pair of sequence number and negative hop count only grows, so there are no loops. Two rules of the
//! RFC are narrower here for that. Numbers of entries never decrease, as section 6.1 asks, also where section 6.7 (i)
//! takes any offer: while the number is not confirmed. And a route error has to bring a newer number.

use std::collections::BTreeMap;

/// Route to a destination.
#[derive(Clone, Debug)]
pub(super) struct Route {
    /// Next node.
    pub next: u32,
    pub hops: u32,
    /// Sequence number of the destination, if it is known.
    pub number: Option<u32>,
    /// Time at which the route is no longer valid.
    pub expires: u64,
    /// `false` if the route is only a memory of numbers and hops.
    is_valid: bool,
    /// `true` if the number came with the route. Otherwise a neighbour was met again, whose number is from before.
    is_confirmed: bool,
    /// Neighbours that use the route, in ascending order.
    precursors: Vec<u32>,
}

/// Offer of a route to a destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub number: u32,
    pub hops: u32,
    pub next: u32,
    pub expires: u64,
}

/// Route that was lost.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    pub destination: u32,
    /// Sequence number from which a route to the destination is new.
    pub number: u32,
    /// Neighbours that used the route.
    pub precursors: Vec<u32>,
}

/// Returns `true` if a sequence number is newer than another one (section 6.1).
pub(super) fn is_newer(number: u32, other: u32) -> bool {
    number.wrapping_sub(other).cast_signed() > 0
}

impl Route {
    /// Makes the route invalid. Returns the neighbours that used it. The number grows, so that no older route is taken.
    fn invalidate(&mut self, number: Option<u32>) -> Vec<u32> {
        self.is_valid = false;
        self.number = number.or_else(|| self.number.map(|number| number.wrapping_add(1)));
        std::mem::take(&mut self.precursors)
    }

    /// Returns the sequence number if it came with the route.
    pub(super) fn confirmed(&self) -> Option<u32> {
        self.number.filter(|_| self.is_confirmed)
    }

    /// Adds a neighbour that uses the route.
    pub(super) fn add_precursor(&mut self, node: u32) {
        if let Err(place) = self.precursors.binary_search(&node) {
            self.precursors.insert(place, node);
        }
    }
}

/// Routes by their destinations.
#[derive(Debug, Default)]
pub(super) struct Routes(BTreeMap<u32, Route>);

impl Routes {
    /// Returns the entry of a destination. A route that has expired becomes invalid first.
    fn entry(&mut self, destination: u32, now: u64) -> Option<&mut Route> {
        let route = self.0.get_mut(&destination)?;
        if route.is_valid && route.expires <= now {
            route.invalidate(None);
        }
        Some(route)
    }

    /// Returns the valid route to a destination.
    pub(super) fn active(&mut self, destination: u32, now: u64) -> Option<&mut Route> {
        self.entry(destination, now).filter(|route| route.is_valid)
    }

    /// Returns the last known sequence number of a destination.
    pub(super) fn number(&mut self, destination: u32, now: u64) -> Option<u32> {
        self.entry(destination, now)?.number
    }

    /// Returns the last known number of hops to a destination.
    pub(super) fn hops(&self, destination: u32) -> Option<u32> {
        self.0.get(&destination).map(|route| route.hops)
    }

    /// Takes a route if it is newer than the known one, or as new and shorter, or as new as an invalid one (section
    /// 6.2). Returns `true` if it was taken.
    pub(super) fn offer(&mut self, destination: u32, offer: Offer, now: u64) -> bool {
        let Offer { number, hops, next, expires } = offer;
        let Some(route) = self.entry(destination, now) else {
            let route = Route {
                next,
                hops,
                number: Some(number),
                expires,
                is_valid: true,
                is_confirmed: true,
                precursors: vec![],
            };
            self.0.insert(destination, route);
            return true;
        };
        let confirms = !route.is_confirmed && (next, hops) == (route.next, route.hops);
        let is_better = route.number.is_none_or(|known| {
            is_newer(number, known) || number == known && (!route.is_valid || hops < route.hops || confirms)
        });
        if is_better {
            (route.next, route.hops, route.expires) = (next, hops, expires);
            (route.number, route.is_valid, route.is_confirmed) = (Some(number), true, true);
        }
        is_better
    }

    /// Notes that a neighbour is in range: there is a route of one hop to it, without a valid number (sections 6.2, 6.5
    /// and 6.7). A valid route of one hop keeps its number. Of any other the number remains, and is not confirmed.
    pub(super) fn meet(&mut self, neighbour: u32, expires: u64, now: u64) {
        match self.entry(neighbour, now) {
            None => {
                let route = Route {
                    next: neighbour,
                    hops: 1,
                    number: None,
                    expires,
                    is_valid: true,
                    is_confirmed: false,
                    precursors: vec![],
                };
                self.0.insert(neighbour, route);
            }
            Some(route) if route.is_valid && route.next == neighbour => route.expires = route.expires.max(expires),
            Some(route) => {
                (route.next, route.hops, route.expires) = (neighbour, 1, expires);
                (route.is_valid, route.is_confirmed) = (true, false);
            }
        }
    }

    /// Makes a valid route and that to its next node last until a time at least, as data uses them (section 6.2).
    pub(super) fn extend(&mut self, destination: u32, until: u64, now: u64) {
        if let Some(next) = self.prolong(destination, until, now) {
            self.prolong(next, until, now);
        }
    }

    /// Makes a valid route last until a time at least. Returns its next node.
    pub(super) fn prolong(&mut self, destination: u32, until: u64, now: u64) -> Option<u32> {
        let route = self.active(destination, now)?;
        route.expires = route.expires.max(until);
        Some(route.next)
    }

    /// Makes all routes over a next node invalid, whose link has broken (section 6.11). Routes without a number are not
    /// listed: nobody was ever told of one.
    pub(super) fn break_link(&mut self, next: u32, now: u64) -> Vec<Lost> {
        let over = |route: &Route| route.is_valid && route.expires > now && route.next == next;
        let broken = self.0.iter_mut().filter(|(_, route)| over(route));
        let lost = broken.filter_map(|(destination, route)| {
            let precursors = route.invalidate(None);
            Some(Lost { destination: *destination, number: route.number?, precursors })
        });
        lost.collect()
    }

    /// Makes a route invalid of which its next node has told that it is, from a number on.
    pub(super) fn lose(&mut self, destination: u32, number: u32, next: u32, now: u64) -> Option<Lost> {
        let route = self.active(destination, now).filter(|route| route.next == next)?;
        let is_news = route.number.is_none_or(|known| is_newer(number, known));
        is_news.then(|| Lost { destination, number, precursors: route.invalidate(Some(number)) })
    }

    /// Raises the number of a route that is not valid, as a packet has come for it. Returns the number.
    pub(super) fn miss(&mut self, destination: u32, now: u64) -> Option<u32> {
        let route = self.entry(destination, now).filter(|route| !route.is_valid)?;
        route.invalidate(None);
        route.number
    }

    /// Returns the next node of each valid route at a time, with its destination.
    #[cfg(test)]
    pub(super) fn next_hops(&self, now: u64) -> impl Iterator<Item = (u32, u32)> {
        let valid = self.0.iter().filter(move |(_, route)| route.is_valid && route.expires > now);
        valid.map(|(destination, route)| (*destination, route.next))
    }

    /// Memory of the routes in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let lists = self.0.values().map(|route| route.precursors.capacity() * 4);
        self.0.len() * size_of::<(u32, Route)>() + lists.sum::<usize>()
    }
}
