//! Signatures of kernels.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { a: u32 }
    pub struct Plain { a: u32 }
    #[derive(Params)]
    pub struct Par { limit: u32 }

    #[kernel]
    pub fn returns(me: &mut Cell) -> u64 { 3 }
    #[kernel(reduce = mean)]
    pub fn mean(me: &mut Cell) -> u32 { 3 }
    #[kernel(reduce = any)]
    pub fn any(me: &mut Cell) -> u32 { 3 }
    #[kernel(reduce = min)]
    pub fn min(me: &mut Cell) -> bool { true }
    #[kernel(reduce = min)]
    pub fn nothing(me: &mut Cell) {}
    #[kernel(group = 256)]
    pub fn group(me: &mut Cell) {}
    #[kernel]
    pub fn plain(me: &mut Plain) {}
    #[kernel]
    pub fn value(me: &mut Cell, x: u64) {}
    #[kernel]
    pub fn two_ids(me: &mut Cell, x: u32, y: u32) {}
    #[kernel]
    pub fn no_row(all: &Rows<Cell>) {}
    #[kernel]
    pub fn mutable_params(me: &mut Cell, p: &mut Par) {}
    #[kernel]
    pub fn mutable_rows(me: &mut Cell, p: &mut Rows<Cell>) {}
    #[kernel]
    pub fn rows_of_value(me: &mut Cell, p: &Rows<Plain>) {}
    #[kernel]
    pub fn float_tally(me: &mut Cell, p: &Tally<f32>) {}
    #[kernel]
    pub fn two_operations(me: &mut Cell, counts: &Tally<u32>) {
        counts.add(0, 1);
        counts.max(0, 2);
    }
    #[kernel]
    pub fn through_helpers(me: &mut Cell, counts: &Tally<u32>) {
        helper(counts);
        counts.min(0, 2);
    }
    fn helper(counts: &Tally<u32>) { counts.or(0, 1); }
}

fn main() {}
