//! Every operation on integers, once for each integer type.

macro_rules! integer_kernels {
    ($module:ident, $t:ident, $unsigned:ident { $($own:tt)* }) => {
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
                pub low: $t,
                pub high: $t,
            }

            #[derive(Row)]
            pub struct Counted {
                pub a: $t,
                pub n: u32,
            }

            #[derive(Row)]
            pub struct Same {
                pub x: $t,
            }

            #[derive(Row)]
            pub struct Distance {
                pub x: $unsigned,
            }

            #[derive(Row)]
            pub struct Word {
                pub x: u32,
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
            pub fn bit_and(me: &Two, out: &mut Same) {
                out.x = me.a & me.b;
            }

            #[kernel]
            pub fn bit_or(me: &Two, out: &mut Same) {
                out.x = me.a | me.b;
            }

            #[kernel]
            pub fn bit_xor(me: &Two, out: &mut Same) {
                out.x = me.a ^ me.b;
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
            pub fn saturating_add(me: &Two, out: &mut Same) {
                out.x = me.a.saturating_add(me.b);
            }

            #[kernel]
            pub fn saturating_sub(me: &Two, out: &mut Same) {
                out.x = me.a.saturating_sub(me.b);
            }

            #[kernel]
            pub fn wrapping_methods(me: &Two, out: &mut Same) {
                out.x = me.a.wrapping_add(me.b).wrapping_mul(me.b.wrapping_neg()).wrapping_sub(me.a);
            }

            #[kernel]
            pub fn abs_diff(me: &Two, out: &mut Distance) {
                out.x = me.a.abs_diff(me.b);
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
                out.x = me.a.clamp(me.low, me.high);
            }

            #[kernel]
            pub fn shl(me: &Counted, out: &mut Same) {
                out.x = me.a << me.n;
            }

            #[kernel]
            pub fn shr(me: &Counted, out: &mut Same) {
                out.x = me.a >> me.n;
            }

            #[kernel]
            pub fn shl_by_itself(me: &Two, out: &mut Same) {
                out.x = me.a << me.b;
            }

            #[kernel]
            pub fn shr_by_itself(me: &Two, out: &mut Same) {
                out.x = me.a >> me.b;
            }

            #[kernel]
            pub fn shift_methods(me: &Counted, out: &mut Same) {
                out.x = me.a.wrapping_shl(me.n) ^ me.a.wrapping_shr(me.n);
            }

            #[kernel]
            pub fn rotate_left(me: &Counted, out: &mut Same) {
                out.x = me.a.rotate_left(me.n);
            }

            #[kernel]
            pub fn rotate_right(me: &Counted, out: &mut Same) {
                out.x = me.a.rotate_right(me.n);
            }

            #[kernel]
            pub fn pow(me: &Counted, out: &mut Same) {
                out.x = me.a.pow(me.n);
            }

            #[kernel]
            pub fn cube(me: &One, out: &mut Same) {
                out.x = me.a.pow(3);
            }

            #[kernel]
            pub fn not(me: &One, out: &mut Same) {
                out.x = !me.a;
            }

            #[kernel]
            pub fn wrapping_neg(me: &One, out: &mut Same) {
                out.x = me.a.wrapping_neg();
            }

            #[kernel]
            pub fn reverse_bits(me: &One, out: &mut Same) {
                out.x = me.a.reverse_bits();
            }

            #[kernel]
            pub fn swap_bytes(me: &One, out: &mut Same) {
                out.x = me.a.swap_bytes();
            }

            #[kernel]
            pub fn count_ones(me: &One, out: &mut Word) {
                out.x = me.a.count_ones();
            }

            #[kernel]
            pub fn count_zeros(me: &One, out: &mut Word) {
                out.x = me.a.count_zeros();
            }

            #[kernel]
            pub fn leading_zeros(me: &One, out: &mut Word) {
                out.x = me.a.leading_zeros();
            }

            #[kernel]
            pub fn leading_ones(me: &One, out: &mut Word) {
                out.x = me.a.leading_ones();
            }

            #[kernel]
            pub fn trailing_zeros(me: &One, out: &mut Word) {
                out.x = me.a.trailing_zeros();
            }

            #[kernel]
            pub fn trailing_ones(me: &One, out: &mut Word) {
                out.x = me.a.trailing_ones();
            }

            #[kernel]
            pub fn compound(me: &Two, out: &mut Same) {
                let mut x = me.a;
                x += me.b;
                x *= 3;
                x -= me.a;
                x ^= me.b;
                x |= 5;
                x &= !2;
                x <<= 3;
                x >>= 2;
                x /= 7;
                x %= 1000;
                out.x = x;
            }

            #[kernel]
            pub fn literals(me: &One, out: &mut Same) {
                out.x = me.a + 1 - $t::MAX + $t::MIN + 0x7f + 1_000;
            }

            $($own)*
        }
    };
}

macro_rules! unsigned_kernels {
    ($module:ident, $t:ident) => {
        integer_kernels! { $module, $t, $t {
            #[derive(Row)]
            pub struct Flag {
                pub x: bool,
            }

            #[kernel]
            pub fn is_power_of_two(me: &One, out: &mut Flag) {
                out.x = me.a.is_power_of_two();
            }

            #[kernel]
            pub fn high_of_product(me: &Two, out: &mut Same) {
                out.x = mul_high(me.a, me.b);
            }
        } }
    };
}

macro_rules! signed_kernels {
    ($module:ident, $t:ident, $unsigned:ident) => {
        integer_kernels! { $module, $t, $unsigned {
            #[kernel]
            pub fn neg(me: &One, out: &mut Same) {
                out.x = -me.a;
            }

            #[kernel]
            pub fn abs(me: &One, out: &mut Same) {
                out.x = me.a.abs();
            }

            #[kernel]
            pub fn wrapping_abs(me: &One, out: &mut Same) {
                out.x = me.a.wrapping_abs();
            }

            #[kernel]
            pub fn signum(me: &One, out: &mut Same) {
                out.x = me.a.signum();
            }
        } }
    };
}

unsigned_kernels!(ints_u32, u32);
unsigned_kernels!(ints_u64, u64);
signed_kernels!(ints_i32, i32, u32);
signed_kernels!(ints_i64, i64, u64);
