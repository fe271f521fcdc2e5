// What an invocation holds while it reads vectors: a sum for each of their elements.
alias Held = vec4<f32>;
fn hold() -> Held { return vec4<f32>(nothing()); }
fn take(held: Held, v: vec4<u32>, row: u32) -> Held { return held + bitcast<vec4<f32>>(v); }
fn held_acc(held: Held) -> Acc { return join(join(held.x, held.y), join(held.z, held.w)); }
