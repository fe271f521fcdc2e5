//! Statements in phases, and between them.

#[imminent_core::kernels]
mod phases {
    #[derive(Row)]
    pub struct Cell {
        value: u32,
    }

    fn at(lane: &Lane<u32>) -> u32 {
        lane.x()
    }

    fn change(lane: &Lane<u32>) {
        lane.set(1);
    }

    #[kernel(group = 256)]
    fn assigns_a_variable(group: &mut Group<u32>, cells: &mut Each<Cell>) {
        let mut sum = 0;
        let mut list = [0; 4];
        group.phase(cells, |lane, cell| sum += cell.value);
        group.phase(cells, |lane, cell| list[lane.index() as usize] = cell.value);
    }

    #[kernel(group = 256)]
    fn names_rows_outside(group: &mut Group<u32>, cells: &mut Each<Cell>, total: &mut Cell) {
        total.value = cells.value;
        group.phase((), |lane, ()| lane.set(cells.value));
        group.phase((), |lane, ()| lane.set(total.value));
    }

    #[kernel(group = 256)]
    fn a_phase_in_a_phase(group: &mut Group<u32>, cells: &mut Each<Cell>) {
        group.phase(cells, |lane, cell| {
            group.phase((), |inner, ()| inner.set(1));
            lane.set(group.get(0));
        });
    }

    #[kernel(group = 256)]
    fn names_what_is_no_row(group: &mut Group<u32>, cells: &mut Each<Cell>, all: &Rows<Cell>, total: &mut Cell) {
        group.phase(all, |lane, cell| lane.set(1));
        group.phase(total, |lane, cell| lane.set(1));
        group.phase((cells, cells), |lane, (a, b)| lane.set(1));
        group.phase(&mut *cells, |lane, cell| lane.set(1));
    }

    #[kernel(group = 256)]
    fn closures(group: &mut Group<u32>, cells: &mut Each<Cell>, other: &Each<Cell>) {
        group.phase(cells, at);
        group.phase(cells, |lane| lane.set(1));
        group.phase(cells, |lane, (cell,)| lane.set(1));
        group.phase((cells, other), |lane, cell| lane.set(1));
        group.phase((cells, other), |lane, (cell,)| lane.set(1));
        group.phase(cells, |lane, cell: &mut Cell| lane.set(1));
        group.phase(cells, move |lane, cell| lane.set(1));
        group.phase(cells, |lane, cell| cell.value);
        let vote = group.any(cells, |lane, cell| cell.value);
        let free = |x: u32| x + 1;
    }

    #[kernel(group = 256)]
    fn writes_what_it_reads(group: &mut Group<u32>, cells: &Each<Cell>) {
        group.phase(cells, |lane, cell| cell.value = 1);
    }

    #[kernel(group = 256)]
    fn methods(group: &mut Group<u32>, cells: &mut Each<Cell>) {
        group.set(1);
        group.phase(cells, |lane, cell| lane.put(1));
        group.phase(cells, |lane, cell| lane.set(1.5));
        group.phase(cells, |lane, cell| {
            let copy = lane;
        });
        let twin = group;
        group.get(0u64);
    }

    #[kernel(group = 256)]
    fn no_grid(group: &mut Group<u32>, cells: &mut Each<Cell>) {
        group.phase(cells, |lane, cell| cell.value = at(lane));
    }

    #[kernel(tile = (16, 16))]
    fn a_row_of_a_table(group: &mut Group<u32>, cells: &mut Each<Cell>, all: &Rows<Cell>) {
        let row = all.get(group.index());
        group.phase(cells, |lane, cell| cell.value = row.value);
    }

    #[kernel(group = 256)]
    fn two_operations(group: &mut Group<u32>, cells: &mut Each<Cell>, tally: &Tally<u32>) {
        group.phase(cells, |lane, cell| tally.add(0, 1));
        tally.max(0, 1);
    }
}

fn main() {}
