// What an invocation holds while it reads vectors: the least key and its row. Rows come in order, so only a lower key
// takes its place, and which of a vector's rows it is, is looked at when there is one, which is seldom.
alias Held = Acc;
fn hold() -> Held { return nothing(); }
fn take(held: Held, v: vec4<u32>, row: u32) -> Held {
    let x = key_of(v.x);
    let y = key_of(v.y);
    let z = key_of(v.z);
    let least = min(min(x, y), min(z, key_of(v.w)));
    var now = held;
    if (least < held.key) {
        now = Acc(least, row + select(select(select(3u, 2u, z == least), 1u, y == least), 0u, x == least));
    }
    return now;
}
fn held_acc(held: Held) -> Acc { return held; }
