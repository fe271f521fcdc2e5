// The first launch of a pass: how many keys of each chunk have each digit. Bound by reading the keys once.
KERNEL(imminent_sort_count) {
    LOCAL u32 counts[DIGITS];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], shift = launch.w[16], chunk = launch.w[24];
    const GLOBAL Bits *keys = COLUMN(Bits, a, 0);
    if (LOCAL_ID < DIGITS) { counts[LOCAL_ID] = 0u; }
    BARRIER();
    const u32 begin = GROUP_ID * chunk;
    const u32 length = rows - begin < chunk ? rows - begin : chunk;
    for (u32 i = LOCAL_ID; i < length; i += THREADS) { LOCAL_ADD(&counts[digit_of(keys[begin + i], shift)], 1u); }
    BARRIER();
    if (LOCAL_ID < DIGITS) { scratch[launch.w[20] + LOCAL_ID * GROUPS + GROUP_ID] = counts[LOCAL_ID]; }
}
