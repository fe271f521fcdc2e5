//! `as` between all pairs of scalars. Casts that involve `f64` are separate, for devices without it.

/// Casts from a number to every other number. A launch selects the target type.
macro_rules! casts_to_narrow_set {
    ($module:ident, $from:ident) => {
        /// Casts from the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Given {
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
            pub fn cast(me: &Given, out: &mut Out, chosen: &Chosen) {
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

/// Casts from `bool`, which are to integers only.
#[imminent_core::kernels]
pub mod casts_bool {
    #[derive(Row)]
    pub struct Given {
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
    pub fn to_integers(me: &Given, out: &mut Out) {
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
    pub struct Given {
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
    pub fn cast(me: &Given, out: &mut Out, chosen: &Chosen) {
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
