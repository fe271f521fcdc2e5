// Helpers that every device can run. One function per paragraph; a function is written into a shader only if it is
// used.

// The first fault of an invocation is the one that counts. `site` is the number of the site, plus one.
fn raise(site: u32) {
    if (fault == 0u) {
        fault = site;
    }
}

// The words that the next fault has for its operands.
fn note_operands(low: u32, high: u32, third: u32) {
    if (fault == 0u) {
        fault_words = vec3<u32>(low, high, third);
    }
}

// Whether the device ends loops early by now, as one does that lets an invocation go round only so often in all. The
// first round is 0, which no compiler knows.
fn loops_are_cut() -> bool {
    var seen = 0u;
    for (var round = launch[5]; round < 2u; round += 1u) {
        seen += round + 1u;
    }
    return seen != 3u;
}

// The number of a row to read: past the end it is that of the zero row.
fn bind_row(index: u32, rows: u32, site: u32) -> u32 {
    if (index >= rows) {
        raise(site);
    }
    return min(index, rows);
}

// A value that is not a constant expression: those must not overflow, while the language's operations wrap.
fn opaque_u32(x: u32) -> u32 {
    return x;
}

fn opaque_i32(x: i32) -> i32 {
    return x;
}

fn opaque_f32(x: f32) -> f32 {
    return x;
}

fn div_u32(a: u32, b: u32, site: u32) -> u32 {
    if (b == 0u) {
        raise(site);
        return 0u;
    }
    return a / b;
}

fn rem_u32(a: u32, b: u32, site: u32) -> u32 {
    if (b == 0u) {
        raise(site);
        return 0u;
    }
    return a % b;
}

fn div_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        raise(site);
        return 0i;
    }
    if (b == -1i) {
        return 0i - a;
    }
    return a / b;
}

fn rem_i32(a: i32, b: i32, site: u32) -> i32 {
    if (b == 0i) {
        raise(site);
        return 0i;
    }
    if (b == -1i) {
        return 0i;
    }
    return a % b;
}

fn abs_diff_u32(a: u32, b: u32) -> u32 {
    return max(a, b) - min(a, b);
}

fn abs_diff_i32(a: i32, b: i32) -> u32 {
    return bitcast<u32>(max(a, b)) - bitcast<u32>(min(a, b));
}

fn swap_bytes_u32(x: u32) -> u32 {
    return (x << 24u) | ((x & 0xff00u) << 8u) | ((x >> 8u) & 0xff00u) | (x >> 24u);
}

fn swap_bytes_i32(x: i32) -> i32 {
    return bitcast<i32>(swap_bytes_u32(bitcast<u32>(x)));
}

fn rotate_left_u32(x: u32, n: u32) -> u32 {
    return (x << (n & 31u)) | (x >> ((0u - n) & 31u));
}

fn rotate_right_u32(x: u32, n: u32) -> u32 {
    return (x >> (n & 31u)) | (x << ((0u - n) & 31u));
}

fn rotate_left_i32(x: i32, n: u32) -> i32 {
    return bitcast<i32>(rotate_left_u32(bitcast<u32>(x), n));
}

fn rotate_right_i32(x: i32, n: u32) -> i32 {
    return bitcast<i32>(rotate_right_u32(bitcast<u32>(x), n));
}

fn saturating_add_u32(a: u32, b: u32) -> u32 {
    let sum = a + b;
    return select(sum, 0xffffffffu, sum < a);
}

fn saturating_sub_u32(a: u32, b: u32) -> u32 {
    return a - min(a, b);
}

// The least value where `negative`, else the greatest.
fn saturated_i32(negative: bool) -> i32 {
    return bitcast<i32>(select(0x7fffffffu, 0x80000000u, negative));
}

fn saturating_add_i32(a: i32, b: i32) -> i32 {
    let sum = a + b;
    return select(sum, saturated_i32(a < 0i), ((a ^ sum) & (b ^ sum)) < 0i);
}

fn saturating_sub_i32(a: i32, b: i32) -> i32 {
    let difference = a - b;
    return select(difference, saturated_i32(a < 0i), ((a ^ b) & (a ^ difference)) < 0i);
}

// The full product, low word first, from products of 16-bit halves.
fn mul_wide_u32(a: u32, b: u32) -> vec2<u32> {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 16u);
    let cross = a0 * b1 + (middle & 0xffffu);
    return vec2<u32>((cross << 16u) | (low & 0xffffu), a1 * b1 + (middle >> 16u) + (cross >> 16u));
}

fn mul_high_u32(a: u32, b: u32) -> u32 {
    return mul_wide_u32(a, b).y;
}

// Between phases every invocation but the first has a fault already, so that it notes none: those are the first row's.
fn enter_phase() {
    if (lane != 0u) {
        fault = lane_fault;
    }
}

fn leave_phase() {
    if (lane != 0u) {
        lane_fault = fault;
        fault = 0xffffffffu;
    }
}
