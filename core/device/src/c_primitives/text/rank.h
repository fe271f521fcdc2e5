// Where the keys of a tile come in the order of a digit. CUDA.
//
// Warp `w` has the rows of a tile one after another, 32 at a time. Lanes whose keys have equal digits find one another
// by votes, one for each bit of the digit, and the warp's own counter of the digit says how many came before them:
// nothing is counted by two, and the order is that of the rows.
//
// Set before: ITEMS, rows of a thread.
#define WARPS (THREADS / 32u)
#define TILE (THREADS * ITEMS)
// Words that a group shares for counters first and for keys or payloads later.
#define COUNTER_WORDS (WARPS * DIGITS)
#define STAGE_WORDS (TILE * (u32)sizeof(Bits) / 4u)
#define ROOM_WORDS (COUNTER_WORDS > STAGE_WORDS ? COUNTER_WORDS : STAGE_WORDS)

// What has the greatest key, and so the last digit in every pass: it stands in for rows past the end, and stays behind
// all others.
#define ABSENT bits_of(ALL_ONES)

// The lanes whose digit is this one's.
DEVICE u32 lanes_of(u32 digit) {
    u32 lanes = WARP_ALL;
    #pragma unroll
    for (u32 bit = 0; bit < DIGIT_BITS; bit++) {
        const bool set = (digit >> bit) & 1u;
        const u32 votes = __ballot_sync(WARP_ALL, set);
        lanes &= set ? votes : ~votes;
    }
    return lanes;
}

// Counts what the warps have of each digit, and leaves in `rank` how many keys of its digit each key has before it in
// its warp. Only the first `items` keys of a thread count. `counts` has a counter for each warp and digit.
DEVICE void rank_in_warps(const Bits *x, u32 items, u32 shift, u32 *rank, u32 *counts) {
    const u32 lane = LOCAL_ID % 32u;
    u32 *of_warp = counts + LOCAL_ID / 32u * DIGITS;
    #pragma unroll
    for (u32 i = 0; i < DIGITS / 32u; i++) { of_warp[i * 32u + lane] = 0u; }
    __syncwarp();
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        if (i < items) {
            const u32 digit = digit_of(x[i], shift);
            const u32 equal = lanes_of(digit);
            const u32 before = (u32)__popc((int)(equal & ((1u << lane) - 1u)));
            const u32 earlier = of_warp[digit];
            rank[i] = earlier + before;
            __syncwarp();
            if (before == 0u) { of_warp[digit] = earlier + (u32)__popc((int)equal); }
            __syncwarp();
        }
    }
}

// From the counts of warps to how many keys of the digit the warps before have; gives what the tile has. One thread for
// each digit.
DEVICE u32 join_warps(u32 digit, u32 *counts) {
    u32 of_tile = 0u;
    #pragma unroll
    for (u32 w = 0; w < WARPS; w++) {
        const u32 count = counts[w * DIGITS + digit];
        counts[w * DIGITS + digit] = of_tile;
        of_tile += count;
    }
    return of_tile;
}

// From ranks in warps to places in the tile, given where each digit starts there.
DEVICE void rank_in_tile(const Bits *x, u32 items, u32 shift, u32 *rank, const u32 *counts, const u32 *starts) {
    const u32 *of_warp = counts + LOCAL_ID / 32u * DIGITS;
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        if (i < items) {
            const u32 digit = digit_of(x[i], shift);
            rank[i] += starts[digit] + of_warp[digit];
        }
    }
}
