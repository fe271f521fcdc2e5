// The first launch of a pass: how many keys of each chunk have each digit. Bound by reading the keys once.
//
// Digits are counted in memory that the group shares; on CUDA each warp has counters of its own, so that equal keys meet less.
#if CUDA
#define COPIES 8u
#else
#define COPIES 1u
#endif
KERNEL(imminent_sort_count) {
    LOCAL u32 counts[COPIES * DIGITS];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], shift = launch.w[16], chunk = launch.w[24];
    const GLOBAL Bits *keys = COLUMN(Bits, a, 0);
    for (u32 i = LOCAL_ID; i < COPIES * DIGITS; i += THREADS) { counts[i] = 0u; }
    BARRIER();
    const u32 begin = GROUP_ID * chunk;
    const u32 length = rows - begin < chunk ? rows - begin : chunk;
    const u32 copy = (LOCAL_ID / 32u) % COPIES;
    #pragma unroll 4
    for (u32 i = LOCAL_ID; i < length; i += THREADS) {
        LOCAL_ADD(&counts[copy * DIGITS + digit_of(keys[begin + i], shift)], 1u);
    }
    BARRIER();
    for (u32 digit = LOCAL_ID; digit < DIGITS; digit += THREADS) {
        u32 count = 0u;
        for (u32 i = 0; i < COPIES; i++) { count += counts[i * DIGITS + digit]; }
        scratch[launch.w[20] + digit * GROUPS + GROUP_ID] = count;
    }
}
