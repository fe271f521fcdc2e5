// What an invocation holds while it reads vectors: the least key and its row. Rows come in order, so only a lower key
// takes its place.
alias Held = Acc;
fn hold() -> Held { return nothing(); }
fn take(held: Held, v: vec4<u32>, row: u32) -> Held {
    let x = key_of(v.xy);
    let y = key_of(v.zw);
    let second = is_below(y, x);
    let least = select(x, y, second);
    var now = held;
    if (is_below(least, held.key)) { now = Acc(least, row + select(0u, 1u, second)); }
    return now;
}
fn held_acc(held: Held) -> Acc { return held; }
