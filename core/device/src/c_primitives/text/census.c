// Counts the rows that pass a test, in one launch. a: the column; b: the result; d: the value compared with, if it is
// on the device. Word 20: 0 for how many, 1 for whether any does, 2 for whether all do.
//
// Bound as a reduction is.
KERNEL(imminent_census) {
    LOCAL Acc shared[GROUP_ROOM];
    LOCAL u32 flag;
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    const Test test = LAUNCH_TEST();
    Acc acc = fold(COLUMN(Bits, a, 0), 0u, rows, GROUP_ID, GROUPS, GROUP_ID == 0u, test);
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
        const u32 what = launch.w[20];
        *COLUMN(u32, b, 1) = what == 0u ? acc : what == 1u ? (acc > 0u ? 1u : 0u) : (acc == rows ? 1u : 0u);
    }
}
