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

#[imminent_core::kernels]
mod p {
    use super::config::LENGTH;
    pub struct Named { a: [u32; LENGTH] }
}

mod config {
    pub const LENGTH: usize = 4;
}

fn main() {}
