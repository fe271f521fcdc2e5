//! The advance with a launch for each round of outputs.

/// The advance of `liu-wainer-cell`: a launch for each round of outputs.
#[imminent_core::kernels(template)]
pub mod advance {
    use crate::engine::kernels::blocks::{BlockState, BlockTables, MAX_ROUNDS, lateness_of, reduce, round_at, time_of};
    use crate::engine::kernels::outputs::{Own, earliest, entry_at};
    use crate::engine::kernels::space::{due_after, place_of};
    use crate::engine::kernels::tournament::FANOUT;

    /// Rows of the cells of a group, and all cells as the round before left them.
    #[derive(Bundle)]
    pub struct CellRows {
        /// State that other cells do not see.
        pub owns: &mut Each<Own>,
        /// Values in queues.
        pub waits: &mut Each<Waits>,
        /// Values that cells keep for themselves.
        pub kepts: &mut Each<Kept>,
        /// State that neighbours see.
        pub cells: &mut Each<Cell>,
        /// State of all cells before this round.
        pub before: &Rows<Cell>,
    }

    /// State of a cell that no other cell sees.
    #[derive(Bundle)]
    pub struct Inside {
        /// Random numbers, counts and times of pending outputs.
        pub own: &mut Own,
        /// Values of pending outputs.
        pub waits: &mut Waits,
        /// Values that the cell keeps for itself.
        pub kept: &mut Kept,
    }

    impl Inside {
        /// Makes a cell show the output of its queue that comes next.
        fn shown(&self, cell: Cell) -> Cell {
            let mut after = cell;
            after.due = NEVER;
            if self.own.waiting > 0 {
                let at = earliest(&self.own.dues, 0, 1, self.own.waiting);
                after.due = self.own.dues.get(at);
                after.pending = self.waits.values.get(at);
            }
            after
        }

        /// Emits the value of a cell that is due.
        fn emitted(&mut self, cell: Cell, space: &Space, now: u32) -> Cell {
            let mut after = cell;
            after.value = cell.pending;
            after.due = NEVER;
            self.own.time = now;
            self.own.outputs += 1;
            if space.transport != 0 {
                let at = entry_at(&self.own.dues, 0, 1, self.own.waiting, now);
                if at < self.own.waiting {
                    self.own.remove(at);
                    for place in at..self.own.waiting {
                        self.waits.values.set(place, self.waits.values.get(place + 1));
                    }
                }
                after = self.shown(after);
            }
            after
        }

        /// Returns `true` if a computed value joins the queue of a cell.
        ///
        /// As in CD++, it does if it differs from the value of the cell. If a further output of this time is to
        /// follow, it joins unless it equals the first output that is queued for its own time.
        fn joins(&self, cell: Cell, value: Value, due: u32, now: u32, model: &Model) -> bool {
            let mut known = cell.value;
            let mut unknown = false;
            if cell.due == now && due > now {
                let at = entry_at(&self.own.dues, 0, 1, self.own.waiting, due);
                unknown = at >= self.own.waiting;
                if !unknown {
                    known = self.waits.values.get(at);
                }
            }
            unknown || !same(value, known, model)
        }

        /// Returns a cell after the outputs of this time. If an output or an input reached the cell, its rule is
        /// evaluated once.
        fn advanced(
            &mut self,
            id: u32,
            cells: &Rows<Cell>,
            feeds: &Rows<Feed>,
            scenario: &Scenario,
            round: Round,
        ) -> Cell {
            let now = round.now;
            let cell = *cells.get(id);
            // With the initial outputs all cells are evaluated, whatever they see.
            let mut reached = self.own.outputs == 0;
            let mut after = cell;
            if cell.due == now {
                after = self.emitted(cell, scenario.space, now);
            }
            let mut here = Here::new(scenario.space, place_of(scenario.space, id), id, self.own.zone, now);
            let mut which = 0u32;
            while which < scenario.space.neighbours && !reached {
                let other = here.number_of(scenario.space, scenario.offsets, which);
                reached = other != NEVER && cells.get(other).due == now;
                which += 1;
            }
            let mut input = NO_INPUT;
            for back in 0..round.feeds {
                // The first feed of a cell counts, so it is looked at last.
                let feed = feeds.get(round.first_feed + round.feeds - 1 - back);
                if feed.when.cell == id && feed.when.late == round.late && feed.when.comes(now) {
                    reached = true;
                    here.fed = true;
                    here.sent = feed.when.before(now);
                    input = feed.input;
                }
            }
            if reached {
                let next = by_rows(here, after.value, input, cells, scenario, &mut self.own.random, self.kept);
                if next.state == FOUND {
                    let due = due_after(now, next.delay);
                    if scenario.space.transport != 0 {
                        // What is due after the end of the run takes no room.
                        if due <= scenario.space.horizon && self.joins(after, next.value, due, now, scenario.model) {
                            let at = self.own.insert(due, scenario.space.transport == 1);
                            self.waits.values.set(at, next.value);
                            after = self.shown(after);
                        }
                    } else {
                        let last = if after.due == NEVER { after.value } else { after.pending };
                        if !same(next.value, last, scenario.model) {
                            after.pending = next.value;
                            after.due = due;
                        }
                    }
                }
            }
            after
        }
    }

    /// Executes one round of outputs and evaluations, or of late inputs. Returns the number of the next one.
    #[kernel(group = 256, reduce = min)]
    pub fn step(
        group: &mut Group<u32>,
        rows: &mut CellRows,
        state: &mut BlockState,
        tables: &BlockTables,
        feeds: &Rows<Feed>,
        scenario: &Scenario,
    ) -> u64 {
        let number = tables.clock.get(0).round;
        let now = time_of(number);
        let late = lateness_of(number);
        let was = tables.blocks.get(group.index());
        let running = now <= scenario.space.horizon;
        // Inputs come once, in the first round of outputs at their time, or in that of late inputs.
        let fed = if running && (late != 0 || now != state.census.last) { was.feeds } else { 0 };
        let round = Round { now, late, first_feed: was.first_feed, feeds: fed };
        let mut near = false;
        let mut fed_next = round_at(NEVER);
        if running {
            if late != 0 {
                state.census.fed = now;
            }
            for which in was.first_feed..was.first_feed + was.feeds {
                let feed = feeds.get(which);
                near = near || (fed != 0 && feed.when.late == late && feed.when.comes(now));
                let mut next = round_at(feed.when.after(now));
                if feed.when.late != 0 {
                    next = round_at(feed.when.late_after(now, state.census.fed)) + 1;
                }
                fed_next = fed_next.min(next);
            }
            state.census.count(now);
        }
        let advances = state.census.rounds <= MAX_ROUNDS;
        let first_source = was.first_source;
        let end_of_sources = first_source + was.sources;
        // One lane looks, so that the other warps of an idle block only vote.
        near = running
            && advances
            && group.any((), |lane, ()| {
                let mut found = near;
                if lane.index() == 0 {
                    for edge in first_source..end_of_sources {
                        found |= tables.blocks.get(tables.sources.get(edge).block).next == now;
                    }
                }
                found
            });
        let mut next = was.next;
        if near {
            // Scratch elements are zero where a group is cut, so the greatest complement is looked for.
            group.phase((rows.owns, rows.waits, rows.kepts, rows.cells), |lane, (own, waits, kept, cell)| {
                let mut inside = Inside { own, waits, kept };
                let after = inside.advanced(lane.row(), rows.before, feeds, scenario, round);
                *cell = after;
                if scenario.space.transport != 0 && own.waiting + 2 > own.dues.capacity() {
                    // Two launches make a step of the program, and each adds at most one output.
                    tables.fullest.max(0, own.waiting + 2);
                }
                lane.set(NEVER - after.due);
            });
            group.phase((), |lane, ()| reduce(lane));
            let mut most = 0u32;
            for at in 0..FANOUT {
                most = most.max(group.get(at));
            }
            next = NEVER - most;
            state.census.active += 1;
        } else if was.written != 0 {
            group.phase(rows.cells, |lane, cell| *cell = *rows.before.get(lane.row()));
        }
        state.block.next = next;
        state.block.written = if near { 1 } else { 0 };
        if advances { round_at(next).min(fed_next) } else { round_at(NEVER) }
    }
}
