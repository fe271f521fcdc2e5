//! Visibility of data of earlier phases.

macro_rules! sized {
    ($module:ident, $size:literal) => {
        /// Kernels in groups of the size that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Cell {
                pub value: u32,
                pub seen: u32,
                pub far: u32,
            }

            /// Every row takes its neighbours' values of the previous phase, round after round.
            #[kernel(group = $size)]
            pub fn rotate(group: &mut Group<u32>, cells: &mut Each<Cell>) {
                let size = group.size();
                group.phase(cells, |lane, cell| {
                    lane.set(cell.value ^ 5);
                    // Sets it again: the last value counts.
                    lane.set(cell.value);
                    // A set value is visible as the own element at once, and to other rows from the next phase on.
                    cell.far = lane.own() + lane.get(lane.index());
                });
                for round in 0..5 {
                    group.phase(cells, |lane, cell| {
                        let right = lane.get((lane.index() + 1) % size);
                        lane.set(right * 3 + round);
                        cell.seen = lane.get(lane.index());
                    });
                }
                group.phase(cells, |lane, cell| {
                    cell.value = lane.own();
                    cell.far = cell.far * 1000 + lane.get(size - 1 - lane.index());
                });
            }

            /// Computes a running sum over the group, in steps of doubled distance.
            #[kernel(group = $size, reduce = max)]
            pub fn running_sum(group: &mut Group<u32>, cells: &mut Each<Cell>) -> u32 {
                group.phase(cells, |lane, cell| lane.set(cell.value));
                let mut reach = 1;
                while reach < group.size() {
                    group.phase((), |lane, ()| {
                        if lane.index() >= reach {
                            lane.set(lane.own() + lane.get(lane.index() - reach));
                        }
                    });
                    reach *= 2;
                }
                group.phase(cells, |lane, cell| {
                    cell.seen = lane.own();
                    cell.far = lane.row();
                });
                group.get(group.len() - 1)
            }

            /// Alternates phases that only read, phases that only set, and phases that do neither.
            #[kernel(group = $size)]
            pub fn by_turns(group: &mut Group<u32>, cells: &mut Each<Cell>) {
                let last = group.len() - 1;
                for round in 0..7 {
                    group.phase(cells, |lane, cell| lane.set(cell.value + round));
                    group.phase(cells, |lane, cell| cell.seen = cell.seen * 3 + lane.get(last - lane.index()));
                    group.phase(cells, |lane, cell| cell.far = cell.far * 5 + lane.get(0));
                    group.phase(cells, |lane, cell| cell.value = cell.value * 7 + lane.index());
                    let first = group.get(0);
                    if first % 2 == 0 {
                        group.phase(cells, |lane, cell| {
                            if cell.value % 3 == 0 {
                                return;
                            }
                            lane.set(first);
                            cell.far += lane.get(last);
                        });
                    }
                }
                group.phase(cells, |lane, cell| cell.seen += lane.own());
            }

            /// Elements that were not set are zero, even if groups have used the memory before.
            #[kernel(group = $size, reduce = sum)]
            pub fn untouched(group: &mut Group<u32>, cells: &mut Each<Cell>) -> u32 {
                let mut sum = 0;
                for i in 0..group.size() {
                    sum += group.get(i);
                }
                group.phase(cells, |lane, cell| {
                    cell.seen = lane.own() + lane.get(0);
                    lane.set(u32::MAX);
                });
                // Missing rows of the last group have set nothing.
                let mut unset = 0;
                for i in 0..group.size() {
                    if group.get(i) == 0 {
                        unset += 1;
                    }
                }
                sum * 1000 + unset
            }
        }
    };
}

sized!(of_1, 1);
sized!(of_7, 7);
sized!(of_32, 32);
sized!(of_64, 64);
sized!(of_100, 100);
sized!(of_256, 256);
