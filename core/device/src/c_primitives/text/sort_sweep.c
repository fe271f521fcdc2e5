// A pass of a sort on CUDA, in one launch: tiles rank their keys, learn from the tiles before them where each digit
// goes on, and write keys and payloads in order. Bound by reading and writing both once: what a tile writes of a digit
// lies together, and threads that follow one another write it.
//
// Tiles are numbered in the order in which groups begin with them, so every tile before this one is under way or done.
// What a tile has of each digit is a word, published as soon as it is known; a thread for each digit looks back until
// it finds a tile that knows what came before it. The words of the pass after this one are cleared on the way.
//
// Words of the launch block: 16 the pass; 17 whether the payload is the row number; 18 where the states of tiles lie in
// `scratch`, and 19 how many words there are, twice; 20 where the schedule lies (`sort_digits.c`); 21 and 22 the halves
// for keys, 23 and 24 for payloads; 25 whether keys are wanted. Columns: a keys, b payloads, c where keys go, d where
// payloads go.
#define ALONE 0x40000000u
#define COMPLETE 0x80000000u
#define SUM_OF(state) ((state) & 0x3fffffffu)
// Tiles that a look back reads at a time.
#define AHEAD 4u

// How many keys of a digit the tiles before this one have.
DEVICE u32 look_back(const volatile u32 *states, u32 tile, u32 digit) {
    u32 before = 0u;
    for (i32 last = (i32)tile - 1;; last -= (i32)AHEAD) {
        u32 state[AHEAD];
        #pragma unroll
        for (i32 i = 0; i < (i32)AHEAD; i++) {
            state[i] = last >= i ? states[(u32)(last - i) * DIGITS + digit] : COMPLETE;
        }
        #pragma unroll
        for (i32 i = 0; i < (i32)AHEAD; i++) {
            while (!(state[i] & (ALONE | COMPLETE))) { state[i] = states[(u32)(last - i) * DIGITS + digit]; }
            before += SUM_OF(state[i]);
            if (state[i] & COMPLETE) { return before; }
        }
    }
}

KERNEL(imminent_sort_sweep) {
    LOCAL Vector32 room[(ROOM_WORDS + 3u) / 4u];
    LOCAL u32 starts[DIGITS];
    LOCAL u32 places[DIGITS];
    LOCAL u32 sums[WARPS];
    LOCAL u32 number;
    if (!TURN()) { return; }
    const u32 pass = launch.w[16], shift = pass * DIGIT_BITS;
    u32 *schedule = scratch + launch.w[20];
    const u32 step = schedule[PASSES * DIGITS + pass];
    if (!step) { return; }
    const u32 from = (step >> 1) & 3u, to = (step >> 3) & 3u, which = step >> 5;
    if (LOCAL_ID == 0u) { number = atomicAdd(schedule + PASSES * DIGITS + PASSES + pass, 1u); }
    BARRIER();
    const u32 tile = number, first = tile * TILE, lane = LOCAL_ID % 32u;
    const u32 rows = launch.w[0], length = rows - first < TILE ? rows - first : TILE;
    u32 *states = scratch + launch.w[18] + which * launch.w[19];
    if (to && LOCAL_ID < DIGITS) { scratch[launch.w[18] + (1u - which) * launch.w[19] + tile * DIGITS + LOCAL_ID] = 0u; }

    const Bits *keys = from ? (const Bits *)(scratch + launch.w[20u + from]) : COLUMN(Bits, a, 0);
    const u32 at = LOCAL_ID / 32u * 32u * ITEMS + lane;
    Bits x[ITEMS];
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) { x[i] = at + i * 32u < length ? keys[first + at + i * 32u] : ABSENT; }
    u32 *counts = (u32 *)room;
    u32 rank[ITEMS];
    rank_in_warps(x, ITEMS, shift, rank, counts);
    BARRIER();
    // What the tile has of a digit counts absent rows, too: of the last tile, after which nobody looks.
    u32 own = 0u;
    if (LOCAL_ID < DIGITS) {
        own = join_warps(LOCAL_ID, counts);
        *(volatile u32 *)(states + tile * DIGITS + LOCAL_ID) = own | (tile == 0u ? COMPLETE : ALONE);
    }
    u32 all;
    const u32 start = group_sum_before(own, sums, &all);
    if (LOCAL_ID < DIGITS) { starts[LOCAL_ID] = start; }
    BARRIER();
    rank_in_tile(x, ITEMS, shift, rank, counts, starts);
    BARRIER();
    Bits *staged = (Bits *)room;
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) { staged[rank[i]] = x[i]; }

    // Payloads are on their way while threads look back.
    const bool numbers = from == 0u && launch.w[17];
    const u32 *payloads = from ? scratch + launch.w[22u + from] : COLUMN(u32, b, 1);
    u32 payload[ITEMS];
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        const u32 row = first + at + i * 32u;
        payload[i] = !numbers && row < rows ? payloads[row] : row;
    }
    if (LOCAL_ID < DIGITS) {
        u32 before = 0u;
        if (tile > 0u) {
            before = look_back(states, tile, LOCAL_ID);
            *(volatile u32 *)(states + tile * DIGITS + LOCAL_ID) = SUM_OF(before + own) | COMPLETE;
        }
        // The place of a number in the tile; it may wrap around meanwhile.
        places[LOCAL_ID] = schedule[pass * DIGITS + LOCAL_ID] + before - start;
    }
    BARRIER();
    Bits *keys_to = to ? (Bits *)(scratch + launch.w[20u + to]) : launch.w[25] ? COLUMN(Bits, c, 2) : 0;
    u32 *payloads_to = to ? scratch + launch.w[22u + to] : COLUMN(u32, d, 3);
    u32 place[ITEMS];
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        const u32 j = i * THREADS + LOCAL_ID;
        const Bits key = staged[j];
        place[i] = places[digit_of(key, shift)] + j;
        if (keys_to && j < length) { keys_to[place[i]] = key; }
    }
    BARRIER();
    u32 *moved = (u32 *)room;
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) { moved[rank[i]] = payload[i]; }
    BARRIER();
    #pragma unroll
    for (u32 i = 0; i < ITEMS; i++) {
        const u32 j = i * THREADS + LOCAL_ID;
        if (j < length) { payloads_to[place[i]] = moved[j]; }
    }
}
