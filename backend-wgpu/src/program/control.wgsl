// The dispatch that ends a step of a program.
//
// Head of `state`: 0 halt flag, 1 reason, 2 test that holds, 3 and 4 steps done; fault slots follow.
// Block of `launch`: 0 number of slots, 2 and 3 step limit, 4 number of tests; from word 8 on, eight words for each test:
// buffer, word in it, scalar, comparison, constant (two words).
@group(0) @binding(0) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> launch: array<u32>;
/* declarations */

var<workgroup> faulted: atomic<u32>;

fn value(buffer: u32, at: u32) -> u32 {
    switch buffer {
        /* cases */
        default: { return 0u; }
    }
}

// A scalar as an unsigned number (low word, high word) whose order is the scalar's; z is 1 for NaN, which has none.
// Floats are compared by their bits, since a device may take them to be finite.
fn ordered(scalar: u32, low: u32, high: u32) -> vec3<u32> {
    switch scalar {
        case 1u: { return vec3<u32>(low ^ 0x80000000u, 0u, 0u); }
        case 2u: { return vec3<u32>(low, high, 0u); }
        case 3u: { return vec3<u32>(low, high ^ 0x80000000u, 0u); }
        case 4u: {
            let magnitude = low & 0x7fffffffu;
            let nan = select(0u, 1u, magnitude > 0x7f800000u);
            // Both zeros are the same number.
            if (magnitude == 0u) { return vec3<u32>(0x80000000u, 0u, nan); }
            return vec3<u32>(select(low | 0x80000000u, ~low, (low >> 31u) != 0u), 0u, nan);
        }
        case 5u: {
            let magnitude = high & 0x7fffffffu;
            let nan = select(0u, 1u, magnitude > 0x7ff00000u || (magnitude == 0x7ff00000u && low != 0u));
            if (magnitude == 0u && low == 0u) { return vec3<u32>(0u, 0x80000000u, nan); }
            if ((high >> 31u) != 0u) { return vec3<u32>(~low, ~high, nan); }
            return vec3<u32>(low, high | 0x80000000u, nan);
        }
        default: { return vec3<u32>(low, 0u, 0u); }
    }
}

fn holds(comparison: u32, a: vec3<u32>, b: vec3<u32>) -> bool {
    let comparable = a.z == 0u && b.z == 0u;
    let equal = comparable && a.x == b.x && a.y == b.y;
    let less = comparable && (a.y < b.y || (a.y == b.y && a.x < b.x));
    switch comparison {
        case 0u: { return equal; }
        case 1u: { return !equal; }
        case 2u: { return less; }
        case 3u: { return less || equal; }
        case 4u: { return comparable && !less && !equal; }
        default: { return comparable && !less; }
    }
}

fn halt(reason: u32) {
    atomicStore(&state[1], reason);
    atomicStore(&state[0], 1u);
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
    if (local == 0u) {
        atomicStore(&faulted, 0u);
    }
    workgroupBarrier();
    for (var slot = local; slot < launch[0]; slot += 64u) {
        if (atomicLoad(&state[FIRST_SLOT + slot]) != 0xffffffffu) {
            atomicStore(&faulted, 1u);
        }
    }
    workgroupBarrier();
    if (local != 0u || atomicLoad(&state[0]) != 0u) {
        return;
    }
    let low = atomicLoad(&state[3]) + 1u;
    let high = atomicLoad(&state[4]) + select(0u, 1u, low == 0u);
    atomicStore(&state[3], low);
    atomicStore(&state[4], high);
    if (atomicLoad(&faulted) != 0u) {
        halt(3u);
        return;
    }
    for (var test = 0u; test < launch[4]; test++) {
        let at = 8u + test * 8u;
        let scalar = launch[at + 2u];
        let word = launch[at + 1u];
        let wide = scalar == 2u || scalar == 3u || scalar == 5u;
        let first = value(launch[at], word);
        var second = 0u;
        if (wide) {
            second = value(launch[at], word + 1u);
        }
        let constant = ordered(scalar, launch[at + 4u], launch[at + 5u]);
        if (holds(launch[at + 3u], ordered(scalar, first, second), constant)) {
            atomicStore(&state[2], test);
            halt(1u);
            return;
        }
    }
    if (low == launch[2] && high == launch[3]) {
        halt(2u);
    }
}
