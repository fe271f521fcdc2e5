// Keys, whose unsigned order is the total order. KIND: 0 unsigned, 1 signed, 2 float. FLIP: 1 where the greatest is
// looked for, so that it has the least key.

// The key: a NaN, whatever its sign and payload, has the greatest, which no number has.
fn key_of(x: Bits) -> Bits {
    var key = x;
    if (KIND == 1u) {
        key = x ^ SIGN;
    } else if (KIND == 2u) {
        if (is_below(INFINITY_BITS, x & ~SIGN)) { return ALL_ONES; }
        key = select(x ^ SIGN, ~x, (high_bits(x) >> 31u) == 1u);
    }
    if (FLIP == 1u) { key = ~key; }
    return key;
}

// The value of a key.
fn bits_of(given: Bits) -> Bits {
    if (KIND == 2u && is_same(given, ALL_ONES)) { return NAN_BITS; }
    var key = given;
    if (FLIP == 1u) { key = ~key; }
    if (KIND == 1u) { return key ^ SIGN; }
    if (KIND == 2u) { return select(~key, key ^ SIGN, (high_bits(key) >> 31u) == 1u); }
    return key;
}

fn high_bits(x: Bits) -> u32 {
    if (LANES == 4u) { return low_word(x); }
    return high_word(x);
}
