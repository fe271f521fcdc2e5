// The second dispatch of a pass: a workgroup for each digit sums up the counts of the chunks. A few kilobytes.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let chunks = select(0u, launch[14], all_in_turn(local));
    var carried = 0u;
    for (var first = 0u; first < chunks; first += 256u) {
        let at = group.x * chunks + first + local;
        var own = 0u;
        if (first + local < chunks) { own = matrix[at]; }
        let before = carried + before_invocation(own, local);
        carried += scanned[511];
        if (first + local < chunks) { matrix[at] = before; }
    }
    if (local == 0u && chunks > 0u) { matrix[16u * chunks + group.x] = carried; }
}
