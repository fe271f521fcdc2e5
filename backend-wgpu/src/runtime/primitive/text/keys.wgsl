// Keys, whose unsigned order is the total order. KIND: 0 unsigned, 1 signed, 2 float. FLIP: 1 where the greatest is
// looked for, so that it has the least key.
//
// No function here branches: SwiftShader's compiler does not end on loops with many branches of two sides.

// The bits that differ between a value and its key, by whether the value is negative.
fn turned(negative: bool) -> Bits {
    let bits = select(select(NONE, SIGN, KIND > 0u), ALL_ONES, (KIND == 2u) & negative);
    return select(bits, ~bits, FLIP == 1u);
}

// The key: a NaN, whatever its sign and payload, has the greatest, which no number has.
fn key_of(x: Bits) -> Bits {
    let key = x ^ turned((high_bits(x) >> 31u) == 1u);
    return select(key, ALL_ONES, (KIND == 2u) & is_below(INFINITY_BITS, x & ~SIGN));
}

// The value of a key.
fn bits_of(key: Bits) -> Bits {
    let value = key ^ turned((high_bits(key) >> 31u) == FLIP);
    return select(value, NAN_BITS, (KIND == 2u) & is_same(key, ALL_ONES));
}
