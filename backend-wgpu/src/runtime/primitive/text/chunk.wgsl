// Values of a column, and the chunk of its rows that a workgroup has. Words of the launch block: 0 rows, 4 turn, 8
// first word of the column, 14 workgroups, 15 the bits of -0, 24 rows of a chunk.
fn value(row: u32) -> Bits {
    let word = launch[8] + row * (4u / LANES);
    return of_words(column[word], column[word + 4u / LANES - 1u]);
}

// First row, and the row after the last; the same for none.
fn chunk_of(number: u32, local: u32) -> vec2<u32> {
    if (!all_in_turn(local) || number >= launch[14]) { return vec2<u32>(0u, 0u); }
    let begin = number * launch[24];
    return vec2<u32>(begin, begin + min(launch[0] - begin, launch[24]));
}
