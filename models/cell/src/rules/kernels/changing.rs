//! Changes between the rows of all cells and the lanes of one group.

/// Brings the state of a run from one schedule to the other.
#[imminent_core::kernels]
pub mod change {
    use crate::rules::kernels::batch::Hours;
    use crate::rules::kernels::feeds::Feed;
    use crate::rules::kernels::lanes::{
        FANOUT, Places, Queues, Seen, Tiling, inside, lane_of, place_at, set_urgency, slot_of,
    };
    use crate::rules::kernels::outputs::Own;
    use crate::rules::kernels::space::{Cell, NEVER, Offset, Space, neighbour, number_of, place_of};

    /// Fills a lane with its cells.
    #[kernel]
    pub fn enter(
        me: &mut Places,
        seen: &mut Seen,
        queues: &mut Queues,
        owns: &Rows<Own>,
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
        let last = hours.get(0).last;
        for at in 0..feeds.len() {
            let feed = feeds.get(at);
            if lane_of(tiling, &place_of(space, feed.cell)) == lane {
                if me.feeds == 0 {
                    me.first_feed = at;
                }
                me.feeds += 1;
                // At the start all cells are due, and the first round finds the next input.
                if last != NEVER {
                    me.feed = me.feed.max(NEVER - feed.after(last));
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
                me.value.set(slot, cell.value);
                me.pending.set(slot, cell.pending);
                me.random.set(slot, own.random);
                me.start.set(slot, own.start);
                me.time.set(slot, own.time);
                me.outputs.set(slot, own.outputs);
                me.waiting.set(slot, own.waiting);
                for at in 0..own.waiting {
                    queues.outputs.set(at * tiling.slots + slot, own.queue.get(at));
                }
                if cell.due != NEVER {
                    set_urgency(me, tiling, slot, NEVER - cell.due);
                }
                for which in 0..space.neighbours {
                    let other = neighbour(space, offsets, &place, which);
                    let mut value = f64::NAN;
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
        cell: &mut Cell,
        places: &Rows<Places>,
        queues: &Rows<Queues>,
        space: &Space,
        tiling: &Tiling,
        id: u32,
    ) {
        let place = place_of(space, id);
        let lane = lane_of(tiling, &place);
        let slot = slot_of(tiling, &place);
        let from = places.get(lane);
        cell.value = from.value.get(slot);
        cell.pending = from.pending.get(slot);
        cell.due = NEVER - from.urgencies.get(slot);
        own.random = from.random.get(slot);
        own.time = from.time.get(slot);
        own.outputs = from.outputs.get(slot);
        own.waiting = from.waiting.get(slot);
        for at in 0..own.waiting {
            own.queue.set(at, queues.get(lane).outputs.get(at * tiling.slots + slot));
        }
    }
}
