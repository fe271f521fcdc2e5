// The first of two launches of a scan or selection where a launch has no order between its groups: what each group's
// chunk of rows gives. a: the column; d: the value compared with, if it is on the device. Word 24: rows of a chunk.
// Bound by reading the column once.
KERNEL(imminent_totals) {
    LOCAL Acc shared[GROUP_ROOM];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], chunk = launch.w[24];
    const u32 begin = GROUP_ID * chunk;
    const u32 end = rows - begin < chunk ? rows : begin + chunk;
#if FORM == COUNT
    const Test test = LAUNCH_TEST();
#else
    Test test;
    test.none = 0;
#endif
    const Acc acc = group_join(fold(COLUMN(Bits, a, 0), begin, end, 0u, 1u, 1u, test), shared);
    if (LOCAL_ID == 0u) { put_partial(scratch + GROUP_ID * PARTIAL_WORDS, acc); }
}
