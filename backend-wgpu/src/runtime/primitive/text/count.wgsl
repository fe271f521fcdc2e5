// How many rows pass a test: whether a key lies in a range, so that it costs the same whatever the comparison.
alias Acc = u32;
const PARTIAL_WORDS = 1u;
struct Test {
    start: Bits,
    span: Bits,
    negated: bool,
}
var<private> test: Test;

// Comparisons: 0 ==, 1 !=, 2 <, 3 <=, 4 >, 5 >=. Zeros are equal; a NaN passes != and nothing else.
fn test_of(comparison: u32, value: Bits) -> Test {
    var low = key_of(value);
    var high = low;
    var top = ALL_ONES;
    var never = false;
    if (KIND == 2u) {
        top = key_of(INFINITY_BITS);
        never = is_same(low, ALL_ONES);
        if (is_same(value & ~SIGN, NONE)) {
            low = key_of(SIGN);
            high = key_of(NONE);
        }
    }
    var first = low;
    var last = high;
    if (comparison == 2u || comparison == 3u) { first = NONE; }
    if (comparison == 4u || comparison == 5u) { last = top; }
    if (comparison == 2u) {
        never = never || is_same(low, NONE);
        last = minus(low, of_words(1u, 0u));
    }
    if (comparison == 4u) {
        never = never || is_same(high, top);
        first = plus(high, of_words(1u, 0u));
    }
    // Nothing passes: not any of all keys.
    if (never) { return Test(NONE, ALL_ONES, comparison != 1u); }
    return Test(first, minus(last, first), comparison == 1u);
}

// Words 16 comparison, 17 whether the value is on the device, 18 and 19 the value otherwise.
fn set_test() {
    var given = of_words(launch[18], launch[19]);
    if (launch[17] == 1u) {
        let at = launch[10];
        given = of_words(operand[at], operand[at + LANES_TO_HIGH]);
    }
    test = test_of(launch[16], given);
}
const LANES_TO_HIGH = 4u / LANES - 1u;

fn passes(x: Bits) -> bool {
    return !is_below(test.span, minus(key_of(x), test.start)) != test.negated;
}
fn nothing() -> Acc { return 0u; }
fn one(x: Bits, row: u32) -> Acc { return select(0u, 1u, passes(x)); }
fn join(p: Acc, q: Acc) -> Acc { return p + q; }
fn acc_word(acc: Acc, i: u32) -> u32 { return acc; }
fn acc_of(low: u32, high: u32, row: u32) -> Acc { return low; }
