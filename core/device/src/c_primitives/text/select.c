// Lists the rows that pass a test, in order. a: the column; b: the list; c: how many there are; d: the value compared
// with, if it is on the device. Word 24: on CUDA how many times 1,024 rows a warp has, else rows of a chunk.

#if CUDA
// Bound by reading the column once and writing the list once. Of a row a warp keeps one bit: of 1,024 rows every lane
// keeps the votes on 32. So a tile may be large, and tiles are few, and seldom wait for one another.
#define MOST_WORDS 4u
// Loads of 16 bytes that serve 1,024 rows, and rows of one.
#define LOADS (32u / LANES)
#define LOAD_ROWS (32u * LANES)

// The votes on rows `first` to `first + 1024`: lane `v * LANES + i` gets those on value `i` of every lane's vector `v`.
DEVICE u32 votes(const Bits *column, u32 first, u32 rows, bool aligned, Test test) {
    const u32 lane = LOCAL_ID % 32u;
    const bool whole = aligned && first < rows && rows - first >= 1024u;
    Bits x[LOADS][LANES];
    #pragma unroll
    for (u32 v = 0; v < LOADS; v++) {
        const u32 row = first + v * LOAD_ROWS + lane * LANES;
        if (whole) {
            const Vector loaded = *(const Vector *)(column + row);
            x[v][0] = loaded.x;
            x[v][1] = loaded.y;
#if !WIDE
            x[v][2] = loaded.z;
            x[v][3] = loaded.w;
#endif
        } else {
            #pragma unroll
            for (u32 i = 0; i < LANES; i++) { x[v][i] = row < rows && i < rows - row ? column[row + i] : 0; }
        }
    }
    u32 kept = 0u;
    #pragma unroll
    for (u32 v = 0; v < LOADS; v++) {
        const u32 row = first + v * LOAD_ROWS + lane * LANES;
        #pragma unroll
        for (u32 i = 0; i < LANES; i++) {
            const bool there = whole || (row < rows && i < rows - row);
            const u32 passing = __ballot_sync(WARP_ALL, there && passes(test, x[v][i]) != 0u);
            if (lane == v * LANES + i) { kept = passing; }
        }
    }
    return kept;
}

KERNEL(imminent_select) {
    LOCAL u64 drawn;
    LOCAL u32 flag;
    LOCAL u32 of_warps[THREADS / 32u];
    LOCAL u32 before_all;
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], words = launch.w[24];
    const Test test = LAUNCH_TEST();
    const u32 tiles = GROUPS;
    const Tile tile = next_tile(counters, scratch, tiles, &drawn);
    const u32 lane = LOCAL_ID % 32u, warp = LOCAL_ID / 32u;
    const Bits *column = COLUMN(Bits, a, 0);
    u32 *list = COLUMN(u32, b, 1);
    const bool aligned = (u64)column % 16u == 0u;
    // Beyond 2^32 rows there are none.
    const u64 start = ((u64)tile.number * (THREADS / 32u) + warp) * words * 1024u;
    u32 kept[MOST_WORDS];
    u32 before[MOST_WORDS];
    u32 of_warp = 0u;
    #pragma unroll
    for (u32 k = 0; k < MOST_WORDS; k++) {
        const u64 first = start + k * 1024u;
        kept[k] = k < words && first < rows ? votes(column, (u32)first, rows, aligned, test) : 0u;
    }
    #pragma unroll
    for (u32 k = 0; k < MOST_WORDS; k++) {
        // What the vector's rows give, and what the vectors before it in the warp do.
        u32 of_vector = (u32)__popc((int)kept[k]);
        #pragma unroll
        for (u32 i = 1; i < LANES; i *= 2u) { of_vector += __shfl_xor_sync(WARP_ALL, of_vector, i); }
        u32 sum = of_vector;
        #pragma unroll
        for (u32 distance = LANES; distance < 32u; distance *= 2u) {
            const u32 other = __shfl_up_sync(WARP_ALL, sum, distance);
            if (lane >= distance) { sum += other; }
        }
        before[k] = of_warp + sum - of_vector;
        of_warp += __shfl_sync(WARP_ALL, sum, 31);
    }
    if (lane == 0u) { of_warps[warp] = of_warp; }
    BARRIER();
    u32 before_warp = 0u, of_tile = 0u;
    #pragma unroll
    for (u32 w = 0; w < THREADS / 32u; w++) {
        if (w == warp) { before_warp = of_tile; }
        of_tile += of_warps[w];
    }
    const u32 before_block = before_tile(tile, of_tile, &before_all);
    before_warp += before_block;
    if (tile.number == tiles - 1u && LOCAL_ID == 0u) { *COLUMN(u32, c, 2) = before_block + of_tile; }
    const u32 lower = (1u << lane) - 1u;
    #pragma unroll
    for (u32 k = 0; k < MOST_WORDS; k++) {
        if (k >= words || of_warp == 0u) { break; }
        for (u32 v = 0; v < LOADS; v++) {
            u32 place = before_warp + __shfl_sync(WARP_ALL, before[k], v * LANES);
            u32 passing[LANES];
            u32 any = 0u;
            #pragma unroll
            for (u32 i = 0; i < LANES; i++) {
                passing[i] = __shfl_sync(WARP_ALL, kept[k], v * LANES + i);
                place += (u32)__popc((int)(passing[i] & lower));
                any |= passing[i];
            }
            if (any == 0u) { continue; }
            const u32 row = (u32)start + k * 1024u + v * LOAD_ROWS + lane * LANES;
            #pragma unroll
            for (u32 i = 0; i < LANES; i++) {
                if (passing[i] & (1u << lane)) {
                    list[place] = row + i;
                    place++;
                }
            }
        }
    }
    end_tile(tile, launch.w[31], &flag);
}
#else
#define ITEMS 16u
#define SELECT_TILE (THREADS * ITEMS)

// The second launch; the first was `imminent_totals`, unless there is one group. Bound by reading the column twice and
// writing the list once.
KERNEL(imminent_select) {
    __local Acc shared[2u * THREADS];
    if (!TURN()) { return; }
    const u32 rows = launch.w[0], chunk = launch.w[24];
    const Test test = LAUNCH_TEST();
    const GLOBAL Bits *column = COLUMN(Bits, a, 0);
    GLOBAL u32 *list = COLUMN(u32, b, 1);
    u32 carried = 0u;
    for (u32 i = LOCAL_ID; i < GROUP_ID; i += THREADS) { carried += get_partial(scratch + i * PARTIAL_WORDS); }
    carried = group_join(carried, shared);
    const u32 begin = GROUP_ID * chunk;
    const u32 end = rows - begin < chunk ? rows : begin + chunk;
    for (u32 first = begin; first < end; first = end - first > SELECT_TILE ? first + SELECT_TILE : end) {
        const u32 at = first + LOCAL_ID * ITEMS;
        const u32 count = at < end ? end - at : 0u;
        u32 passing = 0u;
        for (u32 i = 0; i < ITEMS; i++) {
            if (i < count) { passing |= passes(test, column[at + i]) << i; }
        }
        u32 all;
        u32 place = carried + group_before(popcount(passing), shared, &all);
        carried += all;
        for (u32 i = 0; i < ITEMS; i++) {
            if (passing & (1u << i)) {
                list[place] = at + i;
                place++;
            }
        }
    }
    if (GROUP_ID == GROUPS - 1u && LOCAL_ID == 0u) { *COLUMN(u32, c, 2) = carried; }
}
#endif
