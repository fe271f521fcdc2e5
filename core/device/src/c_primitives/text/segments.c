// Reduces segments of a column. a: the column; b: where segments start, and where the last ends; c: the results. Words:
// 0 segments, 16 rows of the column, 17 threads for each segment (1, 32 or 256), 20 and 21 what no rows give.
//
// Bound by reading the column once, if segments are about as long as the host thinks: it has their mean.
KERNEL(imminent_segments) {
    LOCAL Acc shared[GROUP_ROOM];
    if (!TURN()) { return; }
    const u32 segments = launch.w[0], rows = launch.w[16], lanes = launch.w[17];
    const GLOBAL Bits *column = COLUMN(Bits, a, 0);
    const GLOBAL u32 *starts = COLUMN(u32, b, 1);
    GLOBAL Bits *into = COLUMN(Bits, c, 2);
    Test test;
    test.none = 0;
    const u32 at_once = THREADS / lanes, lane = LOCAL_ID % lanes;
    // A group's segments come in as many turns as those of every thread in it: all of them meet in each.
    for (u32 first = GROUP_ID * at_once; first < segments; first += GROUPS * at_once) {
        const u32 segment = first + LOCAL_ID / lanes;
        u32 begin = 0u, end = 0u;
        if (segment < segments) {
            begin = starts[segment];
            end = starts[segment + 1u] < rows ? starts[segment + 1u] : rows;
            // No rows: at the start, so that no row number of any thread wraps around.
            if (begin >= end) { begin = end = 0u; }
        }
        Acc acc = nothing();
        if (lanes == THREADS) {
            acc = group_join(fold(column, begin, end, 0u, 1u, 1u, test), shared);
        } else {
            for (u32 row = begin + lane; row < end; row += lanes) { acc = take(acc, column[row], row, test); }
#if CUDA
            if (lanes == 32u) { acc = warp_join(acc); }
#endif
        }
        if (lane == 0u && segment < segments) {
            into[segment] = begin < end ? value_of(acc) : (Bits)WORD64(20);
        }
    }
}
