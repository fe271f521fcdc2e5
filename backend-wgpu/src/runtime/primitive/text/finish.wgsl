// The second dispatch: one workgroup joins what the others left. Words of the launch block: 0 rows, 8 first word of the
// result, 10 that of its row, 14 partial results, 20 and 21 what no rows give (of a census, 20: 0 how many, 1 whether
// any, 2 whether all).
@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    let turn = in_turn();
    let rows = launch[0];
    var acc = nothing();
    for (var i = local; i < launch[14]; i += 256u) {
        let at = i * PARTIAL_WORDS;
        acc = join(acc, acc_of(
            input[at],
            input[at + min(1u, PARTIAL_WORDS - 1u)],
            input[at + min(2u, PARTIAL_WORDS - 1u)],
        ));
    }
    acc = group_join(acc, local);
    if (turn && local == 0u) {
        RESULT
    }
}
