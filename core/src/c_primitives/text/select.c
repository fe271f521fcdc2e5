// Lists the rows that pass a test, in order. a: the column; b: the list; c: how many there are; d: the value compared with, if it
// is on the device. Word 24: rows of a chunk.
#define ITEMS 16u
#define SELECT_TILE (THREADS * ITEMS)

#if CUDA
// Bound by reading the column once and writing the list once. A warp has 512 rows one after another and votes on 32 at a time, so
// loads are coalesced, and so are the stores of rows that pass.
KERNEL(imminent_select) {
    LOCAL u32 number;
    LOCAL u32 of_warps[THREADS / 32u];
    LOCAL u32 before_all;
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    const Test test = LAUNCH_TEST();
    const u32 tiles = GROUPS;
    const Tile tile = next_tile(counters, scratch, tiles, &number);
    const u32 lane = LOCAL_ID % 32u, warp = LOCAL_ID / 32u;
    const Bits *column = COLUMN(Bits, a, 0);
    u32 *list = COLUMN(u32, b, 1);
    const u32 first = tile.number * SELECT_TILE + warp * 32u * ITEMS + lane;
    Bits x[ITEMS];
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        x[i] = first < rows && i * 32u < rows - first ? column[first + i * 32u] : 0;
    }
    u32 passing[ITEMS];
    u32 of_warp = 0u;
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        const bool there = first < rows && i * 32u < rows - first;
        passing[i] = __ballot_sync(WARP_ALL, there && passes(test, x[i]) != 0u);
        of_warp += (u32)__popc((int)passing[i]);
    }
    if (lane == 0u) { of_warps[warp] = of_warp; }
    BARRIER();
    u32 before = 0u, of_tile = 0u;
    #pragma unroll
    for (u32 w = 0; w < THREADS / 32u; w++) {
        if (w == warp) { before = of_tile; }
        of_tile += of_warps[w];
    }
    const u32 before_block = before_tile(tile, of_tile, &before_all);
    before += before_block;
    const u32 lower = (1u << lane) - 1u;
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        if (passing[i] & (1u << lane)) { list[before + (u32)__popc((int)(passing[i] & lower))] = first + i * 32u; }
        before += (u32)__popc((int)passing[i]);
    }
    if (tile.number == tiles - 1u && LOCAL_ID == 0u) { *COLUMN(u32, c, 2) = before_block + of_tile; }
    end_tile(tile, launch.w[31], &number);
}
#else
// The second launch; the first was `imminent_totals`, unless there is one group. Bound by reading the column twice and writing
// the list once.
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
