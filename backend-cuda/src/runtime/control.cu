// The launch that passes the turn on in a program: one warp.
//
// Head of `state`: 0 turn, 1 reason, 2 test that holds, 3 and 4 steps of the outermost loop, 5 stop asked for; from 16
// on four words for each inner loop: its steps since it was entered (two words), all its steps; fault slots follow at
// FIRST_SLOT. With IN_NODES, where WHILE nodes repeat the steps: 6 how often the outermost one may still do so before
// the host looks. Words of `launch`: 0 number of slots, 1 number of tests, 2 and 3 step limit, 4 turn, 5 turn if the
// loop goes on, 6 turn if it is done, 7 counter; from word 8 on, eight words for each test: address (two words), 0,
// scalar, comparison, constant (two words), 0.
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
struct imminent_launch { u32 w[8 + 8 * TESTS]; };

// Halts everything: no operation has this turn.
static __device__ __forceinline__ void halt(u32 *state, u32 reason) {
    state[1] = reason;
    state[0] = 0xffffffffu;
}

// A loop is done. The outermost one counts in word 3.
static __device__ __forceinline__ void done(u32 *state, u32 counter, u32 turn, u32 reason) {
    if (counter == 3u) {
        halt(state, reason);
        return;
    }
    state[counter] = 0u;
    state[counter + 1u] = 0u;
    state[0] = turn;
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
    const u32 scalar = test[3], comparison = test[4];
    const bool wide = scalar == 2u || scalar == 3u || scalar == 5u;
    const u64 value = (u64)at[0] | (wide ? (u64)at[1] << 32 : 0ull);
    const u64 constant = (u64)test[5] | (wide ? (u64)test[6] << 32 : 0ull);
    switch (scalar) {
        case 1u: return holds(comparison, (i32)(u32)value, (i32)(u32)constant);
        case 3u: return holds(comparison, (i64)value, (i64)constant);
        case 4u: return holds(comparison, __uint_as_float((u32)value), __uint_as_float((u32)constant));
        case 5u: return holds(comparison, __longlong_as_double((i64)value), __longlong_as_double((i64)constant));
        default: return holds(comparison, value, constant);
    }
}

// What the head says, and what was found.
struct Seen {
    u32 stop;
    u64 steps;       // of the control's own counter
    u32 all_steps;   // the word after it
    bool faulted;
    u32 first_test;  // that holds; the number of tests if none does
};

static __device__ __forceinline__ void pass_on(u32 *state, const imminent_launch &launch, const Seen &seen) {
    const u32 counter = launch.w[7];
    if (counter == 0u) {
        if (seen.faulted) { halt(state, 3u); } else { state[0] = launch.w[5]; }
        return;
    }
    const u64 steps = seen.steps + 1ull;
    state[counter] = (u32)steps;
    state[counter + 1u] = (u32)(steps >> 32);
    if (counter != 3u) { state[counter + 2u] = seen.all_steps + 1u; }
    if (seen.faulted) {
        halt(state, 3u);
    } else if (seen.first_test < launch.w[1]) {
        if (counter == 3u) { state[2] = seen.first_test; }
        done(state, counter, launch.w[6], 1u);
    } else if (steps == ((u64)launch.w[2] | ((u64)launch.w[3] << 32))) {
        done(state, counter, launch.w[6], 2u);
    } else if (counter == 3u && seen.stop != 0u) {
        halt(state, 4u);
    } else {
        state[0] = launch.w[5];
    }
}

#if IN_NODES
extern "C" __device__ void cudaGraphSetConditional(u64 handle, u32 value);

// Tells the loop's node what comes next. Roles: 0 there is no node; 1 stands before an inner loop, which is entered if
// it is its turn now; 2 ends a step, after which the loop goes on unless the turn is another's; 3 the same, and ends
// the outermost node's body.
static __device__ __forceinline__ void tell(u32 *state, u32 bodies, const imminent_launch &launch, u64 handle, u64 role) {
    const bool goes_on = state[0] == launch.w[5];
    if (role == 1ull && goes_on) { cudaGraphSetConditional(handle, 1u); }
    if (role < 2ull) { return; }
    const u32 left = bodies - 1u;
    if (role == 3ull) { state[6] = left; }
    if (!goes_on || (role == 3ull && left == 0u)) { cudaGraphSetConditional(handle, 0u); }
}
#endif

extern "C" __global__ void __launch_bounds__(32) imminent_control(u32 *state, const __grid_constant__ imminent_launch launch
#if IN_NODES
    , u64 handle, u64 role
#endif
) {
    // All that may be needed is asked for at once: a step costs what a look at memory costs, so there should be one
    // look.
    const u32 turn = state[0], counter = launch.w[7];
#if IN_NODES
    const u32 bodies = state[6];
#endif
    Seen seen;
    seen.stop = state[5];
    seen.steps = (u64)state[counter] | ((u64)state[counter + 1u] << 32);
    seen.all_steps = state[counter + 2u];
    const u32 fault = threadIdx.x < launch.w[0] ? state[FIRST_SLOT + threadIdx.x] : 0xffffffffu;
    seen.first_test = launch.w[1];
    for (u32 first = 0u; first < launch.w[1]; first += 32u) {
        const u32 test = first + threadIdx.x;
        const u32 holding = __ballot_sync(0xffffffffu, test < launch.w[1] && test_holds(&launch.w[8u + 8u * test]));
        if (holding != 0u && seen.first_test == launch.w[1]) { seen.first_test = first + (u32)__ffs((int)holding) - 1u; }
    }
    bool faulted = fault != 0xffffffffu;
    for (u32 slot = threadIdx.x + 32u; slot < launch.w[0]; slot += 32u) {
        faulted = faulted || state[FIRST_SLOT + slot] != 0xffffffffu;
    }
    seen.faulted = __any_sync(0xffffffffu, faulted);
    if (threadIdx.x != 0u) { return; }
    if (turn == launch.w[4]) { pass_on(state, launch, seen); }
#if IN_NODES
    tell(state, bodies, launch, handle, role);
#endif
}
