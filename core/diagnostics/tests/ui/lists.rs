//! Kernel modules over a list of types: an error is reported once, not once for each type.
#[imminent_core::kernels(Real = [f32, f64])]
mod m {
    #[derive(Row)]
    pub struct Cell { pub x: Real, pub n: u32, pub text: String }

    fn wrong(me: &mut Cell, x: Real) -> Real {
        me.n = x;
        missing + x
    }
}

#[imminent_core::kernels(Real = [f32, f64])]
mod bodies {
    #[derive(Row)]
    pub struct Cell { pub x: Real, pub n: u32, pub list: [u32; 4] }

    fn wrong(me: &mut Cell, x: Real) -> Real {
        me.n = x;
        me.list[7] = 1;
        let bits: u32 = x.to_bits();
        missing + x
    }
}

#[imminent_core::kernels(Number = [u32, f32, u64])]
mod some {
    fn shifted(x: Number) -> Number { x << 3 }

    fn bits(x: Number) -> u32 { x.to_bits() }
}

#[imminent_core::kernels(Number = [u32, u64])]
mod borrowed {
    #[derive(Row)]
    pub struct Cell { pub x: Number }

    fn change(a: &mut Cell, b: &mut Cell) { a.x += b.x; }

    fn alias(me: &mut Cell) {
        let count = 1;
        count = 2;
        change(me, me);
    }
}

#[imminent_core::kernels(Number = [u32, u64])]
mod uses {
    use super::borrowed::Number::{Cell, Sell};

    fn f(me: &Cell) -> Number { me.x }
}

#[imminent_core::kernels(Number = [u32, u64])]
mod defined {
    pub struct Number { x: u32 }
}

#[imminent_core::kernels(Number = [u32, Vec])]
mod not_a_type {}

#[imminent_core::kernels(Number = [])]
mod empty {}

#[imminent_core::kernels(Number = [u32, u32])]
mod twice {}

#[imminent_core::kernels(f32 = [u32])]
mod named {}

#[imminent_core::kernels(Number = u32)]
mod no_list {}

#[imminent_core::kernels(A = [u32], B = [u64])]
mod two_lists {}

fn main() {}
