//! Event lists of modules, and the protocol of their steps.

/// Future event list and position of a module, and the rules of its steps. Payloads are the model's: a list keeps the
/// lanes that they are in.
#[imminent_core::kernels]
pub mod list {
    use crate::kernels::order::{ENDLESS, Key, MAX_AT_ONE_TIME, MAX_NUMBERS, TOO_MANY, TOO_MANY_EVER, before, tie};

    /// Outcome of a module's step: nothing was left to do.
    pub const IDLE: u32 = 0;
    /// Outcome of a module's step: something was done, or waits to be prepared.
    pub const ACTIVE: u32 = 1;
    /// Outcome of a module's step: a list needs room.
    pub const FULL: u32 = 2;

    /// Slot of the tally of halts that counts modules whose lists need room.
    pub const NEEDS_ROOM: u32 = 0;
    /// Slot of the tally of halts that counts modules with an error.
    pub const HAS_FAILED: u32 = 1;

    /// Constants of a simulation.
    #[derive(Row)]
    pub struct Terms {
        /// Row of the simulation's parameters.
        pub point: u32,
        /// Number of modules.
        pub modules: u32,
        /// Row of module 0.
        pub first: u32,
        /// Stride from a module's row to that of the next module.
        pub stride: u32,
        /// Row of the time of the simulation's earliest event.
        pub window: u32,
        /// Largest number of events that a handler schedules.
        pub most: u32,
        /// Lookahead: least delay of events sent to other modules, in ticks; 0 if the model sends none.
        pub lookahead: u64,
        /// `true` if the links between modules are declared, each with a lookahead of its own.
        pub has_links: bool,
        /// End of the run, in ticks: all events are before it.
        pub end: u64,
    }

    /// Time of the earliest event that a module or a simulation knows, sent ones included.
    #[derive(Row)]
    pub struct Earliest {
        /// Time in ticks; the greatest time if no event is known.
        pub time: u64,
    }

    /// Limits of a step.
    #[derive(Params)]
    pub struct Plan {
        /// Largest number of events per module.
        pub events: u32,
        /// `true` if a module stops at its first event of another kind.
        pub alike: bool,
        /// `true` if each module looks through the earliest events of its simulation; otherwise they are reduced before
        /// the step.
        pub looks: bool,
    }

    /// Simulation of a module.
    #[derive(Row)]
    pub struct Owner {
        /// Number of the simulation among those on the device.
        pub simulation: u32,
    }

    /// Summary of a module's list.
    #[derive(Row)]
    pub struct Standing {
        /// Time of the last event, in ticks.
        pub now: u64,
        /// Number of executed events.
        pub handled: u64,
        /// Number of pending events.
        pub waiting: u32,
        /// Kind of the last event.
        pub happening: u32,
        /// Error code; 0 without an error.
        pub trouble: u32,
    }

    /// Number of keys that stand among the fixed words of a list.
    pub const NEAR: u32 = 2;

    /// Event list and position of a module.
    ///
    /// The keys of a list are a binary heap with the least one first. They are small and are moved; payloads stay in
    /// place until the event is executed. Large simulations of few events at a module visit modules at random, and are
    /// bound by the sectors of 32 bytes that they move. So a row has 128 bytes, one line of a GPU's memory, with the
    /// first two keys in it, and its words stand in the order in which stages need them: the first and the third sector
    /// by every stage, the second by the stage that executes events, the fourth for a second event.
    #[derive(Row)]
    #[row(packed)]
    pub struct EventList {
        /// Time of the next event; the greatest time if none is known.
        pub next: u64,
        /// Rank of the next event among those of the same time.
        pub rank: u64,
        /// Lane of the payload of the next event; without an event a free one, if any lane was ever used.
        pub slot: u32,
        /// Kind of the next event.
        pub kind: u32,
        /// Number of pending events.
        pub waiting: u32,
        /// Number of lanes that were ever used.
        pub touched: u32,
        /// Time of the current or last event, in ticks.
        pub now: u64,
        /// Number of events that the module has scheduled.
        pub scheduled: u64,
        /// Number of executed events.
        pub handled: u64,
        /// Number of events executed at the current time.
        pub repeated: u32,
        /// Kind of the current or last event.
        pub happening: u32,
        /// Kind of the next known event; the greatest number if there is none, or if it will not be executed.
        pub coming: u32,
        /// Number of events that the current handler may still schedule.
        pub left: u32,
        /// Number of events that the module sent in its last step.
        pub sent: u32,
        /// Capacity that the module needs to continue; 0 if it suffices.
        pub wanted: u32,
        /// First received message that the list has no room for; 0 if there is none.
        pub late: u32,
        /// Error code: a constant of [`order`](crate::kernels::order); 0 without an error.
        pub trouble: u32,
        /// Number of the simulation among those on the device.
        pub simulation: u32,
        /// Number of the module in its simulation.
        pub module: u32,
        /// Key at place 1 of the heap, or a free lane of payloads.
        pub second: Key,
        /// Outcome of the last step, where steps of some modules follow those of others.
        pub outcome: u32,
        /// `true` if groups must look for another event to prepare: a prepared event was executed, or the module waits
        /// for one.
        pub calls: bool,
        /// Keys at the other places of the heap, followed by the free lanes of payloads.
        pub keys: Lanes<Key>,
    }

    impl EventList {
        /// Returns the number of events that the list has room for.
        pub fn room(&self) -> u32 {
            NEAR + self.keys.capacity()
        }

        /// Returns the key at a place of the heap, or of a free lane behind it.
        pub fn key(&self, place: u32) -> Key {
            if place == 0 {
                return Key { time: self.next, tie: self.rank, slot: self.slot, kind: self.kind };
            }
            if place == 1 {
                return self.second;
            }
            self.keys.get(place - NEAR)
        }

        /// Sets the key at a place.
        pub fn put(&mut self, place: u32, key: Key) {
            if place == 0 {
                self.next = key.time;
                self.rank = key.tie;
                self.slot = key.slot;
                self.kind = key.kind;
            } else if place == 1 {
                self.second = key;
            } else {
                self.keys.set(place - NEAR, key);
            }
        }

        /// Inserts a key into the heap, at or above a free place.
        pub fn rise(&mut self, place: u32, key: Key) {
            let mut hole = place;
            while hole > 0 {
                let parent = (hole - 1) >> 1;
                let other = self.key(parent);
                if before(other, key) {
                    break;
                }
                self.put(hole, other);
                hole = parent;
            }
            self.put(hole, key);
        }

        /// Inserts a key into a heap of `count` places whose first is free.
        pub fn sink(&mut self, count: u32, key: Key) {
            let mut hole = 0;
            loop {
                let mut child = 2 * hole + 1;
                if child >= count {
                    break;
                }
                let mut other = self.key(child);
                if child + 1 < count {
                    let right = self.key(child + 1);
                    if before(right, other) {
                        other = right;
                        child += 1;
                    }
                }
                if before(key, other) {
                    break;
                }
                self.put(hole, other);
                hole = child;
            }
            self.put(hole, key);
        }

        /// Notes an error, unless there is an earlier one.
        pub fn fail(&mut self, trouble: u32) {
            if self.trouble == 0 {
                self.trouble = trouble;
            }
        }

        /// Returns the rank among events of the same time for the next event that the module schedules.
        pub fn number(&mut self) -> u64 {
            if self.left == 0 {
                self.fail(TOO_MANY);
                return 0;
            }
            self.left -= 1;
            let number = self.scheduled;
            self.scheduled = number + 1;
            if self.scheduled >= MAX_NUMBERS {
                self.fail(TOO_MANY_EVER);
            }
            tie(self.module, number)
        }

        /// Adds an event to the list, which has room for it. Returns the lane for its payload.
        pub fn insert(&mut self, time: u64, tie: u64, kind: u32) -> u32 {
            let place = self.waiting;
            let mut slot = place;
            if place < self.touched {
                slot = self.key(place).slot;
            } else {
                self.touched = place + 1;
            }
            self.waiting = place + 1;
            self.rise(place, Key { time, tie, slot, kind });
            slot
        }

        /// Removes the first event from the list, which must not be empty, and begins with it.
        pub fn take(&mut self, most: u32) -> Key {
            let first = self.key(0);
            let count = self.waiting - 1;
            self.waiting = count;
            if count == 0 {
                self.next = u64::MAX;
            } else {
                self.sink(count, self.key(count));
                self.put(count, first);
            }
            self.begin(first.time, first.kind, most);
            first
        }

        /// Begins with an event.
        pub fn begin(&mut self, time: u64, kind: u32, most: u32) {
            self.repeated = if time == self.now { self.repeated + 1 } else { 0 };
            self.now = time;
            self.happening = kind;
            self.handled += 1;
            self.left = most;
            if self.repeated >= MAX_AT_ONE_TIME {
                self.fail(ENDLESS);
            }
        }

        /// Returns `true` if the list has room for another event. Otherwise notes that the message is late.
        pub fn has_room_for(&mut self, message: u32) -> bool {
            if self.waiting < self.room() {
                return true;
            }
            self.late = message;
            false
        }

        /// Returns `true` if the next event is executed in this step: it is before `horizon` and before the end, and
        /// there is room for all that its handler schedules. A post has room for `room` events.
        pub fn goes_on(&mut self, terms: &Terms, room: u32, horizon: u64) -> bool {
            if self.next >= horizon || self.next >= terms.end || self.trouble > 0 {
                return false;
            }
            let needed = self.waiting + terms.most;
            if needed > self.room() {
                self.wanted = needed;
                return false;
            }
            terms.lookahead == 0 || self.sent + terms.most <= room
        }

        /// Returns `true` if there is a next event, and its kind differs from that of the last one.
        pub fn changes(&self) -> bool {
            self.waiting > 0 && self.kind != self.happening
        }

        /// Sets the kind of the next event, if there is one before the end.
        pub fn foresee(&mut self, end: u64) {
            self.coming = u32::MAX;
            if self.next < end && self.trouble == 0 {
                self.coming = self.kind;
            }
        }

        /// Counts the module if it stops the steps: it needs room, or has failed.
        pub fn halt(&self, halts: &Tally<u32>) {
            if self.wanted > 0 {
                halts.add(NEEDS_ROOM, 1);
            }
            if self.trouble > 0 {
                halts.add(HAS_FAILED, 1);
            }
        }

        /// Ends a step; `before` is the number of events before it. Returns its outcome.
        pub fn finish(&mut self, end: u64, before: u64, waits: bool) -> u32 {
            self.foresee(end);
            let mut outcome = if self.handled > before || waits { ACTIVE } else { IDLE };
            if self.wanted > 0 {
                outcome = FULL;
            }
            self.outcome = outcome;
            outcome
        }
    }

    /// Returns the number of a module's simulation. One alone needs no look at memory for it.
    pub fn simulation_of(owners: &Rows<Owner>, terms: &Rows<Terms>, row: u32) -> u32 {
        let mut simulation = 0;
        if terms.len() > 1 {
            simulation = owners.get(row).simulation;
        }
        simulation
    }

    /// Returns a time before which a module without messages has nothing to do, if that is `limit` or later; otherwise
    /// an earlier time.
    ///
    /// `before` is the earliest event that the module knew after the step before. It may be an event that the module
    /// sent. Until `limit` passes its time, the receiver has it, so a module that rests need not look at its list.
    pub fn rests_until(limit: u64, before: u64, list: &EventList) -> u64 {
        if before >= limit {
            return before;
        }
        list.next
    }

    /// Publishes the earliest events of lists.
    #[kernel]
    pub fn publish(earliest: &mut Earliest, list: &EventList) {
        earliest.time = list.next;
    }

    /// Notes the standings of modules.
    #[kernel]
    pub fn stand(standing: &mut Standing, list: &EventList) {
        standing.now = list.now;
        standing.handled = list.handled;
        standing.waiting = list.waiting;
        standing.happening = list.happening;
        standing.trouble = list.trouble;
    }

    /// Returns the number of events that modules have executed.
    #[kernel(reduce = sum)]
    pub fn executed(list: &EventList) -> u64 {
        list.handled
    }

    /// Returns the greatest room that a list needs and does not have.
    #[kernel(reduce = max)]
    pub fn wanted(list: &EventList) -> u32 {
        list.wanted
    }

    /// Returns the time of the earliest event of a simulation.
    pub fn window(terms: &Terms, modules: &Rows<Earliest>, windows: &Rows<Earliest>, plan: &Plan) -> u64 {
        if !plan.looks {
            return windows.get(terms.window).time;
        }
        first_of_all(terms, modules)
    }

    /// Returns the time of the earliest event that the modules of a simulation know.
    pub fn first_of_all(terms: &Terms, modules: &Rows<Earliest>) -> u64 {
        let mut earliest = u64::MAX;
        for module in 0..terms.modules {
            earliest = earliest.min(modules.get(terms.first + module * terms.stride).time);
        }
        earliest
    }
}
