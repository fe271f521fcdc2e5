// Values of two words, as bits: the low word first. They need no 64-bit integers of the device.
alias Bits = vec2<u32>;
const LANES = 2u;
const NONE: Bits = vec2<u32>(0u, 0u);
const ALL_ONES: Bits = vec2<u32>(0xffffffffu, 0xffffffffu);
const SIGN: Bits = vec2<u32>(0u, 0x80000000u);
const INFINITY_BITS: Bits = vec2<u32>(0u, 0x7ff00000u);
const NAN_BITS: Bits = vec2<u32>(0u, 0x7ff80000u);

fn is_below(p: Bits, q: Bits) -> bool { return (p.y < q.y) | ((p.y == q.y) & (p.x < q.x)); }
fn is_same(p: Bits, q: Bits) -> bool { return all(p == q); }
fn plus(p: Bits, q: Bits) -> Bits {
    let low = p.x + q.x;
    return vec2<u32>(low, p.y + q.y + select(0u, 1u, low < p.x));
}
fn minus(p: Bits, q: Bits) -> Bits {
    return vec2<u32>(p.x - q.x, p.y - q.y - select(0u, 1u, p.x < q.x));
}
fn of_words(low: u32, high: u32) -> Bits { return vec2<u32>(low, high); }
fn low_word(x: Bits) -> u32 { return x.x; }
fn high_word(x: Bits) -> u32 { return x.y; }
fn high_bits(x: Bits) -> u32 { return x.y; }
