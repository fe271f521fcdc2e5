//! Kernels of the flood.

/// Some seconds of all cells in one launch, by tiles that overlap.
///
/// A tile is 32 columns by 56 lines of cells, the outer `halo` of which belong to its neighbours. A group loads it,
/// takes up to `halo` steps in shared memory, and keeps the inside: each step invalidates one more ring of the halo.
/// Each of the 256 lanes has seven cells, one below the other.
///
/// A cell is one word, the ninth of its amount in the low 60 bits and the remainder above them, so that nine words can
/// be added and masked once. A step of a cell is then the sum of nine words, of which six are shared with the cells
/// beside it, and one division by nine in two 32-bit digits.
#[imminent_core::kernels]
pub mod levelling {
    /// Lanes of a group.
    pub const LANES: u32 = 256;
    /// Columns of a tile with its halo: a warp of lanes.
    pub const COLUMNS: u32 = 32;
    /// Cells of a lane. An odd number of words keeps lanes on different banks of shared memory.
    pub const STRIP: u32 = 7;
    /// Lines of a tile with its halo.
    pub const LINES: u32 = 56;
    /// Parts that a difference is divided into.
    const PARTS: u32 = 9;
    /// Changes that are no larger do not happen.
    const TOLERANCE: u64 = crate::flood::TOLERANCE;
    /// Bits of a word that hold the ninth of an amount.
    const SHARE: u64 = (1 << 60) - 1;
    /// Bits below the remainder.
    const REST: u32 = 60;
    /// 2^32 / 9, rounded down: 9 times it is 2^32 - 4.
    const NINTH: u32 = 477_218_588;
    /// Counts of seven cells all of whose neighbours are open.
    const NINES: u32 = 0x999_9999;

    /// A cell of the grid.
    #[derive(Row)]
    pub struct Water {
        /// Steps of 2^-32 units; negative for a wall.
        pub amount: i64,
    }

    /// The cells of a lane, downward, of which there are two tables by turns.
    #[derive(Row)]
    pub struct Strip {
        /// Words.
        pub cells: [u64; 7],
    }

    /// Properties of a lane's cells, and what is counted.
    #[derive(Row)]
    pub struct Ground {
        /// Open cells among a cell and its neighbours, 4 bits each, the first cell lowest; 0 for a closed cell.
        pub counts: u32,
        /// A bit for each cell that is inside the tile.
        pub mine: u32,
        /// Changes of cells inside.
        pub changes: u32,
    }

    /// State of a tile, of which there are two by turns.
    #[derive(Row)]
    pub struct Tile {
        /// 1 if a cell changed in the last step of the launch before; at first all are.
        pub changed: u32,
        /// 1 if the launch before wrote its cells, so that the other table is behind.
        pub written: u32,
    }

    /// Time of a tile.
    #[derive(Row)]
    pub struct Census {
        /// Steps so far.
        pub steps: u32,
        /// The last of them in which a cell changed, counted from 1.
        pub last: u32,
        /// 1 if all cells have nine open cells around them, themselves included.
        pub plain: u32,
    }

    /// Shape of the grid and of its tiles.
    #[derive(Params)]
    pub struct Grid {
        /// Columns.
        pub width: u32,
        /// Lines.
        pub height: u32,
        /// Cells at each side of a tile that belong to its neighbours.
        pub halo: u32,
        /// Steps of a launch, at most `halo`.
        pub steps: u32,
    }

    impl Grid {
        /// Returns the number of columns inside a tile.
        pub fn inner_columns(&self) -> u32 {
            COLUMNS - 2 * self.halo
        }

        /// Returns the number of lines inside a tile.
        pub fn inner_lines(&self) -> u32 {
            LINES - 2 * self.halo
        }

        /// Returns the number of tiles side by side.
        pub fn across(&self) -> u32 {
            (self.width + self.inner_columns() - 1) / self.inner_columns()
        }

        /// Returns the number of tiles one above the other.
        pub fn down(&self) -> u32 {
            (self.height + self.inner_lines() - 1) / self.inner_lines()
        }
    }

    /// The words of seven cells, which other lanes read.
    pub struct Column {
        /// Words.
        pub cells: [u64; 7],
    }

    /// Returns the word of an amount below 2^61.
    ///
    /// The high digit is below 2^29, where `NINTH + 1` gives its exact quotient. The quotient of the low digit is too
    /// small by at most 5, since 4 of each 2^32 are left out and the remainder of the high digit counts 4 more for
    /// each unit; 57/512 is a ninth for numbers up to 45.
    pub fn word(amount: u64) -> u64 {
        let high = (amount >> 32) as u32;
        let high_ninth = mul_high(high, NINTH + 1);
        let carried = high - PARTS * high_ninth;
        let low = amount as u32;
        let near = carried * NINTH + mul_high(low, NINTH);
        let over = low - PARTS * near;
        let more = (over * 57) >> 9;
        let rest = over - PARTS * more;
        (((high_ninth | (rest << 28)) as u64) << 32) | (near + more) as u64
    }

    /// Returns the amount of a word.
    pub fn amount(word: u64) -> u64 {
        PARTS as u64 * (word & SHARE) + (word >> REST)
    }

    /// Returns the word of a cell after a step: `sum` is that of the words around it, its own included, and `open` the
    /// number of those that are open.
    pub fn levelled(cell: u64, sum: u64, open: u32) -> u64 {
        let share = cell & SHARE;
        let sum = sum & SHARE;
        let flow = sum - open as u64 * share;
        let next = word(sum + (PARTS - open) as u64 * share + (cell >> REST));
        let stays = open == 0 || flow + TOLERANCE <= 2 * TOLERANCE;
        if stays { cell } else { next }
    }

    /// One step of a lane's cells, `counts` of which are open around each. Returns a bit for each that changed.
    fn step(lane: &mut Lane<Column>, counts: u32) -> u32 {
        let at = lane.index();
        // Beyond the edge of the tile are the wrong lanes, which only the halo sees.
        let west = lane.get((at + LANES - 1) % LANES);
        let east = lane.get((at + 1) % LANES);
        let up = at + LANES - COLUMNS;
        let down = at + COLUMNS;
        let own = lane.own();
        let above = lane.get((up + LANES - 1) % LANES).cells[6]
            + lane.get(up % LANES).cells[6]
            + lane.get((up + 1) % LANES).cells[6];
        let below = lane.get((down + LANES - 1) % LANES).cells[0]
            + lane.get(down % LANES).cells[0]
            + lane.get((down + 1) % LANES).cells[0];
        let line0 = west.cells[0] + own.cells[0] + east.cells[0];
        let line1 = west.cells[1] + own.cells[1] + east.cells[1];
        let line2 = west.cells[2] + own.cells[2] + east.cells[2];
        let line3 = west.cells[3] + own.cells[3] + east.cells[3];
        let line4 = west.cells[4] + own.cells[4] + east.cells[4];
        let line5 = west.cells[5] + own.cells[5] + east.cells[5];
        let line6 = west.cells[6] + own.cells[6] + east.cells[6];
        let next = Column {
            cells: [
                levelled(own.cells[0], above + line0 + line1, counts & 15),
                levelled(own.cells[1], line0 + line1 + line2, (counts >> 4) & 15),
                levelled(own.cells[2], line1 + line2 + line3, (counts >> 8) & 15),
                levelled(own.cells[3], line2 + line3 + line4, (counts >> 12) & 15),
                levelled(own.cells[4], line3 + line4 + line5, (counts >> 16) & 15),
                levelled(own.cells[5], line4 + line5 + line6, (counts >> 20) & 15),
                levelled(own.cells[6], line5 + line6 + below, (counts >> 24) & 15),
            ],
        };
        let changed = (next.cells[0] != own.cells[0]) as u32
            | (((next.cells[1] != own.cells[1]) as u32) << 1)
            | (((next.cells[2] != own.cells[2]) as u32) << 2)
            | (((next.cells[3] != own.cells[3]) as u32) << 3)
            | (((next.cells[4] != own.cells[4]) as u32) << 4)
            | (((next.cells[5] != own.cells[5]) as u32) << 5)
            | (((next.cells[6] != own.cells[6]) as u32) << 6);
        lane.set(next);
        changed
    }

    /// Place of a line or column of a tile in the tile that it belongs to, and which tile that is.
    pub struct Owner {
        /// Number of the tile in this direction, plus 1.
        pub tile: u32,
        /// Line or column in it.
        pub at: u32,
    }

    /// Returns the owner of line or column `at` of a tile whose inside has `inner` of them.
    fn owner(tile: u32, at: u32, inner: u32, halo: u32) -> Owner {
        if at < halo {
            return Owner { tile, at: at + inner };
        }
        if at >= halo + inner {
            return Owner { tile: tile + 2, at: at - inner };
        }
        Owner { tile: tile + 1, at }
    }

    /// Returns the word of a cell of the tile in column `tile_x` of line `tile_y`; 0 beyond the edge.
    fn load(before: &Rows<Strip>, grid: &Grid, tile_x: u32, tile_y: u32, x: u32, y: u32) -> u64 {
        let across = grid.across();
        let column = owner(tile_x, x, grid.inner_columns(), grid.halo);
        let line = owner(tile_y, y, grid.inner_lines(), grid.halo);
        if column.tile == 0 || line.tile == 0 || column.tile > across || line.tile > grid.down() {
            return 0;
        }
        let tile = (line.tile - 1) * across + column.tile - 1;
        let row = tile * LANES + line.at / STRIP * COLUMNS + column.at;
        before.get(row).cells[(line.at % STRIP) as usize]
    }

    /// Returns the words of the strip of a lane whose cells all lie in lines inside the tile, in column `x`; 0 beyond
    /// the edge. A strip inside is a strip of its owner, whose place is found once.
    fn load_inside(before: &Rows<Strip>, grid: &Grid, tile_x: u32, tile_y: u32, x: u32, strip: u32) -> Column {
        let across = grid.across();
        let column = owner(tile_x, x, grid.inner_columns(), grid.halo);
        if column.tile == 0 || column.tile > across {
            return Column { cells: [0; 7] };
        }
        let tile = tile_y * across + column.tile - 1;
        Column { cells: before.get(tile * LANES + strip * COLUMNS + column.at).cells }
    }

    /// Takes some steps of every tile near which something changed. Returns whether a cell changed in the last.
    #[kernel(group = 256, reduce = any)]
    pub fn level(
        group: &mut Group<Column>,
        strips: &mut Each<Strip>,
        grounds: &mut Each<Ground>,
        before: &Rows<Strip>,
        tile: &mut Tile,
        tiles: &Rows<Tile>,
        census: &mut Census,
        grid: &Grid,
    ) -> bool {
        let across = grid.across();
        let down = grid.down();
        let tile_x = group.index() % across;
        let tile_y = group.index() / across;
        // One lane looks, so that the other warps of an idle tile only vote.
        let near = group.any((), |lane, ()| {
            let mut found = false;
            if lane.index() == 0 {
                for dy in 0..3u32 {
                    for dx in 0..3u32 {
                        let x = tile_x + dx;
                        let y = tile_y + dy;
                        if x > 0 && y > 0 && x <= across && y <= down {
                            found |= tiles.get((y - 1) * across + x - 1).changed != 0;
                        }
                    }
                }
            }
            found
        });
        let behind = tiles.get(group.index()).written != 0;
        let mut changed = false;
        if near {
            group.phase((), |lane, ()| {
                let x = lane.index() % COLUMNS;
                let strip = lane.index() / COLUMNS;
                let y = strip * STRIP;
                // All lanes of a warp choose alike, six warps of eight the first.
                if y >= grid.halo && y + STRIP <= LINES - grid.halo {
                    lane.set(load_inside(before, grid, tile_x, tile_y, x, strip));
                } else {
                    lane.set(Column {
                        cells: [
                            load(before, grid, tile_x, tile_y, x, y),
                            load(before, grid, tile_x, tile_y, x, y + 1),
                            load(before, grid, tile_x, tile_y, x, y + 2),
                            load(before, grid, tile_x, tile_y, x, y + 3),
                            load(before, grid, tile_x, tile_y, x, y + 4),
                            load(before, grid, tile_x, tile_y, x, y + 5),
                            load(before, grid, tile_x, tile_y, x, y + 6),
                        ],
                    });
                }
            });
            let plain = census.plain != 0;
            for taken in 0..grid.steps {
                changed = group.any(grounds, |lane, ground| {
                    let bits = if plain { step(lane, NINES) } else { step(lane, ground.counts) };
                    let mine = bits & ground.mine;
                    ground.changes += mine.count_ones();
                    mine != 0
                });
                if changed {
                    census.last = census.steps + taken + 1;
                }
            }
            group.phase((strips, grounds), |lane, (strip, ground)| {
                if ground.mine != 0 {
                    // Not `own`: PoCL 3.1 was seen to forget it after the loop.
                    strip.cells = lane.get(lane.index()).cells;
                }
            });
        } else if behind {
            group.phase(strips, |lane, strip| *strip = *before.get(lane.row()));
        }
        census.steps += grid.steps;
        tile.changed = if changed { 1 } else { 0 };
        tile.written = if near { 1 } else { 0 };
        changed
    }

    /// Returns the amount of a cell; -1 beyond the edge. Coordinates are those of the grid plus `halo` plus 1.
    fn amount_at(waters: &Rows<Water>, grid: &Grid, x: u32, y: u32) -> i64 {
        let from = grid.halo + 1;
        if x < from || y < from || x - from >= grid.width || y - from >= grid.height {
            return -1;
        }
        waters.get((y - from) * grid.width + x - from).amount
    }

    /// Cuts the grid into tiles.
    #[kernel(group = 256)]
    pub fn cut(
        group: &mut Group<u32>,
        strips: &mut Each<Strip>,
        grounds: &mut Each<Ground>,
        census: &mut Census,
        waters: &Rows<Water>,
        grid: &Grid,
    ) {
        let left = group.index() % grid.across() * grid.inner_columns();
        let top = group.index() / grid.across() * grid.inner_lines();
        let plain = group.all((strips, grounds), |lane, (strip, ground)| {
            let in_x = lane.index() % COLUMNS;
            let inside = in_x >= grid.halo && in_x < COLUMNS - grid.halo;
            let mut counts = 0u32;
            let mut mine = 0u32;
            for at in 0..STRIP {
                let in_y = lane.index() / COLUMNS * STRIP + at;
                let own = amount_at(waters, grid, left + in_x + 1, top + in_y + 1);
                strip.cells[at as usize] = if own < 0 { 0 } else { word(own as u64) };
                let mut open = 0u32;
                if own >= 0 {
                    for dy in 0..3u32 {
                        for dx in 0..3u32 {
                            if amount_at(waters, grid, left + in_x + dx, top + in_y + dy) >= 0 {
                                open += 1;
                            }
                        }
                    }
                }
                counts |= open << (4 * at);
                if inside && in_y >= grid.halo && in_y < LINES - grid.halo {
                    mine |= 1 << at;
                }
            }
            ground.counts = counts;
            ground.mine = mine;
            counts == NINES
        });
        census.plain = if plain { 1 } else { 0 };
    }

    /// Brings the cells of the tiles back into the grid.
    #[kernel]
    pub fn join(water: &mut Water, strips: &Rows<Strip>, grid: &Grid, cell: u32) {
        if water.amount >= 0 {
            let x = cell % grid.width;
            let y = cell / grid.width;
            let tile = y / grid.inner_lines() * grid.across() + x / grid.inner_columns();
            let in_x = x % grid.inner_columns() + grid.halo;
            let in_y = y % grid.inner_lines() + grid.halo;
            let strip = strips.get(tile * LANES + in_y / STRIP * COLUMNS + in_x);
            water.amount = amount(strip.cells[(in_y % STRIP) as usize]) as i64;
        }
    }

    /// Returns the changes of all cells.
    #[kernel(reduce = sum)]
    pub fn changes(ground: &Ground) -> u64 {
        ground.changes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::levelling::{amount, word};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_word_has_the_ninth_and_the_remainder(water in prop_oneof![0_u64..1 << 61, 0_u64..1000, (0_u64..1 << 29).prop_map(|high| (high << 32) | 0xffff_ffff)]) {
            prop_assert_eq!(word(water) & ((1 << 60) - 1), water / 9);
            prop_assert_eq!(word(water) >> 60, water % 9);
            prop_assert_eq!(amount(word(water)), water);
        }
    }
}
