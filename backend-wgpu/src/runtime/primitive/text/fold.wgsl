// The first of two dispatches of a reduction or census: every workgroup leaves what its tiles give. Words of the launch
// block: 0 rows, 4 turn, 8 first word of the column, 10 that of the value compared with, 14 workgroups, 15 the bits of
// -0.
// Bound by reading the column once, 16 bytes for each of four loads of an invocation.
const UNROLL = 4u;
const TILE = 256u * UNROLL;

fn value(row: u32) -> Bits {
    let word = launch[8] + row * (4u / LANES);
    if (LANES == 4u) { return of_words(column[word / 4u][word % 4u], 0u); }
    return of_words(column[word / 4u][word % 4u], column[word / 4u][word % 4u + 1u]);
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let turn = in_turn();
    let rows = select(0u, launch[0], turn);
    let number = group.y * groups.x + group.x;
    PREPARE
    // Rows before the first whole vector.
    let gap = (LANES - (launch[8] / (4u / LANES)) % LANES) % LANES;
    let head = min(gap, rows);
    let vectors = (rows - head) / LANES;
    let first_vector = (launch[8] + 3u) / 4u;
    let tiles = (vectors + TILE - 1u) / TILE;
    var held0 = hold();
    var held1 = hold();
    var held2 = hold();
    var held3 = hold();
    for (var tile = number; tile < tiles; tile += launch[14]) {
        let at = tile * TILE + local;
        if (vectors - tile * TILE >= TILE) {
            let v0 = column[first_vector + at];
            let v1 = column[first_vector + at + 256u];
            let v2 = column[first_vector + at + 512u];
            let v3 = column[first_vector + at + 768u];
            held0 = take(held0, v0, head + at * LANES);
            held1 = take(held1, v1, head + (at + 256u) * LANES);
            held2 = take(held2, v2, head + (at + 512u) * LANES);
            held3 = take(held3, v3, head + (at + 768u) * LANES);
        } else {
            for (var i = at; i < vectors; i += 256u) {
                held0 = take(held0, column[first_vector + i], head + i * LANES);
            }
        }
    }
    var acc = join(join(held_acc(held0), held_acc(held1)), join(held_acc(held2), held_acc(held3)));
    if (number == 0u) {
        let tail = head + vectors * LANES;
        if (local < head) { acc = join(acc, one(value(local), local)); }
        if (local < rows - tail) { acc = join(acc, one(value(tail + local), tail + local)); }
    }
    acc = group_join(acc, local);
    if (turn && local == 0u && number < launch[14]) {
        for (var i = 0u; i < PARTIAL_WORDS; i++) { output[number * PARTIAL_WORDS + i] = acc_word(acc, i); }
    }
}
