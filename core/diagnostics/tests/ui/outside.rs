//! Constants of the surrounding crate, where the macro has to know more than their names.
const WIDTH: u32 = 8;
const LENGTH: usize = 4;
const TABLE: [u32; 2] = [1, 2];

#[imminent_core::kernels]
mod lengths {
    use super::LENGTH;
    const OWN: usize = 2 * super::LENGTH;
    pub struct Named { a: [u32; LENGTH] }
    pub struct Path { a: [u32; super::LENGTH] }
    pub struct Own { a: [u32; OWN] }
    pub enum Kind { First, Second = super::WIDTH }
}

#[imminent_core::kernels]
mod types {
    use super::{TABLE, WIDTH};
    fn unknown() -> u32 {
        let w = WIDTH;
        let first = TABLE[0];
        let least = WIDTH.min(3);
        let sum = super::WIDTH + 1;
        3
    }
}

#[imminent_core::kernels]
mod functions {
    use super::{helper, Thing};
    use super::*;
    fn f() -> u32 { super::helper(3) + super::plain::helper }
}

struct Thing;
fn helper(x: u32) -> u32 { x }
mod plain {}

fn main() {}
