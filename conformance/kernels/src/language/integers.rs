//! Integer operations.

#[imminent_core::kernels]
pub mod integers {
    use crate::language::cells::cells::{Cell, Par, Post};

    fn arithmetic(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        _past: &Rows<Post>,
        counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        me.out[0] = (me.a + me.b * 3 - 7) as u64;
        me.out[1] = (me.c + me.d * -3 - 7) as u64;
        me.out[2] = me.e + me.f * 3 - 7;
        me.out[3] = (me.g - me.h * me.g) as u64;
        me.out[4] = (-me.c) as u64;
        me.out[5] = -(me.g + 1) as u64;
        me.a += me.b;
        me.c -= me.d;
        me.e *= me.f;
        me.g += -5;
        post.time = me.e.wrapping_add(me.f).wrapping_sub(3).wrapping_mul(me.e);
        post.to = me.a.wrapping_neg();
        me.out[6] = me.c.wrapping_neg() as u64;
        let _ = (all.len() + p.scale) * counts.len();
        me.e + id as u64
    }

    fn shifts(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        _past: &Rows<Post>,
        counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        me.out[0] = (me.a << me.b) as u64;
        me.out[1] = (me.a >> me.b) as u64;
        me.out[2] = (me.c << me.d) as u64;
        me.out[3] = (me.c >> me.d) as u64;
        me.out[4] = me.e << me.f;
        me.out[5] = me.e >> me.g;
        me.out[6] = (me.g >> me.h) as u64;
        me.out[7] = (me.g << me.a) as u64;
        me.out[8] = (1u64 << 40) >> 3;
        me.out[9] = me.a.wrapping_shl(me.b) as u64;
        me.out[10] = me.g.wrapping_shr(me.b) as u64;
        me.a <<= me.f;
        me.c >>= me.b;
        me.e <<= 1;
        me.e >>= me.c;
        let one = 1;
        post.time = me.e << one;
        post.to = 1 << id;
        me.out[11] = (all.len() << p.scale) as u64 + counts.len() as u64;
        me.e
    }

    fn bits(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = (me.a & me.b | !me.a ^ me.b) as u64;
        me.out[1] = (me.c & me.d | !me.c ^ me.d) as u64;
        me.out[2] = me.e & me.f | !me.e ^ me.f;
        me.flag = me.flag & (me.a > 3) | !me.flag ^ (me.b == 0);
        me.a &= me.b;
        me.c |= me.d;
        me.e ^= me.f;
        me.flag ^= me.a == 0;
        post.to = !me.a;
        !me.e
    }

    fn comparisons(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let mut n = 0u64;
        if me.a < me.b {
            n |= 1
        }
        if me.a <= me.b {
            n |= 2
        }
        if me.c > me.d {
            n |= 4
        }
        if me.c >= me.d {
            n |= 8
        }
        if me.e == me.f {
            n |= 16
        }
        if me.e < me.f {
            n |= 32
        }
        if me.g != me.h {
            n |= 64
        }
        if me.g < me.h {
            n |= 128
        }
        if me.flag == (me.a > me.b) {
            n |= 256
        }
        post.time = (me.a < me.b) as u64 + u64::from(me.flag);
        n
    }

    fn builtins(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = me.a.min(me.b) as u64 + me.c.max(me.d) as u64;
        me.out[1] = me.e.min(me.f) ^ (me.g.max(me.h) as u64);
        me.out[2] = me.c.abs() as u64 + me.g.abs() as u64;
        me.out[3] = me.a.abs_diff(me.b) as u64 + me.c.abs_diff(me.d) as u64 + me.e.abs_diff(me.f) + me.g.abs_diff(me.h);
        me.out[4] = me.c.signum() as u64 + me.g.signum() as u64;
        me.out[5] = (me.a.count_ones() * 100 + me.c.leading_zeros()) as u64 * 10000 + me.e.trailing_zeros() as u64;
        me.out[6] = (me.g.count_ones() * 100 + me.g.leading_zeros()) as u64 * 10000 + me.g.trailing_zeros() as u64;
        me.out[7] = me.a.reverse_bits() as u64 + me.e.reverse_bits() + me.c.swap_bytes() as u64 + me.e.swap_bytes();
        me.out[8] = me.a.rotate_left(me.b) as u64 + me.e.rotate_right(me.b) + me.c.rotate_right(5) as u64;
        me.out[9] = mul_high(me.a, me.b) as u64 + mul_high(me.e, me.f);
        me.out[10] = (me.a.trailing_ones() + me.a.leading_ones() + me.e.count_zeros() + me.c.leading_ones()) as u64;
        me.flag = me.a.is_power_of_two() ^ me.e.is_power_of_two();
        me.out[11] = me.a.clamp(3, 40) as u64 + me.c.clamp(-3, me.d) as u64 + me.g.clamp(me.h, 7) as u64;
        post.to = me.c.wrapping_abs() as u32;
        me.g.swap_bytes() as u64
    }

    fn casts(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = me.a as u64;
        me.out[1] = me.c as u64;
        me.out[2] = me.e as u32 as u64;
        me.out[3] = me.g as i32 as u64;
        me.out[4] = me.c as u32 as u64;
        me.out[5] = me.a as i32 as i64 as u64;
        me.out[6] = me.flag as u64 + me.phase as u64;
        me.out[7] = u64::from(me.a) + i64::from(me.c) as u64 + i64::from(me.a) as u64;
        me.out[8] = 0xffff_ffff_ff as u64;
        me.c = me.flag as i32;
        post.to = me.g as u32;
        me.h as u64
    }

    fn powers(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = me.a.pow(3) as u64 + me.c.pow(7) as u64;
        me.out[1] = me.e.pow(me.b);
        me.out[2] = me.g.pow(me.a) as u64;
        me.out[3] = me.e.pow(0) + me.e.pow(1) + me.e.pow(2) + me.f.wrapping_pow(13);
        post.to = 3u32.pow(me.b % 20);
        me.c.pow(me.a) as u64
    }

    fn saturating(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = me.a.saturating_add(me.b) as u64 + me.a.saturating_sub(me.b) as u64;
        me.out[1] = me.c.saturating_add(me.d) as u64;
        me.out[2] = me.c.saturating_sub(me.d) as u64;
        me.out[3] = me.e.saturating_add(me.f) ^ me.e.saturating_sub(me.f);
        me.out[4] = me.g.saturating_add(me.h) as u64;
        post.time = me.g.saturating_sub(me.h) as u64;
        0
    }

    fn division(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = (me.a / me.b) as u64 + (me.a % me.b) as u64;
        me.out[1] = (me.c / me.d) as u64;
        me.out[2] = (me.c % me.d) as u64;
        me.out[3] = me.e / me.f % 7;
        me.out[4] = (me.g / me.h) as u64;
        me.out[5] = (me.g % me.h) as u64;
        me.a /= me.b;
        me.c %= me.d;
        me.e %= me.f / 3;
        me.g /= -1;
        post.time = 100 / (1 + me.e / me.f);
        (me.a / (me.b - 3) + me.a % (me.b - 5)) as u64
    }

    const BIG: u64 = 0xdead_beef_0000_0001;
    const NEGATIVE: i32 = -(1 << 20) + BASE * 3;
    const BASE: i32 = 0x10;

    fn literals(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        let a = 5;
        let b = -7;
        let c = 3_000_000_000u32;
        let d = i64::MIN;
        me.out[0] = me.e + a;
        me.out[1] = (me.c + b) as u64;
        me.out[2] = c as u64 ^ d as u64 ^ BIG;
        me.out[3] = (NEGATIVE + me.c) as u64;
        me.c = -2147483648;
        me.d = i32::MAX;
        me.g = -1;
        post.to = 0b1011 + 0o17 + 0xff;
        (u64::MAX - u32::MAX as u64).wrapping_add(i32::MIN as u64)
    }

    pub enum Op {
        Arithmetic,
        Shifts,
        Bits,
        Comparisons,
        Builtins,
        Casts,
        Powers,
        Saturating,
        Division,
        Literals,
    }

    #[derive(Params)]
    pub struct Chosen {
        pub op: Op,
    }

    /// Calls one of the functions above.
    #[kernel]
    pub fn run(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        past: &Rows<Post>,
        counts: &Tally<u64>,
        chosen: &Chosen,
        id: u32,
    ) {
        if chosen.op == Op::Arithmetic {
            me.result = arithmetic(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Shifts {
            me.result = shifts(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Bits {
            me.result = bits(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Comparisons {
            me.result = comparisons(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Builtins {
            me.result = builtins(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Casts {
            me.result = casts(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Powers {
            me.result = powers(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Saturating {
            me.result = saturating(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Division {
            me.result = division(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Literals {
            me.result = literals(me, post, all, p, past, counts, id);
        }
    }
}
