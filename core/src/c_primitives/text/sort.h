// A pass of a stable radix sort: keys and payloads go to the place of their digit, in the order in which they come.
//
// Words of the launch block: 16 first bit of the digit; 17 whether the payload is the row number, for the pass that reads the
// column; 18 whether keys are written; 24 rows of a chunk.
// Columns: a keys, b payloads, c where keys go, d where payloads go. The matrix in `scratch`, at word 20: for each digit the count of
// each chunk, later what comes before it; after it the counts of the digits.
//
// Keys stay as they are, and their order is that of `key_of`: so a NaN keeps its bits.
#if CUDA
#define DIGIT_BITS 8u
#else
#define DIGIT_BITS 4u
#endif
#define DIGITS (1u << DIGIT_BITS)
#define SORT_ITEMS 16u
#define SORT_TILE (THREADS * SORT_ITEMS)

DEVICE u32 digit_of(Bits x, u32 shift) {
    return (u32)(key_of(x) >> shift) & (DIGITS - 1u);
}
