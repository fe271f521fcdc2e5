//! Carrier sense, and neighbour tables.

/// Medium around a node, and its neighbours.
#[imminent_core::kernels]
pub mod medium {
    use crate::kernels::failure::{Deleted, is_deleted_since};
    use crate::kernels::geometry::squared_distance;
    use crate::kernels::gpsr::{Neighbour, Table};
    use crate::kernels::grid::{Grid, Spot, around};
    use crate::kernels::motion::{Motion, Owner, Terms, heard, is_there, on_clock, pace, place_at};
    use crate::kernels::node::{BUSY, Bound, GONE, IDLE, NEEDS_TABLE, Sense, Signal, Time, WAITS};

    /// Returns `true` if an attempt of one node comes before that of another.
    fn is_before(time: u64, row: u32, other_time: u64, other: u32) -> bool {
        time < other_time || (time == other_time && row < other)
    }

    /// Senses the medium around a node. Returns [`WAITS`] if a node in range has an earlier attempt.
    fn sense_medium(
        id: u32,
        spot: &Spot,
        attempt: u64,
        terms: &Terms,
        motion: &Motion,
        grid: &Grid,
        signals: &Rows<Signal>,
    ) -> u32 {
        let at = on_clock(attempt, terms.interval);
        let place = place_at(id, at, terms, motion);
        let area = around(spot.cell, terms.sense_cells, terms);
        let mut verdict = IDLE;
        for line in area.bottom..area.top {
            let first = grid.first(line, area.left, terms);
            let end = grid.first(line, area.right, terms);
            for i in first..end {
                // Most nodes of the cells are too far away, which their former positions tell.
                let near = grid.spots.get(i);
                let other = near.node;
                if other != id
                    && squared_distance(spot.place, near.place) <= terms.sense_reach
                    && squared_distance(place, place_at(other, at, terms, motion)) <= terms.reach
                    && is_there(other, at, terms, motion)
                {
                    let signal = signals.get(other);
                    if is_before(signal.next, other, attempt, id) {
                        return WAITS;
                    }
                    // A transmission that began later does not count, but the one before it does.
                    let mut until = signal.before;
                    if is_before(signal.start, other, attempt, id) {
                        until = signal.until;
                    }
                    if at < until {
                        verdict = BUSY;
                    }
                }
            }
        }
        verdict
    }

    /// Number of nodes around a node that are held at once.
    const HELD: u32 = 64;

    /// Fills the neighbour table of a node. Returns the number of neighbours, which may exceed the table's capacity.
    ///
    /// The nodes near enough are listed first. So lanes of a warp look closely at one of them each, instead of waiting
    /// for those lanes that do.
    fn fill(
        id: u32,
        spot: &Spot,
        at: u64,
        terms: &Terms,
        motion: &Motion,
        grid: &Grid,
        deleted: &Deleted,
        table: &mut Table,
    ) -> u32 {
        let place = place_at(id, at, terms, motion);
        let own = pace(id, at, terms, motion);
        let area = around(spot.cell, terms.table_cells, terms);
        let mut near = [0u32; HELD as usize];
        let mut line = area.bottom;
        let mut i = 0;
        let mut end = 0;
        let mut count = 0;
        while i < end || line < area.top {
            let mut held = 0;
            while held < HELD && (i < end || line < area.top) {
                if i < end {
                    let other = grid.spots.get(i);
                    if other.node != id && squared_distance(spot.place, other.place) <= terms.table_reach {
                        near[held as usize] = other.node;
                        held += 1;
                    }
                    i += 1;
                } else {
                    i = grid.first(line, area.left, terms);
                    end = grid.first(line, area.right, terms);
                    line += 1;
                }
            }
            for k in 0..held {
                let other = near[k as usize];
                let entry = heard(id, place, own, other, at, terms, motion);
                if entry.is_known && !is_deleted_since(deleted, other, entry.sent) {
                    if count < table.neighbours.capacity() {
                        table.neighbours.set(count, Neighbour { node: other - terms.first, place: entry.place });
                    }
                    count += 1;
                }
            }
        }
        count
    }

    /// Finds the nodes whose next attempt is safe, and lets them sense the medium.
    #[kernel]
    pub fn sense(
        sense: &mut Sense,
        bound: &Bound,
        owner: &Owner,
        spot: &Spot,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        time: &Time,
        id: u32,
    ) {
        if time.rests(bound) {
            return;
        }
        let attempt = signals.get(id).next;
        let terms = time.terms.get(owner.simulation);
        let at = on_clock(attempt, terms.interval);
        // A node whose queue needs room has an attempt at time 0, which `act` does not execute.
        if at < time.horizon(terms).min(terms.end) {
            sense.verdict = GONE;
            if is_there(id, at, terms, motion) {
                sense.verdict = sense_medium(id, spot, attempt, terms, motion, grid, signals);
            }
        }
    }

    /// Fills the neighbour tables of the nodes that find the medium idle.
    #[kernel]
    pub fn look(
        sense: &mut Sense,
        table: &mut Table,
        deleted: &Deleted,
        owner: &Owner,
        spot: &Spot,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        halts: &Tally<u32>,
        terms: &Rows<Terms>,
        id: u32,
    ) {
        if sense.verdict == IDLE {
            let of_all = terms.get(owner.simulation);
            let at = on_clock(signals.get(id).next, of_all.interval);
            table.count = fill(id, spot, at, of_all, motion, grid, deleted, table);
            if table.count > table.neighbours.capacity() {
                sense.verdict = WAITS;
                sense.wanted = table.count;
                halts.add(NEEDS_TABLE, 1);
            }
        }
    }
}
