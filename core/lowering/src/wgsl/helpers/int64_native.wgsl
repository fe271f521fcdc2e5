// 64-bit integers where the device has them, as naga's extension of WGSL spells them. Bit counts and conversions go
// through 32-bit halves: Vulkan's instructions for them take no wider operands, and naga 30 extends by the sign of the
// target instead of the source.

fn opaque_u64(x: u64) -> u64 {
    return x;
}

fn opaque_i64(x: i64) -> i64 {
    return x;
}

fn low_u64(a: u64) -> u32 {
    return u32(a & 0xfffffffflu);
}

fn high_u64(a: u64) -> u32 {
    return u32(a >> 32u);
}

fn join_u64(low: u32, high: u32) -> u64 {
    return u64(low) | (u64(high) << 32u);
}

fn join_i64(low: u32, high: u32) -> i64 {
    return bitcast<i64>(join_u64(low, high));
}

// `select` by halves. NVIDIA's driver 580 gives a wrong high word for a sum that is compared with one of its operands
// and then selected.
fn pick_u64(a: u64, b: u64, take_b: bool) -> u64 {
    return join_u64(select(low_u64(a), low_u64(b), take_b), select(high_u64(a), high_u64(b), take_b));
}

fn pick_i64(a: i64, b: i64, take_b: bool) -> i64 {
    return bitcast<i64>(pick_u64(bitcast<u64>(a), bitcast<u64>(b), take_b));
}

// The count of a shift modulo 64, without a mask by 63: Mesa leaves that out, since its shifts imply it, and a shift to
// the left by what a compiler knows to be -32 then does nothing.
fn count_u64(n: u32) -> u32 {
    return n - (n & 0xffffffc0u);
}

fn mul_high_u64(a: u64, b: u64) -> u64 {
    let a0 = a & 0xfffffffflu;
    let a1 = a >> 32u;
    let b0 = b & 0xfffffffflu;
    let b1 = b >> 32u;
    let middle = a0 * b1 + ((a0 * b0) >> 32u);
    let cross = a1 * b0 + (middle & 0xfffffffflu);
    return a1 * b1 + (middle >> 32u) + (cross >> 32u);
}

fn min_u64(a: u64, b: u64) -> u64 {
    return pick_u64(a, b, b < a);
}

fn max_u64(a: u64, b: u64) -> u64 {
    return pick_u64(a, b, a < b);
}

fn min_i64(a: i64, b: i64) -> i64 {
    return pick_i64(a, b, b < a);
}

fn max_i64(a: i64, b: i64) -> i64 {
    return pick_i64(a, b, a < b);
}

fn abs_i64(a: i64) -> i64 {
    return pick_i64(a, 0li - a, a < 0li);
}

fn abs_diff_u64(a: u64, b: u64) -> u64 {
    return pick_u64(b - a, a - b, b < a);
}

fn abs_diff_i64(a: i64, b: i64) -> u64 {
    let x = bitcast<u64>(a);
    let y = bitcast<u64>(b);
    return pick_u64(y - x, x - y, b < a);
}

fn signum_i64(a: i64) -> i64 {
    return pick_i64(join_i64(u32(a > 0li), 0u), -1li, a < 0li);
}

fn rotate_left_u64(a: u64, n: u32) -> u64 {
    return (a << count_u64(n)) | (a >> count_u64(0u - n));
}

fn rotate_right_u64(a: u64, n: u32) -> u64 {
    return (a >> count_u64(n)) | (a << count_u64(0u - n));
}

fn rotate_left_i64(a: i64, n: u32) -> i64 {
    return bitcast<i64>(rotate_left_u64(bitcast<u64>(a), n));
}

fn rotate_right_i64(a: i64, n: u32) -> i64 {
    return bitcast<i64>(rotate_right_u64(bitcast<u64>(a), n));
}

fn count_ones_u64(a: u64) -> u32 {
    return countOneBits(low_u64(a)) + countOneBits(high_u64(a));
}

fn leading_zeros_u64(a: u64) -> u32 {
    let high = high_u64(a);
    return select(countLeadingZeros(high), 32u + countLeadingZeros(low_u64(a)), high == 0u);
}

fn trailing_zeros_u64(a: u64) -> u32 {
    let low = low_u64(a);
    return select(countTrailingZeros(low), 32u + countTrailingZeros(high_u64(a)), low == 0u);
}

fn reverse_bits_u64(a: u64) -> u64 {
    return join_u64(reverseBits(high_u64(a)), reverseBits(low_u64(a)));
}

fn swap_bytes_u64(a: u64) -> u64 {
    return join_u64(swap_bytes_u32(high_u64(a)), swap_bytes_u32(low_u64(a)));
}

fn reverse_bits_i64(a: i64) -> i64 {
    return bitcast<i64>(reverse_bits_u64(bitcast<u64>(a)));
}

fn swap_bytes_i64(a: i64) -> i64 {
    return bitcast<i64>(swap_bytes_u64(bitcast<u64>(a)));
}

// By halves, for the same reason as `pick_u64`.
fn saturating_add_u64(a: u64, b: u64) -> u64 {
    let low = low_u64(a) + low_u64(b);
    let carry = u32(low < low_u64(a));
    let part = high_u64(a) + high_u64(b);
    let high = part + carry;
    let full = part < high_u64(a) || high < part;
    return join_u64(select(low, 0xffffffffu, full), select(high, 0xffffffffu, full));
}

fn saturating_sub_u64(a: u64, b: u64) -> u64 {
    return pick_u64(a - b, 0lu, a < b);
}

// The least value where `negative`, else the greatest.
fn saturated_i64(negative: bool) -> i64 {
    return join_i64(select(0xffffffffu, 0u, negative), select(0x7fffffffu, 0x80000000u, negative));
}

fn saturating_add_i64(a: i64, b: i64) -> i64 {
    let sum = a + b;
    return pick_i64(sum, saturated_i64(a < 0li), ((a ^ sum) & (b ^ sum)) < 0li);
}

fn saturating_sub_i64(a: i64, b: i64) -> i64 {
    let difference = a - b;
    return pick_i64(difference, saturated_i64(a < 0li), ((a ^ b) & (a ^ difference)) < 0li);
}

fn div_u64(a: u64, b: u64, site: u32) -> u64 {
    if (b == 0lu) {
        raise(site);
        return 0lu;
    }
    return a / b;
}

fn rem_u64(a: u64, b: u64, site: u32) -> u64 {
    if (b == 0lu) {
        raise(site);
        return 0lu;
    }
    return a % b;
}

fn div_i64(a: i64, b: i64, site: u32) -> i64 {
    if (b == 0li) {
        raise(site);
        return 0li;
    }
    if (b == -1li) {
        return 0li - a;
    }
    return a / b;
}

fn rem_i64(a: i64, b: i64, site: u32) -> i64 {
    if (b == 0li) {
        raise(site);
        return 0li;
    }
    if (b == -1li) {
        return 0li;
    }
    return a % b;
}

// An index as a word: what does not fit becomes the greatest word, which is past the end of every array.
fn index_u64(a: u64) -> u32 {
    return select(low_u64(a), 0xffffffffu, high_u64(a) != 0u);
}

// By halves: Mesa 22.3 compares `i64(x)` with a constant wrongly, in any form that it can trace back to this cast.
fn u64_from_i32(x: i32) -> u64 {
    return join_u64(bitcast<u32>(x), bitcast<u32>(x >> 31u));
}

fn i64_from_i32(x: i32) -> i64 {
    return bitcast<i64>(u64_from_i32(x));
}

// Rounds to nearest even, by hand: the sum of exponent and significand carries where it should.
fn f32_from_u64(a: u64) -> f32 {
    if (a == 0lu) {
        return 0.0f;
    }
    let zeros = leading_zeros_u64(a);
    let m = a << zeros;
    let rest = high_u64(m) & 0xffu;
    let kept = high_u64(m) >> 8u;
    let up = rest > 0x80u || (rest == 0x80u && (low_u64(m) != 0u || (kept & 1u) == 1u));
    return bitcast<f32>(((189u - zeros) << 23u) + kept + u32(up));
}

fn f32_from_i64(a: i64) -> f32 {
    let size = f32_from_u64(bitcast<u64>(abs_i64(a)));
    return select(size, neg_f32(size), a < 0li);
}

// The integer part of a number of at least 1 and below 2 to the 64, given by its bits without the sign.
fn integer_part_f32(bits: u32) -> u64 {
    let exponent = bits >> 23u;
    let significand = (bits & 0x7fffffu) | 0x800000u;
    if (exponent < 150u) {
        return u64(significand >> (150u - exponent));
    }
    return u64(significand) << (exponent - 150u);
}

fn u64_from_f32(x: f32) -> u64 {
    let bits = bitcast<u32>(x);
    if (bits > 0x7f800000u || bits < 0x3f800000u) {
        return 0lu;
    }
    if (bits >= 0x5f800000u) {
        return 0xfffffffffffffffflu;
    }
    return integer_part_f32(bits);
}

fn i64_from_f32(x: f32) -> i64 {
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    let negative = bits != bitcast<u32>(x);
    if (bits > 0x7f800000u || bits < 0x3f800000u) {
        return 0li;
    }
    if (bits >= 0x5f000000u) {
        return saturated_i64(negative);
    }
    let size = bitcast<i64>(integer_part_f32(bits));
    return pick_i64(size, 0li - size, negative);
}
