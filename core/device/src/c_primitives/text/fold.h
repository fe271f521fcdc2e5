// Folding the rows of a column in any order.
//
// Set before: FORM, one of those below. A key and its row are a vector, x and y: a compiler of OpenCL C (PoCL 3.1)
// breaks down at a structure of two words and one. For COUNT, `Test` is that of the filter; the other forms pass an
// empty one.
#define LEAST 0
#define LEAST_ROW 1
#define SUM 2
#define SUM_FLOAT 3
#define COUNT 4

#if FORM != COUNT
typedef struct { u32 none; } Test;
#endif

#if FORM == LEAST_ROW && WIDE
typedef Vector64 Acc;
#elif FORM == LEAST_ROW
typedef uint2 Acc;
#elif FORM == SUM_FLOAT && WIDE
typedef double Acc;
#elif FORM == SUM_FLOAT
typedef float Acc;
#elif FORM == COUNT
typedef u32 Acc;
#else
typedef Bits Acc;
#endif

// What no row gives. A sum of floats starts at -0, to which everything can be added without a trace.
DEVICE Acc nothing(void) {
#if FORM == LEAST_ROW
    Acc acc;
    acc.x = ALL_ONES;
    acc.y = 0xffffffffu;
    return acc;
#elif FORM == LEAST
    return ALL_ONES;
#elif FORM == SUM_FLOAT && WIDE
    return AS_F64(SIGN);
#elif FORM == SUM_FLOAT
    return AS_F32(SIGN);
#else
    return 0;
#endif
}

// What one row gives.
DEVICE Acc one(Bits x, u32 row, Test test) {
#if FORM == LEAST_ROW
    Acc acc;
    acc.x = key_of(x);
    acc.y = row;
    return acc;
#elif FORM == LEAST
    return key_of(x);
#elif FORM == SUM_FLOAT && WIDE
    return AS_F64(x);
#elif FORM == SUM_FLOAT
    return AS_F32(x);
#elif FORM == COUNT
    return passes(test, x);
#else
    return x;
#endif
}

// Both together. Of equal keys the lower row wins.
DEVICE Acc join(Acc p, Acc q) {
#if FORM == LEAST_ROW
    return q.x < p.x || (q.x == p.x && q.y < p.y) ? q : p;
#elif FORM == LEAST
    return q < p ? q : p;
#else
    return p + q;
#endif
}

// The bits of what was folded. Not of counts and rows.
#if FORM != LEAST_ROW
DEVICE Bits value_of(Acc acc) {
#if FORM == LEAST
    return bits_of(acc);
#elif FORM == SUM_FLOAT && WIDE
    return F64_BITS(acc);
#elif FORM == SUM_FLOAT
    return F32_BITS(acc);
#else
    return acc;
#endif
}
#endif

// Adds a later row. Where keys are equal the earlier one stays.
DEVICE Acc take(Acc acc, Bits x, u32 row, Test test) {
#if FORM == LEAST_ROW
    const Bits key = key_of(x);
    if (key < acc.x) {
        acc.x = key;
        acc.y = row;
    }
    return acc;
#else
    return join(acc, one(x, row, test));
#endif
}

DEVICE Acc take_vector(Acc acc, Vector v, u32 row, Test test) {
    acc = take(acc, v.x, row, test);
    acc = take(acc, v.y, row + 1u, test);
#if !WIDE
    acc = take(acc, v.z, row + 2u, test);
    acc = take(acc, v.w, row + 3u, test);
#endif
    return acc;
}

// Loads of 16 bytes under way in every thread: with 1,024 threads on a multiprocessor 64 KiB, more than the memory's
// latency times its bandwidth.
#define UNROLL 4u
#define TILE (THREADS * UNROLL)

// Folds rows `begin` to `end` by vectors: the tiles `tile`, `tile + step`, ...; the rows before the first and after the
// last whole vector too, if `edges`.
DEVICE Acc fold(const GLOBAL Bits *column, u32 begin, u32 end, u32 tile, u32 step, u32 edges, Test test) {
    const u32 rows = end - begin;
    const u32 odd = (u32)((u64)(column + begin) / sizeof(Bits)) % LANES;
    const u32 gap = (LANES - odd) % LANES;
    const u32 head = gap < rows ? gap : rows;
    const u32 vectors = (rows - head) / LANES;
    const u32 tiles = vectors / TILE + (vectors % TILE ? 1u : 0u);
    const GLOBAL Vector *data = (const GLOBAL Vector *)(column + begin + head);
    const u32 first_row = begin + head;
    // Independent of one another, so that no load waits for a sum.
    Acc accs[UNROLL];
    #pragma unroll
    for (u32 u = 0; u < UNROLL; u++) { accs[u] = nothing(); }
    for (; tile < tiles; tile += step) {
        const u32 at = tile * TILE + LOCAL_ID;
        if (vectors - tile * TILE >= TILE) {
            Vector loaded[UNROLL];
            #pragma unroll
            for (u32 u = 0; u < UNROLL; u++) { loaded[u] = data[at + u * THREADS]; }
            #pragma unroll
            for (u32 u = 0; u < UNROLL; u++) {
                accs[u] = take_vector(accs[u], loaded[u], first_row + (at + u * THREADS) * LANES, test);
            }
        } else {
            #pragma unroll
            for (u32 u = 0; u < UNROLL; u++) {
                const u32 i = at + u * THREADS;
                if (i < vectors) { accs[u] = take_vector(accs[u], data[i], first_row + i * LANES, test); }
            }
        }
    }
    Acc acc = join(join(accs[0], accs[1]), join(accs[2], accs[3]));
    if (edges) {
        const u32 tail = first_row + vectors * LANES;
        if (LOCAL_ID < head) { acc = join(acc, one(column[begin + LOCAL_ID], begin + LOCAL_ID, test)); }
        if (LOCAL_ID < end - tail) { acc = join(acc, one(column[tail + LOCAL_ID], tail + LOCAL_ID, test)); }
    }
    return acc;
}
