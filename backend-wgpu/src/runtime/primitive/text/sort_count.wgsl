// The first dispatch of a pass: how many keys of each chunk have each digit. Bound by reading the keys once. A chunk
// has fewer than 2^16 rows for each invocation.
var<workgroup> parts: array<u32, 512>;

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let number = group.y * groups.x + group.x;
    let chunk = chunk_of(number, local);
    clear_counts(local);
    for (var row = chunk.x + local; row < chunk.y; row += 256u) { count_digit(digit_of(value(row)), local); }
    workgroupBarrier();
    // 32 invocations for each pair of digits.
    var low = 0u;
    var high = 0u;
    for (var i = 0u; i < 8u; i++) {
        let both = counts[(local / 32u) * 256u + i * 32u + local % 32u];
        low += both & 0xffffu;
        high += both >> 16u;
    }
    parts[local] = low;
    parts[256u + local] = high;
    workgroupBarrier();
    if (local < DIGITS && chunk.y > chunk.x) {
        var count = 0u;
        for (var i = 0u; i < 32u; i++) { count += parts[local * 32u + i]; }
        matrix[local * launch[14] + number] = count;
    }
}
