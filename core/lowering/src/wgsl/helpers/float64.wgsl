// Operations on `f64`, as naga's extension of WGSL spells it. NaN is looked for in the bits.

fn opaque_f64(x: f64) -> f64 {
    return x;
}

fn join_f64(low: u32, high: u32) -> f64 {
    return bitcast<f64>(join_u64(low, high));
}

fn size_f64(x: f64) -> u64 {
    return bitcast<u64>(x) & 0x7ffffffffffffffflu;
}

fn is_nan_f64(x: f64) -> bool {
    return size_f64(x) > 0x7ff0000000000000lu;
}

fn is_finite_f64(x: f64) -> bool {
    return size_f64(x) < 0x7ff0000000000000lu;
}

fn nan_f64() -> f64 {
    return bitcast<f64>(opaque_u64(0x7ff8000000000000lu));
}

fn neg_f64(x: f64) -> f64 {
    return bitcast<f64>(bitcast<u64>(x) ^ 0x8000000000000000lu);
}

fn abs_f64(x: f64) -> f64 {
    return bitcast<f64>(size_f64(x));
}

fn copysign_f64(a: f64, b: f64) -> f64 {
    return bitcast<f64>(size_f64(a) | (bitcast<u64>(b) & 0x8000000000000000lu));
}

fn min_f64(a: f64, b: f64) -> f64 {
    if (is_nan_f64(a)) {
        return b;
    }
    return select(a, b, b < a && !is_nan_f64(b));
}

fn max_f64(a: f64, b: f64) -> f64 {
    if (is_nan_f64(a)) {
        return b;
    }
    return select(a, b, b > a && !is_nan_f64(b));
}

fn floor_f64(x: f64) -> f64 {
    return copysign_f64(floor(x), x);
}

fn ceil_f64(x: f64) -> f64 {
    return copysign_f64(ceil(x), x);
}

// By its bits: llvmpipe's `trunc` and `round` leave doubles from 2^24 on as they are, and miss what is just above a
// half, on hosts with AVX2 and without AVX-512.
fn trunc_f64(x: f64) -> f64 {
    let bits = bitcast<u64>(x);
    let exponent = u32((bits >> 52u) & 0x7fflu);
    if (exponent < 1023u) {
        return bitcast<f64>(bits & 0x8000000000000000lu);
    }
    if (exponent >= 1075u) {
        return x;
    }
    return bitcast<f64>(bits & ~(0x000ffffffffffffflu >> (exponent - 1023u)));
}

fn round_f64(x: f64) -> f64 {
    let whole = trunc_f64(x);
    let rest = abs_f64(x - whole);
    let odd = trunc_f64(whole * 0.5lf) * 2.0lf != whole;
    if (rest > 0.5lf || (rest == 0.5lf && odd)) {
        return whole + copysign_f64(1.0lf, x);
    }
    return whole;
}

fn u32_from_f64(x: f64) -> u32 {
    if (is_nan_f64(x) || x <= 0.0lf) {
        return 0u;
    }
    if (x >= 4294967295.0lf) {
        return 0xffffffffu;
    }
    return u32(x);
}

fn i32_from_f64(x: f64) -> i32 {
    if (is_nan_f64(x)) {
        return 0i;
    }
    if (x >= 2147483647.0lf) {
        return 2147483647i;
    }
    if (x <= -2147483648.0lf) {
        return bitcast<i32>(0x80000000u);
    }
    return i32(x);
}

// The integer part of a number of at least 1 and below 2 to the 64, given by its bits without the sign.
fn integer_part_f64(bits: u64) -> u64 {
    let exponent = u32(bits >> 52u);
    let significand = (bits & 0xffffffffffffflu) | 0x10000000000000lu;
    if (exponent < 1075u) {
        return significand >> (1075u - exponent);
    }
    return significand << (exponent - 1075u);
}

fn u64_from_f64(x: f64) -> u64 {
    let bits = bitcast<u64>(x);
    if (bits > 0x7ff0000000000000lu || bits < 0x3ff0000000000000lu) {
        return 0lu;
    }
    if (bits >= 0x43f0000000000000lu) {
        return 0xfffffffffffffffflu;
    }
    return integer_part_f64(bits);
}

fn i64_from_f64(x: f64) -> i64 {
    let bits = size_f64(x);
    let negative = bits != bitcast<u64>(x);
    if (bits > 0x7ff0000000000000lu || bits < 0x3ff0000000000000lu) {
        return 0li;
    }
    if (bits >= 0x43e0000000000000lu) {
        return saturated_i64(negative);
    }
    let size = bitcast<i64>(integer_part_f64(bits));
    return pick_i64(size, 0li - size, negative);
}

// Rounds to nearest even, by hand: the sum of exponent and significand carries where it should.
fn f64_from_u64(a: u64) -> f64 {
    if (a == 0lu) {
        return 0.0lf;
    }
    let zeros = leading_zeros_u64(a);
    let m = a << zeros;
    let rest = m & 0x7fflu;
    let kept = m >> 11u;
    let up = rest > 0x400lu || (rest == 0x400lu && (kept & 1lu) == 1lu);
    return bitcast<f64>((u64(1085u - zeros) << 52u) + kept + u64(u32(up)));
}

fn f64_from_i64(a: i64) -> f64 {
    let size = f64_from_u64(bitcast<u64>(abs_i64(a)));
    return select(size, neg_f64(size), a < 0li);
}

// The exponent of a positive finite number given by its bits, as if it had no subnormals.
fn exponent_f64(bits: u64) -> i32 {
    let field = u32(bits >> 52u);
    if (field == 0u) {
        return 12i - bitcast<i32>(leading_zeros_u64(bits));
    }
    return bitcast<i32>(field);
}

// Its 53-bit significand, the top bit set.
fn significand_f64(bits: u64) -> u64 {
    if ((bits >> 52u) == 0lu) {
        return bits << (leading_zeros_u64(bits) - 11u);
    }
    return (bits & 0xffffffffffffflu) | 0x10000000000000lu;
}

// The exact remainder with the sign of `a`: long division of the significands, eleven bits at a time.
fn rem_f64(a: f64, b: f64) -> f64 {
    let sign = bitcast<u64>(a) & 0x8000000000000000lu;
    let x = size_f64(a);
    let y = size_f64(b);
    if (x >= 0x7ff0000000000000lu || y > 0x7ff0000000000000lu || y == 0lu) {
        return nan_f64();
    }
    if (x < y) {
        return a;
    }
    let divisor = significand_f64(y);
    let exponent = exponent_f64(y);
    var rest = significand_f64(x) % divisor;
    var shift = exponent_f64(x) - exponent;
    while (shift > 0i && rest != 0lu) {
        let step = min(shift, 11i);
        rest = (rest << bitcast<u32>(step)) % divisor;
        shift -= step;
    }
    if (rest == 0lu) {
        return bitcast<f64>(sign);
    }
    let up = leading_zeros_u64(rest) - 11u;
    let rest_exponent = exponent - bitcast<i32>(up);
    if (rest_exponent > 0i) {
        return bitcast<f64>(sign | (u64(bitcast<u32>(rest_exponent)) << 52u) | ((rest << up) & 0xffffffffffffflu));
    }
    return bitcast<f64>(sign | ((rest << up) >> bitcast<u32>(1i - rest_exponent)));
}
