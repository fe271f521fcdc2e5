// The least key and the first row that has it.
struct Acc {
    key: Bits,
    row: u32,
}
const PARTIAL_WORDS = 3u;
fn nothing() -> Acc { return Acc(ALL_ONES, 0xffffffffu); }
fn one(x: Bits, row: u32) -> Acc { return Acc(key_of(x), row); }
fn join(p: Acc, q: Acc) -> Acc {
    let better = is_below(q.key, p.key) | (is_same(q.key, p.key) & (q.row < p.row));
    return Acc(select(p.key, q.key, better), select(p.row, q.row, better));
}
fn acc_word(acc: Acc, i: u32) -> u32 {
    return select(select(acc.row, high_word(acc.key), i == 1u), low_word(acc.key), i == 0u);
}
fn acc_of(low: u32, high: u32, row: u32) -> Acc { return Acc(of_words(low, high), row); }
