//! A station as the schedule `events` keeps it.

/// A station without a line: who takes arrivals in the order of time knows the start of each at once.
#[imminent_core::kernels]
pub mod desk {
    use imminent_core::random::{Pcg32, scaled_ticks};

    /// A server, its random stream and its statistics, in one cache line of 64 bytes. Times are ticks.
    #[derive(Row)]
    #[repr(align(64))]
    pub struct Desk {
        /// When its last service ends.
        pub free_at: u64,
        /// The service time already drawn for the next service.
        pub next_service: u64,
        /// Where it is in its random stream, which is that of its number.
        pub drawn: u64,
        /// Services started.
        pub served: u64,
        /// Sum of departure minus start over them.
        pub service_sum: u64,
        /// Sum of start minus arrival over them.
        pub waiting_sum: u64,
        /// Mean service time.
        pub mean: u32,
        /// Its number.
        pub node: u32,
        /// Where its out-edges begin in the list of targets.
        pub first_target: u32,
        /// How many out-edges it has.
        pub targets: u32,
    }

    impl Desk {
        /// Serves a token that arrived at `arrival`, from `start` on: counts it, and draws its way and the next service time. Gives the edge by which it leaves at
        /// the time `free_at`.
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
