//! Edges between the lanes of one group, and the group's time.

/// State of the group that does rounds of outputs in batches.
///
/// One group holds all cells, so no round waits for a launch. In a round the imminent cells of a lane emit one after
/// the other, one cell of each lane in a turn. The lanes at the distances of the neighbourhood receive what a lane
/// emits. When no lane has an imminent cell left, the cells that were reached are evaluated, once each. All values of
/// the round have then arrived, and an output that an evaluation schedules for the same time belongs to the next round.
#[imminent_core::kernels]
pub mod edges {
    use crate::engine::kernels::lanes::{Tiling, lane_of, slot_of};
    use crate::engine::kernels::space::{NEVER, Position, Space};

    /// An edge from a cell to one that sees it.
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
        /// 1 if the next round is that of late inputs.
        pub late: u32,
        /// Time of the last round of late inputs; [`NEVER`] at the start.
        pub fed: u32,
    }

    /// Returns the slot of the cell of a lane that sees the cell at these coordinates by an edge; [`NEVER`] if there is
    /// none. Where a space is wrapped and its tiles are cut, several edges lead to a lane.
    pub fn seeing(space: &Space, tiling: &Tiling, edge: &Edge, at: &[u32; 4], lane: u32) -> u32 {
        let mut place = Position { at: [0; 4] };
        let mut exists = true;
        for dimension in 0..4u32 {
            let cells = space.cells[dimension as usize] as i32;
            let mut to = at[dimension as usize] as i32 - edge.offset[dimension as usize];
            if to < 0 || to >= cells {
                exists = exists && space.wrapped != 0;
                to += if to < 0 { cells } else { 0 - cells };
            }
            place.at[dimension as usize] = to as u32;
        }
        if exists && lane_of(tiling, &place) == lane { slot_of(tiling, &place) } else { NEVER }
    }
}
