// All passes of a small sort in one launch of one group, between memories of `scratch`: keys at word 16 and 17 of the
// launch block, payloads at 18 and 19. Columns: a keys, b payloads, c where keys go, d where payloads go. Words: 21
// whether the payload is the row number; 22 whether keys are written.
//
// Bound by the latency of its barriers: what it reads and writes stays in the cache.
KERNEL(imminent_sort_small) {
    LOCAL u32 places[DIGITS];
    LOCAL u32 counts[COUNTERS];
    LOCAL u32 sums[2u * THREADS];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    for (u32 pass = 0u; pass < PASSES; pass++) {
        const u32 shift = pass * DIGIT_BITS;
        const u32 from = (pass + 1u) % 2u, to = pass % 2u;
        const GLOBAL Bits *keys = pass ? (const GLOBAL Bits *)(scratch + launch.w[16u + from]) : COLUMN(Bits, a, 0);
        const GLOBAL u32 *payloads = pass ? scratch + launch.w[18u + from] : COLUMN(u32, b, 1);
        GLOBAL Bits *keys_to = (GLOBAL Bits *)(scratch + launch.w[16u + to]);
        GLOBAL u32 *payloads_to = scratch + launch.w[18u + to];
        if (pass == PASSES - 1u) {
            keys_to = launch.w[22] ? COLUMN(Bits, c, 2) : 0;
            payloads_to = COLUMN(u32, d, 3);
        }
        if (LOCAL_ID < DIGITS) { places[LOCAL_ID] = 0u; }
        BARRIER();
        for (u32 i = LOCAL_ID; i < rows; i += THREADS) { LOCAL_ADD(&places[digit_of(keys[i], shift)], 1u); }
        BARRIER();
        u32 all;
        const u32 own = LOCAL_ID < DIGITS ? places[LOCAL_ID] : 0u;
        const u32 smaller = group_sum_before(own, sums, &all);
        if (LOCAL_ID < DIGITS) { places[LOCAL_ID] = smaller; }
        BARRIER();
        for (u32 first = 0u; first < rows; first += TILE) {
            place_tile(first, rows, shift, pass == 0u ? launch.w[21] : 0u, keys, payloads, keys_to, payloads_to, places, counts, sums);
        }
        GROUP_FENCE();
    }
}
