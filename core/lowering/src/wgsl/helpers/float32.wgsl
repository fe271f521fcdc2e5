// Operations on `f32` that WGSL leaves open. Compilers may take it that no value is NaN, so NaN is looked for in the
// bits.

fn is_nan_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_finite_f32(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn nan_f32() -> f32 {
    return bitcast<f32>(opaque_u32(0x7fc00000u));
}

fn neg_f32(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ 0x80000000u);
}

fn abs_f32(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0x7fffffffu);
}

fn copysign_f32(a: f32, b: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(a) & 0x7fffffffu) | (bitcast<u32>(b) & 0x80000000u));
}

fn min_f32(a: f32, b: f32) -> f32 {
    return select(a, b, is_nan_f32(a) | ((b < a) & !is_nan_f32(b)));
}

fn max_f32(a: f32, b: f32) -> f32 {
    return select(a, b, is_nan_f32(a) | ((b > a) & !is_nan_f32(b)));
}

// Rounding keeps the sign, also of a result that is zero.
fn floor_f32(x: f32) -> f32 {
    return copysign_f32(floor(x), x);
}

fn ceil_f32(x: f32) -> f32 {
    return copysign_f32(ceil(x), x);
}

fn trunc_f32(x: f32) -> f32 {
    return copysign_f32(trunc(x), x);
}

fn round_f32(x: f32) -> f32 {
    return copysign_f32(round(x), x);
}

// By halves, each exact, with one addition that rounds: SwiftShader converts numbers from 2^31 on with two roundings.
fn f32_from_u32(x: u32) -> f32 {
    return f32(x >> 16u) * 65536.0f + f32(x & 0xffffu);
}

fn u32_from_f32(x: f32) -> u32 {
    if (is_nan_f32(x) || x <= 0.0f) {
        return 0u;
    }
    if (x >= 4294967296.0f) {
        return 0xffffffffu;
    }
    return u32(x);
}

fn i32_from_f32(x: f32) -> i32 {
    if (is_nan_f32(x)) {
        return 0i;
    }
    if (x >= 2147483648.0f) {
        return 2147483647i;
    }
    if (x <= -2147483648.0f) {
        return bitcast<i32>(0x80000000u);
    }
    return i32(x);
}

// The exponent of a positive finite number given by its bits, as if it had no subnormals.
fn exponent_f32(bits: u32) -> i32 {
    let field = bits >> 23u;
    if (field == 0u) {
        return 9i - bitcast<i32>(countLeadingZeros(bits));
    }
    return bitcast<i32>(field);
}

// Its 24-bit significand, the top bit set.
fn significand_f32(bits: u32) -> u32 {
    if ((bits >> 23u) == 0u) {
        return bits << (countLeadingZeros(bits) - 8u);
    }
    return (bits & 0x7fffffu) | 0x800000u;
}

// The exact remainder with the sign of `a`: long division of the significands, eight bits at a time.
fn rem_f32(a: f32, b: f32) -> f32 {
    let sign = bitcast<u32>(a) & 0x80000000u;
    let x = bitcast<u32>(a) & 0x7fffffffu;
    let y = bitcast<u32>(b) & 0x7fffffffu;
    if (x >= 0x7f800000u || y > 0x7f800000u || y == 0u) {
        return nan_f32();
    }
    if (x < y) {
        return a;
    }
    let divisor = significand_f32(y);
    let exponent = exponent_f32(y);
    var rest = significand_f32(x) % divisor;
    var shift = exponent_f32(x) - exponent;
    while (shift > 0i && rest != 0u) {
        let step = min(shift, 8i);
        rest = (rest << bitcast<u32>(step)) % divisor;
        shift -= step;
    }
    if (rest == 0u) {
        return bitcast<f32>(sign);
    }
    let up = countLeadingZeros(rest) - 8u;
    let rest_exponent = exponent - bitcast<i32>(up);
    if (rest_exponent > 0i) {
        return bitcast<f32>(sign | (bitcast<u32>(rest_exponent) << 23u) | ((rest << up) & 0x7fffffu));
    }
    // A subnormal result: it is a multiple of the least subnormal, since both operands are.
    return bitcast<f32>(sign | ((rest << up) >> bitcast<u32>(1i - rest_exponent)));
}
