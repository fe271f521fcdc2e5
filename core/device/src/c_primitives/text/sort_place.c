// The third launch of a pass: each chunk's keys and payloads go to their places. Bound by reading and writing both
// once.
KERNEL(imminent_sort_place) {
    LOCAL u32 places[DIGITS];
    LOCAL u32 counts[COUNTERS];
    LOCAL u32 sums[2u * THREADS];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], chunk = launch.w[24];
    const GLOBAL u32 *matrix = scratch + launch.w[20];
    // Where the chunk's first key of each digit goes: after all smaller digits, and after the chunks before.
    u32 all;
    const u32 of_digit = LOCAL_ID < DIGITS ? matrix[DIGITS * GROUPS + LOCAL_ID] : 0u;
    const u32 smaller = group_sum_before(of_digit, sums, &all);
    if (LOCAL_ID < DIGITS) { places[LOCAL_ID] = smaller + matrix[LOCAL_ID * GROUPS + GROUP_ID]; }
    BARRIER();
    const u32 begin = GROUP_ID * chunk;
    const u32 end = rows - begin < chunk ? rows : begin + chunk;
    for (u32 first = begin; first < end; first = end - first > TILE ? first + TILE : end) {
        place_tile(first, end, launch.w[16], launch.w[17], COLUMN(Bits, a, 0), COLUMN(u32, b, 1),
            launch.w[18] ? COLUMN(Bits, c, 2) : 0, COLUMN(u32, d, 3), places, counts, sums);
    }
}
