//! Tiles of a grid.

macro_rules! tiled {
    ($module:ident, $width:literal, $height:literal) => {
        /// Kernels in tiles of the size that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Cell {
                pub value: u32,
                pub place: u32,
                pub nearest: u32,
            }

            #[derive(Row)]
            pub struct Tile {
                pub rows: u32,
                pub sum: u32,
            }

            fn at(lane: &Lane<u32>) -> u32 {
                lane.y() * 1000 + lane.x()
            }

            /// Stores the place of every cell, and the sum of its tile.
            #[kernel(tile = ($width, $height), reduce = sum)]
            pub fn places(group: &mut Group<u32>, cells: &mut Each<Cell>, tile: &mut Tile) -> u32 {
                group.phase(cells, |lane, cell| {
                    cell.place = at(lane);
                    cell.nearest = lane.row() * 1000 + lane.index();
                    lane.set(cell.value);
                });
                tile.sum = 0;
                for i in 0..group.size() {
                    tile.sum += group.get(i);
                }
                tile.rows = group.len() * 1000 + group.index();
                tile.sum
            }

            /// Finds shortest paths in steps of one through the tile, until nothing changes. Cells outside the tile
            /// keep their values from before the launch.
            #[kernel(tile = ($width, $height), reduce = any)]
            pub fn relax(group: &mut Group<u32>, cells: &mut Each<Cell>, before: &Rows<Cell>) -> bool {
                let rows = before.len();
                group.phase(cells, |lane, cell| lane.set(cell.value));
                let mut changed = false;
                while group.any((), |lane, ()| {
                    let x = lane.index() % $width;
                    let y = lane.index() / $width;
                    let row = lane.row();
                    let mut best = lane.own();
                    if lane.x() > 0 {
                        let left = if x > 0 { lane.get(lane.index() - 1) } else { before.get(row - 1).value };
                        best = best.min(left.saturating_add(1));
                    }
                    if row + 1 < rows && before.get(row + 1).place != 0 {
                        let inside = x + 1 < $width;
                        let right = if inside { lane.get(lane.index() + 1) } else { before.get(row + 1).value };
                        best = best.min(right.saturating_add(1));
                    }
                    if y > 0 {
                        best = best.min(lane.get(lane.index() - $width).saturating_add(1));
                    }
                    if best == lane.own() {
                        return false;
                    }
                    lane.set(best);
                    true
                }) {
                    changed = true;
                }
                group.phase(cells, |lane, cell| cell.nearest = lane.own());
                changed
            }
        }
    };
}

tiled!(of_8_by_4, 8, 4);
tiled!(of_32_by_8, 32, 8);
tiled!(of_3_by_5, 3, 5);
tiled!(of_1_by_16, 1, 16);
tiled!(of_64_by_1, 64, 1);
