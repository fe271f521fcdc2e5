//! Signatures of kernels that run in groups.

#[imminent_core::kernels]
mod signatures {
    #[derive(Row)]
    pub struct Cell {
        value: u32,
    }

    #[derive(Row)]
    pub struct Line {
        waiting: Lanes<u32>,
    }

    #[derive(Params)]
    pub struct Rules {
        limit: u32,
    }

    #[kernel(group = 0)]
    fn none(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(group = 257)]
    fn too_many(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(tile = (32, 9))]
    fn too_large(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(tile = 32)]
    fn half_a_tile(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(group = 64, tile = (8, 8))]
    fn both(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(group = "many")]
    fn in_words(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(group = 256)]
    fn too_much_scratch(group: &mut Group<[u64; 8]>, cells: &mut Each<Cell>) {}

    #[kernel(group = 256)]
    fn no_group(cells: &mut Each<Cell>) {}

    #[kernel(group = 256)]
    fn two_groups(group: &mut Group<u32>, other: &mut Group<u64>, cells: &mut Each<Cell>) {}

    #[kernel(group = 256)]
    fn no_rows(group: &mut Group<u32>, rules: &Rules) {}

    #[kernel(group = 256)]
    fn a_row_number(group: &mut Group<u32>, cells: &mut Each<Cell>, id: u32) {}

    #[kernel(group = 256)]
    fn lanes_of_the_group(group: &mut Group<u32>, cells: &mut Each<Cell>, line: &mut Line) {}

    #[kernel(group = 256, reduce = argmin)]
    fn an_arg_min(group: &mut Group<u32>, cells: &mut Each<Cell>) -> u32 {
        0
    }

    #[kernel(group = 256)]
    fn a_lane(lane: &mut Lane<u32>, cells: &mut Each<Cell>) {}

    #[kernel(group = 256)]
    fn read_only(group: &Group<u32>, cells: &mut Each<Cell>) {}

    #[kernel(group = 256)]
    fn by_value(group: &mut Group<u32>, cells: Each<Cell>) {}

    #[kernel(group = 256)]
    fn not_rows(group: &mut Group<u32>, cells: &mut Each<u32>) {}

    #[kernel]
    fn no_size(group: &mut Group<u32>, cells: &mut Each<Cell>) {}

    fn helper(group: &mut Group<u32>) {}

    fn other_helper(cells: &mut Each<Cell>) {}
}

fn main() {}
