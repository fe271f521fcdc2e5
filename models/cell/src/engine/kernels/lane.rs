//! Cells of the lanes of one group.

/// State of a cell space in the lanes of one group.
///
/// A lane holds the cells at its place of every tile; a tile has 256 cells. Neighbours are therefore in other lanes,
/// and cells that are active at one time are spread over many lanes. A lane cannot read the rows of another. A cell
/// therefore keeps the values that its neighbours emitted last, as in the definition of Cell-DEVS, and receives new
/// ones through the group's scratch. A lane has a tournament of the next-event times of its cells.
#[imminent_core::kernels]
pub mod lanes {
    use crate::engine::kernels::outputs::entry_at;
    use crate::engine::kernels::space::{Position, Space};
    use crate::engine::kernels::tournament::{find, set};
    use imminent_core::random::Pcg32;

    /// Lanes of the group, and cells of a tile.
    pub const LANES: u32 = 256;

    /// Cells of a lane, by the number of their tile.
    #[derive(Row)]
    pub struct Places {
        /// Greatest urgency of the cells.
        pub urgency: u32,
        /// Urgency of the next external input of a cell that comes with outputs.
        pub feed: u32,
        /// Urgency of the next late input of a cell.
        pub late: u32,
        /// The cell that was listed last in this round, plus 1; 0 without one.
        pub reached: u32,
        /// Room that a queue needs, if it is more than there is; 0 otherwise.
        pub needed: u32,
        /// State in which the first evaluation that failed ended; 0 if none failed.
        pub failed: u32,
        /// Number of the cell whose evaluation failed.
        pub failed_cell: u32,
        /// Time at which it failed, in milliseconds.
        pub failed_time: u32,
        /// Index of the first external input of these cells among all inputs.
        pub first_feed: u32,
        /// Number of these inputs.
        pub feeds: u32,
        /// Tournament of urgencies.
        pub urgencies: Lanes<u32>,
        /// Generator of random numbers of each cell.
        pub random: Lanes<Pcg32>,
        /// Zone of each cell.
        pub zone: Lanes<u32>,
        /// Time of the last output, in milliseconds.
        pub time: Lanes<u32>,
        /// Outputs so far, the initial one included.
        pub outputs: Lanes<u32>,
        /// Outputs in the queue.
        pub waiting: Lanes<u32>,
        /// 0 unless the cell was listed in this round; then the cell that was listed before, plus 1, plus 1, and
        /// `UNREACHED` unless the cell is to be evaluated.
        pub before: Lanes<u32>,
    }

    /// Queues of a lane's cells.
    #[derive(Row)]
    pub struct Queues {
        /// Times of outputs: first entries of all cells, then second ones, and so on.
        pub dues: Lanes<u32>,
    }

    /// Shape of tiles and tournaments, and work of a launch.
    #[derive(Params)]
    pub struct Tiling {
        /// Bits of a coordinate within a tile, along each dimension: 8 together.
        pub bits: [u32; 4],
        /// Tiles along each dimension.
        pub tiles: [u32; 4],
        /// Highest bit of each coordinate in the number of a lane.
        pub tops: u32,
        /// Cells of a lane: all tiles.
        pub slots: u32,
        /// Levels of a tournament.
        pub levels: u32,
        /// First entry of each level.
        pub starts: [u32; 8],
        /// Outputs that a queue has room for.
        pub room: u32,
        /// Most rounds of outputs of a launch.
        pub rounds: u32,
        /// Turns of emitting after which a launch ends with the round.
        pub turns: u32,
        /// 1 if rules draw random numbers.
        pub draws: u32,
    }

    /// Returns the cell of a lane in a tile, which may be outside the space if the tile is cut.
    pub fn place_at(tiling: &Tiling, lane: u32, slot: u32) -> Position {
        let mut place = Position { at: [0; 4] };
        let mut lanes = lane;
        let mut slots = slot;
        for back in 0..4u32 {
            let dimension = 3 - back;
            let bits = tiling.bits[dimension as usize];
            let tiles = tiling.tiles[dimension as usize];
            let mut tile = 0u32;
            if tiles > 1 {
                tile = slots % tiles;
                slots /= tiles;
            }
            place.at[dimension as usize] = (tile << bits) | (lanes & ((1u32 << bits) - 1));
            lanes >>= bits;
        }
        place
    }

    /// Returns `true` if a place is inside the space.
    pub fn inside(space: &Space, place: &Position) -> bool {
        let mut inside = true;
        for dimension in 0..4u32 {
            inside = inside && place.at[dimension as usize] < space.cells[dimension as usize];
        }
        inside
    }

    /// Returns the lane that has a cell.
    pub fn lane_of(tiling: &Tiling, place: &Position) -> u32 {
        let mut lane = 0u32;
        for dimension in 0..4u32 {
            let bits = tiling.bits[dimension as usize];
            lane = (lane << bits) | (place.at[dimension as usize] & ((1u32 << bits) - 1));
        }
        lane
    }

    /// Returns the number of a cell in its lane: that of its tile.
    pub fn slot_of(tiling: &Tiling, place: &Position) -> u32 {
        let mut slot = 0u32;
        for dimension in 0..4u32 {
            let tile = place.at[dimension as usize] >> tiling.bits[dimension as usize];
            slot = slot * tiling.tiles[dimension as usize] + tile;
        }
        slot
    }

    /// Returns the lane at a distance: a sum of each coordinate by itself, without carries between them.
    pub fn moved(tiling: &Tiling, lane: u32, by: u32) -> u32 {
        let tops = tiling.tops;
        ((lane & !tops) + (by & !tops)) ^ ((lane ^ by) & tops)
    }

    /// Sets the urgency of a cell, and the winners above it.
    pub fn set_urgency(me: &mut Places, tiling: &Tiling, slot: u32, urgency: u32) {
        if tiling.slots == 1 {
            me.urgencies.set(slot, urgency);
            me.urgency = urgency;
            return;
        }
        me.urgency = set(&mut me.urgencies, tiling.levels, &tiling.starts, slot, urgency, me.urgency);
    }

    /// Finds a cell whose urgency is that of its lane.
    pub fn most_urgent(me: &Places, tiling: &Tiling) -> u32 {
        if tiling.slots == 1 { 0 } else { find(&me.urgencies, tiling.levels, &tiling.starts, me.urgency) }
    }

    /// Mark of a cell that is listed and not to be evaluated.
    const UNREACHED: u32 = 1 << 31;

    /// Lists a cell that is to be evaluated in this round, once.
    pub fn reach(me: &mut Places, slot: u32) {
        put_off(me, slot);
        me.before.set(slot, me.before.get(slot) & !UNREACHED);
    }

    /// Lists a cell that emitted and has a further output of this time, which belongs to the next round.
    pub fn put_off(me: &mut Places, slot: u32) {
        if me.before.get(slot) == 0 {
            me.before.set(slot, (me.reached + 1) | UNREACHED);
            me.reached = slot + 1;
        }
    }

    /// Returns `true` if the cell that was listed last is to be evaluated.
    pub fn evaluates(me: &Places) -> bool {
        (me.before.get(me.reached - 1) & UNREACHED) == 0
    }

    /// Takes the cell that was listed last off the list.
    pub fn take_listed(me: &mut Places) -> u32 {
        let slot = me.reached - 1;
        me.reached = (me.before.get(slot) & !UNREACHED) - 1;
        me.before.set(slot, 0);
        slot
    }

    /// Adds an output to the end of a cell's queue, or instead of one at the same time if the last counts. Returns the
    /// lane of its value.
    pub fn insert(
        me: &mut Places,
        queues: &mut Queues,
        tiling: &Tiling,
        slot: u32,
        due: u32,
        last_counts: bool,
    ) -> u32 {
        let waiting = me.waiting.get(slot);
        let mut at = waiting;
        if last_counts {
            at = entry_at(&queues.dues, slot, tiling.slots, waiting, due);
        }
        let lane = at * tiling.slots + slot;
        queues.dues.set(lane, due);
        let now = waiting.max(at + 1);
        me.waiting.set(slot, now);
        if now >= tiling.room {
            // The next round may add another.
            me.needed = me.needed.max(now + 1);
        }
        lane
    }

    /// Removes an output from a cell's queue. Entries after it move up by one.
    pub fn remove(me: &mut Places, queues: &mut Queues, tiling: &Tiling, slot: u32, at: u32) {
        let last = me.waiting.get(slot) - 1;
        me.waiting.set(slot, last);
        for place in at..last {
            let lane = place * tiling.slots + slot;
            queues.dues.set(lane, queues.dues.get(lane + tiling.slots));
        }
    }

    /// Notes an evaluation that failed. The run ends with this round.
    pub fn fail(me: &mut Places, state: u32, cell: u32, now: u32) {
        if me.failed == 0 {
            me.failed = state;
            me.failed_cell = cell;
            me.failed_time = now;
            me.needed = u32::MAX;
        }
    }
}
