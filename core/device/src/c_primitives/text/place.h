// A pass in chunks, three launches: counts, their sums, places. For devices that promise no order between the groups of
// a launch.
// Words of the launch block: 16 first bit of the digit; 17 whether the payload is the row number, for the pass that
// reads the column; 18 whether keys are written; 24 rows of a chunk.
// Columns: a keys, b payloads, c where keys go, d where payloads go. The matrix in `scratch`, at word 20: for each
// digit the count of each chunk, later what comes before it; after it the counts of the digits.
#define TILE (THREADS * ITEMS)
#define COUNTERS (THREADS * DIGITS)
// Puts the rows `first` to `end`, a tile at most, in their places, and moves the places on. A thread has 16 rows one
// after another and counts their digits in a column of its own, so nothing is counted by two.
DEVICE void place_tile(u32 first, u32 end, u32 shift, u32 numbers, const GLOBAL Bits *keys, const GLOBAL u32 *payloads,
    GLOBAL Bits *keys_to, GLOBAL u32 *payloads_to, LOCAL_POINTER u32 *places, LOCAL_POINTER u32 *counts, LOCAL_POINTER u32 *sums) {
    for (u32 digit = 0u; digit < DIGITS; digit++) { counts[digit * THREADS + LOCAL_ID] = 0u; }
    const u32 at = first + LOCAL_ID * ITEMS;
    const u32 length = at < end ? (end - at < ITEMS ? end - at : ITEMS) : 0u;
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
    // Places become those of number 0 of the tile, so that a number in the tile gives a place. They may wrap around
    // meanwhile.
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
