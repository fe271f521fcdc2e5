//! `as` between all pairs of scalars. What involves `f64` is apart, for devices without it.

/// From a number to every other number, by the names of the output fields.
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
            pub struct ToU32 {
                pub x: u32,
            }

            #[derive(Row)]
            pub struct ToI32 {
                pub x: i32,
            }

            #[derive(Row)]
            pub struct ToU64 {
                pub x: u64,
            }

            #[derive(Row)]
            pub struct ToI64 {
                pub x: i64,
            }

            #[derive(Row)]
            pub struct ToF32 {
                pub x: f32,
            }

            #[kernel]
            pub fn to_u32(me: &Given, out: &mut ToU32) {
                out.x = me.a as u32;
            }

            #[kernel]
            pub fn to_i32(me: &Given, out: &mut ToI32) {
                out.x = me.a as i32;
            }

            #[kernel]
            pub fn to_u64(me: &Given, out: &mut ToU64) {
                out.x = me.a as u64;
            }

            #[kernel]
            pub fn to_i64(me: &Given, out: &mut ToI64) {
                out.x = me.a as i64;
            }

            #[kernel]
            pub fn to_f32(me: &Given, out: &mut ToF32) {
                out.x = me.a as f32;
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

/// Casts from `bool`, which goes to integers only.
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

macro_rules! casts_to_f64 {
    ($($module:ident, $from:ident;)*) => {$(
        /// The cast to `f64` from the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Given {
                pub a: $from,
            }

            #[derive(Row)]
            pub struct ToF64 {
                pub x: f64,
            }

            #[kernel]
            pub fn to_f64(me: &Given, out: &mut ToF64) {
                out.x = me.a as f64;
            }
        }
    )*};
}

casts_to_f64! {
    widen_u32, u32;
    widen_i32, i32;
    widen_u64, u64;
    widen_i64, i64;
    widen_f32, f32;
}
