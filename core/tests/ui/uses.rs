//! `use` of what is not a kernel module's.
#[imminent_core::kernels]
mod m {
    use imminent_core::random::{Pcg23, Pcg32};
    struct S { rng: Pcg32 }
}

#[imminent_core::kernels]
mod n {
    use super::plain::helper;
    fn f() -> u32 { helper() }
}

#[imminent_core::kernels]
mod o {
    use std::collections::HashMap;
}

mod plain {
    pub fn helper() -> u32 { 3 }
}

fn main() {}
