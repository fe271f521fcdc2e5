// What came before in a workgroup, in the order of its invocations.
var<workgroup> scanned: array<Acc, 512>;

// What the invocations before this one hold. The group's whole is `scanned[511]` until the next call.
fn before_invocation(mine: Acc, local: u32) -> Acc {
    var half = 0u;
    workgroupBarrier();
    scanned[local] = mine;
    // Eight steps from one half to the other: the last writes the lower one.
    for (var distance = 1u; distance < 256u; distance <<= 1u) {
        workgroupBarrier();
        var acc = scanned[half + local];
        if (local >= distance) { acc = join(scanned[half + local - distance], acc); }
        half = 256u - half;
        scanned[half + local] = acc;
    }
    workgroupBarrier();
    if (local == 255u) { scanned[511] = scanned[half + 255u]; }
    var before = nothing();
    if (local > 0u) { before = scanned[half + local - 1u]; }
    workgroupBarrier();
    return before;
}
