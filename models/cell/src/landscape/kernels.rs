//! Kernels of fires on landscapes.
//!
//! A row is a tile of 8 x 8 cells of one fire. Tiles have four colours, chosen by whether their column and line of
//! tiles are even, so neighbours differ in colour. The tiles of a colour are relaxed in place by one launch that reads
//! the other three tables. Only tiles next to a changed edge are relaxed: a launch over all rows marks them, and a
//! selection lists them.

/// Columns and lines of a tile.
pub const SIDE: u32 = 8;

/// Two bits for each direction: the row of its step plus 1.
pub(crate) const ROW_BITS: u32 = bits(true);
/// Two bits for each direction: the column of its step plus 1.
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

/// Tiles relaxed to their fixed point, and counts over fires.
#[imminent_core::kernels]
pub mod tiles {
    /// Columns and lines of a tile.
    const SIDE: u32 = super::SIDE;
    /// Time of a cell that does not burn.
    const NEVER: u32 = u32::MAX;
    /// Rows of the steps in all directions; see `ROW_BITS` outside.
    const ROWS: u32 = super::ROW_BITS;
    /// Columns of the steps in all directions; see `COLUMN_BITS` outside.
    const COLUMNS: u32 = super::COLUMN_BITS;
    /// Parts of the simulated time.
    const BINS: u32 = 24;
    /// The whole way between two cells, less one unit of progress.
    const ROUND_UP: u64 = 0xffff_ffff;
    /// Cells of a tile at its northern edge. Those at its other edges are shifts of this or of [`WEST`].
    const NORTH: u64 = 0xff;
    /// Cells of a tile at its western edge.
    const WEST: u64 = 0x0101_0101_0101_0101;

    /// A tile of a fire. A zeroed row does not burn.
    #[derive(Row)]
    pub struct Tile {
        /// 1 if the tile is to be relaxed.
        pub wake: u32,
        /// 1 if cells are lit that have not yet spread.
        pub lit: u32,
        /// Bit `k`: an ignition changed from which fire spreads to the neighbour in direction `k`.
        pub sides: u32,
        /// Number of cells that burn.
        pub burnt: u32,
        /// 2^32 - 1 less the time of ignition in milliseconds, row by row; 0 where it does not burn.
        pub left: [u32; 64],
    }

    /// Delay of fire from a cell to a neighbour.
    #[derive(Row)]
    pub struct Delay {
        /// Milliseconds.
        pub milliseconds: u32,
    }

    /// Weather of a band for a fire.
    #[derive(Row)]
    pub struct Band {
        /// Number of the table of delays.
        pub table: u32,
    }

    /// Ignitions of a fire.
    #[derive(Row)]
    pub struct Fire {
        /// Number of the first one.
        pub first: u32,
        /// Number of ignitions.
        pub count: u32,
    }

    /// A cell that is lit.
    #[derive(Row)]
    pub struct Lit {
        /// Column.
        pub x: u32,
        /// Line.
        pub y: u32,
    }

    /// Result of marking the tiles of a colour.
    #[derive(Row)]
    pub struct Woken {
        /// `true` if any tile is to be relaxed.
        pub any: bool,
    }

    /// Counts of a cell over fires.
    #[derive(Row)]
    pub struct Count {
        /// Fires that burn it.
        pub burnt: u32,
        /// Fires that come to it in each part of the simulated time.
        pub arrivals: [u32; 24],
    }

    /// Size of a fire.
    #[derive(Row)]
    pub struct Size {
        /// Cells that burn.
        pub cells: u32,
    }

    /// Shape of the tables of a colour.
    #[derive(Params)]
    pub struct Grid {
        /// Fires of a table: row `place * fires + fire`, so that neighbouring rows are one tile of several fires.
        pub fires: u32,
        /// Tiles of a colour side by side.
        pub across: u32,
        /// Tiles of all colours side by side.
        pub columns: u32,
        /// Tiles of all colours one above the other.
        pub lines: u32,
        /// 1 if the tiles of this colour are in odd columns.
        pub odd_x: u32,
        /// 1 if the tiles of this colour are in odd lines.
        pub odd_y: u32,
        /// Rows of a table of delays.
        pub stride: u32,
        /// Length of a band, in milliseconds.
        pub band: u32,
        /// Number of bands.
        pub bands: u32,
        /// Last time that is simulated, in milliseconds.
        pub horizon: u32,
    }

    impl Grid {
        /// Returns the column of tiles of a row.
        pub fn x(&self, row: u32) -> u32 {
            2 * (row / self.fires % self.across) + self.odd_x
        }

        /// Returns the line of tiles of a row.
        pub fn y(&self, row: u32) -> u32 {
            2 * (row / self.fires / self.across) + self.odd_y
        }

        /// Returns `true` if a tile, given by its column and line plus 1, lies in the landscape.
        pub fn holds(&self, x: u32, y: u32) -> bool {
            x > 0 && y > 0 && x <= self.columns && y <= self.lines
        }

        /// Returns the row of the tile in a column and line in the table of its colour.
        pub fn row(&self, x: u32, y: u32, fire: u32) -> u32 {
            (y / 2 * self.across + x / 2) * self.fires + fire
        }
    }

    /// Returns the column of the step in a direction, plus 1.
    fn step_x(direction: u32) -> u32 {
        (COLUMNS >> (2 * direction)) & 3
    }

    /// Returns the line of the step in a direction, plus 1.
    fn step_y(direction: u32) -> u32 {
        (ROWS >> (2 * direction)) & 3
    }

    /// Returns the cells of a tile from which fire spreads to the neighbour in a direction.
    fn edge(direction: u32) -> u64 {
        let dx = step_x(direction);
        let dy = step_y(direction);
        let mut cells = !0u64;
        if dy == 0 {
            cells &= NORTH;
        }
        if dy == 2 {
            cells &= NORTH << 56u32;
        }
        if dx == 0 {
            cells &= WEST;
        }
        if dx == 2 {
            cells &= WEST << 7u32;
        }
        cells
    }

    /// Returns the time at which fire arrives that leaves a cell at `departure`; `place` is that of the delay in its
    /// table.
    fn reach(departure: u32, place: u32, fire: u32, delays: &Rows<Delay>, bands: &Rows<Band>, grid: &Grid) -> u32 {
        let mut band = (departure / grid.band).min(grid.bands - 1);
        let first = fire * grid.bands;
        let mut delay = delays.get(bands.get(first + band).table * grid.stride + place).milliseconds;
        // Since when the delay has been this one, and what was left then, in 2^-32 of the way.
        let mut since = departure;
        let mut left = 1u64 << 32u32;
        let mut arrival = NEVER;
        let mut under_way = true;
        while under_way {
            let is_last = band + 1 >= grid.bands;
            // Of the last band the end wraps and is not looked at.
            let end = (band + 1) * grid.band;
            if delay != NEVER {
                let due = since.saturating_add(((left * delay as u64 + ROUND_UP) >> 32u32) as u32);
                if is_last || due <= end {
                    arrival = due;
                    under_way = false;
                }
            }
            if under_way && (is_last || end >= grid.horizon) {
                under_way = false;
            }
            if under_way {
                band += 1;
                let next = delays.get(bands.get(first + band).table * grid.stride + place).milliseconds;
                if next != delay {
                    if delay != NEVER {
                        left -= (u64::from(end - since) << 32u32) / u64::from(delay);
                    }
                    since = end;
                    delay = next;
                }
            }
        }
        if arrival > grid.horizon { NEVER } else { arrival }
    }

    /// Clears the tiles of a colour and lights the cells with which fires start.
    #[kernel]
    pub fn light(me: &mut Tile, fires: &Rows<Fire>, lit: &Rows<Lit>, grid: &Grid, id: u32) {
        me.wake = 0;
        me.lit = 0;
        me.sides = 0;
        me.burnt = 0;
        me.left = [0; 64];
        let fire = fires.get(id % grid.fires);
        for number in fire.first..fire.first + fire.count {
            let cell = lit.get(number);
            if cell.x / SIDE == grid.x(id) && cell.y / SIDE == grid.y(id) {
                me.left[(cell.y % SIDE * SIDE + cell.x % SIDE) as usize] = NEVER;
                me.lit = 1;
            }
        }
    }

    /// Marks the tiles of a colour that are lit or next to a changed edge. Returns whether there is one.
    ///
    /// Each other colour has marked its tiles once since this tile was relaxed, so all of them have seen its changes.
    #[kernel(reduce = any)]
    pub fn wake(
        me: &mut Tile,
        beside: &Rows<Tile>,
        above: &Rows<Tile>,
        across: &Rows<Tile>,
        grid: &Grid,
        id: u32,
    ) -> bool {
        let x = grid.x(id);
        let y = grid.y(id);
        let fire = id % grid.fires;
        let mut woken = me.lit != 0;
        if x < grid.columns && y < grid.lines {
            for k in 0..8u32 {
                let to_x = x + step_x(k);
                let to_y = y + step_y(k);
                if grid.holds(to_x, to_y) {
                    let row = grid.row(to_x - 1, to_y - 1, fire);
                    let sides = if k % 2 == 1 {
                        across.get(row).sides
                    } else if k % 4 == 2 {
                        beside.get(row).sides
                    } else {
                        above.get(row).sides
                    };
                    woken = woken || (sides >> ((k + 4) % 8)) & 1 != 0;
                }
            }
        }
        me.wake = if woken { 1 } else { 0 };
        me.sides = 0;
        woken
    }

    /// Returns `true` if some colour has a tile to relax.
    #[kernel(reduce = any)]
    pub fn goes_on(a: &Woken, b: &Woken, c: &Woken, d: &Woken) -> bool {
        a.any || b.any || c.any || d.any
    }

    /// Relaxes a tile to the fixed point that its neighbours determine: first fire from changed edges around it, then
    /// fire from its own cells, the earliest first.
    #[kernel]
    pub fn relax(
        me: &mut Tile,
        beside: &Rows<Tile>,
        above: &Rows<Tile>,
        across: &Rows<Tile>,
        delays: &Rows<Delay>,
        bands: &Rows<Band>,
        grid: &Grid,
        id: u32,
    ) {
        let x = grid.x(id);
        let y = grid.y(id);
        let fire = id % grid.fires;
        let mut time: [u32; 64] = [NEVER; 64];
        let mut open = 0u64;
        for cell in 0..64u32 {
            time[cell as usize] = NEVER - me.left[cell as usize];
            if me.lit != 0 && time[cell as usize] == 0 {
                open |= 1u64 << cell;
            }
        }
        let mut changed = open;
        me.lit = 0;
        for k in 0..8u32 {
            let to_x = x + step_x(k);
            let to_y = y + step_y(k);
            if grid.holds(to_x, to_y) {
                let row = grid.row(to_x - 1, to_y - 1, fire);
                let sides = if k % 2 == 1 {
                    across.get(row).sides
                } else if k % 4 == 2 {
                    beside.get(row).sides
                } else {
                    above.get(row).sides
                };
                if (sides >> ((k + 4) % 8)) & 1 != 0 {
                    let tile = (to_y - 1) * grid.columns + to_x - 1;
                    let mut from = edge((k + 4) % 8);
                    while from != 0 {
                        let cell = from.trailing_zeros();
                        from &= from - 1;
                        let left = if k % 2 == 1 {
                            across.get(row).left[cell as usize]
                        } else if k % 4 == 2 {
                            beside.get(row).left[cell as usize]
                        } else {
                            above.get(row).left[cell as usize]
                        };
                        if left != 0 {
                            let now = NEVER - left;
                            for way in 0..8u32 {
                                // Place in this tile of the cell to which fire goes, plus 1: tiles lie a side apart.
                                let at_x = cell % SIDE + step_x(way) + SIDE * step_x(k) - SIDE;
                                let at_y = cell / SIDE + step_y(way) + SIDE * step_y(k) - SIDE;
                                if at_x > 0 && at_y > 0 && at_x <= SIDE && at_y <= SIDE {
                                    let to = (at_y - 1) * SIDE + at_x - 1;
                                    if time[to as usize] > now {
                                        let place = (tile * 64 + cell) * 8 + way;
                                        let due = reach(now, place, fire, delays, bands, grid);
                                        if due < time[to as usize] {
                                            time[to as usize] = due;
                                            open |= 1u64 << to;
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        changed |= open;
        let tile = y * grid.columns + x;
        while open != 0 {
            let mut cell = open.trailing_zeros();
            let mut rest = open & (open - 1);
            while rest != 0 {
                let other = rest.trailing_zeros();
                rest &= rest - 1;
                if time[other as usize] < time[cell as usize] {
                    cell = other;
                }
            }
            open &= !(1u64 << cell);
            let now = time[cell as usize];
            for way in 0..8u32 {
                let at_x = cell % SIDE + step_x(way);
                let at_y = cell / SIDE + step_y(way);
                if at_x > 0 && at_y > 0 && at_x <= SIDE && at_y <= SIDE {
                    let to = (at_y - 1) * SIDE + at_x - 1;
                    if time[to as usize] > now {
                        let due = reach(now, (tile * 64 + cell) * 8 + way, fire, delays, bands, grid);
                        if due < time[to as usize] {
                            time[to as usize] = due;
                            open |= 1u64 << to;
                            changed |= 1u64 << to;
                        }
                    }
                }
            }
        }
        let mut burnt = 0u32;
        for cell in 0..64u32 {
            if time[cell as usize] != NEVER {
                burnt += 1;
            }
            if (changed >> cell) & 1 != 0 {
                me.left[cell as usize] = NEVER - time[cell as usize];
            }
        }
        me.burnt = burnt;
        let mut sides = 0u32;
        for k in 0..8u32 {
            if changed & edge(k) != 0 {
                sides |= 1u32 << k;
            }
        }
        me.sides = sides;
    }

    /// Counts the fires that burn a cell of a colour, row `place * 64 + cell`.
    #[kernel]
    pub fn count(me: &mut Count, tiles: &Rows<Tile>, grid: &Grid, id: u32) {
        let first = id / 64 * grid.fires;
        let mut arrivals = me.arrivals;
        let mut burnt = 0u32;
        for row in first..first + grid.fires {
            let left = tiles.get(row).left[(id % 64) as usize];
            if left != 0 {
                burnt += 1;
                let bin = (NEVER - left) as u64 * BINS as u64 / (grid.horizon as u64 + 1);
                arrivals[bin as usize] += 1;
            }
        }
        if burnt > 0 {
            me.burnt += burnt;
            me.arrivals = arrivals;
        }
    }

    /// Adds the cells that a fire burns in the tiles of a colour.
    #[kernel]
    pub fn size(me: &mut Size, tiles: &Rows<Tile>, grid: &Grid, id: u32) {
        let mut cells = 0u32;
        let mut row = id;
        while row < tiles.len() {
            cells += tiles.get(row).burnt;
            row += grid.fires;
        }
        me.cells += cells;
    }
}
