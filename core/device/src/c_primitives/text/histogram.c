// Counts the values of a column by slots. a: the column; b: the slots. Words: 16 and 17 least value of slot 0, 18 and
// 19 values in a slot, 20 slots.
//
// Bound by reading the column once where the slots fit in memory that a group shares; else by the atomics.
#define SHARED_SLOTS 4096u
KERNEL(imminent_histogram) {
    LOCAL u32 counts[SHARED_SLOTS];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], slots = launch.w[20];
    const Bits lowest = key_of((Bits)WORD64(16));
    const u64 width = WORD64(18);
    // No value of one word is as far from the lowest as that.
    const bool one_slot = sizeof(Bits) == 4 && launch.w[19] != 0u;
    const Bits divisor = one_slot ? 1 : (Bits)width;
    const GLOBAL Bits *column = COLUMN(Bits, a, 0);
    GLOBAL u32 *tally = COLUMN(u32, b, 1);
    const bool shared = slots <= SHARED_SLOTS;
    if (shared) {
        for (u32 i = LOCAL_ID; i < slots; i += THREADS) { counts[i] = 0u; }
    }
    BARRIER();
    const u32 tiles = rows / THREADS + (rows % THREADS ? 1u : 0u);
    for (u32 tile = GROUP_ID; tile < tiles; tile += GROUPS) {
        const u32 row = tile * THREADS + LOCAL_ID;
        if (row < rows) {
            const Bits key = key_of(column[row]);
            if (key >= lowest) {
                const Bits slot = one_slot ? 0 : (key - lowest) / divisor;
                if (slot < slots) {
                    if (shared) { LOCAL_ADD(&counts[slot], 1u); } else { ATOMIC_ADD(&tally[slot], 1u); }
                }
            }
        }
    }
    BARRIER();
    if (shared) {
        for (u32 i = LOCAL_ID; i < slots; i += THREADS) {
            if (counts[i]) { ATOMIC_ADD(&tally[i], counts[i]); }
        }
    }
}
