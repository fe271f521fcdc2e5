// The sum; it wraps.
alias Acc = Bits;
const PARTIAL_WORDS = 2u;
fn nothing() -> Acc { return NONE; }
fn one(x: Bits, row: u32) -> Acc { return x; }
fn join(p: Acc, q: Acc) -> Acc { return plus(p, q); }
fn acc_word(acc: Acc, i: u32) -> u32 { return select(high_word(acc), low_word(acc), i == 0u); }
fn acc_of(low: u32, high: u32, row: u32) -> Acc { return of_words(low, high); }
