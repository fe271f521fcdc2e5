// A sort of one tile on CUDA: all passes in one launch of one group, keys and payloads in registers and in memory that
// the group shares. Bound by the latency of its barriers. Passes whose digit is the same in all keys are left out.
//
// Words of the launch block: 17 whether the payload is the row number; 25 whether keys are wanted. Columns: a keys, b
// payloads, c where keys go, d where payloads go.
KERNEL(imminent_sort_tile) {
    LOCAL Vector32 room[(ROOM_WORDS + 3u) / 4u];
    LOCAL u32 starts[DIGITS];
    LOCAL u32 sums[WARPS];
    LOCAL u32 differs[2];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    // No more keys for each thread than it takes.
    const u32 items = (rows + THREADS - 1u) / THREADS;
    const u32 at = LOCAL_ID / 32u * 32u * items + LOCAL_ID % 32u;
    const Bits *keys = COLUMN(Bits, a, 0);
    const u32 *payloads = COLUMN(u32, b, 1);
    if (LOCAL_ID < 2u) { differs[LOCAL_ID] = 0u; }
    BARRIER();
    Bits x[ITEMS];
    u32 payload[ITEMS];
    Bits unlike = 0;
    const Bits some = rows ? key_of(keys[0]) : 0;
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        const u32 row = at + i * 32u;
        const bool there = i < items && row < rows;
        x[i] = there ? keys[row] : ABSENT;
        payload[i] = there && !launch.w[17] ? payloads[row] : row;
        unlike |= there ? key_of(x[i]) ^ some : 0;
    }
    if ((u32)unlike) { atomicOr(&differs[0], (u32)unlike); }
    if ((u32)((u64)unlike >> 32)) { atomicOr(&differs[1], (u32)((u64)unlike >> 32)); }
    BARRIER();
    const u64 different = (u64)differs[0] | ((u64)differs[1] << 32);
    u32 *counts = (u32 *)room;
    for (u32 pass = 0; pass < PASSES; pass++) {
        const u32 shift = pass * DIGIT_BITS;
        if (!((different >> shift) & (DIGITS - 1u))) { continue; }
        u32 rank[ITEMS];
        rank_in_warps(x, items, shift, rank, counts);
        BARRIER();
        const u32 own = LOCAL_ID < DIGITS ? join_warps(LOCAL_ID, counts) : 0u;
        u32 all;
        const u32 start = group_sum_before(own, sums, &all);
        if (LOCAL_ID < DIGITS) { starts[LOCAL_ID] = start; }
        BARRIER();
        rank_in_tile(x, items, shift, rank, counts, starts);
        BARRIER();
        Bits *staged = (Bits *)room;
        #pragma unroll
        for (u32 i = 0; i < ITEMS; i++) {
            if (i < items) { staged[rank[i]] = x[i]; }
        }
        BARRIER();
        #pragma unroll
        for (u32 i = 0; i < ITEMS; i++) {
            if (i < items) { x[i] = staged[at + i * 32u]; }
        }
        BARRIER();
        u32 *moved = (u32 *)room;
        #pragma unroll
        for (u32 i = 0; i < ITEMS; i++) {
            if (i < items) { moved[rank[i]] = payload[i]; }
        }
        BARRIER();
        #pragma unroll
        for (u32 i = 0; i < ITEMS; i++) {
            if (i < items) { payload[i] = moved[at + i * 32u]; }
        }
        BARRIER();
    }
    Bits *keys_to = launch.w[25] ? COLUMN(Bits, c, 2) : 0;
    u32 *payloads_to = COLUMN(u32, d, 3);
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        const u32 row = at + i * 32u;
        if (i < items && row < rows) {
            if (keys_to) { keys_to[row] = x[i]; }
            payloads_to[row] = payload[i];
        }
    }
}
