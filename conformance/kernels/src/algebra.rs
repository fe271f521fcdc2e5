//! Float expressions that a compiler for graphics likes to simplify by laws that floats do not have.

macro_rules! algebra_kernels {
    ($module:ident, $t:ident) => {
        /// One kernel for each law that does not hold.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Three {
                pub a: $t,
                pub b: $t,
                pub c: $t,
            }

            #[derive(Row)]
            pub struct Same {
                pub x: $t,
            }

            #[derive(Row)]
            pub struct Truths {
                pub not_less: bool,
                pub not_at_most: bool,
                pub not_equal_to_itself: bool,
                pub neither: bool,
            }

            #[kernel]
            pub fn sum_with_constant(me: &Three, out: &mut Same) {
                out.x = me.a + me.b - 1.5;
            }

            #[kernel]
            pub fn sums_of_constants(me: &Three, out: &mut Same) {
                out.x = (me.a + 0.1) + 0.3;
            }

            #[kernel]
            pub fn products_of_constants(me: &Three, out: &mut Same) {
                out.x = (me.a * 0.1) * 0.7;
            }

            #[kernel]
            pub fn sum_minus_itself(me: &Three, out: &mut Same) {
                out.x = (me.a + me.b) - me.a;
            }

            #[kernel]
            pub fn common_factor(me: &Three, out: &mut Same) {
                out.x = me.a * me.b + me.a * me.c;
            }

            #[kernel]
            pub fn quotient_times_divisor(me: &Three, out: &mut Same) {
                out.x = me.a / me.b * me.b;
            }

            #[kernel]
            pub fn division_by_constant(me: &Three, out: &mut Same) {
                out.x = me.a / 3.0;
            }

            #[kernel]
            pub fn double_reciprocal(me: &Three, out: &mut Same) {
                out.x = 1.0 / (1.0 / me.a);
            }

            #[kernel]
            pub fn square_of_root(me: &Three, out: &mut Same) {
                let root = me.a.abs().sqrt();
                out.x = root * root;
            }

            #[kernel]
            pub fn roots_multiplied(me: &Three, out: &mut Same) {
                out.x = me.a.abs().sqrt() * me.b.abs().sqrt();
            }

            #[kernel]
            pub fn linear_interpolation(me: &Three, out: &mut Same) {
                out.x = me.a * (1.0 - me.c) + me.b * me.c;
            }

            #[kernel]
            pub fn minus_itself(me: &Three, out: &mut Same) {
                out.x = me.a - me.a;
            }

            #[kernel]
            pub fn by_itself(me: &Three, out: &mut Same) {
                out.x = me.a / me.a;
            }

            #[kernel]
            pub fn times_zero(me: &Three, out: &mut Same) {
                out.x = me.a * 0.0;
            }

            #[kernel]
            pub fn plus_zero(me: &Three, out: &mut Same) {
                out.x = me.a + 0.0;
            }

            #[kernel]
            pub fn zero_minus(me: &Three, out: &mut Same) {
                out.x = 0.0 - me.a;
            }

            #[kernel]
            pub fn negated_difference(me: &Three, out: &mut Same) {
                out.x = -(me.a - me.b);
            }

            #[kernel]
            pub fn negated_comparisons(me: &Three, out: &mut Truths) {
                out.not_less = !(me.a < me.b);
                out.not_at_most = !(me.a <= me.b);
                out.not_equal_to_itself = me.a != me.a;
                out.neither = !(me.a < me.b || me.a >= me.b);
            }
        }
    };
}

algebra_kernels!(algebra_f32, f32);
algebra_kernels!(algebra_f64, f64);
