//! The advance of rule files.

/// The paper's advance with rules of a rule buffer.
#[imminent_core::kernels]
pub mod advance {
    use crate::rules::kernels::feeds::Feed;
    use crate::rules::kernels::interpreter::{Operation, evaluate};
    use crate::rules::kernels::numbers::unchanged;
    use crate::rules::kernels::outputs::Own;
    use crate::rules::kernels::space::{Cell, NEVER, Offset, Space, neighbour, place_of};

    /// Rounds of outputs at one time after which a model is said not to advance.
    pub const MOST_ROUNDS: u32 = 10000;
    /// Elements of the scratch that a lane reduces, and lanes that do so.
    const FANOUT: u32 = 16;

    /// State of a block of cells, of which there are two by turns.
    #[derive(Row)]
    pub struct Block {
        /// Least time at which one of its cells is due.
        pub next: u32,
        /// 1 if the launch before wrote its cells.
        pub written: u32,
        /// Index in the list of the first block that its cells see.
        pub first_source: u32,
        /// Number of these blocks.
        pub sources: u32,
        /// Index of the first input of its cells among all inputs.
        pub first_feed: u32,
        /// Number of these inputs.
        pub feeds: u32,
    }

    /// An entry of the lists of blocks.
    #[derive(Row)]
    pub struct Source {
        /// Number of the block.
        pub block: u32,
    }

    /// Counters, one set for each block.
    #[derive(Row)]
    pub struct Census {
        /// Time of the step before.
        pub last: u32,
        /// Steps at that time so far.
        pub rounds: u32,
        /// Distinct times after 0.
        pub distinct: u32,
        /// Rounds in which the block's cells were looked at.
        pub active: u32,
    }

    /// Least time at which any cell is due.
    #[derive(Row)]
    pub struct Clock {
        /// Milliseconds.
        pub time: u32,
    }

    /// A cell after the outputs of this time, and one evaluation of its rules if an output reached it.
    fn advanced(
        own: &mut Own,
        cell: Cell,
        cells: &Rows<Cell>,
        operations: &Rows<Operation>,
        offsets: &Rows<Offset>,
        feeds: &Rows<Feed>,
        first_feed: u32,
        fed: u32,
        space: &Space,
        id: u32,
        now: u32,
    ) -> Cell {
        let mut after = cell;
        // With the initial outputs all cells are evaluated, whatever they see.
        let mut reached = own.outputs == 0;
        if cell.due == now {
            after.value = cell.pending;
            after.due = NEVER;
            own.time = now;
            own.outputs += 1;
            if space.transport != 0 {
                own.remove(now);
                after = own.show(after);
            }
        }
        let place = place_of(space, id);
        let mut which = 0u32;
        while which < space.neighbours && !reached {
            let other = neighbour(space, offsets, &place, which);
            reached = other != NEVER && cells.get(other).due == now;
            which += 1;
        }
        let mut start = own.start;
        let mut input = f64::NAN;
        for back in 0..fed {
            // The first feed of a cell counts, so it is looked at last.
            let feed = feeds.get(first_feed + fed - 1 - back);
            if feed.cell == id && feed.comes(now) {
                reached = true;
                start = feed.start;
                input = feed.value_at(now);
            }
        }
        if reached {
            let next = evaluate(operations, offsets, cells, space, &mut own.random, start, input, id, now);
            let due = now.saturating_add(next.delay);
            if next.found && space.transport != 0 {
                if !unchanged(space.quantum, next.value, after.value) {
                    own.insert(due, next.value);
                    after = own.show(after);
                }
            } else if next.found {
                let last = if after.due == NEVER { after.value } else { after.pending };
                if !unchanged(space.quantum, next.value, last) {
                    after.pending = next.value;
                    after.due = due;
                }
            }
        }
        after
    }

    /// One round of outputs and evaluations. Returns the time of the next one.
    #[kernel(group = 256, reduce = min)]
    pub fn step(
        group: &mut Group<u32>,
        owns: &mut Each<Own>,
        cells: &mut Each<Cell>,
        before: &Rows<Cell>,
        block: &mut Block,
        blocks: &Rows<Block>,
        sources: &Rows<Source>,
        census: &mut Census,
        clock: &Rows<Clock>,
        operations: &Rows<Operation>,
        offsets: &Rows<Offset>,
        feeds: &Rows<Feed>,
        fullest: &Tally<u32>,
        space: &Space,
    ) -> u32 {
        let now = clock.get(0).time;
        let was = blocks.get(group.index());
        let running = now <= space.horizon;
        // Inputs come once, in the first round of outputs at their time.
        let fed = if running && now != census.last { was.feeds } else { 0 };
        let first_feed = was.first_feed;
        let mut near = false;
        let mut fed_next = NEVER;
        if running {
            for which in first_feed..first_feed + was.feeds {
                let feed = feeds.get(which);
                near = near || (fed != 0 && feed.comes(now));
                fed_next = fed_next.min(feed.after(now));
            }
        }
        if running {
            census.rounds = if now == census.last { census.rounds + 1 } else { 0 };
            if now != census.last && now > 0 {
                census.distinct += 1;
            }
            census.last = now;
        }
        let advances = census.rounds <= MOST_ROUNDS;
        let first_source = was.first_source;
        let end_of_sources = first_source + was.sources;
        // One lane looks, so that the other warps of an idle block only vote.
        near = running
            && advances
            && group.any((), |lane, ()| {
                let mut found = near;
                if lane.index() == 0 {
                    for edge in first_source..end_of_sources {
                        found |= blocks.get(sources.get(edge).block).next == now;
                    }
                }
                found
            });
        let mut next = was.next;
        if near {
            // Scratch elements are zero where a group is cut, so the greatest complement is looked for.
            group.phase((owns, cells), |lane, (own, cell)| {
                let row = *before.get(lane.row());
                let after =
                    advanced(own, row, before, operations, offsets, feeds, first_feed, fed, space, lane.row(), now);
                *cell = after;
                if space.transport != 0 && own.waiting + 2 > own.queue.capacity() {
                    // Two launches make a step of the program, and each adds at most one output.
                    fullest.max(0, own.waiting + 2);
                }
                lane.set(NEVER - after.due);
            });
            // Lanes that are 16 apart, so that the 16 that reduce read different banks.
            group.phase((), |lane, ()| {
                if lane.index() < FANOUT {
                    let mut most = 0u32;
                    for at in 0..FANOUT {
                        most = most.max(lane.get(at * FANOUT + lane.index()));
                    }
                    lane.set(most);
                }
            });
            let mut most = 0u32;
            for at in 0..FANOUT {
                most = most.max(group.get(at));
            }
            next = NEVER - most;
            census.active += 1;
        } else if was.written != 0 {
            group.phase(cells, |lane, cell| *cell = *before.get(lane.row()));
        }
        block.next = next;
        block.written = if near { 1 } else { 0 };
        if advances { next.min(fed_next) } else { NEVER }
    }
}
