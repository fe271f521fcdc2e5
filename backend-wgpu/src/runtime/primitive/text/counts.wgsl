// Counts, added up.
alias Acc = u32;
fn nothing() -> Acc { return 0u; }
fn join(p: Acc, q: Acc) -> Acc { return p + q; }
