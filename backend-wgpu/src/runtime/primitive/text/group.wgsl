// Joins what the invocations of a workgroup hold; the first gets it.
var<workgroup> joined: array<Acc, 256>;

fn group_join(mine: Acc, local: u32) -> Acc {
    joined[local] = mine;
    workgroupBarrier();
    for (var stride = 128u; stride > 0u; stride >>= 1u) {
        if (local < stride) { joined[local] = join(joined[local], joined[local + stride]); }
        workgroupBarrier();
    }
    return joined[0];
}
