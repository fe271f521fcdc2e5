//! Kernels for launches over subsets.

#[imminent_core::kernels]
pub mod subsets {
    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
        pub wide: u64,
        pub share: f32,
        pub turns: u32,
        pub next: u32,
    }

    #[derive(Row)]
    pub struct Mark {
        pub of: u32,
    }

    #[derive(Row)]
    pub struct Line {
        pub items: Lanes<u64>,
        pub count: u32,
    }

    #[kernel(reduce = sum)]
    pub fn visit(me: &mut Cell, mark: &Mark, all: &Rows<Mark>, counts: &Tally<u32>, id: u32) -> u32 {
        me.turns += 1;
        me.next = id * 2 + mark.of + all.get(id).of;
        counts.add(0, 1);
        counts.add(1, id);
        me.value
    }

    #[kernel(reduce = min)]
    pub fn min(me: &Cell) -> u64 {
        me.wide
    }

    #[kernel(reduce = max)]
    pub fn max(me: &Cell) -> u64 {
        me.wide
    }

    #[kernel(reduce = argmin)]
    pub fn argmin(me: &Cell) -> u32 {
        me.value
    }

    #[kernel(reduce = count)]
    pub fn count(me: &Cell) -> bool {
        me.value % 2 == 0
    }

    #[kernel(reduce = any)]
    pub fn any(me: &Cell) -> bool {
        me.value == 7
    }

    #[kernel(reduce = sum)]
    pub fn sum_of_shares(me: &Cell) -> f32 {
        me.share
    }

    #[kernel]
    pub fn push(me: &mut Line, id: u32) {
        me.items.set(me.count, id as u64 * 3);
        me.count += 1;
    }

    /// Faults if the value is zero.
    #[kernel]
    pub fn divide(me: &mut Cell) {
        me.next = 100 / me.value;
    }

    /// Advances rows until their value is used up.
    #[kernel]
    pub fn step(me: &mut Cell) {
        me.turns += 1;
        me.value -= 1;
    }
}
