// Sums over a group.

// What the threads before this one have; `all` gets what the group has. `sums` has room for two of each thread.
DEVICE u32 group_sum_before(u32 own, LOCAL_POINTER u32 *sums, u32 *all) {
#if CUDA
    const u32 lane = LOCAL_ID % 32u, warp = LOCAL_ID / 32u;
    u32 sum = own;
    #pragma unroll
    for (u32 distance = 1; distance < 32u; distance *= 2u) {
        const u32 other = __shfl_up_sync(WARP_ALL, sum, distance);
        if (lane >= distance) { sum += other; }
    }
    if (lane == 31u) { sums[warp] = sum; }
    BARRIER();
    u32 before = 0u, total = 0u;
    #pragma unroll
    for (u32 w = 0; w < THREADS / 32u; w++) {
        if (w == warp) { before = total; }
        total += sums[w];
    }
    BARRIER();
    *all = total;
    return before + sum - own;
#else
    u32 from = 0u;
    sums[LOCAL_ID] = own;
    BARRIER();
    for (u32 distance = 1u; distance < THREADS; distance *= 2u) {
        const u32 to = THREADS - from;
        const u32 here = sums[from + LOCAL_ID];
        sums[to + LOCAL_ID] = LOCAL_ID >= distance ? sums[from + LOCAL_ID - distance] + here : here;
        from = to;
        BARRIER();
    }
    *all = sums[from + THREADS - 1u];
    const u32 before = sums[from + LOCAL_ID] - own;
    BARRIER();
    return before;
#endif
}
