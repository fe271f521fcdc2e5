// The second dispatch of a scan. Words of the launch block: 9 first word of the result, 20 and 21 what no rows give, 25
// whether a row is left out of its own result. An invocation has four rows one after another. Bound by reading the
// column twice and writing the result once.
fn put(row: u32, bits: Bits) {
    let word = launch[9] + row * (4u / LANES);
    output[word] = low_word(bits);
    if (LANES == 2u) { output[word + 1u] = high_word(bits); }
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = group.y * groups.x + group.x;
    let chunk = chunk_of(number, local);
    let exclusive = launch[25] == 1u;
    var carried = before_chunk(number, local);
    for (var first = chunk.x; first < chunk.y; first += 1024u) {
        let row = first + local * 4u;
        var x: array<Acc, 4>;
        var sum = nothing();
        for (var i = 0u; i < 4u; i++) {
            x[i] = nothing();
            if (row + i < chunk.y) { x[i] = one(value(row + i), row + i); }
            sum = join(sum, x[i]);
        }
        var acc = join(carried, before_invocation(sum, local));
        carried = join(carried, scanned[511]);
        for (var i = 0u; i < 4u; i++) {
            let next = join(acc, x[i]);
            if (row + i < chunk.y) {
                var shown = next;
                if (exclusive) { shown = acc; }
                var bits = VALUE;
                if (exclusive && row + i == 0u) { bits = of_words(launch[20], launch[21]); }
                put(row + i, bits);
            }
            acc = next;
        }
    }
}
