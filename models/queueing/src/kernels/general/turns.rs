//! Departures whose routes are chosen in turn.

/// Turns of routes, and the departures whose turn is still open.
///
/// Routes are taken in the order of departures, and several servers end their services in another order than they start them. The token of such a
/// service is kept here until no service that starts later can end before it; then its route is chosen and it is sent.
#[imminent_core::kernels]
pub mod departures {
    /// A departure whose route is not chosen yet.
    pub struct Pending {
        /// When the service ends, in ticks.
        pub end: u64,
        /// The number of the service.
        pub number: u64,
        /// The class that the token has in the service.
        pub class: u32,
    }

    /// The turns of a node. Only nodes that take routes in turn have lanes, as many as they have servers and classes at least.
    #[derive(Row)]
    pub struct Departures {
        /// When the first of the pending departures takes place, in ticks; the greatest time if there is none.
        pub next: u64,
        /// Number of pending departures, at most one for each server.
        pub count: u32,
        /// Pending departures: a binary heap by end and number.
        pub pending: Lanes<Pending>,
        /// For each list of routes the number of the route whose turn is next.
        pub turns: Lanes<u32>,
    }

    /// Whether `a` departs before `b`.
    fn departs_before(a: Pending, b: Pending) -> bool {
        if a.end != b.end {
            return a.end < b.end;
        }
        a.number < b.number
    }

    impl Departures {
        /// Takes the turn of list `list`, which has `routes` routes: returns the number of the route.
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
