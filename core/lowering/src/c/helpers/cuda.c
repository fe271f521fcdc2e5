// What CUDA has intrinsics for.

DEVICE u32 to_bits_f32(f32 x) {
    return __float_as_uint(x);
}

DEVICE f32 from_bits_f32(u32 bits) {
    return __uint_as_float(bits);
}

DEVICE u64 to_bits_f64(f64 x) {
    return (u64)__double_as_longlong(x);
}

DEVICE f64 from_bits_f64(u64 bits) {
    return __longlong_as_double((i64)bits);
}

DEVICE u32 count_ones_u32(u32 x) {
    return (u32)__popc(x);
}

DEVICE u32 count_ones_u64(u64 x) {
    return (u32)__popcll(x);
}

DEVICE u32 leading_zeros_u32(u32 x) {
    return (u32)__clz((i32)x);
}

DEVICE u32 leading_zeros_u64(u64 x) {
    return (u32)__clzll((i64)x);
}

DEVICE u32 reverse_bits_u32(u32 x) {
    return __brev(x);
}

DEVICE u64 reverse_bits_u64(u64 x) {
    return __brevll(x);
}

DEVICE u32 mul_high_u32(u32 a, u32 b) {
    return __umulhi(a, b);
}

DEVICE u64 mul_high_u64(u64 a, u64 b) {
    return __umul64hi(a, b);
}

// Rounded to nearest even whatever the compiler is told.
DEVICE f32 div_f32(f32 a, f32 b) {
    return __fdiv_rn(a, b);
}

DEVICE f64 div_f64(f64 a, f64 b) {
    return __ddiv_rn(a, b);
}

DEVICE f32 sqrt_f32(f32 x) {
    return __fsqrt_rn(x);
}

DEVICE f64 sqrt_f64(f64 x) {
    return __dsqrt_rn(x);
}

// C's remainder is exact and has the sign of `a`, as Rust's.
DEVICE f32 rem_f32(f32 a, f32 b) {
    return fmodf(a, b);
}

DEVICE f64 rem_f64(f64 a, f64 b) {
    return fmod(a, b);
}

DEVICE f32 floor_f32(f32 x) {
    return floorf(x);
}

DEVICE f64 floor_f64(f64 x) {
    return floor(x);
}

DEVICE f32 ceil_f32(f32 x) {
    return ceilf(x);
}

DEVICE f64 ceil_f64(f64 x) {
    return ceil(x);
}

DEVICE f32 trunc_f32(f32 x) {
    return truncf(x);
}

DEVICE f64 trunc_f64(f64 x) {
    return trunc(x);
}

DEVICE f32 round_f32(f32 x) {
    return rintf(x);
}

DEVICE f64 round_f64(f64 x) {
    return rint(x);
}

// Votes of a group: barriers too.
DEVICE bool vote_any(imminent_context *ctx, bool agrees) {
    return __syncthreads_or(agrees ? 1 : 0) != 0;
}

DEVICE bool vote_all(imminent_context *ctx, bool agrees) {
    return __syncthreads_and(agrees ? 1 : 0) != 0;
}

DEVICE u32 vote_count(imminent_context *ctx, bool agrees) {
    return (u32)__syncthreads_count(agrees ? 1 : 0);
}

// NVRTC before 13.5 puts two variables with arrays into one place of memory although both are in use: a variable that a
// function is lent, and one of that function's own. It does so with none whose address is taken like this.
DEVICE void lend(const void *variable) {
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1305
    asm volatile("" :: "l"(variable));
#endif
}

// A negative zero that no compiler knows. NVIDIA's assembler takes a choice between it and one or minus one for that
// between the integers 0 and one or minus one, and loses the sign. A launch has one layer of blocks.
DEVICE f32 negative_zero_f32(void) {
    return __uint_as_float(0x7fffffffu + gridDim.z);
}

DEVICE f64 negative_zero_f64(void) {
    return __longlong_as_double((i64)((u64)(0x7fffffffu + gridDim.z) << 32u));
}
