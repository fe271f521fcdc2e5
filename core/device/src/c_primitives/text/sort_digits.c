// The first launch of a sort on CUDA: counts every digit of every key, and says what the launches after it are to do.
// Bound by reading the keys once.
//
// Words of the launch block: 16 whether the first pass may not be the last, since results may lie where keys or
// payloads do; 18 where the states of tiles lie in `scratch`; 19 how many there are; 20 where the schedule lies.
//
// The schedule: for each pass where each digit starts; for each pass what it does; for each pass its next tile. A pass
// whose digit is the same in all keys has nothing to do. What a pass does: 0 nothing, or bit 0, and in bits 1 and 2
// where it reads (0 the column, 1 and 2 the halves of `scratch`), in bits 3 and 4 where it writes (1 and 2, or 0 for
// the result), in bit 5 which states it uses.
// Counters 64 to 64 + 2047 are sums of all groups, and are left 0.
#define DIGIT_SUMS 64u

KERNEL(imminent_sort_digits) {
    LOCAL u32 counts[PASSES * DIGITS];
    LOCAL u32 sums[THREADS / 32u];
    LOCAL u32 flag;
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    const Bits *keys = COLUMN(Bits, a, 0);
    for (u32 i = LOCAL_ID; i < PASSES * DIGITS; i += THREADS) { counts[i] = 0u; }
    for (u32 i = GROUP_ID * THREADS + LOCAL_ID; i < launch.w[19]; i += GROUPS * THREADS) { scratch[launch.w[18] + i] = 0u; }
    BARRIER();
    const u32 all = GROUPS * THREADS;
    for (u32 at = GROUP_ID * THREADS + LOCAL_ID; at < rows; at += 8u * all) {
        Bits x[8];
        #pragma unroll
        for (u32 i = 0; i < 8u; i++) { x[i] = at + i * all < rows ? keys[at + i * all] : 0; }
        #pragma unroll
        for (u32 i = 0; i < 8u; i++) {
            if (at + i * all < rows) {
                #pragma unroll
                for (u32 pass = 0; pass < PASSES; pass++) {
                    LOCAL_ADD(&counts[pass * DIGITS + digit_of(x[i], pass * DIGIT_BITS)], 1u);
                }
            }
        }
    }
    BARRIER();
    for (u32 i = LOCAL_ID; i < PASSES * DIGITS; i += THREADS) {
        if (counts[i]) { ATOMIC_ADD(counters + DIGIT_SUMS + i, counts[i]); }
    }
    if (!is_last(counters, GROUPS, &flag)) { return; }
    u32 *schedule = scratch + launch.w[20];
    u32 busy = 0u;
    for (u32 pass = 0; pass < PASSES; pass++) {
        // A thread for each digit.
        const u32 own = atomicExch(counters + DIGIT_SUMS + pass * DIGITS + LOCAL_ID, 0u);
        u32 sum;
        schedule[pass * DIGITS + LOCAL_ID] = group_sum_before(own, sums, &sum);
        busy |= __syncthreads_or(own == rows) ? 0u : 1u << pass;
    }
    if (LOCAL_ID != 0u) { return; }
    // The lowest passes that have nothing to do do it all the same where there are too few.
    const u32 least = launch.w[16] ? 2u : 1u;
    for (u32 pass = 0; (u32)__popc((int)busy) < least; pass++) { busy |= 1u << pass; }
    u32 *steps = schedule + PASSES * DIGITS;
    u32 done = 0u;
    for (u32 pass = 0; pass < PASSES; pass++) {
        const bool active = (busy >> pass) & 1u;
        const bool ends = (busy >> pass) == 1u;
        const u32 from = done == 0u ? 0u : 1u + (done + 1u) % 2u;
        const u32 to = ends ? 0u : 1u + done % 2u;
        steps[pass] = active ? 1u | from << 1 | to << 3 | (done % 2u) << 5 : 0u;
        steps[PASSES + pass] = 0u;
        done += active ? 1u : 0u;
    }
}
