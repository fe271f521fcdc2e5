// A sort of few rows on CUDA: where each key goes is how many come before it, counted by comparing it with all others.
// Groups need nothing of one another, so the whole device takes part, in one launch. Bound by the comparisons: rows *
// rows, by all processors.
// A group places ROWS rows, one for each lane of its warps, and each warp compares them with its share of every chunk
// of keys, a vector at a time. Of equal keys those of lower rows come first: they are in vectors before the group's own
// rows, or among these.
// Words of the launch block: 17 whether the payload is the row number; 25 whether keys are wanted. Columns: a keys, b
// payloads, c where keys go, d where payloads go. None of the latter may lie where the former do.
#define ROWS 32u
#define WARPS (THREADS / 32u)
// Keys of a chunk: 16 KiB.
#define CHUNK ((16u << 10) / (u32)sizeof(Bits))
#define VECTORS (CHUNK / LANES)

// How many keys of a vector come before one.
DEVICE u32 less_in(Vector v, Bits own) {
#if WIDE
    return (v.x < own ? 1u : 0u) + (v.y < own ? 1u : 0u);
#else
    return (v.x < own ? 1u : 0u) + (v.y < own ? 1u : 0u) + (v.z < own ? 1u : 0u) + (v.w < own ? 1u : 0u);
#endif
}

// How many do or are equal.
DEVICE u32 at_most_in(Vector v, Bits own) {
#if WIDE
    return (v.x <= own ? 1u : 0u) + (v.y <= own ? 1u : 0u);
#else
    return (v.x <= own ? 1u : 0u) + (v.y <= own ? 1u : 0u) + (v.z <= own ? 1u : 0u) + (v.w <= own ? 1u : 0u);
#endif
}

KERNEL(imminent_sort_compare) {
    LOCAL Vector chunk[VECTORS];
    LOCAL u32 shares[THREADS];
    if (!TURN()) { return; }
    Bits *each = (Bits *)chunk;
    const u32 rows = launch.w[0], lane = LOCAL_ID % 32u, warp = LOCAL_ID / 32u;
    const u32 first_own = GROUP_ID * ROWS, row = first_own + lane;
    const Bits *keys = COLUMN(Bits, a, 0);
    const bool there = row < rows;
    const Bits bits = there ? keys[row] : 0;
    const Bits own = key_of(bits);
    // On its way meanwhile.
    const u32 payload = there && warp == 0u && !launch.w[17] ? COLUMN(u32, b, 1)[row] : row;
    u32 before = 0u;
    for (u32 first = 0u; first < rows; first += CHUNK) {
        // Rows past the end come before none.
        const u32 length = rows - first < CHUNK ? (rows - first + ROWS - 1u) / ROWS * ROWS : CHUNK;
        if (first) { BARRIER(); }
        #pragma unroll 4
        for (u32 i = LOCAL_ID; i < length; i += THREADS) { each[i] = first + i < rows ? key_of(keys[first + i]) : ALL_ONES; }
        BARRIER();
        const u32 vectors = length / LANES;
        // Vectors before the group's own rows end here, if they are not in chunks before; those after begin here.
        const u32 own_from = first_own <= first ? 0u : first_own - first < length ? (first_own - first) / LANES : vectors;
        const bool own_here = first_own >= first && first_own - first < length;
        const u32 own_to = own_here ? own_from + ROWS / LANES : own_from;
        #pragma unroll 4
        for (u32 v = warp; v < own_from; v += WARPS) { before += at_most_in(chunk[v], own); }
        for (u32 v = own_from + warp; v < own_to; v += WARPS) {
            for (u32 i = v * LANES; i < (v + 1u) * LANES; i++) {
                before += each[i] < own || (each[i] == own && first + i < row) ? 1u : 0u;
            }
        }
        #pragma unroll 4
        for (u32 v = own_to + warp; v < vectors; v += WARPS) { before += less_in(chunk[v], own); }
    }
    shares[LOCAL_ID] = before;
    BARRIER();
    if (warp != 0u || !there) { return; }
    u32 place = 0u;
    #pragma unroll
    for (u32 w = 0; w < WARPS; w++) { place += shares[w * 32u + lane]; }
    if (launch.w[25]) { COLUMN(Bits, c, 2)[place] = bits; }
    COLUMN(u32, d, 3)[place] = payload;
}
