// A pass of a stable radix sort over digits of four bits, three dispatches: every chunk of rows counts its digits, the
// counts are summed up, and every chunk puts its keys and payloads in their places. WebGPU orders nothing between the
// workgroups of a dispatch.
// Words of the launch block: 9 first word where keys go, 10 where payloads go, 11 first word of the payloads, 16 first
// bit of the digit, 17 whether the payload is the row number, 18 whether keys are written. The matrix: for each digit
// the count of each chunk, later what comes before it; after it the counts of the digits.
//
// An invocation counts in a column of its own, two digits to a word: nothing is counted by two, and no atomics are
// needed. Keys stay as they are, and their order is that of `key_of`: so a NaN keeps its bits.
const DIGITS = 16u;
const PAIRS = 8u;
var<workgroup> counts: array<u32, 2048>;

fn digit_of(x: Bits) -> u32 {
    let key = key_of(x);
    let word = select(low_word(key), high_word(key), launch[16] >= 32u);
    return (word >> (launch[16] % 32u)) % DIGITS;
}
fn count_place(digit: u32, local: u32) -> u32 { return (digit % PAIRS) * 256u + local; }
fn count_shift(digit: u32) -> u32 { return (digit / PAIRS) * 16u; }

fn clear_counts(local: u32) {
    for (var i = 0u; i < PAIRS; i++) { counts[i * 256u + local] = 0u; }
}
fn count_digit(digit: u32, local: u32) { counts[count_place(digit, local)] += 1u << count_shift(digit); }
fn counted(digit: u32, local: u32) -> u32 {
    return (counts[count_place(digit, local)] >> count_shift(digit)) & 0xffffu;
}
