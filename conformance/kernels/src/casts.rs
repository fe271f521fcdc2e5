//! `as` between all pairs of scalars. Casts that involve `f64` are separate, for devices without it.

/// Casts from a number to every other number. A launch selects the target type.
macro_rules! casts_to_narrow_set {
    ($module:ident, $from:ident) => {
        /// Casts from the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $from,
            }

            #[derive(Row)]
            pub struct Out {
                pub unsigned: u32,
                pub signed: i32,
                pub wide: u64,
                pub wide_signed: i64,
                pub single: f32,
            }

            pub enum Op {
                ToU32,
                ToI32,
                ToU64,
                ToI64,
                ToF32,
            }

            #[derive(Params)]
            pub struct Chosen {
                pub op: Op,
            }

            #[kernel]
            pub fn cast(me: &Input, out: &mut Out, chosen: &Chosen) {
                if chosen.op == Op::ToU32 {
                    out.unsigned = me.a as u32;
                }
                if chosen.op == Op::ToI32 {
                    out.signed = me.a as i32;
                }
                if chosen.op == Op::ToU64 {
                    out.wide = me.a as u64;
                }
                if chosen.op == Op::ToI64 {
                    out.wide_signed = me.a as i64;
                }
                if chosen.op == Op::ToF32 {
                    out.single = me.a as f32;
                }
            }
        }
    };
}

casts_to_narrow_set!(casts_u32, u32);
casts_to_narrow_set!(casts_i32, i32);
casts_to_narrow_set!(casts_u64, u64);
casts_to_narrow_set!(casts_i64, i64);
casts_to_narrow_set!(casts_f32, f32);
casts_to_narrow_set!(casts_f64, f64);

/// Operations on integers that a cast has just widened, with constants and with each other: a compiler may narrow them
/// again.
macro_rules! widened_set {
    ($module:ident, $from:ident, $to:ident, [$($constant:tt)*], |$x:ident, $y:ident| $sign:expr, $arms:tt) => {
        /// The types that the module is named for.
        #[imminent_core::kernels]
        #[allow(unused_parens, unused_comparisons)]
        pub mod $module {
            #[derive(Row)]
            pub struct Input {
                pub a: $from,
                pub b: $from,
            }

            #[derive(Row)]
            pub struct Out {
                pub less: u32,
                pub at_most: u32,
                pub greater: u32,
                pub at_least: u32,
                pub equal: u32,
                pub different: u32,
                pub other: u32,
                pub least: $to,
                pub greatest: $to,
                pub sum: u32,
                pub product: u32,
                pub sign: $to,
                pub arm: u32,
            }

            #[kernel]
            pub fn compare(me: &Input, out: &mut Out) {
                let x = me.a as $to;
                let y = me.b as $to;
                let mut bits = [0; 6];
                $(
                    bits[0] = bits[0] * 2 + (x < $constant) as u32;
                    bits[1] = bits[1] * 2 + (x <= $constant) as u32;
                    bits[2] = bits[2] * 2 + (x > $constant) as u32;
                    bits[3] = bits[3] * 2 + ($constant <= x) as u32;
                    bits[4] = bits[4] * 2 + (x == $constant) as u32;
                    bits[5] = bits[5] * 2 + ($constant != x) as u32;
                )*
                out.less = bits[0];
                out.at_most = bits[1];
                out.greater = bits[2];
                out.at_least = bits[3];
                out.equal = bits[4];
                out.different = bits[5];
                out.other = (x < y) as u32 + (x <= y) as u32 * 2 + (x == y) as u32 * 4;
                out.least = x.min(3);
                out.greatest = y.max(3);
                out.sum = (x + y < 2) as u32 + (x - y < 2) as u32 * 2;
                out.product = (x * 2 < 10) as u32;
                let $x = x;
                let $y = y;
                out.sign = $sign;
                out.arm = match x $arms;
            }
        }
    };
}

macro_rules! widened_signed {
    ($module:ident, $from:ident) => {
        widened_set!(
            $module, $from, i64,
            [(-5_000_000_000) (-2_147_483_649) (-2) (-1) 0 1 5 100 2_147_483_648 5_000_000_000],
            |x, y| (x - y).signum(),
            { i64::MIN..=-1 => 1, 0 => 2, 1..=9 => 3, _ => 4 }
        );
    };
}

macro_rules! widened_unsigned {
    ($module:ident, $from:ident) => {
        widened_set!(
            $module, $from, u64,
            [0 1 5 100 2_147_483_648 4_294_967_295 4_294_967_296 5_000_000_000 18_446_744_073_709_551_609],
            |x, y| x.abs_diff(y),
            { 0 => 2, 1..=9 => 3, 10..=4_294_967_295 => 4, _ => 5 }
        );
    };
}

widened_signed!(widened_i32_i64, i32);
widened_signed!(widened_u32_i64, u32);
widened_signed!(widened_bool_i64, bool);
widened_unsigned!(widened_i32_u64, i32);
widened_unsigned!(widened_u32_u64, u32);
widened_unsigned!(widened_bool_u64, bool);

/// Casts from `bool`, which are to integers only.
#[imminent_core::kernels]
pub mod casts_bool {
    #[derive(Row)]
    pub struct Input {
        pub a: bool,
    }

    #[derive(Row)]
    pub struct Out {
        pub unsigned: u32,
        pub signed: i32,
        pub wide: u64,
        pub wide_signed: i64,
    }

    #[kernel]
    pub fn to_integers(me: &Input, out: &mut Out) {
        out.unsigned = me.a as u32;
        out.signed = me.a as i32;
        out.wide = me.a as u64;
        out.wide_signed = u64::from(me.a) as i64;
    }
}

/// Casts to `f64`. A launch selects the source type.
#[imminent_core::kernels]
pub mod casts_to_f64 {
    #[derive(Row)]
    pub struct Input {
        pub unsigned: u32,
        pub signed: i32,
        pub wide: u64,
        pub wide_signed: i64,
        pub single: f32,
    }

    #[derive(Row)]
    pub struct Out {
        pub x: f64,
    }

    pub enum Op {
        FromU32,
        FromI32,
        FromU64,
        FromI64,
        FromF32,
    }

    #[derive(Params)]
    pub struct Chosen {
        pub op: Op,
    }

    #[kernel]
    pub fn cast(me: &Input, out: &mut Out, chosen: &Chosen) {
        if chosen.op == Op::FromU32 {
            out.x = me.unsigned as f64;
        }
        if chosen.op == Op::FromI32 {
            out.x = me.signed as f64;
        }
        if chosen.op == Op::FromU64 {
            out.x = me.wide as f64;
        }
        if chosen.op == Op::FromI64 {
            out.x = me.wide_signed as f64;
        }
        if chosen.op == Op::FromF32 {
            out.x = me.single as f64;
        }
    }
}
