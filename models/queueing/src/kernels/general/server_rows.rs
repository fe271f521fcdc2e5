//! The servers of a node.

/// Services under way, and how long the next ones will take.
#[imminent_core::kernels]
pub mod servers {
    /// A service under way.
    pub struct Service {
        /// When it ends, in ticks.
        pub end: u64,
        /// When it started.
        pub started: u64,
        /// When its token arrived.
        pub arrived: u64,
        /// The class that its token had.
        pub class: u32,
    }

    /// The servers of a node: as many as the row has lanes, at most.
    #[derive(Row)]
    pub struct Servers {
        /// Services under way.
        pub busy: u32,
        /// The place of the next service in the ring of those to come.
        pub turn: u32,
        /// The random stream of the node, at the first service that is not in the ring.
        pub scout: u64,
        /// Services under way: a binary heap, the first to end first.
        pub services: Lanes<Service>,
        /// For each of the next services, as many as there are servers, the least time that it can take: a ring.
        pub coming: Lanes<u64>,
    }

    /// What servers know beside their lists, while a node is at work: read at once and written at once, since a device waits long for each.
    pub struct Desk {
        /// Services under way.
        pub busy: u32,
        /// The place of the next service in the ring.
        pub turn: u32,
        /// The random stream at the first service that is not in the ring.
        pub scout: u64,
    }

    impl Servers {
        /// What they know beside their lists.
        pub fn desk(&self) -> Desk {
            Desk { busy: self.busy, turn: self.turn, scout: self.scout }
        }

        /// Writes that down.
        pub fn keep(&mut self, desk: Desk) {
            self.busy = desk.busy;
            self.turn = desk.turn;
            self.scout = desk.scout;
        }

        /// When the first service under way ends; there is one.
        pub fn first_end(&self) -> u64 {
            self.services.get(0).end
        }
    }

    impl Desk {
        /// Ends the services that end at `time` or before.
        pub fn release(&mut self, services: &mut Lanes<Service>, time: u64) {
            while self.busy > 0 && services.get(0).end <= time {
                self.remove_first(services);
            }
        }

        /// Starts a service, for which there is a server.
        pub fn begin(&mut self, services: &mut Lanes<Service>, service: Service) {
            let mut hole = self.busy;
            self.busy += 1;
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
                services.set(hole, service);
                hole = child;
            }
            services.set(hole, last);
        }

        /// Puts the service that comes after all in the ring, which can take `least` at least, in the place of the one that starts now.
        /// Gives the least time of all in the ring of `servers`, which was `ahead` before.
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
