//! Stations of simple networks: server, waiting line, and service.

/// A single-server station of a queueing network, with its statistics.
///
/// The rules are those of [`scenario`](crate::scenario).
#[imminent_core::kernels]
pub mod station {
    use imminent_core::random::{Pcg32, scaled_ticks};

    /// A node: one server with an unbounded line, its random stream and its statistics. Times are ticks.
    #[derive(Row)]
    pub struct Station {
        /// End of the last service.
        pub free_at: u64,
        /// Service time already drawn for the next service.
        pub next_service: u64,
        /// Random stream of the node.
        pub rng: Pcg32,
        /// Mean service time.
        pub mean: u32,
        /// Number of tokens in the line.
        pub waiting: u32,
        /// Arrival times of the tokens in the line: a binary heap, the earliest first.
        pub line: Lanes<u64>,
        /// Index of the first in-neighbour in the table of sources.
        pub first_source: u32,
        /// Number of in-neighbours.
        pub sources: u32,
        /// Index of the first out-edge in the table of targets.
        pub first_target: u32,
        /// Number of out-edges.
        pub targets: u32,
        /// Target of the token in service, counted from 1; 0 while the server is idle. Used by the clustered engine.
        pub serving_for: u32,
        /// Number of services started.
        pub served: u64,
        /// Sum of departure minus start over the services started.
        pub service_sum: u64,
        /// Sum of start minus arrival over the services started.
        pub waiting_sum: u64,
        /// Arrival of the token whose service ends beyond the horizon, if there is one (the last).
        pub late_arrival: u64,
        /// Start of the service that ends beyond the horizon.
        pub late_start: u64,
    }

    /// Entry of the in-neighbour lists.
    #[derive(Row)]
    pub struct InNeighbour {
        /// Node from which the edge comes.
        pub node: u32,
    }

    /// Entry of the out-edge lists.
    #[derive(Row)]
    pub struct Target {
        /// Node to which the edge leads.
        pub node: u32,
    }

    /// A time that every node may read: one row.
    #[derive(Row)]
    pub struct Clock {
        /// The time, in ticks.
        pub time: u64,
    }

    /// Constants of a run.
    #[derive(Params)]
    pub struct Run {
        /// Horizon, in ticks: no service starts at this time or later.
        pub horizon: u64,
        /// Length of a step of the clustered engine, in ticks.
        pub interval: u64,
    }

    /// Destinations of tokens, and the constants of a run.
    #[derive(Bundle)]
    pub struct Routing {
        /// Out-edges of all nodes.
        pub targets: &Rows<Target>,
        /// Constants of a run.
        pub run: &Run,
    }

    /// A token that leaves.
    pub struct Departure {
        /// Time of the departure, in ticks.
        pub time: u64,
        /// Destination, counted from 1.
        pub to: u32,
    }

    impl Station {
        /// Puts a token into the line.
        pub fn arrive(&mut self, time: u64) {
            let mut hole = self.waiting;
            self.waiting += 1;
            while hole > 0 {
                let parent = (hole - 1) >> 1;
                let other = self.line.get(parent);
                if other <= time {
                    break;
                }
                self.line.set(hole, other);
                hole = parent;
            }
            self.line.set(hole, time);
        }

        /// Returns the arrival time of the token that is served next; the line is not empty.
        pub fn earliest(&self) -> u64 {
            self.line.get(0)
        }

        /// Removes the token that is served next from the line, which is not empty.
        pub fn remove_earliest(&mut self) {
            self.waiting -= 1;
            let last = self.line.get(self.waiting);
            let mut hole = 0;
            loop {
                let mut child = 2 * hole + 1;
                if child >= self.waiting {
                    break;
                }
                let mut time = self.line.get(child);
                if child + 1 < self.waiting {
                    let right = self.line.get(child + 1);
                    if right < time {
                        time = right;
                        child += 1;
                    }
                }
                if last <= time {
                    break;
                }
                self.line.set(hole, time);
                hole = child;
            }
            self.line.set(hole, last);
        }

        /// Serves a token that arrived at `arrival`, from `start` on: counts it, and draws its route and the next
        /// service time.
        pub fn serve(&mut self, arrival: u64, start: u64, routing: &Routing) -> Departure {
            let time = start + self.next_service;
            self.free_at = time;
            self.served += 1;
            self.service_sum += self.next_service;
            self.waiting_sum += start - arrival;
            if time > routing.run.horizon {
                self.late_arrival = arrival;
                self.late_start = start;
            }
            let edge = self.first_target + self.rng.below(self.targets);
            self.next_service = scaled_ticks(self.rng.exponential_q27(), self.mean as u64);
            Departure { time, to: routing.targets.get(edge).node + 1 }
        }
    }
}
