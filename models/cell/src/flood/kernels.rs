//! The kernel of the flood.

/// One second of all cells, by tiles.
#[imminent_core::kernels]
pub mod levelling {
    /// Columns of a tile.
    pub const COLUMNS: u32 = 32;
    /// Lines of a tile.
    pub const LINES: u32 = 8;
    /// Parts that a difference is divided into.
    const PARTS: u64 = 9;
    /// Changes that are no larger do not happen.
    const TOLERANCE: u64 = crate::flood::TOLERANCE;
    /// Stands for a wall, and for what is beyond the edge.
    const CLOSED: i64 = -1;

    /// A cell.
    #[derive(Row)]
    pub struct Water {
        /// Steps of 2^-32 units; negative for a wall.
        pub amount: i64,
    }

    /// State of a tile, of which there are two by turns.
    #[derive(Row)]
    pub struct Tile {
        /// Cells that the launch before changed; at first all.
        pub changed: u32,
        /// 1 if the launch before wrote its cells, so that the other table is behind.
        pub written: u32,
    }

    /// What is counted, by every tile for itself.
    #[derive(Row)]
    pub struct Census {
        /// Changes of cells.
        pub outputs: u64,
        /// Steps so far.
        pub steps: u32,
        /// The last of them in which a cell changed, counted from 1.
        pub last: u32,
    }

    /// Shape of the grid.
    #[derive(Params)]
    pub struct Grid {
        /// Columns.
        pub width: u32,
        /// Lines.
        pub height: u32,
    }

    /// What a cell can give each neighbour; negative if it is closed.
    fn share(amount: i64) -> i64 {
        if amount < 0 { CLOSED } else { (amount as u64 / PARTS) as i64 }
    }

    /// What a cell in this tile or outside it can give; negative beyond the edge.
    fn share_at(lane: &Lane<i64>, before: &Rows<Water>, grid: &Grid, dx: u32, dy: u32) -> i64 {
        // Coordinates plus 1, so that they are not negative.
        let x = lane.x() + dx;
        let y = lane.y() + dy;
        if x == 0 || y == 0 || x > grid.width || y > grid.height {
            return CLOSED;
        }
        let in_x = lane.x() % COLUMNS + dx;
        let in_y = lane.y() % LINES + dy;
        if in_x > 0 && in_y > 0 && in_x <= COLUMNS && in_y <= LINES {
            return lane.get((in_y - 1) * COLUMNS + in_x - 1);
        }
        share(before.get((y - 1) * grid.width + x - 1).amount)
    }

    /// One step of every tile near which something changed. Returns how many cells change.
    #[kernel(tile = (32, 8), reduce = sum)]
    pub fn level(
        group: &mut Group<i64>,
        cells: &mut Each<Water>,
        before: &Rows<Water>,
        tile: &mut Tile,
        tiles: &Rows<Tile>,
        census: &mut Census,
        grid: &Grid,
    ) -> u32 {
        let across = (grid.width + COLUMNS - 1) / COLUMNS;
        let down = (grid.height + LINES - 1) / LINES;
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
        let mut changed = 0u32;
        census.steps += 1;
        if near {
            group.phase((), |lane, ()| lane.set(share(before.get(lane.row()).amount)));
            changed = group.count(cells, |lane, cell| {
                let was = before.get(lane.row()).amount;
                let own = lane.own();
                let mut amount = was;
                if was >= 0 {
                    for at in 0..9u32 {
                        let other = share_at(lane, before, grid, at % 3, at / 3);
                        if other >= 0 {
                            amount -= own - other;
                        }
                    }
                }
                let changes = amount.abs_diff(was) > TOLERANCE;
                cell.amount = if changes { amount } else { was };
                changes
            });
            census.outputs += changed as u64;
            if changed > 0 {
                census.last = census.steps;
            }
        } else if behind {
            group.phase(cells, |lane, cell| *cell = *before.get(lane.row()));
        }
        tile.changed = changed;
        tile.written = if near { 1 } else { 0 };
        changed
    }
}
