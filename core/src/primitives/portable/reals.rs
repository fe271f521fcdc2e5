//! Sums of floats, which need floating-point arithmetic.

/// Words with a sum.
#[crate::kernels(Real = [f32 as single, f64 as double])]
pub(super) mod sums {
    #[derive(Row)]
    pub struct Word {
        pub value: Real,
    }

    /// Counterpart of the order of words, though there are only sums.
    #[derive(Params)]
    pub struct Order {
        pub op: u32,
        pub exclusive: bool,
        pub none: Real,
    }

    #[allow(unused_variables)]
    pub fn take(value: Real, order: &Order) -> Real {
        value
    }

    #[allow(unused_variables)]
    pub fn give(combined: Real, order: &Order) -> Real {
        combined
    }

    #[allow(unused_variables)]
    pub fn combine(a: Real, b: Real, op: u32) -> Real {
        a + b
    }

    /// Sums over the fixed tree.
    #[kernel(reduce = sum)]
    pub fn sum(me: &Word) -> Real {
        me.value
    }
}
