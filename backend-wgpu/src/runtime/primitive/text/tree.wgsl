// A level of the sum of floats over the fixed tree: a workgroup sums 32 blocks of 256 values. Words of the launch
// block: 0 values, 4 turn, 8 first word of the values, 9 that of the sums, 14 workgroups, 15 the bits of -0.
//
// Bound by reading the values once.
// A block's 32 values lie 33 apart, so that invocations at the same stride in different blocks use different banks.
var<workgroup> sums: array<f32, 1056>;

// Value `i`. Beyond the last is -0, which every value can be added to without a trace: so all blocks are whole.
fn value(i: u32, count: u32) -> f32 {
    if (i < count) { return bitcast<f32>(input[launch[8] + i]); }
    return bitcast<f32>(launch[15]);
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let turn = in_turn();
    let count = launch[0];
    let number = group.y * groups.x + group.x;
    let blocks = count / 256u + min(count % 256u, 1u);
    for (var i = local / 32u; i < 32u; i += 8u) {
        let block = number * 32u + i;
        var sum = bitcast<f32>(launch[15]);
        if (block < blocks) {
            let at = block * 256u + local % 32u;
            let x0 = value(at, count);
            let x1 = value(at + 32u, count);
            let x2 = value(at + 64u, count);
            let x3 = value(at + 96u, count);
            let x4 = value(at + 128u, count);
            let x5 = value(at + 160u, count);
            let x6 = value(at + 192u, count);
            let x7 = value(at + 224u, count);
            sum = ((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7));
        }
        sums[i * 33u + local % 32u] = sum;
    }
    for (var stride = 16u; stride > 0u; stride >>= 1u) {
        workgroupBarrier();
        for (var i = local; i < 32u * stride; i += 256u) {
            let at = (i / stride) * 33u + i % stride;
            sums[at] = sums[at] + sums[at + stride];
        }
    }
    workgroupBarrier();
    let block = number * 32u + local;
    if (turn && local < 32u && block < blocks) { output[launch[9] + block] = bitcast<u32>(sums[local * 33u]); }
}
