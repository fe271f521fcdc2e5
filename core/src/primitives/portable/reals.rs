//! Sums of floats, which need floating-point arithmetic.

macro_rules! real_kernels {
    ($(#[$doc:meta])* $module:ident, $t:ident) => {
        $(#[$doc])*
        #[crate::kernels]
        pub(super) mod $module {
            #[derive(Row)]
            pub struct Word {
                pub value: $t,
            }

            /// Counterpart of the order of words, though there are only sums.
            #[derive(Params)]
            pub struct Order {
                pub op: u32,
                pub exclusive: bool,
                pub none: $t,
            }

            #[allow(unused_variables)]
            pub fn take(value: $t, order: &Order) -> $t {
                value
            }

            #[allow(unused_variables)]
            pub fn give(combined: $t, order: &Order) -> $t {
                combined
            }

            #[allow(unused_variables)]
            pub fn combine(a: $t, b: $t, op: u32) -> $t {
                a + b
            }

            /// Sums over the fixed tree.
            #[kernel(reduce = sum)]
            pub fn sum(me: &Word) -> $t {
                me.value
            }
        }
    };
}

real_kernels! {
    /// Sums of `f32`.
    single, f32
}

real_kernels! {
    /// Sums of `f64`.
    double, f64
}
