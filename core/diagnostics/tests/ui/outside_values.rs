//! Constants of the surrounding crate that rustc judges.
const WIDTH: u32 = 8;

#[imminent_core::kernels]
mod wrong_type {
    use super::WIDTH;
    fn f(x: u64) -> u64 { x + WIDTH }
}

#[imminent_core::kernels]
mod wrong_value {
    const LESS: u32 = super::WIDTH - 9;
    fn f(x: u32) -> u32 { x + LESS }
}

fn main() {}
