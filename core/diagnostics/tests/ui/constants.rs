//! Constants.
#[imminent_core::kernels]
mod m {
    const A: u32 = 3 - 5;
    const B: u32 = f();
    const C: [u32; 2] = [1, 2, 3];
    const D: u32 = E;
    const E: u32 = D;
    const G: u32 = 1 / 0;
    fn f() -> u32 { 3 }
}

fn main() {}
