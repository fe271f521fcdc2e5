// The second dispatch of a selection: lists the rows of each chunk that pass. Words of the launch block: 9 first word
// of the list, 11 that of the count. An invocation has eight rows one after another. Bound by reading the column twice
// and writing the list once.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = group.y * groups.x + group.x;
    let chunk = chunk_of(number, local);
    set_test();
    var carried = before_chunk(number, local);
    for (var first = chunk.x; first < chunk.y; first += 2048u) {
        let row = first + local * 8u;
        var passing = 0u;
        for (var i = 0u; i < 8u; i++) {
            if (row + i < chunk.y) { passing |= select(0u, 1u, passes(value(row + i))) << i; }
        }
        var place = carried + before_invocation(countOneBits(passing), local);
        carried += scanned[511];
        for (var i = 0u; i < 8u; i++) {
            if ((passing & (1u << i)) != 0u) {
                output[launch[9] + place] = row + i;
                place++;
            }
        }
    }
    if (in_turn() && local == 0u && number + 1u == launch[14]) { count[launch[11]] = carried; }
}
