// The dispatch that passes the turn on in a program.
//
// Head of `state`: 0 turn, 1 reason, 2 test that holds, 3 and 4 steps of the outermost loop, 5 stop asked for; from 16
// on four words for each inner loop: its steps since it was entered (two words), all its steps; fault slots follow at
// FIRST_SLOT. Words of `launch`: 0 number of slots, 1 number of tests, 2 and 3 step limit, 4 turn, 5 turn if the loop
// goes on, 6 turn if it is done, 7 counter; from word 8 on, eight words for each test: buffer, word in it, 0, scalar,
// comparison, constant (two words), 0.
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

// Halts everything: no operation has this turn.
fn halt(reason: u32) {
    atomicStore(&state[1], reason);
    atomicStore(&state[0], 0xffffffffu);
}

// A loop is done. The outermost one counts in word 3.
fn done(counter: u32, turn: u32, reason: u32) {
    if (counter == 3u) {
        halt(reason);
        return;
    }
    atomicStore(&state[counter], 0u);
    atomicStore(&state[counter + 1u], 0u);
    atomicStore(&state[0], turn);
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
    if (local != 0u || atomicLoad(&state[0]) != launch[4]) {
        return;
    }
    let counter = launch[7];
    if (counter == 0u) {
        if (atomicLoad(&faulted) != 0u) {
            halt(3u);
        } else {
            atomicStore(&state[0], launch[5]);
        }
        return;
    }
    let low = atomicLoad(&state[counter]) + 1u;
    let high = atomicLoad(&state[counter + 1u]) + select(0u, 1u, low == 0u);
    atomicStore(&state[counter], low);
    atomicStore(&state[counter + 1u], high);
    if (counter != 3u) {
        atomicStore(&state[counter + 2u], atomicLoad(&state[counter + 2u]) + 1u);
    }
    if (atomicLoad(&faulted) != 0u) {
        halt(3u);
        return;
    }
    for (var test = 0u; test < launch[1]; test++) {
        let at = 8u + test * 8u;
        let scalar = launch[at + 3u];
        let word = launch[at + 1u];
        let wide = scalar == 2u || scalar == 3u || scalar == 5u;
        let first = value(launch[at], word);
        var second = 0u;
        if (wide) {
            second = value(launch[at], word + 1u);
        }
        let constant = ordered(scalar, launch[at + 5u], launch[at + 6u]);
        if (holds(launch[at + 4u], ordered(scalar, first, second), constant)) {
            if (counter == 3u) {
                atomicStore(&state[2], test);
            }
            done(counter, launch[6], 1u);
            return;
        }
    }
    if (low == launch[2] && high == launch[3]) {
        done(counter, launch[6], 2u);
    } else if (counter == 3u && atomicLoad(&state[5]) != 0u) {
        halt(4u);
    } else {
        atomicStore(&state[0], launch[5]);
    }
}
