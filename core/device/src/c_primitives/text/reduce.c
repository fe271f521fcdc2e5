// Reduces a column in one launch: each group leaves what it found, and the last to finish joins that. a: the column; b:
// the result; c: its row. Words 20 and 21: the result of no rows.
//
// Bound by reading the column once. There are as many groups as are resident at a time, so all of them finish together,
// and the partial results are a few kilobytes. Up to a tile of rows it is one group and no counter.
KERNEL(imminent_reduce) {
    LOCAL Acc shared[GROUP_ROOM];
    LOCAL u32 flag;
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    const GLOBAL Bits *column = COLUMN(Bits, a, 0);
    Test test;
    test.none = 0;
    Acc acc = fold(column, 0u, rows, GROUP_ID, GROUPS, GROUP_ID == 0u, test);
    acc = group_join(acc, shared);
    if (GROUPS > 1u) {
        if (LOCAL_ID == 0u) { put_partial(scratch + GROUP_ID * PARTIAL_WORDS, acc); }
        if (!is_last(counters, GROUPS, &flag)) { return; }
        acc = nothing();
        for (u32 i = LOCAL_ID; i < GROUPS; i += THREADS) {
            acc = join(acc, get_partial(scratch + i * PARTIAL_WORDS));
        }
        acc = group_join(acc, shared);
    }
    if (LOCAL_ID == 0u) {
        GLOBAL Bits *into = COLUMN(Bits, b, 1);
#if FORM == LEAST_ROW
        // If the least key is the greatest there is, all rows have it.
        const u32 row = (u32)acc.y == 0xffffffffu ? 0u : (u32)acc.y;
        *into = rows ? column[row] : (Bits)WORD64(20);
        *COLUMN(u32, c, 2) = rows ? row : 0xffffffffu;
#elif FORM == LEAST
        *into = rows ? bits_of(acc) : (Bits)WORD64(20);
#elif FORM == SUM_FLOAT && WIDE
        *into = rows ? F64_BITS(acc) : 0;
#elif FORM == SUM_FLOAT
        *into = rows ? F32_BITS(acc) : 0;
#else
        *into = acc;
#endif
    }
}
