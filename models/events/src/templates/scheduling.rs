//! Events, and the agenda by which handlers schedule them.

/// Events with a payload of the model, and the agenda of a module.
#[imminent_core::kernels(template)]
pub mod agenda {
    use crate::kernels::links::{OutLinks, check_send};
    use crate::kernels::list::{EventList, Terms};

    /// Scheduled event.
    pub struct Event {
        /// Time of the event, in ticks.
        pub time: u64,
        /// Rank among events of the same time.
        pub tie: u64,
        /// Number of the destination module in the simulation.
        pub to: u32,
        /// Kind of the event.
        pub kind: u32,
        /// Payload of the event.
        pub payload: Payload,
    }

    /// Payloads of the pending events of a module.
    #[derive(Row)]
    #[row(packed)]
    pub struct Payloads {
        /// A lane for each event, given by its key.
        pub slots: Lanes<Payload>,
    }

    /// Events that a module sent in a step.
    #[derive(Row)]
    #[row(packed)]
    pub struct Post {
        /// The events, by their numbers.
        pub events: Lanes<Event>,
    }

    /// Agenda of a module: what handlers schedule events by.
    #[derive(Bundle)]
    pub struct Agenda {
        /// Event list of the module.
        pub list: &mut EventList,
        /// Payloads of its events.
        pub payloads: &mut Payloads,
        /// Events that it sends.
        pub post: &mut Post,
        /// Links to other modules.
        pub links: &OutLinks,
        /// Constants of its simulation.
        pub terms: &Terms,
    }

    #[allow(dead_code, reason = "few models need all of it")]
    impl Agenda {
        /// Returns the time, in ticks.
        pub fn now(&self) -> u64 {
            self.list.now
        }

        /// Returns the number of the module in its simulation.
        pub fn module(&self) -> u32 {
            self.list.module
        }

        /// Returns the number of modules of the simulation.
        pub fn modules(&self) -> u32 {
            self.terms.modules
        }

        /// Schedules an event at this module, `delay` ticks from now.
        pub fn schedule(&mut self, delay: u64, kind: Kind, payload: Payload) {
            let tie = self.list.number();
            if self.list.trouble == 0 {
                let time = self.list.now.saturating_add(delay);
                self.expect(time, tie, kind as u32, payload);
            }
        }

        /// Schedules an event at another module, `delay` ticks from now.
        pub fn send(&mut self, to: u32, delay: u64, kind: Kind, payload: Payload) {
            if to == self.list.module {
                self.schedule(delay, kind, payload);
                return;
            }
            check_send(self.list, self.links, self.terms, to, delay);
            let time = self.list.now.saturating_add(delay);
            let tie = self.list.number();
            if self.list.trouble == 0 {
                self.post.events.set(self.list.sent, Event { time, tie, to, kind: kind as u32, payload });
                self.list.sent += 1;
            }
        }

        /// Adds an event to the list, which has room for it.
        pub fn expect(&mut self, time: u64, tie: u64, kind: u32, payload: Payload) {
            let slot = self.list.insert(time, tie, kind);
            self.payloads.slots.set(slot, payload);
        }
    }
}
