// A comparison with a value, as a test whether a key lies in a range: then it costs the same whatever the comparison.
typedef struct {
    Bits from;
    Bits span;
    u32 negated;
} Test;

// Comparisons: 0 ==, 1 !=, 2 <, 3 <=, 4 >, 5 >=. Zeros are equal; a NaN passes != and nothing else.
DEVICE Test test_of(u32 comparison, Bits value) {
    Bits low = key_of(value);
    Bits high = low;
    Bits top = ALL_ONES;
    bool never = false;
    Test test;
#if KIND == 2
    top = key_of(INFINITY_BITS);
    never = low == ALL_ONES;
    if ((value & ~SIGN) == 0) {
        low = key_of(SIGN);
        high = key_of(0);
    }
#endif
    Bits first = low, last = high;
    if (comparison == 2u || comparison == 3u) { first = 0; }
    if (comparison == 4u || comparison == 5u) { last = top; }
    if (comparison == 2u) { never = never || low == 0; last = low - 1u; }
    if (comparison == 4u) { never = never || high == top; first = high + 1u; }
    // Nothing passes: not any of all keys.
    test.from = never ? 0 : first;
    test.span = never ? ALL_ONES : last - first;
    test.negated = (comparison == 1u ? 1u : 0u) ^ (never ? 1u : 0u);
    return test;
}

DEVICE u32 passes(Test test, Bits x) {
    return ((Bits)(key_of(x) - test.from) <= test.span ? 1u : 0u) ^ test.negated;
}

// Words 16 comparison, 17 whether the value is at d, 18 and 19 the value otherwise.
#define LAUNCH_TEST() test_of(launch.w[16], launch.w[17] ? *COLUMN(Bits, d, 3) : (Bits)WORD64(18))
