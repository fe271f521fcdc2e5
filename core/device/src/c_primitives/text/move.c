// Moves a column. MOVE: 0 copy, 1 gather, 2 fill. a: from; b: to; c: the list of a gather; d: the value of a fill, if
// it is on the device. Words: 17 whether it is, 18 and 19 the value otherwise.
//
// Bound by reading and writing once; a gather reads 32 bytes for every value that lies alone.
KERNEL(imminent_move) {
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    GLOBAL Bits *to = COLUMN(Bits, b, 1);
#if MOVE == 0
    const GLOBAL Bits *from = COLUMN(Bits, a, 0);
    #define MOVED(row) from[row]
#elif MOVE == 1
    const GLOBAL Bits *from = COLUMN(Bits, a, 0);
    const GLOBAL u32 *list = COLUMN(u32, c, 2);
    #define MOVED(row) from[list[row]]
#else
    const Bits value = launch.w[17] ? *COLUMN(Bits, d, 3) : (Bits)WORD64(18);
    #define MOVED(row) value
#endif
    // Four values of each thread at a time: all are loaded before the first is stored.
    const u32 tiles = rows / (4u * THREADS) + (rows % (4u * THREADS) ? 1u : 0u);
    for (u32 tile = GROUP_ID; tile < tiles; tile += GROUPS) {
        const u32 first = tile * 4u * THREADS + LOCAL_ID;
        Bits x[4];
        #pragma unroll
        for (u32 i = 0; i < 4u; i++) {
            const u32 row = first + i * THREADS;
            if (row < rows) { x[i] = MOVED(row); }
        }
        #pragma unroll
        for (u32 i = 0; i < 4u; i++) {
            const u32 row = first + i * THREADS;
            if (row < rows) { to[row] = x[i]; }
        }
    }
}
