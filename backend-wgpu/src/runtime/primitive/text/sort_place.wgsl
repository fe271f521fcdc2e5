// The third dispatch of a pass: each chunk's keys and payloads go to their places, a tile of 16 rows for each
// invocation at a time. Bound by reading and writing both once.
const ITEMS = 16u;
const TILE = 256u * ITEMS;
var<workgroup> places: array<u32, 16>;

fn put(at: u32, x: Bits, payload: u32) {
    if (launch[18] == 1u) {
        let word = launch[9] + at * (4u / LANES);
        keys_to[word] = low_word(x);
        if (LANES == 2u) { keys_to[word + 1u] = high_word(x); }
    }
    payloads_to[launch[10] + at] = payload;
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = group.y * groups.x + group.x;
    let chunk = chunk_of(number, local);
    let chunks = launch[14];
    // Where the chunk's first key of each digit goes: after all smaller digits, and after the chunks before.
    if (local < DIGITS && chunk.y > chunk.x) {
        var place = matrix[local * chunks + number];
        for (var digit = 0u; digit < local; digit++) { place += matrix[DIGITS * chunks + digit]; }
        places[local] = place;
    }
    for (var first = chunk.x; first < chunk.y; first += TILE) {
        clear_counts(local);
        let at = first + local * ITEMS;
        let end = min(at + ITEMS, chunk.y);
        for (var row = at; row < end; row++) { count_digit(digit_of(value(row)), local); }
        workgroupBarrier();
        // The counts in the order of digits and invocations become what comes before, of the lower and the upper digits
        // at once.
        var own = 0u;
        for (var i = 0u; i < PAIRS; i++) { own += counts[local * PAIRS + i]; }
        var before = before_invocation(own, local);
        let all = scanned[511];
        before += all << 16u;
        for (var i = 0u; i < PAIRS; i++) {
            let count = counts[local * PAIRS + i];
            counts[local * PAIRS + i] = before;
            before += count;
        }
        workgroupBarrier();
        // Places become those of number 0 of the tile, so that a number in the tile gives a place. They may wrap around
        // meanwhile.
        var next = (all & 0xffffu) + (all >> 16u);
        if (local < DIGITS) {
            if (local + 1u < DIGITS) { next = counted(local + 1u, 0u); }
            places[local] -= counted(local, 0u);
        }
        workgroupBarrier();
        for (var row = at; row < end; row++) {
            let x = value(row);
            let digit = digit_of(x);
            var payload = row;
            if (launch[17] == 0u) { payload = payloads[launch[11] + row]; }
            put(places[digit] + counted(digit, local), x, payload);
            count_digit(digit, local);
        }
        workgroupBarrier();
        if (local < DIGITS) { places[local] += next; }
        workgroupBarrier();
    }
}
