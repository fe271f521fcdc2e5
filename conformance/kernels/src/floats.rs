//! Operations on floats, once for each float type.

/// Defines kernels from which a launch selects one operation: a device compiles one kernel for each type.
macro_rules! float_kernels {
    ($module:ident, $t:ident, $bits:ident) => {
        /// Operations on the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
                pub b: $t,
                pub c: $t,
                pub bits: $bits,
            }

            #[derive(Row)]
            pub struct Out {
                pub x: $t,
                pub bits: $bits,
                pub nan: bool,
                pub finite: bool,
                pub equal: bool,
                pub different: bool,
                pub less: bool,
                pub at_most: bool,
                pub greater: bool,
                pub at_least: bool,
                pub rounded: [$t; 9],
            }

            pub enum Op {
                Add,
                Sub,
                Mul,
                Div,
                Rem,
                Min,
                Max,
                Copysign,
                Compare,
                Clamp,
                ProductAndSum,
                OrderOfSums,
                Neg,
                Abs,
                Sqrt,
                Floor,
                Ceil,
                Trunc,
                RoundTiesEven,
                RoundConstants,
                WholeConstants,
                CastConstants,
                Kind,
                ToBits,
                FromBits,
                Compound,
                Constants,
                Zeros,
            }

            #[derive(Params)]
            pub struct Chosen {
                pub op: Op,
            }

            const FAR: $t = -1e19;
            const HALF: $t = 2.5;

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
                if chosen.op == Op::Min {
                    out.x = me.a.min(me.b);
                }
                if chosen.op == Op::Max {
                    out.x = me.a.max(me.b);
                }
                if chosen.op == Op::Copysign {
                    out.x = me.a.copysign(me.b);
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
                if chosen.op == Op::ProductAndSum {
                    out.x = me.a * me.b + me.c;
                }
                if chosen.op == Op::OrderOfSums {
                    out.x = (me.a + me.b) + me.c - (me.a + (me.b + me.c));
                }
                if chosen.op == Op::Neg {
                    out.x = -me.a;
                }
                if chosen.op == Op::Abs {
                    out.x = me.a.abs();
                }
                if chosen.op == Op::Sqrt {
                    out.x = me.a.sqrt();
                }
                if chosen.op == Op::Floor {
                    out.x = me.a.floor();
                }
                if chosen.op == Op::Ceil {
                    out.x = me.a.ceil();
                }
                if chosen.op == Op::Trunc {
                    out.x = me.a.trunc();
                }
                if chosen.op == Op::RoundTiesEven {
                    out.x = me.a.round_ties_even();
                }
                // Operations of constants, which a compiler evaluates, and of a value that it does not know.
                if chosen.op == Op::RoundConstants {
                    out.rounded[0] = FAR.round_ties_even();
                    out.rounded[1] = HALF.round_ties_even();
                    out.rounded[2] = $t::NAN.round_ties_even();
                    out.rounded[3] = $t::NEG_INFINITY.round_ties_even();
                    let large: $t = 1e10;
                    out.rounded[4] = large.round_ties_even();
                    let far = FAR;
                    out.rounded[5] = far.round_ties_even();
                    let nan = $t::NAN;
                    out.rounded[6] = nan.round_ties_even();
                    let small: $t = -0.4;
                    out.rounded[7] = small.round_ties_even();
                    out.rounded[8] = me.a.round_ties_even();
                }
                if chosen.op == Op::WholeConstants {
                    let nan = $t::NAN - HALF;
                    out.rounded[0] = $t::NAN.floor();
                    out.rounded[1] = $t::NAN.ceil();
                    out.rounded[2] = $t::NAN.trunc();
                    out.rounded[3] = nan.floor();
                    out.rounded[4] = nan.ceil();
                    out.rounded[5] = nan.trunc();
                    out.rounded[6] = FAR.floor();
                    out.rounded[7] = $t::NEG_INFINITY.ceil();
                    out.rounded[8] = HALF.trunc();
                }
                if chosen.op == Op::CastConstants {
                    let nan = $t::NAN - HALF;
                    let right = [
                        nan as i32 == 0,
                        nan.floor() as u32 == 0,
                        nan.ceil() as i64 == 0,
                        nan.trunc() as u64 == 0,
                        $t::NEG_INFINITY.floor() as i32 == i32::MIN,
                        $t::INFINITY.ceil() as u32 == u32::MAX,
                        FAR as i64 == i64::MIN,
                        (-FAR * 2.0) as u64 == u64::MAX,
                        HALF.ceil() as i32 == 3,
                    ];
                    for k in 0..9_u32 {
                        out.rounded[k as usize] = if right[k as usize] { 1.0 } else { 0.0 };
                    }
                }
                if chosen.op == Op::Kind {
                    out.nan = me.a.is_nan();
                    out.finite = me.a.is_finite();
                }
                if chosen.op == Op::ToBits {
                    out.bits = me.a.to_bits();
                }
                if chosen.op == Op::FromBits {
                    out.x = $t::from_bits(me.bits);
                }
                if chosen.op == Op::Compound {
                    let mut x = me.a;
                    x += me.b;
                    x -= 1.5;
                    x *= me.a;
                    out.x = x;
                }
                if chosen.op == Op::Zeros {
                    let zero: $t = 0.0;
                    let below: $t = if me.a < 0.0 { me.a } else { 0.0 };
                    let above: $t = if me.a > 0.0 { me.a } else { 0.0 };
                    let minus: $t = if me.bits == 0 { -1.0 } else { -0.0 };
                    let plus: $t = if me.bits == 0 { -0.0 } else { 1.0 };
                    out.rounded[0] = below;
                    out.rounded[1] = above;
                    out.rounded[2] = zero.min(me.a);
                    out.rounded[3] = zero.max(me.a);
                    out.rounded[4] = minus;
                    out.rounded[5] = plus;
                    for k in 6..9_u32 {
                        out.rounded[k as usize] = zero;
                    }
                }
                if chosen.op == Op::Constants {
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
        }
    };
}

float_kernels!(floats_f32, f32, u32);
float_kernels!(floats_f64, f64, u64);
