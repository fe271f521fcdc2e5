//! The advance with many rounds of outputs in a launch.

/// Many rounds of outputs in a launch, by one group.
#[imminent_core::kernels(template)]
pub mod batch {
    use crate::engine::kernels::edges::{Edge, Hours, seeing};
    use crate::engine::kernels::lanes::{
        Places, Queues, Tiling, evaluates, fail, insert, most_urgent, moved, place_at, put_off, reach, remove,
        set_urgency, slot_of, take_listed,
    };
    use crate::engine::kernels::space::number_of;

    /// Edges that a lane looks along before it notes what it has heard: bits of a word.
    const EDGES: u32 = 32;

    /// Message of a lane to the others.
    pub struct Message {
        /// Greatest urgency of its cells.
        pub urgency: u32,
        /// In a turn, 1 if the lane emits; after a round, the room that its queues need, or the greatest number if a
        /// rule failed.
        pub more: u32,
        /// Coordinates of the cell that emits; after a round, the first is the urgency of the late inputs.
        pub at: [u32; 4],
        /// Value that is emitted.
        pub value: Value,
    }

    /// Cells of the lanes of the group.
    #[derive(Bundle)]
    pub struct LaneRows {
        /// State that does not depend on the type of a value.
        pub places: &mut Each<Places>,
        /// Values of the cells.
        pub helds: &mut Each<Held>,
        /// Values of their neighbours.
        pub seens: &mut Each<Seen>,
        /// Times of pending outputs.
        pub queues: &mut Each<Queues>,
        /// Values of pending outputs.
        pub waits: &mut Each<Waits>,
        /// Values that cells keep for themselves.
        pub kepts: &mut Each<Kept>,
    }

    /// Cells of a lane.
    #[derive(Bundle)]
    pub struct LaneCells {
        /// State that does not depend on the type of a value.
        pub me: &mut Places,
        /// Values of the cells.
        pub held: &mut Held,
        /// Values of their neighbours.
        pub seen: &mut Seen,
        /// Times of pending outputs.
        pub queues: &mut Queues,
        /// Values of pending outputs.
        pub waits: &mut Waits,
        /// Values that cells keep for themselves.
        pub kept: &mut Kept,
    }

    /// Tables that all lanes of the group read.
    #[derive(Bundle)]
    pub struct LaneTables {
        /// Edges between lanes.
        pub edges: &Rows<Edge>,
        /// External inputs, by lane.
        pub feeds: &Rows<Feed>,
        /// Room that the fullest queue needs.
        pub fullest: &Tally<u32>,
        /// Shape of tiles.
        pub tiling: &Tiling,
    }

    /// Makes the message of a lane that emits nothing.
    fn silent(urgency: u32, more: u32) -> Message {
        summary(urgency, more, 0)
    }

    /// Makes the message of a lane after a round.
    fn summary(urgency: u32, more: u32, late: u32) -> Message {
        Message { urgency, more, at: [late, 0, 0, 0], value: UNDEFINED }
    }

    impl LaneCells {
        /// Makes the output that comes next the pending one of a cell. Returns its urgency.
        fn show(&mut self, tiling: &Tiling, slot: u32) -> u32 {
            let waiting = self.me.waiting.get(slot);
            if waiting == 0 {
                return 0;
            }
            let at = earliest(&self.queues.dues, slot, tiling.slots, waiting);
            let lane = at * tiling.slots + slot;
            self.held.pending.set(slot, self.waits.values.get(lane));
            NEVER - self.queues.dues.get(lane)
        }

        /// Emits the value of one cell of a lane that is due. Returns whether another is due.
        fn emit(&mut self, lane: &mut Lane<Message>, space: &Space, tiling: &Tiling, now: u32) -> bool {
            let due = NEVER - now;
            if self.me.urgency != due {
                lane.set(silent(self.me.urgency, 0));
                return false;
            }
            let slot = most_urgent(self.me, tiling);
            let value = self.held.pending.get(slot);
            self.held.value.set(slot, value);
            self.me.time.set(slot, now);
            let outputs = self.me.outputs.get(slot);
            self.me.outputs.set(slot, outputs + 1);
            if outputs == 0 {
                // With the initial outputs all cells are evaluated, whatever they see.
                reach(self.me, slot);
            }
            let mut next = 0u32;
            if space.transport != 0 {
                let waiting = self.me.waiting.get(slot);
                let at = entry_at(&self.queues.dues, slot, tiling.slots, waiting, now);
                if at < waiting {
                    remove(self.me, self.queues, tiling, slot, at);
                    for place in at..waiting - 1 {
                        let entry = place * tiling.slots + slot;
                        self.waits.values.set(entry, self.waits.values.get(entry + tiling.slots));
                    }
                }
                next = self.show(tiling, slot);
                if next == due {
                    // A further output of this time is one of the next round.
                    next = 0;
                    put_off(self.me, slot);
                }
            }
            set_urgency(self.me, tiling, slot, next);
            let place = place_at(tiling, lane.index(), slot);
            lane.set(Message { urgency: self.me.urgency, more: 1, at: place.at, value });
            self.me.urgency == due
        }

        /// Notes the values that have come to the cells of a lane in this turn.
        ///
        /// A lane looks along many edges before it notes anything. A warp then notes what all its lanes have heard at
        /// once, instead of one edge after the other.
        fn hear(&mut self, lane: &Lane<Message>, edges: &Rows<Edge>, space: &Space, tiling: &Tiling) {
            let mut first = 0u32;
            while first < edges.len() {
                let mut heard = 0u32;
                for at in 0..(edges.len() - first).min(EDGES) {
                    if lane.get(moved(tiling, lane.index(), edges.get(first + at).by)).more != 0 {
                        heard |= 1 << at;
                    }
                }
                while heard != 0 {
                    let edge = edges.get(first + heard.trailing_zeros());
                    let message = lane.get(moved(tiling, lane.index(), edge.by));
                    let slot = seeing(space, tiling, edge, &message.at, lane.index());
                    if slot != NEVER {
                        self.seen.values.set(slot * space.neighbours + edge.which, message.value);
                        reach(self.me, slot);
                    }
                    heard &= heard - 1;
                }
                first += EDGES;
            }
        }

        /// Returns `true` if a computed value joins the queue of a cell, as in the advance by launches.
        fn joins(
            &self,
            tiling: &Tiling,
            slot: u32,
            emitted: Value,
            value: Value,
            due: u32,
            now: u32,
            model: &Model,
        ) -> bool {
            let mut known = emitted;
            let mut unknown = false;
            let waiting = self.me.waiting.get(slot);
            // Only a cell whose next output was put off has outputs and no urgency.
            if self.me.urgencies.get(slot) == 0 && waiting > 0 && due > now {
                let at = entry_at(&self.queues.dues, slot, tiling.slots, waiting, due);
                unknown = at >= waiting;
                if !unknown {
                    known = self.waits.values.get(at * tiling.slots + slot);
                }
            }
            unknown || !same(value, known, model)
        }

        /// Evaluates the rule of one cell with the values that it has seen.
        fn evaluate(
            &mut self,
            feeds: &Rows<Feed>,
            scenario: &Scenario,
            tiling: &Tiling,
            lane: u32,
            slot: u32,
            round: Round,
        ) {
            let now = round.now;
            let place = place_at(tiling, lane, slot);
            let id = number_of(scenario.space, &place);
            let mut here = Here::new(scenario.space, place, id, self.me.zone.get(slot), now);
            let mut input = NO_INPUT;
            for back in 0..round.feeds {
                // The first feed of a cell counts, so it is looked at last.
                let feed = feeds.get(round.first_feed + round.feeds - 1 - back);
                if feed.when.cell == id && feed.when.late == round.late && feed.when.comes(now) {
                    here.fed = true;
                    here.sent = feed.when.before(now);
                    input = feed.input;
                }
            }
            let emitted = self.held.value.get(slot);
            let first = slot * scenario.space.neighbours;
            let mut random = self.me.random.get(slot);
            let first_kept = slot * scenario.space.kept;
            let next = by_lanes(here, emitted, input, self.seen, first, scenario, &mut random, self.kept, first_kept);
            if tiling.draws != 0 {
                self.me.random.set(slot, random);
            }
            if next.state > FOUND {
                fail(self.me, next.state, id, now);
            }
            if next.state == FOUND {
                let due = due_after(now, next.delay);
                if scenario.space.transport != 0 {
                    // What is due after the end of the run takes no room.
                    if due <= scenario.space.horizon
                        && self.joins(tiling, slot, emitted, next.value, due, now, scenario.model)
                    {
                        let last_counts = scenario.space.transport == 1;
                        let entry = insert(self.me, self.queues, tiling, slot, due, last_counts);
                        self.waits.values.set(entry, next.value);
                        let urgency = self.show(tiling, slot);
                        set_urgency(self.me, tiling, slot, urgency);
                    }
                } else {
                    let last = if self.me.urgencies.get(slot) == 0 { emitted } else { self.held.pending.get(slot) };
                    if !same(next.value, last, scenario.model) {
                        self.held.pending.set(slot, next.value);
                        set_urgency(self.me, tiling, slot, NEVER - due);
                    }
                }
            }
        }

        /// Evaluates all cells of a lane that values or external inputs have reached.
        fn evaluate_all(
            &mut self,
            feeds: &Rows<Feed>,
            scenario: &Scenario,
            tiling: &Tiling,
            lane: u32,
            first: bool,
            late: u32,
            now: u32,
        ) {
            // Inputs come once, in the first round of outputs at their time, or in that of late inputs.
            let fed = if first || late != 0 { self.me.feeds } else { 0 };
            let round = Round { now, late, first_feed: self.me.first_feed, feeds: fed };
            let mut urgency = 0u32;
            let mut later = 0u32;
            for which in 0..fed {
                let feed = feeds.get(round.first_feed + which);
                if feed.when.late == late && feed.when.comes(now) {
                    reach(self.me, slot_of(tiling, &place_of(scenario.space, feed.when.cell)));
                }
                let next = NEVER - feed.when.after(now);
                if feed.when.late != 0 {
                    later = later.max(next);
                } else {
                    urgency = urgency.max(next);
                }
            }
            if fed != 0 {
                self.me.feed = urgency;
                if late != 0 {
                    self.me.late = later;
                }
            }
            while self.me.reached != 0 {
                let evaluated = evaluates(self.me);
                let slot = take_listed(self.me);
                if evaluated {
                    self.evaluate(feeds, scenario, tiling, lane, slot, round);
                }
                if scenario.space.transport != 0 && self.me.urgencies.get(slot) == 0 && self.me.waiting.get(slot) > 0 {
                    // An output that was put off.
                    let urgency = self.show(tiling, slot);
                    set_urgency(self.me, tiling, slot, urgency);
                }
            }
        }
    }

    /// Returns the number of rounds at one time, with the next one if that is one too many: it is not executed, so the
    /// cells that it would begin with can be named.
    fn with_next(repeats: u32, repeats_time: bool) -> u32 {
        if repeats_time && repeats == MAX_ROUNDS { MAX_ROUNDS + 1 } else { repeats }
    }

    /// Executes rounds of outputs, up to a number of them. Returns the time of the next one.
    #[kernel(group = 256, reduce = min)]
    pub fn rounds(
        group: &mut Group<Message>,
        rows: &mut LaneRows,
        hours: &mut Hours,
        tables: &LaneTables,
        scenario: &Scenario,
    ) -> u32 {
        let mut now = hours.time;
        let mut last = hours.last;
        let mut repeats = hours.same;
        let mut distinct = hours.distinct;
        let mut late = hours.late;
        let mut fed = hours.fed;
        let mut taken = 0u32;
        let mut turns = 0u32;
        let mut needed = 0u32;
        repeats = with_next(repeats, now == last);
        while now <= scenario.space.horizon
            && repeats <= MAX_ROUNDS
            && needed == 0
            && taken < tables.tiling.rounds
            && turns < tables.tiling.turns
        {
            let first = now != last;
            repeats = if first { 0 } else { repeats + 1 };
            if first && now > 0 {
                distinct += 1;
            }
            last = now;
            if late != 0 {
                fed = now;
            }
            let mut more = true;
            while more {
                more = group.any(
                    (rows.places, rows.helds, rows.seens, rows.queues, rows.waits, rows.kepts),
                    |lane, (me, held, seen, queues, waits, kept)| {
                        let mut cells = LaneCells { me, held, seen, queues, waits, kept };
                        cells.emit(lane, scenario.space, tables.tiling, now)
                    },
                );
                let end = !more;
                group.phase(
                    (rows.places, rows.helds, rows.seens, rows.queues, rows.waits, rows.kepts),
                    |lane, (me, held, seen, queues, waits, kept)| {
                        let mut cells = LaneCells { me, held, seen, queues, waits, kept };
                        cells.hear(lane, tables.edges, scenario.space, tables.tiling);
                        if end {
                            cells.evaluate_all(tables.feeds, scenario, tables.tiling, lane.index(), first, late, now);
                            lane.set(summary(me.urgency.max(me.feed), me.needed, me.late));
                        }
                    },
                );
                turns += 1;
            }
            // Lanes that are 16 apart, so that the 16 that reduce read different banks.
            group.phase((), |lane, ()| {
                if lane.index() < FANOUT {
                    let mut most = 0u32;
                    let mut need = 0u32;
                    let mut later = 0u32;
                    for at in 0..FANOUT {
                        let message = lane.get(at * FANOUT + lane.index());
                        most = most.max(message.urgency);
                        need = need.max(message.more);
                        later = later.max(message.at[0]);
                    }
                    lane.set(summary(most, need, later));
                }
            });
            let mut most = 0u32;
            let mut later = 0u32;
            for at in 0..FANOUT {
                let message = group.get(at);
                most = most.max(message.urgency);
                needed = needed.max(message.more);
                later = later.max(message.at[0]);
            }
            // Late inputs come when no output of their time is left.
            late = if later > most { 1 } else { 0 };
            now = NEVER - most.max(later);
            repeats = with_next(repeats, now == last);
            taken += 1;
        }
        hours.time = now;
        hours.last = last;
        hours.same = repeats;
        hours.distinct = distinct;
        hours.late = late;
        hours.fed = fed;
        hours.rounds += taken as u64;
        hours.turns += turns as u64;
        tables.fullest.max(0, needed);
        if repeats <= MAX_ROUNDS { now } else { NEVER }
    }
}
