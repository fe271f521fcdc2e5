// The kernel that passes the turn on in a program.
//
// Head of `state`: 0 turn, 1 reason, 2 test that holds, 3 and 4 steps of the outermost loop, 5 stop asked for; from 16
// on four words for each inner loop: its steps since it was entered (two words), all its steps; fault slots follow at
// FIRST_SLOT. Words of `launch`: 0 number of slots, 1 number of tests, 2 and 3 step limit, 4 turn, 5 turn if the loop
// goes on, 6 turn if it is done, 7 counter; from word 8 on, eight words for each test: buffer, word in it (two words),
// scalar, comparison, constant (two words), 0.
typedef struct { uint w[LAUNCH_WORDS]; } imminent_launch;

// A scalar as an unsigned number whose order is the scalar's; `unordered` is set for NaN, which has none.
// Floats are compared by their bits, so that it does not matter what the device makes of them.
static ulong ordered(uint scalar, uint low, uint high, bool *unordered) {
    const ulong wide = (ulong)low | ((ulong)high << 32);
    switch (scalar) {
        case 1: return (ulong)(low ^ 0x80000000u);
        case 2: return wide;
        case 3: return wide ^ 0x8000000000000000ul;
        case 4: {
            const uint magnitude = low & 0x7fffffffu;
            *unordered = *unordered || magnitude > 0x7f800000u;
            // Both zeros are the same number.
            if (magnitude == 0) return 0x80000000ul;
            return (ulong)((low >> 31) != 0 ? ~low : low | 0x80000000u);
        }
        case 5: {
            const ulong magnitude = wide & 0x7ffffffffffffffful;
            *unordered = *unordered || magnitude > 0x7ff0000000000000ul;
            if (magnitude == 0) return 0x8000000000000000ul;
            return (wide >> 63) != 0 ? ~wide : wide | 0x8000000000000000ul;
        }
        default: return (ulong)low;
    }
}

static bool holds(uint comparison, ulong a, ulong b, bool unordered) {
    switch (comparison) {
        case 0: return !unordered && a == b;
        case 1: return unordered || a != b;
        case 2: return !unordered && a < b;
        case 3: return !unordered && a <= b;
        case 4: return !unordered && a > b;
        default: return !unordered && a >= b;
    }
}

// Halts everything: no operation has this turn.
static void halt(__global uint *state, uint reason) {
    state[1] = reason;
    state[0] = 0xffffffffu;
}

// A loop is done. The outermost one counts in word 3.
static void done(__global uint *state, uint counter, uint turn, uint reason) {
    if (counter == 3) {
        halt(state, reason);
        return;
    }
    state[counter] = 0;
    state[counter + 1] = 0;
    state[0] = turn;
}

__kernel void control(__global uint *state, imminent_launch launch/* parameters */) {
    __local uint faulted;
    const uint invocation = (uint)get_local_id(0);
    const uint size = (uint)get_local_size(0);
    if (invocation == 0) {
        faulted = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint slot = invocation; slot < launch.w[0]; slot += size) {
        if (state[FIRST_SLOT + slot] != 0xffffffffu) {
            atomic_max(&faulted, 1u);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (invocation != 0 || state[0] != launch.w[4]) {
        return;
    }
    const uint counter = launch.w[7];
    if (counter == 0) {
        if (faulted != 0) {
            halt(state, 3);
        } else {
            state[0] = launch.w[5];
        }
        return;
    }
    const ulong steps = ((ulong)state[counter] | ((ulong)state[counter + 1] << 32)) + 1;
    state[counter] = (uint)steps;
    state[counter + 1] = (uint)(steps >> 32);
    if (counter != 3) {
        state[counter + 2] += 1;
    }
    if (faulted != 0) {
        halt(state, 3);
        return;
    }
    for (uint test = 0; test < launch.w[1]; test++) {
        const uint at = 8 + test * 8;
        const ulong word = (ulong)launch.w[at + 1] | ((ulong)launch.w[at + 2] << 32);
        const uint scalar = launch.w[at + 3];
        const bool wide = scalar == 2 || scalar == 3 || scalar == 5;
        __global const uint *values = 0;
        switch (launch.w[at]) {
            /* cases */
        }
        if (values == 0) {
            continue;
        }
        bool unordered = false;
        const ulong value = ordered(scalar, values[word], wide ? values[word + 1] : 0, &unordered);
        const ulong bound = ordered(scalar, launch.w[at + 5], launch.w[at + 6], &unordered);
        if (holds(launch.w[at + 4], value, bound, unordered)) {
            if (counter == 3) {
                state[2] = test;
            }
            done(state, counter, launch.w[6], 1);
            return;
        }
    }
    if (steps == ((ulong)launch.w[2] | ((ulong)launch.w[3] << 32))) {
        done(state, counter, launch.w[6], 2);
    } else if (counter == 3 && state[5] != 0) {
        halt(state, 4);
    } else {
        state[0] = launch.w[5];
    }
}
