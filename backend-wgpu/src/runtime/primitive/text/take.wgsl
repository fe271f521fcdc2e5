// What an invocation holds while it reads vectors: one joined value.
alias Held = Acc;
fn hold() -> Held { return nothing(); }
fn take(held: Held, v: vec4<u32>, row: u32) -> Held { return join(held, vector(v, row)); }
fn held_acc(held: Held) -> Acc { return held; }
