//! Stations of the schedule `events`.

/// A station without a line: if arrivals are processed in order of time, the start of each service is known at once.
#[imminent_core::kernels]
pub mod server {
    use imminent_core::random::{Pcg32, scaled_ticks};

    /// A server, its random stream and its statistics, in one cache line of 64 bytes. Times are ticks.
    #[derive(Row)]
    #[repr(align(64))]
    pub struct Server {
        /// End of the last service.
        pub free_at: u64,
        /// Service time already drawn for the next service.
        pub next_service: u64,
        /// Position in the random stream of the node.
        pub drawn: u64,
        /// Number of services started.
        pub served: u64,
        /// Sum of departure minus start over the services started.
        pub service_sum: u64,
        /// Sum of start minus arrival over the services started.
        pub waiting_sum: u64,
        /// Mean service time.
        pub mean: u32,
        /// Number of the node.
        pub node: u32,
        /// Index of the first out-edge in the list of targets.
        pub first_target: u32,
        /// Number of out-edges.
        pub targets: u32,
    }

    impl Server {
        /// Serves a token that arrived at `arrival`, from `start` on: counts it, and draws its route and the next
        /// service time. Returns the edge by which it leaves at the time `free_at`.
        pub fn serve(&mut self, arrival: u64, start: u64) -> u32 {
            self.free_at = start + self.next_service;
            self.served += 1;
            self.service_sum += self.next_service;
            self.waiting_sum += start - arrival;
            let mut rng = Pcg32 { state: self.drawn, increment: (self.node as u64) << 1 | 1 };
            let edge = self.first_target + rng.below(self.targets);
            self.next_service = scaled_ticks(rng.exponential_q27(), self.mean as u64);
            self.drawn = rng.state;
            edge
        }
    }
}
