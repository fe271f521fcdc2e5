//! The window advance of the fire.

/// The window advance: ignition times relaxed in tiles to their fixed point.
///
/// A cell's ignition follows from those of its neighbours that are earlier by at least the lookahead, or that pre-empt
/// it. So there is one consistent set of ignition times, that of the event list. Each sweep over a tile makes it right
/// for another window, in whatever order tiles take part; a launch brings every tile to the fixed point that belongs to
/// what the launch before left around it.
#[imminent_core::kernels]
pub mod window {
    use crate::fire::kernels::grid::{Grid, Ignition, NEVER, SIDE, column, line};

    /// Ignition of a cell, as far as it is known.
    #[derive(Row)]
    pub struct Front {
        /// Time in milliseconds; `u32::MAX` if the cell does not ignite.
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

    /// Computes the ignition that follows from those of the neighbours.
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

    /// Returns the ignition of a cell, in this tile or outside it.
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
