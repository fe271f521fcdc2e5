// 64-bit integers as pairs of words, low word first, in two's complement. Where signedness makes no difference
// `i64` uses the functions of `u64`.
//
// What kernels call most does not branch, and `&&` is a branch of two sides: SwiftShader's compiler does not end on
// loops with many of them.

fn add_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + u32(low < a.x));
}

fn sub_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

fn neg_u64(a: vec2<u32>) -> vec2<u32> {
    return sub_u64(vec2<u32>(0u, 0u), a);
}

fn mul_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = mul_wide_u32(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

fn mul_high_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = mul_wide_u32(a.x, b.x);
    let middle = add_u64(mul_wide_u32(a.x, b.y), vec2<u32>(low.y, 0u));
    let cross = add_u64(mul_wide_u32(a.y, b.x), vec2<u32>(middle.x, 0u));
    return add_u64(add_u64(mul_wide_u32(a.y, b.y), vec2<u32>(middle.y, 0u)), vec2<u32>(cross.y, 0u));
}

fn lt_u64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (a.y < b.y) | ((a.y == b.y) & (a.x < b.x));
}

fn lt_i64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return (bitcast<i32>(a.y) < bitcast<i32>(b.y)) | ((a.y == b.y) & (a.x < b.x));
}

fn min_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, lt_u64(b, a));
}

fn max_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, lt_u64(a, b));
}

fn min_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, lt_i64(b, a));
}

fn max_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, lt_i64(a, b));
}

fn is_negative_i64(a: vec2<u32>) -> bool {
    return (a.y & 0x80000000u) != 0u;
}

fn abs_i64(a: vec2<u32>) -> vec2<u32> {
    return select(a, neg_u64(a), is_negative_i64(a));
}

fn abs_diff_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return sub_u64(max_u64(a, b), min_u64(a, b));
}

fn abs_diff_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return sub_u64(max_i64(a, b), min_i64(a, b));
}

fn signum_i64(a: vec2<u32>) -> vec2<u32> {
    let one = select(vec2<u32>(1u, 0u), vec2<u32>(0xffffffffu, 0xffffffffu), is_negative_i64(a));
    return select(one, a, all(a == vec2<u32>(0u, 0u)));
}

fn shl_u64(a: vec2<u32>, count: u32) -> vec2<u32> {
    let n = count & 31u;
    let low = a.x << n;
    return select(vec2<u32>(low, (a.y << n) | ((a.x >> 1u) >> (31u - n))), vec2<u32>(0u, low), (count & 32u) != 0u);
}

fn shr_u64(a: vec2<u32>, count: u32) -> vec2<u32> {
    let n = count & 31u;
    let high = a.y >> n;
    return select(vec2<u32>((a.x >> n) | ((a.y << 1u) << (31u - n)), high), vec2<u32>(high, 0u), (count & 32u) != 0u);
}

fn shr_i64(a: vec2<u32>, count: u32) -> vec2<u32> {
    let n = count & 31u;
    let high = bitcast<u32>(bitcast<i32>(a.y) >> n);
    let sign = bitcast<u32>(bitcast<i32>(a.y) >> 31u);
    return select(vec2<u32>((a.x >> n) | ((a.y << 1u) << (31u - n)), high), vec2<u32>(high, sign), (count & 32u) != 0u);
}

fn rotate_left_u64(a: vec2<u32>, n: u32) -> vec2<u32> {
    return shl_u64(a, n) | shr_u64(a, 0u - n);
}

fn rotate_right_u64(a: vec2<u32>, n: u32) -> vec2<u32> {
    return shr_u64(a, n) | shl_u64(a, 0u - n);
}

fn count_ones_u64(a: vec2<u32>) -> u32 {
    return countOneBits(a.x) + countOneBits(a.y);
}

fn leading_zeros_u64(a: vec2<u32>) -> u32 {
    return select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
}

fn trailing_zeros_u64(a: vec2<u32>) -> u32 {
    return select(countTrailingZeros(a.x), 32u + countTrailingZeros(a.y), a.x == 0u);
}

fn reverse_bits_u64(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(reverseBits(a.y), reverseBits(a.x));
}

fn swap_bytes_u64(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(swap_bytes_u32(a.y), swap_bytes_u32(a.x));
}

fn saturating_add_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sum = add_u64(a, b);
    return select(sum, vec2<u32>(0xffffffffu, 0xffffffffu), lt_u64(sum, a));
}

fn saturating_sub_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(sub_u64(a, b), vec2<u32>(0u, 0u), lt_u64(a, b));
}

// The least value where `negative`, else the greatest.
fn saturated_i64(negative: bool) -> vec2<u32> {
    return select(vec2<u32>(0xffffffffu, 0x7fffffffu), vec2<u32>(0u, 0x80000000u), negative);
}

fn saturating_add_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let sum = add_u64(a, b);
    return select(sum, saturated_i64(is_negative_i64(a)), is_negative_i64((a ^ sum) & (b ^ sum)));
}

fn saturating_sub_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let difference = sub_u64(a, b);
    return select(difference, saturated_i64(is_negative_i64(a)), is_negative_i64((a ^ b) & (a ^ difference)));
}

// Divides the pair (high, low) by one word, where high < divisor: quotient, remainder. Schoolbook division with digits
// of 16 bits; the divisor is shifted until its top bit is set, so that a digit's estimate is at most 2 too large.
fn div_wide_u32(high: u32, low: u32, divisor: u32) -> vec2<u32> {
    let shift = countLeadingZeros(divisor);
    let d = divisor << shift;
    let d1 = d >> 16u;
    let d0 = d & 0xffffu;
    var top = high;
    if (shift != 0u) {
        top = (high << shift) | (low >> (32u - shift));
    }
    let rest = low << shift;
    let rest1 = rest >> 16u;
    let rest0 = rest & 0xffffu;
    var q1 = top / d1;
    var r1 = top - q1 * d1;
    for (var k = 0u; k < 2u; k++) {
        if (r1 < 0x10000u && (q1 >= 0x10000u || q1 * d0 > ((r1 << 16u) | rest1))) {
            q1 -= 1u;
            r1 += d1;
        }
    }
    let next = (top << 16u) + rest1 - q1 * d;
    var q0 = next / d1;
    var r0 = next - q0 * d1;
    for (var k = 0u; k < 2u; k++) {
        if (r0 < 0x10000u && (q0 >= 0x10000u || q0 * d0 > ((r0 << 16u) | rest0))) {
            q0 -= 1u;
            r0 += d1;
        }
    }
    return vec2<u32>((q1 << 16u) + q0, ((next << 16u) + rest0 - q0 * d) >> shift);
}

// Quotient in x and y, remainder in z and w; b is not zero. A divisor of two words: an estimate from its top word
// after a shift is exact or one too large; it is lowered by one first and corrected once.
fn divide_u64(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    if (b.y == 0u) {
        if (a.y == 0u) {
            return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
        }
        let high = a.y / b.x;
        let low = div_wide_u32(a.y - high * b.x, a.x, b.x);
        return vec4<u32>(low.x, high, low.y, 0u);
    }
    if (lt_u64(a, b)) {
        return vec4<u32>(0u, 0u, a.x, a.y);
    }
    let shift = countLeadingZeros(b.y);
    let half = shr_u64(a, 1u);
    let estimate = div_wide_u32(half.y, half.x, shl_u64(b, shift).y).x;
    var quotient = shr_u64(shl_u64(vec2<u32>(estimate, 0u), shift), 31u).x;
    if (quotient != 0u) {
        quotient -= 1u;
    }
    var rest = sub_u64(a, mul_u64(vec2<u32>(quotient, 0u), b));
    if (!lt_u64(rest, b)) {
        quotient += 1u;
        rest = sub_u64(rest, b);
    }
    return vec4<u32>(quotient, 0u, rest.x, rest.y);
}

fn div_u64(a: vec2<u32>, b: vec2<u32>, site: u32) -> vec2<u32> {
    if ((b.x | b.y) == 0u) {
        raise(site);
        return vec2<u32>(0u, 0u);
    }
    return divide_u64(a, b).xy;
}

fn rem_u64(a: vec2<u32>, b: vec2<u32>, site: u32) -> vec2<u32> {
    if ((b.x | b.y) == 0u) {
        raise(site);
        return vec2<u32>(0u, 0u);
    }
    return divide_u64(a, b).zw;
}

fn div_i64(a: vec2<u32>, b: vec2<u32>, site: u32) -> vec2<u32> {
    let quotient = div_u64(abs_i64(a), abs_i64(b), site);
    return select(quotient, neg_u64(quotient), is_negative_i64(a) != is_negative_i64(b));
}

fn rem_i64(a: vec2<u32>, b: vec2<u32>, site: u32) -> vec2<u32> {
    let rest = rem_u64(abs_i64(a), abs_i64(b), site);
    return select(rest, neg_u64(rest), is_negative_i64(a));
}

// An index as a word: what does not fit becomes the greatest word, which is past the end of every array.
fn index_u64(a: vec2<u32>) -> u32 {
    return select(a.x, 0xffffffffu, a.y != 0u);
}

fn u64_from_u32(x: u32) -> vec2<u32> {
    return vec2<u32>(x, 0u);
}

fn u64_from_i32(x: i32) -> vec2<u32> {
    return vec2<u32>(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}

// Rounds to nearest even, by hand: the sum of exponent and significand carries where it should.
fn f32_from_u64(a: vec2<u32>) -> f32 {
    if ((a.x | a.y) == 0u) {
        return 0.0f;
    }
    let zeros = leading_zeros_u64(a);
    let m = shl_u64(a, zeros);
    let rest = m.y & 0xffu;
    let kept = m.y >> 8u;
    let up = rest > 0x80u || (rest == 0x80u && (m.x != 0u || (kept & 1u) == 1u));
    return bitcast<f32>(((189u - zeros) << 23u) + kept + u32(up));
}

fn f32_from_i64(a: vec2<u32>) -> f32 {
    let size = f32_from_u64(abs_i64(a));
    return select(size, neg_f32(size), is_negative_i64(a));
}

// The integer part of a number of at least 1 and below 2 to the 64, given by its bits without the sign.
fn integer_part_f32(bits: u32) -> vec2<u32> {
    let exponent = bits >> 23u;
    let significand = (bits & 0x7fffffu) | 0x800000u;
    if (exponent < 150u) {
        return vec2<u32>(significand >> (150u - exponent), 0u);
    }
    return shl_u64(vec2<u32>(significand, 0u), exponent - 150u);
}

fn u64_from_f32(x: f32) -> vec2<u32> {
    let bits = bitcast<u32>(x);
    if (bits > 0x7f800000u || bits < 0x3f800000u) {
        return vec2<u32>(0u, 0u);
    }
    if (bits >= 0x5f800000u) {
        return vec2<u32>(0xffffffffu, 0xffffffffu);
    }
    return integer_part_f32(bits);
}

fn i64_from_f32(x: f32) -> vec2<u32> {
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    let negative = bits != bitcast<u32>(x);
    if (bits > 0x7f800000u || bits < 0x3f800000u) {
        return vec2<u32>(0u, 0u);
    }
    if (bits >= 0x5f000000u) {
        return saturated_i64(negative);
    }
    let size = integer_part_f32(bits);
    return select(size, neg_u64(size), negative);
}
