//! Kernels with several results: every field of the returned struct has a reduction that fits it.

#[imminent_core::kernels]
pub mod totals {
    #[derive(Row)]
    pub struct Cell { pub a: u32 }
    pub struct Totals { pub sum: u64, pub found: bool }
    pub struct Many { pub a: u32, pub b: u32, pub c: u32, pub d: u32, pub e: u32 }
    pub struct One { pub a: u32 }
    pub struct Nested { pub sums: [u32; 2], pub found: bool }

    #[kernel(reduce = sum)]
    pub fn one_for_all(me: &Cell) -> Totals { Totals { sum: 1, found: true } }
    #[kernel(reduce = { sum: sum })]
    pub fn too_few(me: &Cell) -> Totals { Totals { sum: 1, found: true } }
    #[kernel(reduce = { sum: sum, found: any, lost: max })]
    pub fn unknown(me: &Cell) -> Totals { Totals { sum: 1, found: true } }
    #[kernel(reduce = { sum: sum, found: any, sum: max })]
    pub fn twice(me: &Cell) -> Totals { Totals { sum: 1, found: true } }
    #[kernel(reduce = { sum: any, found: sum })]
    pub fn of_another_type(me: &Cell) -> Totals { Totals { sum: 1, found: true } }
    #[kernel(reduce = { sum: sum, found: count })]
    pub fn counted(me: &Cell) -> Totals { Totals { sum: 1, found: true } }
    #[kernel(reduce = { a: sum, b: sum, c: sum, d: sum, e: sum })]
    pub fn too_many(me: &Cell) -> Many { Many { a: 1, b: 1, c: 1, d: 1, e: 1 } }
    #[kernel(reduce = { sums: sum, found: any })]
    pub fn of_arrays(me: &Cell) -> Nested { Nested { sums: [1, 2], found: true } }
    #[kernel(reduce = { a: sum })]
    pub fn of_one(me: &Cell) -> One { One { a: 1 } }
    #[kernel(reduce = { a: sum })]
    pub fn of_a_scalar(me: &Cell) -> u32 { me.a }
    #[kernel(reduce = { sum })]
    pub fn without_reduction(me: &Cell) -> Totals { Totals { sum: 1, found: true } }
}

fn main() {}
