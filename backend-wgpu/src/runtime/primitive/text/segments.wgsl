// Reduces segments of a column. Words of the launch block: 0 segments, 4 turn, 8 first word of the column, 9 of the
// results, 10 of where segments start, 14 workgroups, 15 the bits of -0, 16 rows of the column, 17 invocations for each
// segment (1 or 256), 20 and 21 what no rows give. Bound by reading the column once, if segments are about as long as
// the host thinks: it has their mean.
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let segments = select(0u, launch[0], all_in_turn(local));
    let rows = launch[16];
    let lanes = launch[17];
    let at_once = 256u / lanes;
    let lane = local % lanes;
    let number = group.y * groups.x + group.x;
    for (var first = number * at_once; first < segments; first += launch[14] * at_once) {
        let segment = first + local / lanes;
        var begin = 0u;
        var end = 0u;
        if (segment < segments) {
            begin = starts[launch[10] + segment];
            end = min(starts[launch[10] + segment + 1u], rows);
            // No rows: at the start, so that no row number of any invocation wraps around.
            if (begin >= end) {
                begin = 0u;
                end = 0u;
            }
        }
        var acc = nothing();
        for (var row = begin + lane; row < end; row += lanes) { acc = join(acc, one(value(row), row)); }
        if (lanes == 256u) {
            acc = group_join(acc, local);
            // The next segment's values go where this one's are still being read.
            workgroupBarrier();
        }
        if (lane == 0u && segment < segments) {
            var bits = of_words(launch[20], launch[21]);
            if (begin < end) { bits = VALUE; }
            let word = launch[9] + segment * (4u / LANES);
            output[word] = low_word(bits);
            if (LANES == 2u) { output[word + 1u] = high_word(bits); }
        }
    }
}
