//! Kernel of the flood on a terrain.

/// One step of all cells, by tiles.
#[imminent_core::kernels]
pub mod runoff {
    /// Columns of a tile.
    pub const COLUMNS: u32 = 32;
    /// Lines of a tile.
    pub const LINES: u32 = 8;
    /// Parts that a difference of levels is divided into.
    const PARTS: u64 = 9;
    /// Fraction bits of a rate.
    const FRACTION: u32 = crate::flood::terrain::kernels::FRACTION;
    /// Depth from which a cell counts as reached.
    const ARRIVAL_DEPTH: i64 = crate::flood::terrain::ARRIVAL_DEPTH;
    /// Elevation of cells outside.
    const OUTSIDE: i64 = crate::flood::terrain::OUTSIDE;
    /// Step of a cell that water has not reached.
    const NEVER: u32 = u32::MAX;

    /// Water of a cell.
    #[derive(Row)]
    pub struct Water {
        /// Depth in units of 2^-32 m; -1 outside.
        pub depth: i64,
    }

    /// Properties of a cell that a run does not change.
    #[derive(Row)]
    pub struct Ground {
        /// Elevation in units; the least number outside.
        pub elevation: i64,
        /// Inflow, in units a step with 20 fraction bits.
        pub rate: u64,
    }

    /// History of a cell.
    #[derive(Row)]
    pub struct Record {
        /// Greatest depth so far; -1 outside.
        pub peak: i64,
        /// Units that left the terrain from here.
        pub left: u64,
        /// First step after which the cell is deep enough, from 1; `u32::MAX` so far.
        pub arrival: u32,
    }

    /// State of a tile, of which there are two by turns.
    #[derive(Row)]
    pub struct Tile {
        /// 1 if water flowed or came into it in the launch before; at first all are.
        pub moved: u32,
        /// 1 if the launch before wrote its cells, so that the other table is behind.
        pub written: u32,
    }

    /// Inflow and time of a tile.
    #[derive(Row)]
    pub struct Turn {
        /// 1 if water comes into one of its cells.
        pub pours: u32,
        /// Steps of the segment so far.
        pub steps: u32,
    }

    /// Shape of the grid.
    #[derive(Params)]
    pub struct Grid {
        /// Columns.
        pub width: u32,
        /// Lines.
        pub height: u32,
        /// 1 if water leaves at the edge.
        pub open: u32,
        /// Steps before the segment.
        pub first: u32,
    }

    /// Elevation and water of a cell.
    pub struct Surface {
        /// Elevation; the least number outside.
        pub elevation: i64,
        /// Depth.
        pub depth: i64,
    }

    /// Terrain and its water before a step.
    #[derive(Bundle)]
    pub struct Terrain {
        /// Water of all cells.
        pub before: &Rows<Water>,
        /// Elevations and inflows of all cells.
        pub ground: &Rows<Ground>,
        /// Shape of the grid.
        pub grid: &Grid,
    }

    /// Returns the cell `dx - 1` columns right of the lane's and `dy - 1` lines below it.
    fn place(lane: &Lane<Surface>, terrain: &Terrain, dx: u32, dy: u32) -> Surface {
        // Coordinates plus 1, so that they are not negative.
        let x = lane.x() + dx;
        let y = lane.y() + dy;
        if x == 0 || y == 0 || x > terrain.grid.width || y > terrain.grid.height {
            return Surface { elevation: OUTSIDE, depth: 0 };
        }
        let in_x = lane.x() % COLUMNS + dx;
        let in_y = lane.y() % LINES + dy;
        if in_x > 0 && in_y > 0 && in_x <= COLUMNS && in_y <= LINES {
            return lane.get((in_y - 1) * COLUMNS + in_x - 1);
        }
        let row = (y - 1) * terrain.grid.width + x - 1;
        Surface { elevation: terrain.ground.get(row).elevation, depth: terrain.before.get(row).depth }
    }

    /// Returns the water that goes from one cell to a lower one: a ninth of the difference of levels, or of the depth
    /// if that is less.
    fn flow(from: &Surface, to: &Surface) -> i64 {
        let difference = from.elevation + from.depth - to.elevation - to.depth;
        if difference <= 0 {
            return 0;
        }
        (difference.min(from.depth) as u64 / PARTS) as i64
    }

    /// Returns the units that a rate brings in a step.
    fn added(rate: u64, step: u32) -> i64 {
        let part = rate & ((1u64 << FRACTION) - 1);
        let sum = ((part * (step as u64 + 1)) >> FRACTION) - ((part * step as u64) >> FRACTION);
        ((rate >> FRACTION) + sum) as i64
    }

    /// One step of every tile into which or near which water moves. Returns whether there was one.
    #[kernel(tile = (32, 8), reduce = any)]
    pub fn run_off(
        group: &mut Group<Surface>,
        cells: &mut Each<Water>,
        records: &mut Each<Record>,
        terrain: &Terrain,
        tile: &mut Tile,
        tiles: &Rows<Tile>,
        turn: &mut Turn,
    ) -> bool {
        let across = (terrain.grid.width + COLUMNS - 1) / COLUMNS;
        let down = (terrain.grid.height + LINES - 1) / LINES;
        let tile_x = group.index() % across;
        let tile_y = group.index() / across;
        let pours = turn.pours != 0;
        // One lane looks, so that the other warps of an idle tile only vote.
        let near = group.any((), |lane, ()| {
            let mut found = pours;
            if lane.index() == 0 && !found {
                for dy in 0..3u32 {
                    for dx in 0..3u32 {
                        let x = tile_x + dx;
                        let y = tile_y + dy;
                        if x > 0 && y > 0 && x <= across && y <= down {
                            found |= tiles.get((y - 1) * across + x - 1).moved != 0;
                        }
                    }
                }
            }
            found
        });
        let behind = tiles.get(group.index()).written != 0;
        let step = turn.steps;
        turn.steps += 1;
        let mut moved = false;
        if near {
            group.phase((), |lane, ()| {
                let row = lane.row();
                lane.set(Surface {
                    elevation: terrain.ground.get(row).elevation,
                    depth: terrain.before.get(row).depth,
                });
            });
            moved = group.any((cells, records), |lane, (cell, record)| {
                let own = lane.own();
                cell.depth = own.depth;
                if own.elevation == OUTSIDE {
                    return false;
                }
                let mut depth = own.depth;
                let mut moves = false;
                for at in 0..9u32 {
                    if at != 4 {
                        let other = place(lane, terrain, at % 3, at / 3);
                        if other.elevation == OUTSIDE {
                            if terrain.grid.open != 0 {
                                let gone = own.depth as u64 / PARTS;
                                record.left += gone;
                                depth -= gone as i64;
                                moves |= gone != 0;
                            }
                        } else {
                            let change = flow(&other, &own) - flow(&own, &other);
                            depth += change;
                            moves |= change != 0;
                        }
                    }
                }
                depth += added(terrain.ground.get(lane.row()).rate, step);
                cell.depth = depth;
                record.peak = record.peak.max(depth);
                if record.arrival == NEVER && depth >= ARRIVAL_DEPTH {
                    record.arrival = terrain.grid.first + step + 1;
                }
                moves
            });
        } else if behind {
            group.phase(cells, |lane, cell| *cell = *terrain.before.get(lane.row()));
        }
        tile.moved = if moved || pours { 1 } else { 0 };
        tile.written = if near { 1 } else { 0 };
        moved || pours
    }
}

/// Fraction bits of a rate, for the kernel.
pub(crate) const FRACTION: u32 = super::inflow::FRACTION;
