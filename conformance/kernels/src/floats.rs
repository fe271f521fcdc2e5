//! Every operation on floats, once for each float type.

macro_rules! float_kernels {
    ($module:ident, $t:ident, $bits:ident) => {
        /// One kernel for each operation on the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct One {
                pub a: $t,
            }

            #[derive(Row)]
            pub struct Two {
                pub a: $t,
                pub b: $t,
            }

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
            pub struct Pattern {
                pub x: $bits,
            }

            #[derive(Row)]
            pub struct Kind {
                pub nan: bool,
                pub finite: bool,
            }

            #[derive(Row)]
            pub struct Orders {
                pub equal: bool,
                pub different: bool,
                pub less: bool,
                pub at_most: bool,
                pub greater: bool,
                pub at_least: bool,
            }

            #[kernel]
            pub fn add(me: &Two, out: &mut Same) {
                out.x = me.a + me.b;
            }

            #[kernel]
            pub fn sub(me: &Two, out: &mut Same) {
                out.x = me.a - me.b;
            }

            #[kernel]
            pub fn mul(me: &Two, out: &mut Same) {
                out.x = me.a * me.b;
            }

            #[kernel]
            pub fn div(me: &Two, out: &mut Same) {
                out.x = me.a / me.b;
            }

            #[kernel]
            pub fn rem(me: &Two, out: &mut Same) {
                out.x = me.a % me.b;
            }

            #[kernel]
            pub fn min(me: &Two, out: &mut Same) {
                out.x = me.a.min(me.b);
            }

            #[kernel]
            pub fn max(me: &Two, out: &mut Same) {
                out.x = me.a.max(me.b);
            }

            #[kernel]
            pub fn copysign(me: &Two, out: &mut Same) {
                out.x = me.a.copysign(me.b);
            }

            #[kernel]
            pub fn compare(me: &Two, out: &mut Orders) {
                out.equal = me.a == me.b;
                out.different = me.a != me.b;
                out.less = me.a < me.b;
                out.at_most = me.a <= me.b;
                out.greater = me.a > me.b;
                out.at_least = me.a >= me.b;
            }

            #[kernel]
            pub fn clamp(me: &Three, out: &mut Same) {
                out.x = me.a.clamp(me.b, me.c);
            }

            #[kernel]
            pub fn product_and_sum(me: &Three, out: &mut Same) {
                out.x = me.a * me.b + me.c;
            }

            #[kernel]
            pub fn order_of_sums(me: &Three, out: &mut Same) {
                out.x = (me.a + me.b) + me.c - (me.a + (me.b + me.c));
            }

            #[kernel]
            pub fn neg(me: &One, out: &mut Same) {
                out.x = -me.a;
            }

            #[kernel]
            pub fn abs(me: &One, out: &mut Same) {
                out.x = me.a.abs();
            }

            #[kernel]
            pub fn sqrt(me: &One, out: &mut Same) {
                out.x = me.a.sqrt();
            }

            #[kernel]
            pub fn floor(me: &One, out: &mut Same) {
                out.x = me.a.floor();
            }

            #[kernel]
            pub fn ceil(me: &One, out: &mut Same) {
                out.x = me.a.ceil();
            }

            #[kernel]
            pub fn trunc(me: &One, out: &mut Same) {
                out.x = me.a.trunc();
            }

            #[kernel]
            pub fn round_ties_even(me: &One, out: &mut Same) {
                out.x = me.a.round_ties_even();
            }

            const FAR: $t = -1e19;
            const HALF: $t = 2.5;

            #[derive(Row)]
            pub struct Rounded {
                pub x: [$t; 9],
            }

            /// Of constants, which a compiler evaluates, and of one that it does not know.
            #[kernel]
            pub fn round_constants(me: &One, out: &mut Rounded) {
                out.x[0] = FAR.round_ties_even();
                out.x[1] = HALF.round_ties_even();
                out.x[2] = $t::NAN.round_ties_even();
                out.x[3] = $t::NEG_INFINITY.round_ties_even();
                let large: $t = 1e10;
                out.x[4] = large.round_ties_even();
                let far = FAR;
                out.x[5] = far.round_ties_even();
                let nan = $t::NAN;
                out.x[6] = nan.round_ties_even();
                let small: $t = -0.4;
                out.x[7] = small.round_ties_even();
                out.x[8] = me.a.round_ties_even();
            }

            #[kernel]
            pub fn kind(me: &One, out: &mut Kind) {
                out.nan = me.a.is_nan();
                out.finite = me.a.is_finite();
            }

            #[kernel]
            pub fn to_bits(me: &One, out: &mut Pattern) {
                out.x = me.a.to_bits();
            }

            #[kernel]
            pub fn from_bits(me: &Pattern, out: &mut Same) {
                out.x = $t::from_bits(me.x);
            }

            #[kernel]
            pub fn compound(me: &Two, out: &mut Same) {
                let mut x = me.a;
                x += me.b;
                x -= 1.5;
                x *= me.a;
                out.x = x;
            }

            #[kernel]
            pub fn constants(me: &One, out: &mut Same) {
                let mut x = $t::MAX;
                if me.a < $t::MIN_POSITIVE {
                    x = $t::EPSILON;
                }
                if me.a == $t::INFINITY || me.a == $t::NEG_INFINITY {
                    x = $t::MIN;
                }
                if me.a > 0.1 && me.a < 1e10 {
                    x = -2.5e-3;
                }
                out.x = x;
            }
        }
    };
}

float_kernels!(floats_f32, f32, u32);
float_kernels!(floats_f64, f64, u64);
