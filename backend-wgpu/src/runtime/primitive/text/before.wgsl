// What the chunks before `number` give, as the first dispatch left it.
fn before_chunk(number: u32, local: u32) -> Acc {
    var acc = nothing();
    for (var i = local; i < min(number, launch[14]); i += 256u) {
        let at = i * PARTIAL_WORDS;
        acc = join(acc, acc_of(partials[at], partials[at + PARTIAL_WORDS - 1u], 0u));
    }
    acc = group_join(acc, local);
    workgroupBarrier();
    return acc;
}
