//! Changes between the rows of all cells and the lanes of one group.

/// Changes between the rows of all cells and the lanes of one group: the state of a run goes from one schedule to the
/// other.
#[imminent_core::kernels(template)]
pub mod change {
    use crate::engine::kernels::lanes::{inside, lane_of};
    use crate::engine::kernels::space::neighbour;

    /// All cells, as launches keep them.
    #[derive(Bundle)]
    pub struct CellTables {
        /// State that other cells do not see.
        pub owns: &Rows<Own>,
        /// Values in queues.
        pub waits: &Rows<Waits>,
        /// Values that cells keep for themselves.
        pub kepts: &Rows<Kept>,
        /// State that neighbours see.
        pub cells: &Rows<Cell>,
    }

    /// All lanes, without the values of neighbours.
    #[derive(Bundle)]
    pub struct FilledLanes {
        /// State that does not depend on the type of a value.
        pub places: &Rows<Places>,
        /// Values of the cells.
        pub helds: &Rows<Held>,
        /// Times of pending outputs.
        pub queues: &Rows<Queues>,
        /// Values of pending outputs.
        pub waits: &Rows<Waits>,
        /// Values that cells keep for themselves.
        pub kepts: &Rows<Kept>,
    }

    /// Fills a lane with its cells.
    #[kernel]
    pub fn enter(
        to: &mut LaneCells,
        from: &CellTables,
        feeds: &Rows<Feed>,
        hours: &Rows<Hours>,
        offsets: &Rows<Offset>,
        space: &Space,
        tiling: &Tiling,
        lane: u32,
    ) {
        to.me.urgency = 0;
        to.me.reached = 0;
        to.me.needed = 0;
        to.me.failed = 0;
        to.me.first_feed = 0;
        to.me.feeds = 0;
        to.me.feed = 0;
        to.me.late = 0;
        let last = hours.get(0).last;
        let fed = hours.get(0).fed;
        for at in 0..feeds.len() {
            let feed = feeds.get(at);
            if lane_of(tiling, &place_of(space, feed.when.cell)) == lane {
                if to.me.feeds == 0 {
                    to.me.first_feed = at;
                }
                to.me.feeds += 1;
                // At the start all cells are due, and the first round finds the next input.
                if feed.when.late != 0 {
                    to.me.late = to.me.late.max(NEVER - feed.when.late_after(last, fed));
                } else if last != NEVER {
                    to.me.feed = to.me.feed.max(NEVER - feed.when.after(last));
                }
            }
        }
        let entries = tiling.starts[(tiling.levels - 1) as usize] + FANOUT;
        for at in 0..entries {
            to.me.urgencies.set(at, 0);
        }
        for slot in 0..tiling.slots {
            to.me.before.set(slot, 0);
            let place = place_at(tiling, lane, slot);
            if inside(space, &place) {
                let id = number_of(space, &place);
                let cell = *from.cells.get(id);
                let own = from.owns.get(id);
                to.held.value.set(slot, cell.value);
                to.held.pending.set(slot, cell.pending);
                to.me.random.set(slot, own.random);
                to.me.zone.set(slot, own.zone);
                to.me.time.set(slot, own.time);
                to.me.outputs.set(slot, own.outputs);
                to.me.waiting.set(slot, own.waiting);
                for at in 0..own.waiting {
                    to.queues.dues.set(at * tiling.slots + slot, own.dues.get(at));
                    to.waits.values.set(at * tiling.slots + slot, from.waits.get(id).values.get(at));
                }
                for at in 0..space.kept {
                    to.kept.values.set(slot * space.kept + at, from.kepts.get(id).values.get(at));
                }
                if cell.due != NEVER {
                    set_urgency(to.me, tiling, slot, NEVER - cell.due);
                }
                for which in 0..space.neighbours {
                    let other = neighbour(space, offsets, &place, which);
                    let mut value = UNDEFINED;
                    if other != NEVER {
                        value = from.cells.get(other).value;
                    }
                    to.seen.values.set(slot * space.neighbours + which, value);
                }
            }
        }
    }

    /// Brings a cell back.
    #[kernel]
    pub fn leave(
        own: &mut Own,
        waits: &mut Waits,
        kept: &mut Kept,
        cell: &mut Cell,
        from: &FilledLanes,
        space: &Space,
        tiling: &Tiling,
        id: u32,
    ) {
        let place = place_of(space, id);
        let lane = lane_of(tiling, &place);
        let slot = slot_of(tiling, &place);
        let me = from.places.get(lane);
        cell.value = from.helds.get(lane).value.get(slot);
        cell.pending = from.helds.get(lane).pending.get(slot);
        cell.due = NEVER - me.urgencies.get(slot);
        own.random = me.random.get(slot);
        own.time = me.time.get(slot);
        own.outputs = me.outputs.get(slot);
        own.waiting = me.waiting.get(slot);
        for at in 0..own.waiting {
            own.dues.set(at, from.queues.get(lane).dues.get(at * tiling.slots + slot));
            waits.values.set(at, from.waits.get(lane).values.get(at * tiling.slots + slot));
        }
        for at in 0..space.kept {
            kept.values.set(at, from.kepts.get(lane).values.get(slot * space.kept + at));
        }
    }
}
