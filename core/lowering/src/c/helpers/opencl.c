// What OpenCL has built-in functions for.

DEVICE u32 to_bits_f32(f32 x) {
    return as_uint(x);
}

DEVICE f32 from_bits_f32(u32 bits) {
    return as_float(bits);
}

DEVICE u64 to_bits_f64(f64 x) {
    return as_ulong(x);
}

DEVICE f64 from_bits_f64(u64 bits) {
    return as_double(bits);
}

DEVICE u32 count_ones_u32(u32 x) {
    return popcount(x);
}

DEVICE u32 count_ones_u64(u64 x) {
    return (u32)popcount(x);
}

DEVICE u32 leading_zeros_u32(u32 x) {
    return clz(x);
}

DEVICE u32 leading_zeros_u64(u64 x) {
    return (u32)clz(x);
}

// Neighbours are swapped, then pairs of neighbours, then nibbles, then bytes.
DEVICE u32 reverse_bits_u32(u32 x) {
    u32 bits = ((x >> 1u) & 0x55555555u) | ((x & 0x55555555u) << 1u);
    bits = ((bits >> 2u) & 0x33333333u) | ((bits & 0x33333333u) << 2u);
    bits = ((bits >> 4u) & 0x0f0f0f0fu) | ((bits & 0x0f0f0f0fu) << 4u);
    return swap_bytes_u32(bits);
}

DEVICE u64 reverse_bits_u64(u64 x) {
    return join_u64(reverse_bits_u32((u32)(x >> 32u)), reverse_bits_u32((u32)x));
}

DEVICE u32 mul_high_u32(u32 a, u32 b) {
    return mul_hi(a, b);
}

DEVICE u64 mul_high_u64(u64 a, u64 b) {
    return mul_hi(a, b);
}

DEVICE f64 div_f64(f64 a, f64 b) {
    return a / b;
}

DEVICE f64 sqrt_f64(f64 x) {
    return sqrt(x);
}

// C's remainder is exact and has the sign of `a`, as Rust's.
DEVICE f32 rem_f32(f32 a, f32 b) {
    return fmod(a, b);
}

DEVICE f64 rem_f64(f64 a, f64 b) {
    return fmod(a, b);
}

// PoCL rounds by casts to integers, of which those of NaN have no value: of a NaN that it knows it makes any number.
DEVICE f32 floor_f32(f32 x) {
    return is_nan_f32(x) ? x : floor(x);
}

DEVICE f64 floor_f64(f64 x) {
    return is_nan_f64(x) ? x : floor(x);
}

DEVICE f32 ceil_f32(f32 x) {
    return is_nan_f32(x) ? x : ceil(x);
}

DEVICE f64 ceil_f64(f64 x) {
    return is_nan_f64(x) ? x : ceil(x);
}

DEVICE f32 trunc_f32(f32 x) {
    return is_nan_f32(x) ? x : trunc(x);
}

DEVICE f64 trunc_f64(f64 x) {
    return is_nan_f64(x) ? x : trunc(x);
}

// Not `rint`: PoCL 3.1 evaluates that wrongly of large constants and NaN, and aborts on some. From 2^23 on there are
// whole numbers alone, so a sum with 2^23 is rounded to one, ties to even.
DEVICE f32 round_f32(f32 x) {
    f32 size = abs_f32(x);
    return size < 8388608.0f ? copysign_f32((size + 8388608.0f) - 8388608.0f, x) : x;
}

// As for f32, with 2^52.
DEVICE f64 round_f64(f64 x) {
    f64 size = abs_f64(x);
    return size < 4503599627370496.0 ? copysign_f64((size + 4503599627370496.0) - 4503599627370496.0, x) : x;
}

// Three counters are used by turns.
DEVICE u32 next_turn(u32 turn) {
    return turn == 2u ? 0u : turn + 1u;
}

// A vote of a group, whose barrier is followed by the count. The first invocation clears the next counter before that
// barrier: it was read last two votes ago, before the barrier of the vote after it, and is counted up again only after
// the barrier of this one.
DEVICE void cast_vote(imminent_context *ctx, bool counts) {
    if (counts) {
        atomic_inc(&ctx->group_votes[ctx->group_turn]);
    }
    if (ctx->lane == 0u) {
        ctx->group_votes[next_turn(ctx->group_turn)] = 0u;
    }
}

DEVICE u32 counted_votes(imminent_context *ctx) {
    const u32 turn = ctx->group_turn;
    ctx->group_turn = next_turn(turn);
    return ctx->group_votes[turn];
}

// A negative zero that no compiler knows. A launch has one layer of work-groups.
DEVICE f32 negative_zero_f32(void) {
    return as_float(0x7fffffffu + (u32)get_num_groups(2));
}

DEVICE f64 negative_zero_f64(void) {
    return as_double((u64)(0x7fffffffu + (u32)get_num_groups(2)) << 32u);
}
