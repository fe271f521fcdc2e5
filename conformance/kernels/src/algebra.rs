//! Float expressions that graphics compilers simplify by laws that do not hold for floats.

/// Defines kernels from which a launch selects one law: a device compiles one kernel for each type.
macro_rules! algebra_kernels {
    ($module:ident, $t:ident) => {
        /// Laws that do not hold.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $t,
                pub b: $t,
                pub c: $t,
            }

            #[derive(Row)]
            pub struct Out {
                pub x: $t,
                pub not_less: bool,
                pub not_at_most: bool,
                pub not_equal_to_itself: bool,
                pub neither: bool,
            }

            pub enum Op {
                SumWithConstant,
                SumsOfConstants,
                ProductsOfConstants,
                SumMinusItself,
                CommonFactor,
                QuotientTimesDivisor,
                DivisionByConstant,
                DoubleReciprocal,
                SquareOfRoot,
                RootsMultiplied,
                LinearInterpolation,
                MinusItself,
                ByItself,
                TimesZero,
                PlusZero,
                ZeroMinus,
                NegatedDifference,
                NegatedComparisons,
            }

            #[derive(Params)]
            pub struct Chosen {
                pub op: Op,
            }

            #[kernel]
            pub fn compute(me: &Input, out: &mut Out, chosen: &Chosen) {
                if chosen.op == Op::SumWithConstant {
                    out.x = me.a + me.b - 1.5;
                }
                if chosen.op == Op::SumsOfConstants {
                    out.x = (me.a + 0.1) + 0.3;
                }
                if chosen.op == Op::ProductsOfConstants {
                    out.x = (me.a * 0.1) * 0.7;
                }
                if chosen.op == Op::SumMinusItself {
                    out.x = (me.a + me.b) - me.a;
                }
                if chosen.op == Op::CommonFactor {
                    out.x = me.a * me.b + me.a * me.c;
                }
                if chosen.op == Op::QuotientTimesDivisor {
                    out.x = me.a / me.b * me.b;
                }
                if chosen.op == Op::DivisionByConstant {
                    out.x = me.a / 3.0;
                }
                if chosen.op == Op::DoubleReciprocal {
                    out.x = 1.0 / (1.0 / me.a);
                }
                if chosen.op == Op::SquareOfRoot {
                    let root = me.a.abs().sqrt();
                    out.x = root * root;
                }
                if chosen.op == Op::RootsMultiplied {
                    out.x = me.a.abs().sqrt() * me.b.abs().sqrt();
                }
                if chosen.op == Op::LinearInterpolation {
                    out.x = me.a * (1.0 - me.c) + me.b * me.c;
                }
                if chosen.op == Op::MinusItself {
                    out.x = me.a - me.a;
                }
                if chosen.op == Op::ByItself {
                    out.x = me.a / me.a;
                }
                if chosen.op == Op::TimesZero {
                    out.x = me.a * 0.0;
                }
                if chosen.op == Op::PlusZero {
                    out.x = me.a + 0.0;
                }
                if chosen.op == Op::ZeroMinus {
                    out.x = 0.0 - me.a;
                }
                if chosen.op == Op::NegatedDifference {
                    out.x = -(me.a - me.b);
                }
                if chosen.op == Op::NegatedComparisons {
                    out.not_less = !(me.a < me.b);
                    out.not_at_most = !(me.a <= me.b);
                    out.not_equal_to_itself = me.a != me.a;
                    out.neither = !(me.a < me.b || me.a >= me.b);
                }
            }
        }
    };
}

algebra_kernels!(algebra_f32, f32);
algebra_kernels!(algebra_f64, f64);
