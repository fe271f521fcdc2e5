//! The advance with many rounds of outputs in a launch.

/// Writes the kernel module `batch`: rounds of outputs by one group, for a type of value.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_batch {
    ($Value:ident, $Input:ident, $Facts:ident, $Model:ident; $($types:tt)*) => {
        /// Many rounds of outputs in a launch, by one group.
        #[allow(unused_imports)]
        #[$crate::__core::kernels]
        pub mod batch {
            use super::values::{FOUND, Feed, Held, Seen, Waits, by_lanes, same};
            use $crate::engine::kernels::blocks::MAX_ROUNDS;
            use $crate::engine::kernels::edges::{Edge, Hours, seeing};
            use $crate::engine::kernels::here::Here;
            use $crate::engine::kernels::lanes::{
                Places, Queues, Tiling, evaluates, fail, insert, most_urgent, moved, place_at, put_off, reach, remove,
                set_urgency, slot_of, take_listed,
            };
            use $crate::engine::kernels::outputs::{earliest, entry_at};
            use $crate::engine::kernels::space::{NEVER, Offset, Space, due_after, number_of, place_of};
            use $crate::engine::kernels::tournament::FANOUT;
            $($types)*

            /// Value that stands for an undefined one.
            const UNDEFINED: $Value = super::UNDEFINED;
            /// Input of a cell to which none comes.
            const NO_INPUT: $Input = super::NO_INPUT;

            /// Message of a lane to the others.
            pub struct Message {
                /// Greatest urgency of its cells.
                pub urgency: u32,
                /// In a turn, 1 if the lane emits; after a round, the room that its queues need, or the greatest number
                /// if a rule failed.
                pub more: u32,
                /// Coordinates of the cell that emits; after a round, the first is the urgency of the late inputs.
                pub at: [u32; 4],
                /// Value that is emitted.
                pub value: $Value,
            }

            /// Makes the message of a lane that emits nothing.
            fn silent(urgency: u32, more: u32) -> Message {
                summary(urgency, more, 0)
            }

            /// Makes the message of a lane after a round.
            fn summary(urgency: u32, more: u32, late: u32) -> Message {
                Message { urgency, more, at: [late, 0, 0, 0], value: UNDEFINED }
            }

            /// Makes the output that comes next the pending one of a cell. Returns its urgency.
            fn show(
                me: &Places,
                held: &mut Held,
                queues: &Queues,
                waits: &Waits,
                tiling: &Tiling,
                slot: u32,
            ) -> u32 {
                let waiting = me.waiting.get(slot);
                if waiting == 0 {
                    return 0;
                }
                let at = earliest(&queues.dues, slot, tiling.slots, waiting);
                let lane = at * tiling.slots + slot;
                held.pending.set(slot, waits.values.get(lane));
                NEVER - queues.dues.get(lane)
            }

            /// Emits the value of one cell of a lane that is due. Returns whether another is due.
            fn emit(
                lane: &mut Lane<Message>,
                me: &mut Places,
                held: &mut Held,
                queues: &mut Queues,
                waits: &mut Waits,
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
                let value = held.pending.get(slot);
                held.value.set(slot, value);
                me.time.set(slot, now);
                let outputs = me.outputs.get(slot);
                me.outputs.set(slot, outputs + 1);
                if outputs == 0 {
                    // With the initial outputs all cells are evaluated, whatever they see.
                    reach(me, slot);
                }
                let mut next = 0u32;
                if space.transport != 0 {
                    let waiting = me.waiting.get(slot);
                    let at = entry_at(&queues.dues, slot, tiling.slots, waiting, now);
                    if at < waiting {
                        remove(me, queues, tiling, slot, at);
                        for place in at..waiting - 1 {
                            let entry = place * tiling.slots + slot;
                            waits.values.set(entry, waits.values.get(entry + tiling.slots));
                        }
                    }
                    next = show(me, held, queues, waits, tiling, slot);
                    if next == due {
                        // A further output of this time is one of the next round.
                        next = 0;
                        put_off(me, slot);
                    }
                }
                set_urgency(me, tiling, slot, next);
                let place = place_at(tiling, lane.index(), slot);
                lane.set(Message { urgency: me.urgency, more: 1, at: place.at, value });
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
                        let slot = seeing(space, tiling, edge, &message.at, lane.index());
                        if slot != NEVER {
                            seen.values.set(slot * space.neighbours + edge.which, message.value);
                            reach(me, slot);
                        }
                    }
                }
            }

            /// Returns `true` if a computed value joins the queue of a cell, as in the advance by launches.
            fn joins(
                me: &Places,
                queues: &Queues,
                waits: &Waits,
                tiling: &Tiling,
                slot: u32,
                emitted: $Value,
                value: $Value,
                due: u32,
                now: u32,
                model: &$Model,
            ) -> bool {
                let mut known = emitted;
                let mut unknown = false;
                let waiting = me.waiting.get(slot);
                // Only a cell whose next output was put off has outputs and no urgency.
                if me.urgencies.get(slot) == 0 && waiting > 0 && due > now {
                    let at = entry_at(&queues.dues, slot, tiling.slots, waiting, due);
                    unknown = at >= waiting;
                    if !unknown {
                        known = waits.values.get(at * tiling.slots + slot);
                    }
                }
                unknown || !same(value, known, model)
            }

            /// Evaluates the rule of one cell with the values that it has seen.
            fn evaluate(
                me: &mut Places,
                held: &mut Held,
                seen: &Seen,
                queues: &mut Queues,
                waits: &mut Waits,
                facts: &Rows<$Facts>,
                offsets: &Rows<Offset>,
                feeds: &Rows<Feed>,
                space: &Space,
                tiling: &Tiling,
                model: &$Model,
                lane: u32,
                slot: u32,
                fed: u32,
                late: u32,
                now: u32,
            ) {
                let place = place_at(tiling, lane, slot);
                let id = number_of(space, &place);
                let mut here = Here::new(space, place, id, me.zone.get(slot), now);
                let mut input = NO_INPUT;
                for back in 0..fed {
                    // The first feed of a cell counts, so it is looked at last.
                    let feed = feeds.get(me.first_feed + fed - 1 - back);
                    if feed.when.cell == id && feed.when.late == late && feed.when.comes(now) {
                        here.fed = true;
                        here.sent = feed.when.before(now);
                        input = feed.input;
                    }
                }
                let emitted = held.value.get(slot);
                let first = slot * space.neighbours;
                let mut random = me.random.get(slot);
                let next = by_lanes(here, emitted, input, seen, first, offsets, facts, space, model, &mut random);
                if tiling.draws != 0 {
                    me.random.set(slot, random);
                }
                if next.state > FOUND {
                    fail(me, next.state, id, now);
                }
                if next.state == FOUND {
                    let due = due_after(now, next.delay);
                    if space.transport != 0 {
                        // What is due after the end of the run takes no room.
                        if due <= space.horizon
                            && joins(me, queues, waits, tiling, slot, emitted, next.value, due, now, model)
                        {
                            let entry = insert(me, queues, tiling, slot, due, space.transport == 1);
                            waits.values.set(entry, next.value);
                            let urgency = show(me, held, queues, waits, tiling, slot);
                            set_urgency(me, tiling, slot, urgency);
                        }
                    } else {
                        let last = if me.urgencies.get(slot) == 0 { emitted } else { held.pending.get(slot) };
                        if !same(next.value, last, model) {
                            held.pending.set(slot, next.value);
                            set_urgency(me, tiling, slot, NEVER - due);
                        }
                    }
                }
            }

            /// Evaluates all cells of a lane that values or external inputs have reached.
            fn evaluate_all(
                me: &mut Places,
                held: &mut Held,
                seen: &Seen,
                queues: &mut Queues,
                waits: &mut Waits,
                facts: &Rows<$Facts>,
                offsets: &Rows<Offset>,
                feeds: &Rows<Feed>,
                space: &Space,
                tiling: &Tiling,
                model: &$Model,
                lane: u32,
                first: bool,
                late: u32,
                now: u32,
            ) {
                // Inputs come once, in the first round of outputs at their time, or in that of late inputs.
                let fed = if first || late != 0 { me.feeds } else { 0 };
                let mut urgency = 0u32;
                let mut later = 0u32;
                for which in 0..fed {
                    let feed = feeds.get(me.first_feed + which);
                    if feed.when.late == late && feed.when.comes(now) {
                        reach(me, slot_of(tiling, &place_of(space, feed.when.cell)));
                    }
                    let next = NEVER - feed.when.after(now);
                    if feed.when.late != 0 {
                        later = later.max(next);
                    } else {
                        urgency = urgency.max(next);
                    }
                }
                if fed != 0 {
                    me.feed = urgency;
                    if late != 0 {
                        me.late = later;
                    }
                }
                while me.reached != 0 {
                    let evaluated = evaluates(me);
                    let slot = take_listed(me);
                    if evaluated {
                        evaluate(
                            me, held, seen, queues, waits, facts, offsets, feeds, space, tiling, model, lane, slot, fed,
                            late, now,
                        );
                    }
                    if space.transport != 0 && me.urgencies.get(slot) == 0 && me.waiting.get(slot) > 0 {
                        // An output that was put off.
                        let urgency = show(me, held, queues, waits, tiling, slot);
                        set_urgency(me, tiling, slot, urgency);
                    }
                }
            }

            /// Executes rounds of outputs, up to a number of them. Returns the time of the next one.
            #[kernel(group = 256, reduce = min)]
            pub fn rounds(
                group: &mut Group<Message>,
                places: &mut Each<Places>,
                helds: &mut Each<Held>,
                seens: &mut Each<Seen>,
                queues: &mut Each<Queues>,
                waits: &mut Each<Waits>,
                hours: &mut Hours,
                facts: &Rows<$Facts>,
                offsets: &Rows<Offset>,
                edges: &Rows<Edge>,
                feeds: &Rows<Feed>,
                fullest: &Tally<u32>,
                space: &Space,
                tiling: &Tiling,
                model: &$Model,
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
                while now <= space.horizon
                    && repeats <= MAX_ROUNDS
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
                    if late != 0 {
                        fed = now;
                    }
                    let mut more = true;
                    while more {
                        more = group.any((places, helds, queues, waits), |lane, (me, held, queue, wait)| {
                            emit(lane, me, held, queue, wait, space, tiling, now)
                        });
                        let end = !more;
                        group.phase((places, helds, seens, queues, waits), |lane, (me, held, seen, queue, wait)| {
                            hear(lane, me, seen, edges, space, tiling);
                            if end {
                                evaluate_all(
                                    me, held, seen, queue, wait, facts, offsets, feeds, space, tiling, model,
                                    lane.index(), first, late, now,
                                );
                                lane.set(summary(me.urgency.max(me.feed), me.needed, me.late));
                            }
                        });
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
                fullest.max(0, needed);
                if repeats <= MAX_ROUNDS { now } else { NEVER }
            }
        }
    };
}
