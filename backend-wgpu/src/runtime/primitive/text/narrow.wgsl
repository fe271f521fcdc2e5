// Values of one word, as bits.
alias Bits = u32;
const LANES = 4u;
const NONE: Bits = 0u;
const ALL_ONES: Bits = 0xffffffffu;
const SIGN: Bits = 0x80000000u;
const INFINITY_BITS: Bits = 0x7f800000u;
const NAN_BITS: Bits = 0x7fc00000u;

fn is_below(p: Bits, q: Bits) -> bool { return p < q; }
fn is_same(p: Bits, q: Bits) -> bool { return p == q; }
fn plus(p: Bits, q: Bits) -> Bits { return p + q; }
fn minus(p: Bits, q: Bits) -> Bits { return p - q; }
fn of_words(low: u32, high: u32) -> Bits { return low; }
fn low_word(x: Bits) -> u32 { return x; }
fn high_word(x: Bits) -> u32 { return 0u; }
fn high_bits(x: Bits) -> u32 { return x; }
