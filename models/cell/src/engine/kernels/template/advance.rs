//! The advance with a launch for each round of outputs.

/// Writes the kernel module `advance`: the paper's advance for a type of value.
#[doc(hidden)]
#[macro_export]
macro_rules! __cell_advance {
    ($Value:ident, $Input:ident, $Facts:ident, $Model:ident; $($types:tt)*) => {
        /// The advance of `liu-wainer-cell`: a launch for each round of outputs.
        #[allow(unused_imports)]
        #[$crate::__core::kernels]
        pub mod advance {
            use super::values::{Cell, FOUND, Feed, Waits, by_rows, same};
            use $crate::engine::kernels::blocks::{
                Block, Census, Clock, MAX_ROUNDS, Source, lateness_of, reduce, round_at, time_of,
            };
            use $crate::engine::kernels::here::Here;
            use $crate::engine::kernels::outputs::{Own, earliest, entry_at};
            use $crate::engine::kernels::space::{NEVER, Offset, Space, due_after, place_of};
            use $crate::engine::kernels::tournament::FANOUT;
            $($types)*

            /// Input of a cell to which none comes.
            const NO_INPUT: $Input = super::NO_INPUT;

            /// Makes a cell show the output of its queue that comes next.
            fn shown(own: &Own, waits: &Waits, cell: Cell) -> Cell {
                let mut after = cell;
                after.due = NEVER;
                if own.waiting > 0 {
                    let at = earliest(&own.dues, 0, 1, own.waiting);
                    after.due = own.dues.get(at);
                    after.pending = waits.values.get(at);
                }
                after
            }

            /// Emits the value of a cell that is due.
            fn emitted(own: &mut Own, waits: &mut Waits, cell: Cell, space: &Space, now: u32) -> Cell {
                let mut after = cell;
                after.value = cell.pending;
                after.due = NEVER;
                own.time = now;
                own.outputs += 1;
                if space.transport != 0 {
                    let at = entry_at(&own.dues, 0, 1, own.waiting, now);
                    if at < own.waiting {
                        own.remove(at);
                        for place in at..own.waiting {
                            waits.values.set(place, waits.values.get(place + 1));
                        }
                    }
                    after = shown(own, waits, after);
                }
                after
            }

            /// Returns `true` if a computed value joins the queue of a cell.
            ///
            /// As in CD++, it does if it differs from the value of the cell. If a further output of this time is to
            /// follow, it joins unless it equals the first output that is queued for its own time.
            fn joins(own: &Own, waits: &Waits, cell: Cell, value: $Value, due: u32, now: u32, model: &$Model) -> bool {
                let mut known = cell.value;
                let mut unknown = false;
                if cell.due == now && due > now {
                    let at = entry_at(&own.dues, 0, 1, own.waiting, due);
                    unknown = at >= own.waiting;
                    if !unknown {
                        known = waits.values.get(at);
                    }
                }
                unknown || !same(value, known, model)
            }

            /// Returns a cell after the outputs of this time. If an output or an input reached the cell, its rule is
            /// evaluated once.
            fn advanced(
                own: &mut Own,
                waits: &mut Waits,
                cell: Cell,
                cells: &Rows<Cell>,
                facts: &Rows<$Facts>,
                offsets: &Rows<Offset>,
                feeds: &Rows<Feed>,
                first_feed: u32,
                fed: u32,
                late: u32,
                space: &Space,
                model: &$Model,
                id: u32,
                now: u32,
            ) -> Cell {
                // With the initial outputs all cells are evaluated, whatever they see.
                let mut reached = own.outputs == 0;
                let mut after = cell;
                if cell.due == now {
                    after = emitted(own, waits, cell, space, now);
                }
                let mut here = Here::new(space, place_of(space, id), id, own.zone, now);
                let mut which = 0u32;
                while which < space.neighbours && !reached {
                    let other = here.number_of(space, offsets, which);
                    reached = other != NEVER && cells.get(other).due == now;
                    which += 1;
                }
                let mut input = NO_INPUT;
                for back in 0..fed {
                    // The first feed of a cell counts, so it is looked at last.
                    let feed = feeds.get(first_feed + fed - 1 - back);
                    if feed.when.cell == id && feed.when.late == late && feed.when.comes(now) {
                        reached = true;
                        here.fed = true;
                        here.sent = feed.when.before(now);
                        input = feed.input;
                    }
                }
                if reached {
                    let next = by_rows(here, after.value, input, cells, offsets, facts, space, model, &mut own.random);
                    if next.state == FOUND {
                        let due = due_after(now, next.delay);
                        if space.transport != 0 {
                            // What is due after the end of the run takes no room.
                            if due <= space.horizon && joins(own, waits, after, next.value, due, now, model) {
                                waits.values.set(own.insert(due, space.transport == 1), next.value);
                                after = shown(own, waits, after);
                            }
                        } else {
                            let last = if after.due == NEVER { after.value } else { after.pending };
                            if !same(next.value, last, model) {
                                after.pending = next.value;
                                after.due = due;
                            }
                        }
                    }
                }
                after
            }

            /// Executes one round of outputs and evaluations, or of late inputs. Returns the number of the next one.
            #[kernel(group = 256, reduce = min)]
            pub fn step(
                group: &mut Group<u32>,
                owns: &mut Each<Own>,
                waits: &mut Each<Waits>,
                cells: &mut Each<Cell>,
                before: &Rows<Cell>,
                block: &mut Block,
                blocks: &Rows<Block>,
                sources: &Rows<Source>,
                census: &mut Census,
                clock: &Rows<Clock>,
                facts: &Rows<$Facts>,
                offsets: &Rows<Offset>,
                feeds: &Rows<Feed>,
                fullest: &Tally<u32>,
                space: &Space,
                model: &$Model,
            ) -> u64 {
                let round = clock.get(0).round;
                let now = time_of(round);
                let late = lateness_of(round);
                let was = blocks.get(group.index());
                let running = now <= space.horizon;
                // Inputs come once, in the first round of outputs at their time, or in that of late inputs.
                let fed = if running && (late != 0 || now != census.last) { was.feeds } else { 0 };
                let first_feed = was.first_feed;
                let mut near = false;
                let mut fed_next = round_at(NEVER);
                if running {
                    if late != 0 {
                        census.fed = now;
                    }
                    for which in first_feed..first_feed + was.feeds {
                        let feed = feeds.get(which);
                        near = near || (fed != 0 && feed.when.late == late && feed.when.comes(now));
                        let mut next = round_at(feed.when.after(now));
                        if feed.when.late != 0 {
                            next = round_at(feed.when.late_after(now, census.fed)) + 1;
                        }
                        fed_next = fed_next.min(next);
                    }
                    census.count(now);
                }
                let advances = census.rounds <= MAX_ROUNDS;
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
                    group.phase((owns, waits, cells), |lane, (own, wait, cell)| {
                        let row = *before.get(lane.row());
                        let after = advanced(
                            own, wait, row, before, facts, offsets, feeds, first_feed, fed, late, space, model, lane.row(),
                            now,
                        );
                        *cell = after;
                        if space.transport != 0 && own.waiting + 2 > own.dues.capacity() {
                            // Two launches make a step of the program, and each adds at most one output.
                            fullest.max(0, own.waiting + 2);
                        }
                        lane.set(NEVER - after.due);
                    });
                    group.phase((), |lane, ()| reduce(lane));
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
                if advances { round_at(next).min(fed_next) } else { round_at(NEVER) }
            }
        }
    };
}
