// The digits of a stable radix sort, from the lowest on: in each pass keys and payloads go to the place of their digit,
// in the order in which they come.
//
// Keys stay as they are, and their order is that of `key_of`: so a NaN keeps its bits.
#if CUDA
#define DIGIT_BITS 8u
#else
#define DIGIT_BITS 4u
#endif
#define DIGITS (1u << DIGIT_BITS)
#define PASSES ((u32)sizeof(Bits) * 8u / DIGIT_BITS)

DEVICE u32 digit_of(Bits x, u32 shift) {
    return (u32)(key_of(x) >> shift) & (DIGITS - 1u);
}
