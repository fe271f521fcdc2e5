//! Neighbour tables.

/// Neighbours of a node, by the beacons that it has heard.
#[imminent_core::kernels]
pub mod neighbourhood {
    use crate::kernels::failure::{Deleted, is_deleted_since};
    use crate::kernels::gpsr::{Neighbour, Table};
    use crate::kernels::grid::{Grid, Spot};
    use crate::kernels::motion::{Motion, Owner, Terms, heard, on_clock, pace, place_at};
    use crate::kernels::node::{IDLE, NEEDS_TABLE, Sense, Signal, WAITS};
    use crate::kernels::team::{NO_RANK, NO_ROW, Note, collect, join, raise, raised_by};
    use crate::kernels::walk::{NONE, Part, Walk, begin, next_near};

    /// Returns the next neighbour of a node in a part of the nodes around it, whose number is [`NONE`] if no one is
    /// left.
    fn next_neighbour(
        id: u32,
        walk: &mut Walk,
        spot: &Spot,
        at: u64,
        terms: &Terms,
        motion: &Motion,
        grid: &Grid,
        deleted: &Deleted,
    ) -> Neighbour {
        let place = place_at(id, at, terms, motion);
        let own = pace(id, at, terms, motion);
        loop {
            let other = next_near(walk, id, spot, terms.table_reach, terms, grid);
            if other == NONE {
                return Neighbour { node: NONE, place };
            }
            let entry = heard(id, place, own, other, at, terms, motion);
            if entry.is_known && !is_deleted_since(deleted, other, entry.sent) {
                return Neighbour { node: other - terms.first, place: entry.place };
            }
        }
    }

    /// Adds a neighbour to a table, if it has room.
    fn add(table: &mut Table, neighbour: Neighbour) {
        if table.count < table.neighbours.capacity() {
            table.neighbours.set(table.count, neighbour);
        }
        table.count += 1;
    }

    /// Lets a node wait whose table has no room.
    fn check_room(sense: &mut Sense, table: &Table, halts: &Tally<u32>) {
        if table.count > table.neighbours.capacity() {
            sense.verdict = WAITS;
            sense.wanted = table.count;
            halts.add(NEEDS_TABLE, 1);
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
            let mut walk = begin(spot, of_all.table_cells, Part { number: 0, of: 1 }, of_all);
            table.count = 0;
            loop {
                let neighbour = next_neighbour(id, &mut walk, spot, at, of_all, motion, grid, deleted);
                if neighbour.node == NONE {
                    break;
                }
                add(table, neighbour);
            }
            check_room(sense, table, halts);
        }
    }

    /// Searches on for a neighbour of the node that a lane helps. Returns `true` if it has found one.
    fn search(
        lane: &mut Lane<Note>,
        share: u32,
        owners: &Rows<Owner>,
        spots: &Rows<Spot>,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        deleted: &Rows<Deleted>,
        terms: &Rows<Terms>,
    ) -> bool {
        let mut note = lane.own();
        note.flags = 0;
        if note.row != NO_ROW {
            let row = note.row;
            let of_all = terms.get(owners.get(row).simulation);
            let at = on_clock(signals.get(row).next, of_all.interval);
            let part = Part { number: lane.index() % share, of: share };
            let mut walk = begin(spots.get(row), of_all.table_cells, part, of_all);
            if note.line != NONE {
                walk.line = note.line;
                walk.next = note.next;
                walk.end = note.end;
            }
            let found = next_neighbour(row, &mut walk, spots.get(row), at, of_all, motion, grid, deleted.get(row));
            if found.node == NONE {
                note.row = NO_ROW;
            } else {
                note.flags = 1;
                note.node = found.node;
                note.place = found.place;
                note.line = walk.line;
                note.next = walk.next;
                note.end = walk.end;
            }
        }
        lane.set(note);
        note.flags != 0
    }

    /// Adds what the lanes of a team have found to the table of its node.
    fn take(lane: &Lane<Note>, table: &mut Table, share: u32) {
        let rank = lane.own().rank;
        if rank != NO_RANK {
            let from = rank * share;
            for word in from / 32..(from + share + 31) / 32 {
                let mut raised = raised_by(lane, 0, word, from, from + share);
                while raised != 0 {
                    let found = lane.get(32 * word + raised.trailing_zeros());
                    add(table, Neighbour { node: found.node, place: found.place });
                    raised &= raised - 1;
                }
            }
        }
    }

    /// Does what [`look`](fn@look) does, by groups whose lanes help one another.
    #[kernel(group = 256)]
    pub fn look_in_teams(
        group: &mut Group<Note>,
        senses: &mut Each<Sense>,
        tables: &mut Each<Table>,
        deleted: &Rows<Deleted>,
        owners: &Rows<Owner>,
        spots: &Rows<Spot>,
        signals: &Rows<Signal>,
        motion: &Motion,
        grid: &Grid,
        halts: &Tally<u32>,
        terms: &Rows<Terms>,
    ) {
        let seekers = group.count(senses, |lane, sense| {
            let seeks = sense.verdict == IDLE;
            raise(lane, u32::from(seeks));
            seeks
        });
        if seekers > 0 {
            let share = group.len() / seekers;
            group.phase((), |lane, ()| collect(lane));
            group.phase(tables, |lane, table| {
                join(lane, share, seekers);
                let mut note = lane.own();
                note.line = NONE;
                lane.set(note);
                if note.rank != NO_RANK {
                    table.count = 0;
                }
            });
            while group.any((), |lane, ()| search(lane, share, owners, spots, signals, motion, grid, deleted, terms)) {
                group.phase((), |lane, ()| collect(lane));
                group.phase(tables, |lane, table| take(lane, table, share));
            }
            group.phase((senses, tables), |lane, (sense, table)| {
                if lane.own().rank != NO_RANK {
                    check_room(sense, table, halts);
                }
            });
        }
    }
}
