// Moves words. Words of the launch block: 0 words, 4 turn, 8 first word of what is read, 9 of what is written, 10 of a
// list, 14 workgroups, 16 what is done: 0 copy, 1 gather of pairs of words by a list of rows, 2 fill with words 18 and
// 19 by turns, 3 fill with what is read; 17 words of a value. Bound by reading and writing once.
fn moved(i: u32) -> u32 {
    switch launch[16] {
        case 0u: { return input[launch[8] + i]; }
        case 1u: { return input[launch[8] + list[launch[10] + i / 2u] * 2u + i % 2u]; }
        case 2u: { return launch[18u + i % launch[17]]; }
        default: { return input[launch[8] + i % launch[17]]; }
    }
}

@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let words = select(0u, launch[0], in_turn());
    let number = group.y * groups.x + group.x;
    let tiles = words / 1024u + min(words % 1024u, 1u);
    for (var tile = number; tile < tiles; tile += launch[14]) {
        let first = tile * 1024u + local;
        for (var i = 0u; i < 4u; i++) {
            let at = first + i * 256u;
            if (at < words) { output[launch[9] + at] = moved(at); }
        }
    }
}
