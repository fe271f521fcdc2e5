//! Rounds of outputs in batches, by one group.

/// The paper's advance for rule files, many rounds in a launch.
///
/// One group holds all cells, so no round waits for a launch. In a round the imminent cells of a lane emit one after
/// the other, one cell of each lane in a turn. The lanes at the distances of the neighbourhood receive what a lane
/// emits. When no lane has an imminent cell left, the cells that were reached are evaluated, once each. All values of
/// the round have then arrived, and an output that an evaluation schedules for the same time belongs to the next round.
#[imminent_core::kernels]
pub mod batch {
    use crate::rules::kernels::advance::MOST_ROUNDS;
    use crate::rules::kernels::codes::*;
    use crate::rules::kernels::feeds::Feed;
    use crate::rules::kernels::interpreter::{BAD_DELAY, FOUND, Machine, Operation, RUNNING};
    use crate::rules::kernels::lanes::{
        FANOUT, Places, Queues, Seen, Tiling, insert, lane_of, most_urgent, moved, place_at, reach, remove,
        set_urgency, show, slot_of, take_reached,
    };
    use crate::rules::kernels::numbers::{same, unchanged};
    use crate::rules::kernels::space::{NEVER, Place, Space, number_of, place_of};

    /// A way from a cell to one that sees it.
    #[derive(Row)]
    pub struct Edge {
        /// Number of the neighbour, as the seeing cell numbers its neighbours.
        pub which: u32,
        /// Distance from the lane of the cell that sees to that of the cell that is seen.
        pub by: u32,
        /// Offset of the neighbour along each dimension.
        pub offset: [i32; 4],
    }

    /// Time of the group, and counts.
    #[derive(Row)]
    pub struct Hours {
        /// Next time, in milliseconds.
        pub time: u32,
        /// Time of the round before; [`NEVER`] at the start.
        pub last: u32,
        /// Rounds at that time before its last one.
        pub same: u32,
        /// Distinct times after 0.
        pub distinct: u32,
        /// Rounds so far.
        pub rounds: u64,
        /// Turns of emitting so far.
        pub turns: u64,
    }

    /// Message of a lane to the others.
    pub struct Message {
        /// Greatest urgency of its cells.
        pub urgency: u32,
        /// In a turn, 1 if the lane emits; after a round, the room that its queues need, or the greatest number if a
        /// rule failed.
        pub more: u32,
        /// Value that is emitted.
        pub value: f64,
        /// Coordinates of the cell that emits.
        pub at: [u32; 4],
    }

    /// Makes the message of a lane that emits nothing.
    fn silent(urgency: u32, more: u32) -> Message {
        Message { urgency, more, value: 0.0, at: [0; 4] }
    }

    /// Emits the value of one cell of a lane that is due. Returns whether another is due.
    fn emit(
        lane: &mut Lane<Message>,
        me: &mut Places,
        queues: &mut Queues,
        space: &Space,
        tiling: &Tiling,
        now: u32,
    ) -> bool {
        let due = NEVER - now;
        if me.urgency != due {
            lane.set(silent(me.urgency, 0));
            return false;
        }
        let slot = most_urgent(me, tiling);
        let value = me.pending.get(slot);
        me.value.set(slot, value);
        me.time.set(slot, now);
        let outputs = me.outputs.get(slot);
        me.outputs.set(slot, outputs + 1);
        if outputs == 0 {
            // With the initial outputs all cells are evaluated, whatever they see.
            reach(me, slot);
        }
        let mut next = 0u32;
        if space.transport != 0 {
            remove(me, queues, tiling, slot, now);
            next = show(me, queues, tiling, slot);
        }
        set_urgency(me, tiling, slot, next);
        let place = place_at(tiling, lane.index(), slot);
        lane.set(Message { urgency: me.urgency, more: 1, value, at: place.at });
        me.urgency == due
    }

    /// Notes the values that have come to the cells of a lane in this turn.
    fn hear(
        lane: &Lane<Message>,
        me: &mut Places,
        seen: &mut Seen,
        edges: &Rows<Edge>,
        space: &Space,
        tiling: &Tiling,
    ) {
        for number in 0..edges.len() {
            let edge = edges.get(number);
            let message = lane.get(moved(tiling, lane.index(), edge.by));
            if message.more != 0 {
                // The cell from which the one that emits is at this offset.
                let mut place = Place { at: [0; 4] };
                let mut exists = true;
                for dimension in 0..4u32 {
                    let cells = space.cells[dimension as usize] as i32;
                    let mut to = message.at[dimension as usize] as i32 - edge.offset[dimension as usize];
                    if to < 0 || to >= cells {
                        exists = exists && space.wrapped != 0;
                        to += if to < 0 { cells } else { 0 - cells };
                    }
                    place.at[dimension as usize] = to as u32;
                }
                // Where a space is wrapped and its tiles are cut, several edges lead to a lane.
                if exists && lane_of(tiling, &place) == lane.index() {
                    let slot = slot_of(tiling, &place);
                    seen.values.set(slot * space.neighbours + edge.which, message.value);
                    reach(me, slot);
                }
            }
        }
    }

    /// Evaluates the rules of one cell with the values that it has seen.
    fn evaluate(
        me: &mut Places,
        seen: &Seen,
        queues: &mut Queues,
        operations: &Rows<Operation>,
        feeds: &Rows<Feed>,
        space: &Space,
        tiling: &Tiling,
        lane: u32,
        slot: u32,
        fed: u32,
        now: u32,
    ) {
        let place = place_at(tiling, lane, slot);
        let mut start = me.start.get(slot);
        let mut input = f64::NAN;
        if fed != 0 {
            let id = number_of(space, &place);
            for back in 0..fed {
                // The first feed of a cell counts, so it is looked at last.
                let feed = feeds.get(me.first_feed + fed - 1 - back);
                if feed.cell == id && feed.comes(now) {
                    start = feed.start;
                    input = feed.value_at(now);
                }
            }
        }
        let first = slot * space.neighbours;
        let mut random = me.random.get(slot);
        let mut machine = Machine::begin(start);
        while machine.state == RUNNING {
            let operation = *operations.get(machine.at);
            machine.at += 1;
            if operation.code == COUNT {
                let mut count = 0u32;
                for which in 0..space.neighbours {
                    if same(seen.values.get(first + which), machine.last) {
                        count += 1;
                    }
                }
                machine.last = count as f64;
            } else {
                let mut value = 0.0;
                if (operation.code & CELL) != 0 {
                    value = seen.values.get(first + operation.arg);
                }
                machine.step(
                    space,
                    &place,
                    &mut random,
                    operation.code,
                    operation.arg,
                    operation.value,
                    value,
                    input,
                    now,
                );
            }
        }
        if tiling.draws != 0 {
            me.random.set(slot, random);
        }
        if machine.state >= BAD_DELAY && me.failed == 0 {
            me.failed = machine.state;
            me.failed_cell = number_of(space, &place);
            me.failed_time = now;
            me.needed = NEVER;
        }
        if machine.state == FOUND {
            let due = now.saturating_add(machine.delay);
            let emitted = me.value.get(slot);
            if space.transport != 0 {
                if !unchanged(space.quantum, machine.value, emitted) {
                    insert(me, queues, tiling, slot, due, machine.value);
                    let urgency = show(me, queues, tiling, slot);
                    set_urgency(me, tiling, slot, urgency);
                }
            } else {
                let last = if me.urgencies.get(slot) == 0 { emitted } else { me.pending.get(slot) };
                if !unchanged(space.quantum, machine.value, last) {
                    me.pending.set(slot, machine.value);
                    set_urgency(me, tiling, slot, NEVER - due);
                }
            }
        }
    }

    /// Evaluates all cells of a lane that values or external inputs have reached.
    fn evaluate_all(
        me: &mut Places,
        seen: &Seen,
        queues: &mut Queues,
        operations: &Rows<Operation>,
        feeds: &Rows<Feed>,
        space: &Space,
        tiling: &Tiling,
        lane: u32,
        first: bool,
        now: u32,
    ) {
        // Inputs come once, in the first round of outputs at their time.
        let fed = if first { me.feeds } else { 0 };
        let mut urgency = 0u32;
        for which in 0..fed {
            let feed = feeds.get(me.first_feed + which);
            if feed.comes(now) {
                reach(me, slot_of(tiling, &place_of(space, feed.cell)));
            }
            urgency = urgency.max(NEVER - feed.after(now));
        }
        if fed != 0 {
            me.feed = urgency;
        }
        while me.reached != 0 {
            let slot = take_reached(me);
            evaluate(me, seen, queues, operations, feeds, space, tiling, lane, slot, fed, now);
        }
    }

    /// Takes rounds of outputs, up to a number of them. Returns the time of the next one.
    #[kernel(group = 256, reduce = min)]
    pub fn rounds(
        group: &mut Group<Message>,
        places: &mut Each<Places>,
        seens: &mut Each<Seen>,
        queues: &mut Each<Queues>,
        hours: &mut Hours,
        operations: &Rows<Operation>,
        edges: &Rows<Edge>,
        feeds: &Rows<Feed>,
        fullest: &Tally<u32>,
        space: &Space,
        tiling: &Tiling,
    ) -> u32 {
        let mut now = hours.time;
        let mut last = hours.last;
        let mut repeats = hours.same;
        let mut distinct = hours.distinct;
        let mut taken = 0u32;
        let mut turns = 0u32;
        let mut needed = 0u32;
        while now <= space.horizon
            && repeats <= MOST_ROUNDS
            && needed == 0
            && taken < tiling.rounds
            && turns < tiling.turns
        {
            let first = now != last;
            repeats = if first { 0 } else { repeats + 1 };
            if first && now > 0 {
                distinct += 1;
            }
            last = now;
            let mut more = true;
            while more {
                more = group.any((places, queues), |lane, (me, queue)| emit(lane, me, queue, space, tiling, now));
                let end = !more;
                group.phase((places, seens, queues), |lane, (me, seen, queue)| {
                    hear(lane, me, seen, edges, space, tiling);
                    if end {
                        evaluate_all(me, seen, queue, operations, feeds, space, tiling, lane.index(), first, now);
                        lane.set(silent(me.urgency.max(me.feed), me.needed));
                    }
                });
                turns += 1;
            }
            // Lanes that are 16 apart, so that the 16 that reduce read different banks.
            group.phase((), |lane, ()| {
                if lane.index() < FANOUT {
                    let mut most = 0u32;
                    let mut need = 0u32;
                    for at in 0..FANOUT {
                        let message = lane.get(at * FANOUT + lane.index());
                        most = most.max(message.urgency);
                        need = need.max(message.more);
                    }
                    lane.set(silent(most, need));
                }
            });
            let mut most = 0u32;
            for at in 0..FANOUT {
                let message = group.get(at);
                most = most.max(message.urgency);
                needed = needed.max(message.more);
            }
            now = NEVER - most;
            taken += 1;
        }
        hours.time = now;
        hours.last = last;
        hours.same = repeats;
        hours.distinct = distinct;
        hours.rounds += taken as u64;
        hours.turns += turns as u64;
        fullest.max(0, needed);
        if repeats <= MOST_ROUNDS { now } else { NEVER }
    }
}
