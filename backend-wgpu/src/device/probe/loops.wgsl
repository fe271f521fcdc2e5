// One loop of many rounds.

@group(0) @binding(0) var<storage, read> rounds: array<u32>;
@group(0) @binding(1) var<storage, read_write> mixed: array<u32>;

@compute @workgroup_size(1)
fn main() {
    let count = rounds[0];
    var all = 0u;
    for (var round = 0u; round < count; round += 1u) {
        all = ((all << 5u) | (all >> 27u)) ^ round;
    }
    mixed[0] = all;
}
