//! Servers of a node.

/// Services under way, and the shortest durations of the next ones.
#[imminent_core::kernels]
pub mod servers {
    /// A service under way.
    pub struct Service {
        /// End of the service, in ticks.
        pub end: u64,
        /// Start of the service, in ticks.
        pub started: u64,
        /// Arrival of its token, in ticks.
        pub arrived: u64,
        /// Class of its token during the service.
        pub class: u32,
    }

    /// Servers of a node: at most as many as the row has lanes.
    #[derive(Row)]
    #[row(packed)]
    pub struct Servers {
        /// Number of services under way.
        pub busy: u32,
        /// Index of the next service in the ring of coming services.
        pub turn: u32,
        /// State of the node's random stream at the first service that is not in the ring.
        pub scout: u64,
        /// Services under way: a binary heap, the first to end first.
        pub services: Lanes<Service>,
        /// Shortest durations of the next services, as many as there are servers: a ring.
        pub coming: Lanes<u64>,
    }

    /// Local copy of the servers' scalar fields while a node is at work. They are read and written together, since each
    /// access takes a device long.
    pub struct ServerScalars {
        /// Number of services under way.
        pub busy: u32,
        /// Index of the next service in the ring.
        pub turn: u32,
        /// State of the random stream at the first service that is not in the ring.
        pub scout: u64,
        /// End of the first service to end; the greatest time if there is none.
        pub first_end: u64,
    }

    impl Servers {
        /// Returns the scalar fields of the servers.
        pub fn desk(&self) -> ServerScalars {
            let first_end = self.services.get(0).end;
            let busy = self.busy;
            ServerScalars {
                busy,
                turn: self.turn,
                scout: self.scout,
                first_end: if busy > 0 { first_end } else { u64::MAX },
            }
        }

        /// Writes the scalar fields back.
        pub fn keep(&mut self, desk: ServerScalars) {
            self.busy = desk.busy;
            self.turn = desk.turn;
            self.scout = desk.scout;
        }

        /// Returns the end of the first service to end; there is one.
        pub fn first_end(&self) -> u64 {
            self.services.get(0).end
        }
    }

    impl ServerScalars {
        /// Ends the services that end at `time` or before.
        pub fn release(&mut self, services: &mut Lanes<Service>, time: u64) {
            while self.first_end <= time && self.busy > 0 {
                self.remove_first(services);
            }
        }

        /// Starts a service, for which there is a free server.
        pub fn begin(&mut self, services: &mut Lanes<Service>, service: Service) {
            let mut hole = self.busy;
            self.busy += 1;
            self.first_end = self.first_end.min(service.end);
            while hole > 0 {
                let parent = (hole - 1) >> 1;
                let other = services.get(parent);
                if other.end <= service.end {
                    break;
                }
                services.set(hole, other);
                hole = parent;
            }
            services.set(hole, service);
        }

        fn remove_first(&mut self, services: &mut Lanes<Service>) {
            self.busy -= 1;
            self.first_end = u64::MAX;
            if self.busy == 0 {
                return;
            }
            let last = services.get(self.busy);
            let mut hole = 0;
            loop {
                let mut child = 2 * hole + 1;
                if child >= self.busy {
                    break;
                }
                let mut service = services.get(child);
                if child + 1 < self.busy {
                    let right = services.get(child + 1);
                    if right.end < service.end {
                        service = right;
                        child += 1;
                    }
                }
                if last.end <= service.end {
                    break;
                }
                self.first_end = self.first_end.min(service.end);
                services.set(hole, service);
                hole = child;
            }
            self.first_end = self.first_end.min(last.end);
            services.set(hole, last);
        }

        /// Replaces the service that starts now in the ring by the one that follows all others, whose shortest duration
        /// is `least`. Returns the least duration in the ring of `servers` entries, which was `ahead` before.
        pub fn look_ahead(&mut self, coming: &mut Lanes<u64>, servers: u32, least: u64, ahead: u64) -> u64 {
            let starting = coming.get(self.turn);
            coming.set(self.turn, least);
            self.turn += 1;
            if self.turn == servers {
                self.turn = 0;
            }
            if least <= ahead {
                return least;
            }
            if starting > ahead {
                return ahead;
            }
            let mut least = u64::MAX;
            for place in 0..servers {
                least = least.min(coming.get(place));
            }
            least
        }
    }
}
