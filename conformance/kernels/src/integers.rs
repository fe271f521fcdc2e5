//! Operations on integers, once for each integer type.

/// Defines kernels from which a launch selects one operation: a device compiles one kernel for each type.
macro_rules! integer_kernels {
    ($module:ident, $t:ident, $unsigned:ident { $($own_op:ident),* } $($own:item)*) => {
        /// Operations on the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
                pub b: $t,
                pub c: $t,
                pub n: u32,
            }

            #[derive(Row)]
            pub struct Out {
                pub x: $t,
                pub distance: $unsigned,
                pub word: u32,
                pub flag: bool,
                pub equal: bool,
                pub different: bool,
                pub less: bool,
                pub at_most: bool,
                pub greater: bool,
                pub at_least: bool,
            }

            pub enum Op {
                Add,
                Sub,
                Mul,
                Div,
                Rem,
                BitAnd,
                BitOr,
                BitXor,
                Min,
                Max,
                SaturatingAdd,
                SaturatingSub,
                WrappingMethods,
                AbsDiff,
                Compare,
                Clamp,
                Shl,
                Shr,
                ShlByItself,
                ShrByItself,
                ShiftMethods,
                RotateLeft,
                RotateRight,
                ConstantCounts,
                Pow,
                Cube,
                Not,
                WrappingNeg,
                ReverseBits,
                SwapBytes,
                CountOnes,
                CountZeros,
                LeadingZeros,
                LeadingOnes,
                TrailingZeros,
                TrailingOnes,
                Compound,
                Literals,
                LiteralsThatWrap,
                $($own_op),*
            }

            #[derive(Params)]
            pub struct Chosen {
                pub op: Op,
            }

            #[kernel]
            pub fn compute(me: &Input, out: &mut Out, chosen: &Chosen) {
                if chosen.op == Op::Add {
                    out.x = me.a + me.b;
                }
                if chosen.op == Op::Sub {
                    out.x = me.a - me.b;
                }
                if chosen.op == Op::Mul {
                    out.x = me.a * me.b;
                }
                if chosen.op == Op::Div {
                    out.x = me.a / me.b;
                }
                if chosen.op == Op::Rem {
                    out.x = me.a % me.b;
                }
                if chosen.op == Op::BitAnd {
                    out.x = me.a & me.b;
                }
                if chosen.op == Op::BitOr {
                    out.x = me.a | me.b;
                }
                if chosen.op == Op::BitXor {
                    out.x = me.a ^ me.b;
                }
                if chosen.op == Op::Min {
                    out.x = me.a.min(me.b);
                }
                if chosen.op == Op::Max {
                    out.x = me.a.max(me.b);
                }
                if chosen.op == Op::SaturatingAdd {
                    out.x = me.a.saturating_add(me.b);
                }
                if chosen.op == Op::SaturatingSub {
                    out.x = me.a.saturating_sub(me.b);
                }
                if chosen.op == Op::WrappingMethods {
                    out.x = me.a.wrapping_add(me.b).wrapping_mul(me.b.wrapping_neg()).wrapping_sub(me.a);
                }
                if chosen.op == Op::AbsDiff {
                    out.distance = me.a.abs_diff(me.b);
                }
                if chosen.op == Op::Compare {
                    out.equal = me.a == me.b;
                    out.different = me.a != me.b;
                    out.less = me.a < me.b;
                    out.at_most = me.a <= me.b;
                    out.greater = me.a > me.b;
                    out.at_least = me.a >= me.b;
                }
                if chosen.op == Op::Clamp {
                    out.x = me.a.clamp(me.b, me.c);
                }
                if chosen.op == Op::Shl {
                    out.x = me.a << me.n;
                }
                if chosen.op == Op::Shr {
                    out.x = me.a >> me.n;
                }
                if chosen.op == Op::ShlByItself {
                    out.x = me.a << me.b;
                }
                if chosen.op == Op::ShrByItself {
                    out.x = me.a >> me.b;
                }
                if chosen.op == Op::ShiftMethods {
                    out.x = me.a.wrapping_shl(me.n) ^ me.a.wrapping_shr(me.n);
                }
                if chosen.op == Op::RotateLeft {
                    out.x = me.a.rotate_left(me.n);
                }
                if chosen.op == Op::RotateRight {
                    out.x = me.a.rotate_right(me.n);
                }
                if chosen.op == Op::ConstantCounts {
                    let few = 16_u32;
                    let many = 32_u32;
                    let mut x = me.a.rotate_right(8);
                    x = x * 3 + me.a.rotate_right(16);
                    x = x * 3 + me.a.rotate_right(32);
                    x = x * 3 + me.a.rotate_left(32);
                    x = x * 3 + (me.a << few.wrapping_neg());
                    x = x * 3 + (me.a << many.wrapping_neg());
                    x = x * 3 + (me.a >> few.wrapping_neg());
                    x = x * 3 + (me.a >> many.wrapping_neg());
                    out.x = x;
                }
                if chosen.op == Op::Pow {
                    out.x = me.a.pow(me.n);
                }
                if chosen.op == Op::Cube {
                    out.x = me.a.pow(3);
                }
                if chosen.op == Op::Not {
                    out.x = !me.a;
                }
                if chosen.op == Op::WrappingNeg {
                    out.x = me.a.wrapping_neg();
                }
                if chosen.op == Op::ReverseBits {
                    out.x = me.a.reverse_bits();
                }
                if chosen.op == Op::SwapBytes {
                    out.x = me.a.swap_bytes();
                }
                if chosen.op == Op::CountOnes {
                    out.word = me.a.count_ones();
                }
                if chosen.op == Op::CountZeros {
                    out.word = me.a.count_zeros();
                }
                if chosen.op == Op::LeadingZeros {
                    out.word = me.a.leading_zeros();
                }
                if chosen.op == Op::LeadingOnes {
                    out.word = me.a.leading_ones();
                }
                if chosen.op == Op::TrailingZeros {
                    out.word = me.a.trailing_zeros();
                }
                if chosen.op == Op::TrailingOnes {
                    out.word = me.a.trailing_ones();
                }
                if chosen.op == Op::Compound {
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
                if chosen.op == Op::Literals {
                    out.x = me.a + 1 - $t::MAX + $t::MIN + 0x7f + 1_000;
                }
                if chosen.op == Op::LiteralsThatWrap {
                    out.x = $t::MAX.wrapping_add(1)
                        ^ $t::MIN.wrapping_sub(3)
                        ^ $t::MAX.wrapping_mul(3)
                        ^ $t::MAX.wrapping_shl(5)
                        ^ $t::MIN.wrapping_neg()
                        ^ me.a.wrapping_shl(37)
                        ^ me.a.wrapping_shr(101)
                        ^ me.a.rotate_left(0);
                }
                own(me, out, chosen);
            }

            $($own)*
        }
    };
}

macro_rules! unsigned_kernels {
    ($module:ident, $t:ident) => {
        integer_kernels! {
            $module, $t, $t { IsPowerOfTwo, HighOfProduct }
            fn own(me: &Input, out: &mut Out, chosen: &Chosen) {
                if chosen.op == Op::IsPowerOfTwo {
                    out.flag = me.a.is_power_of_two();
                }
                if chosen.op == Op::HighOfProduct {
                    out.x = mul_high(me.a, me.b);
                }
            }
        }
    };
}

macro_rules! signed_kernels {
    ($module:ident, $t:ident, $unsigned:ident) => {
        integer_kernels! {
            $module, $t, $unsigned { Neg, Abs, WrappingAbs, Signum }
            fn own(me: &Input, out: &mut Out, chosen: &Chosen) {
                if chosen.op == Op::Neg {
                    out.x = -me.a;
                }
                if chosen.op == Op::Abs {
                    out.x = me.a.abs();
                }
                if chosen.op == Op::WrappingAbs {
                    out.x = me.a.wrapping_abs();
                }
                if chosen.op == Op::Signum {
                    out.x = me.a.signum();
                }
            }
        }
    };
}

unsigned_kernels!(ints_u32, u32);
unsigned_kernels!(ints_u64, u64);
signed_kernels!(ints_i32, i32, u32);
signed_kernels!(ints_i64, i64, u64);
