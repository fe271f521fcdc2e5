// The launch that ends a step of a program: one warp.
//
// Head of `state`: 0 halt flag, 1 reason, 2 test that holds, 3 and 4 steps done; fault slots follow at FIRST_SLOT.
// Words of `launch`: 0 number of slots, 1 number of tests, 2 and 3 step limit; from word 8 on, eight words for each test:
// address (two words), scalar, comparison, constant (two words), 0, 0.
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
struct imminent_launch { u32 w[8 + 8 * TESTS]; };

static __device__ __forceinline__ void halt(volatile u32 *state, u32 reason) {
    state[1] = reason;
    state[0] = 1u;
}

template <typename T> static __device__ __forceinline__ bool holds(u32 comparison, T a, T b) {
    switch (comparison) {
        case 0u: return a == b;
        case 1u: return !(a == b);
        case 2u: return a < b;
        case 3u: return a <= b;
        case 4u: return a > b;
        default: return a >= b;
    }
}

static __device__ bool test_holds(const u32 *test) {
    const u32 *at = (const u32 *)((u64)test[0] | ((u64)test[1] << 32));
    const u32 scalar = test[2], comparison = test[3];
    const bool wide = scalar == 2u || scalar == 3u || scalar == 5u;
    const u64 value = (u64)at[0] | (wide ? (u64)at[1] << 32 : 0ull);
    const u64 constant = (u64)test[4] | (wide ? (u64)test[5] << 32 : 0ull);
    switch (scalar) {
        case 1u: return holds(comparison, (i32)(u32)value, (i32)(u32)constant);
        case 3u: return holds(comparison, (i64)value, (i64)constant);
        case 4u: return holds(comparison, __uint_as_float((u32)value), __uint_as_float((u32)constant));
        case 5u: return holds(comparison, __longlong_as_double((i64)value), __longlong_as_double((i64)constant));
        default: return holds(comparison, value, constant);
    }
}

extern "C" __global__ void __launch_bounds__(32) imminent_control(u32 *state, const __grid_constant__ imminent_launch launch) {
    // Read before anything is written: every lane sees the same.
    const bool halted = ((volatile u32 *)state)[0] != 0u;
    bool faulted = false;
    for (u32 slot = threadIdx.x; slot < launch.w[0]; slot += 32u) {
        faulted = faulted || state[FIRST_SLOT + slot] != 0xffffffffu;
    }
    faulted = __any_sync(0xffffffffu, faulted);
    if (halted || threadIdx.x != 0u) { return; }
    const u64 steps = ((u64)state[3] | ((u64)state[4] << 32)) + 1ull;
    state[3] = (u32)steps;
    state[4] = (u32)(steps >> 32);
    if (faulted) {
        halt(state, 3u);
        return;
    }
    for (u32 test = 0u; test < launch.w[1]; test++) {
        if (test_holds(&launch.w[8u + 8u * test])) {
            state[2] = test;
            halt(state, 1u);
            return;
        }
    }
    if (steps == ((u64)launch.w[2] | ((u64)launch.w[3] << 32))) { halt(state, 2u); }
}
