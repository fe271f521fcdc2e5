// Scans a column. a: the column; b: the result. Words: 20 and 21 what no rows give; 24 rows of a chunk; 25 whether a
// row is left out of its own result.

// Vectors of 16 bytes that a thread has of a tile.
#if CUDA
#define VECTORS 8u
#else
#define VECTORS 4u
#endif
#define SCAN_TILE (THREADS * VECTORS * LANES)

#if CUDA
// Bound by reading the column once and writing the result once. A warp has 256 vectors one after another, of which each
// load and store takes 32, so all are coalesced; a scan of four values in registers and one of the warp serve 128
// values. A tile has 32 KiB, and four blocks share a multiprocessor: smaller tiles wait for one another more than they
// load.
KERNEL(imminent_scan) {
    LOCAL u64 drawn;
    LOCAL u32 flag;
    LOCAL Acc of_warps[THREADS / 32u];
    LOCAL Acc before_all;
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], exclusive = launch.w[25];
    const u32 tiles = GROUPS;
    const Tile tile = next_tile(counters, scratch, tiles, &drawn);
    const u32 lane = LOCAL_ID % 32u, warp = LOCAL_ID / 32u;
    const Bits *column = COLUMN(Bits, a, 0);
    Bits *into = COLUMN(Bits, b, 1);
    const u32 first = tile.number * SCAN_TILE;
    const bool whole = rows - first >= SCAN_TILE && ((u64)column % 16u) == 0u && ((u64)into % 16u) == 0u;
    Test test;
    test.none = 0;
    Acc x[VECTORS][LANES];
    #pragma unroll
    for (u32 v = 0; v < VECTORS; v++) {
        const u32 row = first + ((warp * VECTORS + v) * 32u + lane) * LANES;
        if (whole) {
            const Vector loaded = *(const Vector *)(column + row);
            x[v][0] = one(loaded.x, row, test);
            x[v][1] = one(loaded.y, row, test);
#if !WIDE
            x[v][2] = one(loaded.z, row, test);
            x[v][3] = one(loaded.w, row, test);
#endif
        } else {
            #pragma unroll
            for (u32 i = 0; i < LANES; i++) {
                x[v][i] = row < rows && i < rows - row ? one(column[row + i], row + i, test) : nothing();
            }
        }
    }
    // What comes before each vector in the warp.
    Acc before[VECTORS];
    Acc of_warp = nothing();
    #pragma unroll
    for (u32 v = 0; v < VECTORS; v++) {
        Acc sum = x[v][0];
        #pragma unroll
        for (u32 i = 1; i < LANES; i++) { sum = join(sum, x[v][i]); }
        #pragma unroll
        for (u32 distance = 1; distance < 32u; distance *= 2u) {
            const Acc other = shuffle_up(sum, distance);
            if (lane >= distance) { sum = join(other, sum); }
        }
        const Acc left = shuffle_up(sum, 1u);
        before[v] = join(of_warp, lane == 0u ? nothing() : left);
        of_warp = join(of_warp, shuffle(sum, 31u));
    }
    if (lane == 0u) { of_warps[warp] = of_warp; }
    BARRIER();
    Acc before_warp = nothing();
    Acc of_tile = nothing();
    #pragma unroll
    for (u32 w = 0; w < THREADS / 32u; w++) {
        if (w == warp) { before_warp = of_tile; }
        of_tile = join(of_tile, of_warps[w]);
    }
    before_warp = join(before_tile(tile, of_tile, &before_all), before_warp);
    #pragma unroll
    for (u32 v = 0; v < VECTORS; v++) {
        const u32 row = first + ((warp * VECTORS + v) * 32u + lane) * LANES;
        Acc acc = join(before_warp, before[v]);
        Bits y[LANES];
        #pragma unroll
        for (u32 i = 0; i < LANES; i++) {
            const Acc next = join(acc, x[v][i]);
            y[i] = value_of(exclusive ? acc : next);
            acc = next;
        }
        if (exclusive && row == 0u) { y[0] = (Bits)WORD64(20); }
        if (whole) {
            Vector stored;
            stored.x = y[0];
            stored.y = y[1];
#if !WIDE
            stored.z = y[2];
            stored.w = y[3];
#endif
            *(Vector *)(into + row) = stored;
        } else {
            #pragma unroll
            for (u32 i = 0; i < LANES; i++) {
                if (row < rows && i < rows - row) { into[row + i] = y[i]; }
            }
        }
    }
    end_tile(tile, launch.w[31], &flag);
}
#else
// The second launch; the first was `imminent_totals`, unless there is one group. Bound by reading the column twice and
// writing the result once. A thread has 64 bytes one after another.
KERNEL(imminent_scan) {
    __local Acc shared[2u * THREADS];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], chunk = launch.w[24], exclusive = launch.w[25];
    const GLOBAL Bits *column = COLUMN(Bits, a, 0);
    GLOBAL Bits *into = COLUMN(Bits, b, 1);
    Test test;
    test.none = 0;
    Acc carried = nothing();
    for (u32 i = LOCAL_ID; i < GROUP_ID; i += THREADS) {
        carried = join(carried, get_partial(scratch + i * PARTIAL_WORDS));
    }
    carried = group_join(carried, shared);
    const u32 begin = GROUP_ID * chunk;
    const u32 end = rows - begin < chunk ? rows : begin + chunk;
    for (u32 first = begin; first < end; first = end - first > SCAN_TILE ? first + SCAN_TILE : end) {
        const u32 at = first + LOCAL_ID * VECTORS * LANES;
        const u32 count = at < end ? end - at : 0u;
        Acc x[VECTORS * LANES];
        Acc sum = nothing();
        for (u32 i = 0; i < VECTORS * LANES; i++) {
            x[i] = i < count ? one(column[at + i], at + i, test) : nothing();
            sum = join(sum, x[i]);
        }
        Acc all;
        Acc acc = join(carried, group_before(sum, shared, &all));
        carried = join(carried, all);
        for (u32 i = 0; i < VECTORS * LANES; i++) {
            const Acc next = join(acc, x[i]);
            if (i < count) {
                Bits y = value_of(exclusive ? acc : next);
                if (exclusive && at + i == 0u) { y = (Bits)WORD64(20); }
                into[at + i] = y;
            }
            acc = next;
        }
    }
}
#endif
