//! Attributes in the wrong place.
use imminent_core::{Bundle, Params, Row};

#[derive(Row)]
struct Cell {
    a: u32,
}

#[derive(Params)]
struct Par {
    a: u32,
}

#[derive(Bundle)]
struct Net {
    a: u32,
}

#[imminent_core::kernels(fast)]
mod arguments {}

#[imminent_core::kernels]
fn not_a_module() {}

fn main() {}
