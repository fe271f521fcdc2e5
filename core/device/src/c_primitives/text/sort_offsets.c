// The second launch of a pass: a group for each digit sums up the counts of the chunks. Word 25: chunks. A few
// kilobytes.
KERNEL(imminent_sort_offsets) {
    LOCAL u32 sums[2u * THREADS];
    if (!TURN()) { return; }
    const u32 chunks = launch.w[25];
    GLOBAL u32 *counts = scratch + launch.w[20] + GROUP_ID * chunks;
    u32 carried = 0u;
    for (u32 first = 0u; first < chunks; first += THREADS) {
        const u32 i = first + LOCAL_ID;
        const u32 own = i < chunks ? counts[i] : 0u;
        u32 all;
        const u32 before = group_sum_before(own, sums, &all);
        if (i < chunks) { counts[i] = carried + before; }
        carried += all;
    }
    if (LOCAL_ID == 0u) { scratch[launch.w[20] + DIGITS * chunks + GROUP_ID] = carried; }
}
