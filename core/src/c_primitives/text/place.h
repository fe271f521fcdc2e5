// Sums over a group, and the placing of a tile.

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

#if CUDA
#define COUNTERS (THREADS / 32u * DIGITS)
// Puts the rows `first` to `end`, a tile at most, in their places, and moves the places on. A warp has 512 rows one after another;
// lanes with equal digits find one another, and the digit's counter of the warp says how many came before them.
DEVICE void place_tile(u32 first, u32 end, u32 shift, u32 numbers, const Bits *keys, const u32 *payloads, Bits *keys_to,
    u32 *payloads_to, u32 *places, u32 *counts, u32 *sums) {
    const u32 lane = LOCAL_ID % 32u, warp = LOCAL_ID / 32u;
    u32 *of_warp = counts + warp * DIGITS;
    for (u32 i = LOCAL_ID; i < COUNTERS; i += THREADS) { counts[i] = 0u; }
    BARRIER();
    const u32 at = first + warp * 32u * SORT_ITEMS + lane;
    Bits x[SORT_ITEMS];
    u32 rank[SORT_ITEMS];
    #pragma unroll
    for (u32 i = 0; i < SORT_ITEMS; i++) { x[i] = at < end && i * 32u < end - at ? keys[at + i * 32u] : 0; }
    #pragma unroll
    for (u32 i = 0; i < SORT_ITEMS; i++) {
        const bool there = at < end && i * 32u < end - at;
        // Lanes without a row find one another, too.
        const u32 digit = there ? digit_of(x[i], shift) : DIGITS;
        const u32 equal = __match_any_sync(WARP_ALL, digit);
        const u32 before = (u32)__popc((int)(equal & ((1u << lane) - 1u)));
        u32 earlier = 0u;
        if (there) { earlier = of_warp[digit]; }
        rank[i] = earlier + before;
        __syncwarp();
        if (there && before == 0u) { of_warp[digit] = earlier + (u32)__popc((int)equal); }
        __syncwarp();
    }
    BARRIER();
    // From counts of a warp to the place of the warp's first key.
    for (u32 digit = LOCAL_ID; digit < DIGITS; digit += THREADS) {
        u32 place = places[digit];
        #pragma unroll
        for (u32 w = 0; w < THREADS / 32u; w++) {
            const u32 count = counts[w * DIGITS + digit];
            counts[w * DIGITS + digit] = place;
            place += count;
        }
        places[digit] = place;
    }
    BARRIER();
    #pragma unroll
    for (u32 i = 0; i < SORT_ITEMS; i++) {
        if (at < end && i * 32u < end - at) {
            const u32 row = at + i * 32u;
            const u32 to = of_warp[digit_of(x[i], shift)] + rank[i];
            if (keys_to) { keys_to[to] = x[i]; }
            payloads_to[to] = numbers ? row : payloads[row];
        }
    }
    BARRIER();
}
#else
#define COUNTERS (THREADS * DIGITS)
// Puts the rows `first` to `end`, a tile at most, in their places, and moves the places on. A thread has 16 rows one after another and
// counts their digits in a column of its own, so nothing is counted by two.
DEVICE void place_tile(u32 first, u32 end, u32 shift, u32 numbers, const GLOBAL Bits *keys, const GLOBAL u32 *payloads,
    GLOBAL Bits *keys_to, GLOBAL u32 *payloads_to, LOCAL_POINTER u32 *places, LOCAL_POINTER u32 *counts, LOCAL_POINTER u32 *sums) {
    for (u32 digit = 0u; digit < DIGITS; digit++) { counts[digit * THREADS + LOCAL_ID] = 0u; }
    const u32 at = first + LOCAL_ID * SORT_ITEMS;
    const u32 length = at < end ? (end - at < SORT_ITEMS ? end - at : SORT_ITEMS) : 0u;
    for (u32 i = 0; i < length; i++) { counts[digit_of(keys[at + i], shift) * THREADS + LOCAL_ID] += 1u; }
    BARRIER();
    // The counts in order of digit and thread become what comes before: 16 of them for each thread.
    u32 own = 0u;
    for (u32 i = 0; i < DIGITS; i++) { own += counts[LOCAL_ID * DIGITS + i]; }
    u32 all;
    u32 before = group_sum_before(own, sums, &all);
    for (u32 i = 0; i < DIGITS; i++) {
        const u32 count = counts[LOCAL_ID * DIGITS + i];
        counts[LOCAL_ID * DIGITS + i] = before;
        before += count;
    }
    BARRIER();
    // Places become those of number 0 of the tile, so that a number in the tile gives a place. They may wrap around meanwhile.
    u32 start = 0u, next = 0u;
    if (LOCAL_ID < DIGITS) {
        start = counts[LOCAL_ID * THREADS];
        next = LOCAL_ID + 1u < DIGITS ? counts[(LOCAL_ID + 1u) * THREADS] : all;
        places[LOCAL_ID] -= start;
    }
    BARRIER();
    for (u32 i = 0; i < length; i++) {
        const Bits x = keys[at + i];
        const u32 digit = digit_of(x, shift);
        const u32 to = places[digit] + counts[digit * THREADS + LOCAL_ID];
        counts[digit * THREADS + LOCAL_ID] += 1u;
        if (keys_to) { keys_to[to] = x; }
        payloads_to[to] = numbers ? at + i : payloads[at + i];
    }
    BARRIER();
    if (LOCAL_ID < DIGITS) { places[LOCAL_ID] += next; }
    BARRIER();
}
#endif
