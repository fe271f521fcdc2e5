//! Elementary functions of the device library.

/// Elementary functions in fixed point.
#[imminent_core::kernels]
pub mod elementary {
    use imminent_core::fixed::{cosine_q30, exp_negative_q63, exp_q32, ln_1p_q32, sine_q30, square_root};

    #[derive(Row)]
    pub struct Argument {
        pub word: u32,
        pub x: i64,
    }

    #[derive(Row)]
    pub struct Values {
        pub sine: i32,
        pub cosine: i32,
        pub ln: i64,
        pub exp: u64,
        pub exp_negative: u64,
        pub root: u32,
    }

    #[kernel]
    pub fn evaluate(me: &Argument, out: &mut Values) {
        out.sine = sine_q30(me.word);
        out.cosine = cosine_q30(me.word);
        out.ln = ln_1p_q32(me.word);
        out.exp = exp_q32(me.x);
        out.exp_negative = exp_negative_q63(me.x as u64);
        out.root = square_root(me.x as u64);
    }
}
