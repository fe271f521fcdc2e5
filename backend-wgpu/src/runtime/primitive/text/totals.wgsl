// The first of two dispatches of a scan or selection: what the rows of each chunk give. Bound by reading the column
// once.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = group.y * groups.x + group.x;
    let chunk = chunk_of(number, local);
    PREPARE
    var acc0 = nothing();
    var acc1 = nothing();
    var acc2 = nothing();
    var acc3 = nothing();
    var row = chunk.x + local;
    // Four loads under way in every invocation.
    for (; row + 768u < chunk.y; row += 1024u) {
        let x0 = value(row);
        let x1 = value(row + 256u);
        let x2 = value(row + 512u);
        let x3 = value(row + 768u);
        acc0 = join(acc0, one(x0, row));
        acc1 = join(acc1, one(x1, row + 256u));
        acc2 = join(acc2, one(x2, row + 512u));
        acc3 = join(acc3, one(x3, row + 768u));
    }
    for (; row < chunk.y; row += 256u) { acc0 = join(acc0, one(value(row), row)); }
    let acc = group_join(join(join(acc0, acc1), join(acc2, acc3)), local);
    if (local == 0u && chunk.y > chunk.x) {
        for (var i = 0u; i < PARTIAL_WORDS; i++) { output[number * PARTIAL_WORDS + i] = acc_word(acc, i); }
    }
}
