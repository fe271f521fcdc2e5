//! Kernels of the fire.

/// Shared parts of both advances: directions, and the tiles of the grid.
#[imminent_core::kernels]
pub mod grid {
    /// Columns and lines of a tile.
    pub const SIDE: u32 = 16;
    /// Time of a cell to which no fire is coming.
    pub const NEVER: u32 = u32::MAX;
    /// Delay of each direction, in milliseconds.
    const DELAYS: [u32; 8] = crate::fire::DELAYS;
    /// Step of value of each direction.
    const STEPS: [u64; 8] = crate::fire::STEPS;
    /// Values that differ by no more are equal.
    const TOLERANCE: u64 = crate::fire::TOLERANCE;
    /// Rows and columns from a cell to the neighbours of the eight directions, plus 1, two bits each, the first
    /// direction lowest.
    const ROWS: u32 = crate::fire::kernels::ROW_BITS;
    /// See [`ROWS`].
    const COLUMNS: u32 = crate::fire::kernels::COLUMN_BITS;

    /// Shape of the grid and end of the run.
    #[derive(Params)]
    pub struct Grid {
        /// Columns.
        pub width: u32,
        /// Lines.
        pub height: u32,
        /// Columns of the table: [`Grid::width`], or more where tiles are whole.
        pub stride: u32,
        /// Last time that is simulated, in milliseconds.
        pub horizon: u32,
    }

    /// When a cell ignites, and its value then.
    pub struct Ignition {
        /// Milliseconds; [`NEVER`] if it does not.
        pub time: u32,
        /// Minute of ignition plus 1, in units of 2^-40.
        pub value: u64,
    }

    impl Ignition {
        /// A cell that nothing sets on fire.
        pub fn none() -> Ignition {
            Ignition { time: NEVER, value: 0 }
        }

        /// Whether a newly computed ignition differs from this one, in value.
        pub fn differs(&self, value: u64) -> bool {
            self.value.abs_diff(value) > TOLERANCE
        }

        /// The ignition that fire coming from this cell in a direction makes, as computed at a time.
        pub fn spread(&self, direction: u32, now: u32) -> Ignition {
            Ignition {
                time: now.saturating_add(DELAYS[direction as usize]),
                value: self.value + STEPS[direction as usize],
            }
        }
    }

    impl Grid {
        /// Tiles side by side.
        pub fn across(&self) -> u32 {
            (self.width + SIDE - 1) / SIDE
        }

        /// Tiles one above the other.
        pub fn down(&self) -> u32 {
            (self.height + SIDE - 1) / SIDE
        }
    }

    /// Line of a direction's neighbour, plus 1.
    pub fn line(y: u32, direction: u32) -> u32 {
        y + ((ROWS >> (2 * direction)) & 3)
    }

    /// Column of a direction's neighbour, plus 1.
    pub fn column(x: u32, direction: u32) -> u32 {
        x + ((COLUMNS >> (2 * direction)) & 3)
    }
}

/// Two bits for each direction: the row of its neighbour plus 1.
pub(crate) const ROW_BITS: u32 = bits(true);
/// Two bits for each direction: the column of its neighbour plus 1.
pub(crate) const COLUMN_BITS: u32 = bits(false);

const fn bits(rows: bool) -> u32 {
    let (mut bits, mut k) = (0, 0);
    while k < super::DIRECTION_COUNT {
        let direction = super::DIRECTIONS[k];
        let by = if rows { direction.row } else { direction.column };
        bits |= ((by + 1) as u32) << (2 * k);
        k += 1;
    }
    bits
}

/// The window advance: ignition times relaxed in tiles to their fixed point.
///
/// A cell's ignition follows from those of its neighbours that are earlier by at least the lookahead, or that pre-empt
/// it. So there is one consistent set of ignition times, that of the event list. Each sweep over a tile makes it right
/// for another window, in whatever order tiles take part; a launch brings every tile to the fixed point that belongs to
/// what the launch before left around it.
#[imminent_core::kernels]
pub mod window {
    use crate::fire::kernels::grid::{Grid, Ignition, NEVER, SIDE, column, line};

    /// When a cell ignites as far as is known.
    #[derive(Row)]
    pub struct Front {
        /// Milliseconds; `u32::MAX` if it does not.
        pub time: u32,
        /// Minute of ignition plus 1, in units of 2^-40.
        pub value: u64,
    }

    /// State of a tile between launches.
    #[derive(Row)]
    pub struct Tile {
        /// 1 if the launch before changed an ignition in it; 2 at first where cells are lit.
        pub changed: u32,
        /// 1 if the launch before wrote its cells, so that the other table is behind.
        pub written: u32,
    }

    /// The ignition that follows from those of the neighbours.
    ///
    /// Neighbours are met in the order of their times; of those that burn, the first direction counts. A neighbour that
    /// ignites when the cell does, or later, comes too late.
    fn follow(lane: &Lane<Ignition>, before: &Rows<Front>, grid: &Grid, x: u32, y: u32) -> Ignition {
        let left = x - x % SIDE;
        let top = y - y % SIDE;
        let mut times: [u32; 8] = [NEVER; 8];
        for k in 0..8u32 {
            let to_x = column(x, k);
            let to_y = line(y, k);
            if to_x > 0 && to_y > 0 && to_x <= grid.width && to_y <= grid.height {
                times[k as usize] = ignition_at(lane, before, grid, left, top, to_x - 1, to_y - 1).time;
            }
        }
        let mut mine = Ignition::none();
        let mut rule = 8u32;
        let mut open = true;
        while open {
            let mut first = mine.time;
            let mut found = 8u32;
            for k in 0..8u32 {
                let k = 7 - k;
                if k < rule && times[k as usize] <= first && times[k as usize] < mine.time {
                    first = times[k as usize];
                    found = k;
                }
            }
            open = found < 8;
            if open {
                rule = found;
                let from = ignition_at(lane, before, grid, left, top, column(x, found) - 1, line(y, found) - 1);
                let next = from.spread(found, first);
                if mine.time == NEVER || mine.differs(next.value) {
                    mine = next;
                }
            }
        }
        if mine.time > grid.horizon { Ignition::none() } else { mine }
    }

    /// The ignition of a cell, in this tile or outside it.
    fn ignition_at(
        lane: &Lane<Ignition>,
        before: &Rows<Front>,
        grid: &Grid,
        left: u32,
        top: u32,
        x: u32,
        y: u32,
    ) -> Ignition {
        if x >= left && y >= top && x < left + SIDE && y < top + SIDE {
            return lane.get((y - top) * SIDE + x - left);
        }
        let front = before.get(y * grid.stride + x);
        Ignition { time: front.time, value: front.value }
    }

    /// Brings every tile around which something changed to its fixed point. Returns whether an ignition changed.
    #[kernel(tile = (16, 16), reduce = any)]
    pub fn settle(
        group: &mut Group<Ignition>,
        fronts: &mut Each<Front>,
        before: &Rows<Front>,
        tile: &mut Tile,
        tiles: &Rows<Tile>,
        grid: &Grid,
    ) -> bool {
        let across = grid.across();
        let tile_x = group.index() % across;
        let tile_y = group.index() / across;
        let own = tiles.get(group.index());
        let mut woken = own.changed == 2;
        for dy in 0..3u32 {
            for dx in 0..3u32 {
                let x = tile_x + dx;
                let y = tile_y + dy;
                if (dx != 1 || dy != 1) && x > 0 && y > 0 && x <= across && y <= grid.down() {
                    woken = woken || tiles.get((y - 1) * across + x - 1).changed != 0;
                }
            }
        }
        let behind = own.written != 0;
        let mut changed = false;
        if woken {
            group.phase((), |lane, ()| {
                let front = before.get(lane.row());
                lane.set(Ignition { time: front.time, value: front.value });
            });
            let mut falling = true;
            while falling {
                falling = group.any((), |lane, ()| {
                    let now = lane.own();
                    // Nothing but a cell that is lit at the start ignites at time 0, and nothing beyond the edge.
                    if now.time == 0 || lane.x() >= grid.width || lane.y() >= grid.height {
                        return false;
                    }
                    let next = follow(lane, before, grid, lane.x(), lane.y());
                    let differs = next.time != now.time || next.value != now.value;
                    if differs {
                        lane.set(next);
                    }
                    differs
                });
            }
            changed = group.any(fronts, |lane, front| {
                let now = lane.own();
                let old = before.get(lane.row());
                front.time = now.time;
                front.value = now.value;
                old.time != now.time || old.value != now.value
            });
        } else if behind {
            group.phase(fronts, |lane, front| *front = *before.get(lane.row()));
        }
        tile.changed = if changed || own.changed == 2 { 1 } else { 0 };
        tile.written = if woken { 1 } else { 0 };
        changed || own.changed == 2
    }
}

/// The paper's advance: `findMinTime` and `findImminents` for each distinct time, by tiles that keep the least time of
/// their cells.
///
/// A step is one launch. Tiles near which nothing is imminent are not looked at, as the paper skips chunks whose
/// recorded minimum is later. The cells are in two tables by turns, so that a cell sees its neighbours as they were;
/// tiles that a launch wrote are copied by the next.
#[imminent_core::kernels]
pub mod step {
    use crate::fire::kernels::grid::{Grid, Ignition, NEVER, column, line};

    /// State of a cell.
    #[derive(Row)]
    pub struct Cell {
        /// Value that it has emitted: 0 until it burns.
        pub value: u64,
        /// Value that it emits next.
        pub pending: u64,
        /// When it ignites or did, in milliseconds; `u32::MAX` while nothing is pending.
        pub due: u32,
    }

    /// State of a tile.
    #[derive(Row)]
    pub struct Tile {
        /// Least time at which one of its cells is due.
        pub next: u32,
        /// 1 if the launch before wrote its cells.
        pub written: u32,
    }

    /// Least time at which any cell is due.
    #[derive(Row)]
    pub struct Clock {
        /// Milliseconds.
        pub time: u32,
    }

    impl Cell {
        /// Whether the cell emits at this time.
        pub fn emits(&self, now: u32) -> bool {
            self.value == 0 && self.due == now
        }

        /// The value that neighbours see once the outputs of this time have reached them.
        pub fn seen(&self, now: u32) -> u64 {
            if self.emits(now) { self.pending } else { self.value }
        }
    }

    /// A cell after the outputs of this time and one evaluation of its rules, if an output reached it.
    fn advanced(cell: Cell, cells: &Rows<Cell>, grid: &Grid, x: u32, y: u32, now: u32) -> Cell {
        let mut next = cell;
        next.value = cell.seen(now);
        if next.value != 0 {
            return next;
        }
        let mut reached = false;
        let mut rule = 8u32;
        let mut from = Ignition::none();
        for k in 0..8u32 {
            let to_x = column(x, k);
            let to_y = line(y, k);
            if to_x > 0 && to_y > 0 && to_x <= grid.width && to_y <= grid.height {
                let other = cells.get((to_y - 1) * grid.width + to_x - 1);
                reached = reached || other.emits(now);
                if rule == 8 && other.seen(now) != 0 {
                    rule = k;
                    from.value = other.seen(now);
                }
            }
        }
        if reached && rule < 8 {
            let pending = Ignition { time: cell.due, value: cell.pending };
            let spread = from.spread(rule, now);
            if cell.due == NEVER || pending.differs(spread.value) {
                next.due = spread.time;
                next.pending = spread.value;
            }
        }
        next
    }

    /// One distinct time. Returns the next one.
    #[kernel(tile = (16, 16), reduce = min)]
    pub fn advance(
        group: &mut Group<u32>,
        cells: &mut Each<Cell>,
        before: &Rows<Cell>,
        tile: &mut Tile,
        tiles: &Rows<Tile>,
        clock: &Rows<Clock>,
        grid: &Grid,
    ) -> u32 {
        let now = clock.get(0).time;
        let across = grid.across();
        let tile_x = group.index() % across;
        let tile_y = group.index() / across;
        let own = tiles.get(group.index());
        let mut next = own.next;
        let behind = own.written != 0;
        // One lane looks, so that the other warps of an idle tile only vote.
        let near = now <= grid.horizon
            && group.any((), |lane, ()| {
                let mut found = false;
                if lane.index() == 0 {
                    for dy in 0..3u32 {
                        for dx in 0..3u32 {
                            let x = tile_x + dx;
                            let y = tile_y + dy;
                            if x > 0 && y > 0 && x <= across && y <= grid.down() {
                                found |= tiles.get((y - 1) * across + x - 1).next == now;
                            }
                        }
                    }
                }
                found
            });
        if near {
            // Scratch elements are zero where a tile is cut, so the greatest complement is looked for.
            group.phase(cells, |lane, cell| {
                let row = before.get(lane.row());
                let after = advanced(*row, before, grid, lane.x(), lane.y(), now);
                *cell = after;
                lane.set(if after.value == 0 { NEVER - after.due } else { 0 });
            });
            let mut half = group.size() / 2;
            while half > 0 {
                group.phase((), |lane, ()| {
                    if lane.index() < half {
                        lane.set(lane.own().max(lane.get(lane.index() + half)));
                    }
                });
                half /= 2;
            }
            next = NEVER - group.get(0);
        } else if behind {
            group.phase(cells, |lane, cell| *cell = *before.get(lane.row()));
        }
        tile.next = next;
        tile.written = if near { 1 } else { 0 };
        next
    }
}
