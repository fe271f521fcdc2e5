//! Float operations. NaNs are compared as equal, so their bits are not looked at.

#[imminent_core::kernels]
pub mod kernels {
    use crate::shared::cells::{Cell, Par, Post};

    #[kernel(reduce = sum)]
    pub fn arithmetic(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let s = me.x + me.y * 2.0 - me.x / me.y;
        let d = me.z * me.w + me.z % 3.0 - -me.w;
        me.x = s % 1.5;
        me.z = d / 0.0;
        me.y -= me.x;
        me.w *= d;
        me.w /= 3.0;
        me.y += p.scale as f32;
        0
    }

    #[kernel(reduce = sum)]
    pub fn rounding(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = me.x.floor() as i64 as u64;
        me.out[1] = me.x.ceil() as i64 as u64;
        me.out[2] = me.z.trunc() as i64 as u64;
        me.out[3] = me.z.round_ties_even() as i64 as u64;
        me.y = me.x.sqrt();
        me.w = me.z.sqrt().copysign(me.w);
        me.x = me.x.round_ties_even().abs();
        me.z = me.z.abs().floor();
        0
    }

    #[kernel(reduce = sum)]
    pub fn comparisons(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut n = 0;
        if me.x < me.y {
            n += 1
        }
        if me.x <= me.y {
            n += 2
        }
        if me.x == me.y {
            n += 4
        }
        if me.x != me.y {
            n += 8
        }
        if me.z > me.w {
            n += 16
        }
        if me.z >= me.w {
            n += 32
        }
        if me.z.is_nan() {
            n += 64
        }
        if me.x.is_finite() {
            n += 128
        }
        n
    }

    #[kernel(reduce = sum)]
    pub fn conversions(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = me.x as u32 as u64;
        me.out[1] = me.x as i32 as u64;
        me.out[2] = me.x as u64;
        me.out[3] = me.x as i64 as u64;
        me.out[4] = me.z as u32 as u64;
        me.out[5] = me.z as i32 as u64;
        me.out[6] = me.z as u64;
        me.out[7] = me.z as i64 as u64;
        me.y = me.a as f32 + me.c as f32;
        me.w = me.e as f64 + me.g as f64;
        me.x = me.e as f32;
        me.z = f64::from(me.y) + f64::from(me.a) + f64::from(me.c);
        let bits = if me.y.is_nan() { 0 } else { me.y.to_bits() };
        me.y = f32::from_bits(bits & 0x7f7f_ffff);
        me.w = f64::from_bits(me.e >> 2);
        me.x = me.w as f32;
        bits as u64
    }

    #[kernel(reduce = sum)]
    pub fn extremes(
        me: &mut Cell,
        _post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let a = me.x.min(me.y);
        let b = me.x.max(me.y);
        let c = me.z.min(me.w).max(-1.0);
        me.x = a;
        me.y = b;
        me.z = c;
        me.w = me.w.clamp(-2.0, 3.5);
        me.x = me.x.max(f32::MIN).min(f32::MAX) + f32::EPSILON + std::f32::consts::PI;
        0
    }
}
