// Counts the values of a column by slots. Words of the launch block: 0 rows, 4 turn, 8 first word of the column, 9 that
// of the slots, 14 workgroups, 16 and 17 least value of slot 0, 18 and 19 values in a slot, 20 slots, 21 and 22 how far
// from the least value the first value past all slots is, 23 whether there is one.
//
// Bound by reading the column once where the slots fit in the memory of a workgroup; else by the atomics.
const SHARED_SLOTS = 2048u;
var<workgroup> counts: array<atomic<u32>, 2048>;

// The slot of a distance that lies in one: so the quotient has one word.
fn slot_of(distance: Bits) -> u32 {
    let width = vec2<u32>(launch[18], launch[19]);
    let d = vec2<u32>(low_word(distance), high_word(distance));
    if (d.y == 0u) {
        if (width.y != 0u) { return 0u; }
        return d.x / width.x;
    }
    // Bit by bit.
    var rest = vec2<u32>(d.y, 0u);
    var quotient = 0u;
    for (var i = 0u; i < 32u; i++) {
        let carried = rest.y >> 31u;
        rest = vec2<u32>((rest.x << 1u) | ((d.x >> (31u - i)) & 1u), (rest.y << 1u) | (rest.x >> 31u));
        quotient <<= 1u;
        if (carried == 1u || rest.y > width.y || (rest.y == width.y && rest.x >= width.x)) {
            rest = vec2<u32>(rest.x - width.x, rest.y - width.y - select(0u, 1u, rest.x < width.x));
            quotient |= 1u;
        }
    }
    return quotient;
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let rows = select(0u, launch[0], in_turn());
    let slots = launch[20];
    let lowest = key_of(of_words(launch[16], launch[17]));
    let bound = of_words(launch[21], launch[22]);
    let local_slots = slots <= SHARED_SLOTS;
    let number = group.y * groups.x + group.x;
    for (var i = local; i < min(slots, SHARED_SLOTS); i += 256u) { atomicStore(&counts[i], 0u); }
    workgroupBarrier();
    for (var row = number * 256u + local; row < rows; row += launch[14] * 256u) {
        let key = key_of(value(row));
        let distance = minus(key, lowest);
        if (!is_below(key, lowest) && (launch[23] == 0u || is_below(distance, bound))) {
            let slot = slot_of(distance);
            if (local_slots) {
                atomicAdd(&counts[slot], 1u);
            } else {
                atomicAdd(&tally[launch[9] + slot], 1u);
            }
        }
    }
    workgroupBarrier();
    if (local_slots) {
        for (var i = local; i < slots; i += 256u) {
            let count = atomicLoad(&counts[i]);
            if (count > 0u) { atomicAdd(&tally[launch[9] + i], count); }
        }
    }
}
