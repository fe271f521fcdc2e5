// The sum of floats, in any order. It starts at -0, to which everything can be added without a trace.
alias Acc = f32;
const PARTIAL_WORDS = 1u;
fn nothing() -> Acc { return bitcast<f32>(launch[15]); }
fn one(x: Bits, row: u32) -> Acc { return bitcast<f32>(x); }
fn join(p: Acc, q: Acc) -> Acc { return p + q; }
fn acc_word(acc: Acc, i: u32) -> u32 { return bitcast<u32>(acc); }
fn acc_of(low: u32, high: u32, row: u32) -> Acc { return bitcast<f32>(low); }
