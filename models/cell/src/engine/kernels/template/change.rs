//! Changes between the rows of all cells and the lanes of one group.

/// Writes the kernel module `change`: the state of a run goes from one schedule to the other.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_change {
    ($Value:ident; $($types:tt)*) => {
        /// Changes between the rows of all cells and the lanes of one group.
        #[allow(unused_imports)]
        #[$crate::__core::kernels]
        pub mod change {
            use super::values::{Cell, Feed, Held, Seen, Waits};
            use $crate::engine::kernels::edges::Hours;
            use $crate::engine::kernels::lanes::{
                Places, Queues, Tiling, inside, lane_of, place_at, set_urgency, slot_of,
            };
            use $crate::engine::kernels::outputs::Own;
            use $crate::engine::kernels::space::{NEVER, Offset, Space, neighbour, number_of, place_of};
            use $crate::engine::kernels::tournament::FANOUT;
            $($types)*

            /// Value that stands for an undefined one.
            const UNDEFINED: $Value = super::UNDEFINED;

            /// Fills a lane with its cells.
            #[kernel]
            pub fn enter(
                me: &mut Places,
                held: &mut Held,
                seen: &mut Seen,
                queues: &mut Queues,
                waits: &mut Waits,
                owns: &Rows<Own>,
                waiting: &Rows<Waits>,
                cells: &Rows<Cell>,
                offsets: &Rows<Offset>,
                feeds: &Rows<Feed>,
                hours: &Rows<Hours>,
                space: &Space,
                tiling: &Tiling,
                lane: u32,
            ) {
                me.urgency = 0;
                me.reached = 0;
                me.needed = 0;
                me.failed = 0;
                me.first_feed = 0;
                me.feeds = 0;
                me.feed = 0;
                me.late = 0;
                let last = hours.get(0).last;
                let fed = hours.get(0).fed;
                for at in 0..feeds.len() {
                    let feed = feeds.get(at);
                    if lane_of(tiling, &place_of(space, feed.when.cell)) == lane {
                        if me.feeds == 0 {
                            me.first_feed = at;
                        }
                        me.feeds += 1;
                        // At the start all cells are due, and the first round finds the next input.
                        if feed.when.late != 0 {
                            me.late = me.late.max(NEVER - feed.when.late_after(last, fed));
                        } else if last != NEVER {
                            me.feed = me.feed.max(NEVER - feed.when.after(last));
                        }
                    }
                }
                let entries = tiling.starts[(tiling.levels - 1) as usize] + FANOUT;
                for at in 0..entries {
                    me.urgencies.set(at, 0);
                }
                for slot in 0..tiling.slots {
                    me.before.set(slot, 0);
                    let place = place_at(tiling, lane, slot);
                    if inside(space, &place) {
                        let id = number_of(space, &place);
                        let cell = *cells.get(id);
                        let own = owns.get(id);
                        held.value.set(slot, cell.value);
                        held.pending.set(slot, cell.pending);
                        me.random.set(slot, own.random);
                        me.zone.set(slot, own.zone);
                        me.time.set(slot, own.time);
                        me.outputs.set(slot, own.outputs);
                        me.waiting.set(slot, own.waiting);
                        for at in 0..own.waiting {
                            queues.dues.set(at * tiling.slots + slot, own.dues.get(at));
                            waits.values.set(at * tiling.slots + slot, waiting.get(id).values.get(at));
                        }
                        if cell.due != NEVER {
                            set_urgency(me, tiling, slot, NEVER - cell.due);
                        }
                        for which in 0..space.neighbours {
                            let other = neighbour(space, offsets, &place, which);
                            let mut value = UNDEFINED;
                            if other != NEVER {
                                value = cells.get(other).value;
                            }
                            seen.values.set(slot * space.neighbours + which, value);
                        }
                    }
                }
            }

            /// Brings a cell back.
            #[kernel]
            pub fn leave(
                own: &mut Own,
                waits: &mut Waits,
                cell: &mut Cell,
                places: &Rows<Places>,
                helds: &Rows<Held>,
                queues: &Rows<Queues>,
                waiting: &Rows<Waits>,
                space: &Space,
                tiling: &Tiling,
                id: u32,
            ) {
                let place = place_of(space, id);
                let lane = lane_of(tiling, &place);
                let slot = slot_of(tiling, &place);
                let from = places.get(lane);
                cell.value = helds.get(lane).value.get(slot);
                cell.pending = helds.get(lane).pending.get(slot);
                cell.due = NEVER - from.urgencies.get(slot);
                own.random = from.random.get(slot);
                own.time = from.time.get(slot);
                own.outputs = from.outputs.get(slot);
                own.waiting = from.waiting.get(slot);
                for at in 0..own.waiting {
                    own.dues.set(at, queues.get(lane).dues.get(at * tiling.slots + slot));
                    waits.values.set(at, waiting.get(lane).values.get(at * tiling.slots + slot));
                }
            }
        }
    };
}
