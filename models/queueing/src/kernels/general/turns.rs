//! Pending departures of nodes with round-robin routing.

/// Turns of route lists, and the departures whose turn is still open.
///
/// Routes are taken in the order of departures, but several servers may end their services in another order than they
/// start them. The token of such a service is kept here until no service that starts later can end before it. Then its
/// route is chosen and it is sent.
#[imminent_core::kernels]
pub mod departures {
    /// A departure whose route is not chosen yet.
    pub struct Pending {
        /// End of the service, in ticks.
        pub end: u64,
        /// Number of the service.
        pub number: u64,
        /// Class of the token during the service.
        pub class: u32,
    }

    /// Turns of a node. Only nodes with round-robin routing have lanes: at least as many as servers, and as classes.
    #[derive(Row)]
    #[row(packed)]
    pub struct Departures {
        /// End of the first pending departure, in ticks; the greatest time if there is none.
        pub next: u64,
        /// Number of pending departures, at most one for each server.
        pub count: u32,
        /// Pending departures: a binary heap by end and number.
        pub pending: Lanes<Pending>,
        /// Number of the next route of each list of routes.
        pub turns: Lanes<u32>,
    }

    /// Returns `true` if `a` departs before `b`.
    pub fn departs_before(a: Pending, b: Pending) -> bool {
        if a.end != b.end {
            return a.end < b.end;
        }
        a.number < b.number
    }

    impl Departures {
        /// Takes a turn of list `list`, which has `routes` routes; returns the number of the route.
        pub fn take_turn(&mut self, list: u32, routes: u32) -> u32 {
            let turn = self.turns.get(list);
            let mut following = turn + 1;
            if following >= routes {
                following = 0;
            }
            self.turns.set(list, following);
            turn
        }

        /// Adds a departure whose turn is open.
        pub fn add(&mut self, departure: Pending) {
            let mut hole = self.count;
            self.count += 1;
            self.next = self.next.min(departure.end);
            while hole > 0 {
                let parent = (hole - 1) >> 1;
                let other = self.pending.get(parent);
                if departs_before(other, departure) {
                    break;
                }
                self.pending.set(hole, other);
                hole = parent;
            }
            self.pending.set(hole, departure);
        }

        /// Removes and returns the first of the pending departures, of which there is one at least.
        pub fn take_first(&mut self) -> Pending {
            let first = self.pending.get(0);
            self.count -= 1;
            let last = self.pending.get(self.count);
            let mut hole = 0;
            loop {
                let mut child = 2 * hole + 1;
                if child >= self.count {
                    break;
                }
                let mut departure = self.pending.get(child);
                if child + 1 < self.count {
                    let right = self.pending.get(child + 1);
                    if departs_before(right, departure) {
                        departure = right;
                        child += 1;
                    }
                }
                if departs_before(last, departure) {
                    break;
                }
                self.pending.set(hole, departure);
                hole = child;
            }
            self.pending.set(hole, last);
            self.next = u64::MAX;
            if self.count > 0 {
                self.next = self.pending.get(0).end;
            }
            first
        }
    }
}
