//! Kernels of fires on landscapes.
//!
//! A row is a tile of 16 x 16 cells of one fire, so segments of at most 15 cells end in the same tile or in a
//! neighbour. Tiles have four colours, chosen by whether their column and line of tiles are even, so neighbours differ
//! in colour. The tiles of a colour are relaxed in place by one launch that reads the other three tables. Only tiles to
//! which a segment from a changed cell leads are relaxed: a launch over all rows marks them, and a selection lists
//! them.
//!
//! One table of words holds what fire follows:
//!
//! | words | contents |
//! | --- | --- |
//! | some for each stencil | number of its segments; its reach; the segments |
//! | one for each cell of each table, tile by tile | where the delays of the cell begin |
//! | some for each cell that can burn | where its stencil begins, and the delay of each segment in milliseconds |

use super::DIRECTION_COUNT;
use super::directions::Directions;
use super::stencil::{MOST_WAYS, RADIUS, Stencil, Stencils};

/// Columns and lines of a tile.
pub const SIDE: u32 = 16;

const _: () = assert!(RADIUS < SIDE as i32);

/// Returns the largest number of words of a cell in a table, under one weather.
pub(crate) const fn most_words(directions: Directions) -> u64 {
    // Where its delays begin, where its stencil begins, and the delays.
    2 + match directions {
        Directions::Eight => DIRECTION_COUNT as u64,
        Directions::Adaptive => MOST_WAYS as u64,
    }
}

/// Appends the words of a stencil.
pub(super) fn push_words(stencils: &Stencils, stencil: &Stencil, words: &mut Vec<u32>) {
    let at = words.len();
    let [mut north, mut east, mut south, mut west] = [0; 4];
    words.extend([stencil.len() as u32, 0]);
    for way in stencils.ways(stencil) {
        let (row, column) = (way.offset.row, way.offset.column);
        (north, south) = (north.max(-row), south.max(row));
        (east, west) = (east.max(column), west.max(-column));
        let side = SIDE as i32;
        words.push((column + side) as u32 | ((row + side) as u32) << 8);
    }
    if let Some(reach) = words.get_mut(at + 1) {
        *reach = (north | east << 4 | south << 8 | west << 12) as u32;
    }
}

/// Two bits for each direction: the row of its step plus 1.
pub(crate) const ROW_BITS: u32 = bits(true);
/// Two bits for each direction: the column of its step plus 1.
pub(crate) const COLUMN_BITS: u32 = bits(false);

const fn bits(rows: bool) -> u32 {
    let (mut bits, mut k) = (0, 0);
    while k < DIRECTION_COUNT {
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
    /// Cells of a tile.
    const CELLS: u32 = SIDE * SIDE;
    /// Words of 32 cells each in a set of the cells of a tile.
    const SET: u32 = 8;
    /// Four bits for each step of tiles, by line and column of the step plus 1: the direction of the step.
    const DIRECTION_AT: u64 = 0x3_4528_6107;
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
        /// Cells whose ignition changed when the tile was relaxed last, row by row from the lowest bit on.
        pub changed: [u32; 8],
        /// 2^32 - 1 less the time of ignition in milliseconds, row by row; 0 where it does not burn.
        pub left: [u32; 256],
    }

    /// Word of the table that fire follows.
    #[derive(Row)]
    pub struct Word {
        /// The word.
        pub value: u32,
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
        /// Place of the first cell's word.
        pub cells: u32,
        /// Cells of a table, those included that fill tiles up.
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

    /// Returns where the delays of a cell begin.
    fn first(table: u32, place: u32, words: &Rows<Word>, grid: &Grid) -> u32 {
        words.get(grid.cells + table * grid.stride + place).value
    }

    /// Returns the time at which fire arrives that leaves a cell at `departure` along a segment. `start` is the delay
    /// of the band of that time, `number` that of the segment, and `place` that of the cell in its table.
    fn arrival(
        departure: u32,
        start: u32,
        number: u32,
        place: u32,
        fire: u32,
        words: &Rows<Word>,
        bands: &Rows<Band>,
        grid: &Grid,
    ) -> u32 {
        let mut band = (departure / grid.band).min(grid.bands - 1);
        let of_fire = fire * grid.bands;
        let mut table = bands.get(of_fire + band).table;
        let mut delay = start;
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
                let later = bands.get(of_fire + band).table;
                if later != table {
                    table = later;
                    let next = words.get(first(table, place, words, grid) + 1 + number).value;
                    if next != delay {
                        if delay != NEVER {
                            left -= (u64::from(end - since) << 32u32) / u64::from(delay);
                        }
                        since = end;
                        delay = next;
                    }
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
        me.changed = [0; 8];
        me.left = [0; 256];
        let fire = fires.get(id % grid.fires);
        for number in fire.first..fire.first + fire.count {
            let cell = lit.get(number);
            if cell.x / SIDE == grid.x(id) && cell.y / SIDE == grid.y(id) {
                me.left[(cell.y % SIDE * SIDE + cell.x % SIDE) as usize] = NEVER;
                me.lit = 1;
            }
        }
    }

    /// Marks the tiles of a colour that are lit or to which fire may spread from a changed cell. Returns whether there
    /// is one.
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

    /// Relaxes a tile to the fixed point that its neighbours determine: first fire from their changed cells, then fire
    /// from its own cells, the earliest first.
    #[kernel]
    pub fn relax(
        me: &mut Tile,
        beside: &Rows<Tile>,
        above: &Rows<Tile>,
        across: &Rows<Tile>,
        words: &Rows<Word>,
        bands: &Rows<Band>,
        grid: &Grid,
        id: u32,
    ) {
        let x = grid.x(id);
        let y = grid.y(id);
        let fire = id % grid.fires;
        let mut time: [u32; 256] = [NEVER; 256];
        let mut open: [u32; 8] = [0; 8];
        for cell in 0..CELLS {
            time[cell as usize] = NEVER - me.left[cell as usize];
            if me.lit != 0 && time[cell as usize] == 0 {
                open[(cell / 32) as usize] |= 1u32 << (cell % 32);
            }
        }
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
                    for part in 0..SET {
                        let mut from = if k % 2 == 1 {
                            across.get(row).changed[part as usize]
                        } else if k % 4 == 2 {
                            beside.get(row).changed[part as usize]
                        } else {
                            above.get(row).changed[part as usize]
                        };
                        while from != 0 {
                            let cell = 32 * part + from.trailing_zeros();
                            from &= from - 1;
                            let now = NEVER
                                - if k % 2 == 1 {
                                    across.get(row).left[cell as usize]
                                } else if k % 4 == 2 {
                                    beside.get(row).left[cell as usize]
                                } else {
                                    above.get(row).left[cell as usize]
                                };
                            let band = (now / grid.band).min(grid.bands - 1);
                            let place = tile * CELLS + cell;
                            let first = first(bands.get(fire * grid.bands + band).table, place, words, grid);
                            let stencil = words.get(first).value;
                            let reach = words.get(stencil + 1).value;
                            let cell_x = cell % SIDE;
                            let cell_y = cell / SIDE;
                            // Segments lead north, east, south and west by at most the four numbers of the reach.
                            let comes = (step_y(k) != 2 || cell_y < (reach & 15))
                                && (step_x(k) != 0 || cell_x + ((reach >> 4u32) & 15) >= SIDE)
                                && (step_y(k) != 0 || cell_y + ((reach >> 8u32) & 15) >= SIDE)
                                && (step_x(k) != 2 || cell_x < ((reach >> 12u32) & 15));
                            let ways = if comes { words.get(stencil).value } else { 0u32 };
                            for number in 0..ways {
                                let way = words.get(stencil + 2 + number).value;
                                // Place in this tile of the cell to which fire goes, plus two sides.
                                let at_x = cell_x + (way & 255) + SIDE * step_x(k);
                                let at_y = cell_y + (way >> 8u32) + SIDE * step_y(k);
                                if at_x / SIDE == 2 && at_y / SIDE == 2 {
                                    let to = at_y % SIDE * SIDE + at_x % SIDE;
                                    let delay = words.get(first + 1 + number).value;
                                    if time[to as usize] > now {
                                        let due = arrival(now, delay, number, place, fire, words, bands, grid);
                                        if due < time[to as usize] {
                                            time[to as usize] = due;
                                            open[(to / 32) as usize] |= 1u32 << (to % 32);
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        let tile = y * grid.columns + x;
        let mut changed: [u32; 8] = [0; 8];
        let mut sides = 0u32;
        let mut goes_on = true;
        while goes_on {
            let mut cell = CELLS;
            let mut now = NEVER;
            for part in 0..SET {
                let mut rest = open[part as usize];
                while rest != 0 {
                    let other = 32 * part + rest.trailing_zeros();
                    rest &= rest - 1;
                    if time[other as usize] < now {
                        cell = other;
                        now = time[other as usize];
                    }
                }
            }
            goes_on = cell < CELLS;
            if goes_on {
                open[(cell / 32) as usize] &= !(1u32 << (cell % 32));
                changed[(cell / 32) as usize] |= 1u32 << (cell % 32);
                let band = (now / grid.band).min(grid.bands - 1);
                let place = tile * CELLS + cell;
                let first = first(bands.get(fire * grid.bands + band).table, place, words, grid);
                let stencil = words.get(first).value;
                for number in 0..words.get(stencil).value {
                    let way = words.get(stencil + 2 + number).value;
                    let delay = words.get(first + 1 + number).value;
                    // Place of the cell to which fire goes, plus a side.
                    let at_x = cell % SIDE + (way & 255);
                    let at_y = cell / SIDE + (way >> 8u32);
                    let step = at_y / SIDE * 3 + at_x / SIDE;
                    let to = at_y % SIDE * SIDE + at_x % SIDE;
                    if step != 4 {
                        sides |= 1u32 << (((DIRECTION_AT >> (4 * step)) & 15) as u32);
                    } else if time[to as usize] > now {
                        let due = arrival(now, delay, number, place, fire, words, bands, grid);
                        if due < time[to as usize] {
                            time[to as usize] = due;
                            open[(to / 32) as usize] |= 1u32 << (to % 32);
                        }
                    }
                }
            }
        }
        let mut burnt = 0u32;
        for cell in 0..CELLS {
            if time[cell as usize] != NEVER {
                burnt += 1;
            }
            if (changed[(cell / 32) as usize] >> (cell % 32)) & 1 != 0 {
                me.left[cell as usize] = NEVER - time[cell as usize];
            }
        }
        me.burnt = burnt;
        me.changed = changed;
        me.sides = sides;
    }

    /// Counts the fires that burn a cell of a colour, row `place * 256 + cell`.
    #[kernel]
    pub fn count(me: &mut Count, tiles: &Rows<Tile>, grid: &Grid, id: u32) {
        let first = id / CELLS * grid.fires;
        let mut arrivals = me.arrivals;
        let mut burnt = 0u32;
        for row in first..first + grid.fires {
            let left = tiles.get(row).left[(id % CELLS) as usize];
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
