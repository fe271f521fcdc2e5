// What groups leave for one another in memory.

// Words of one partial result.
#define PARTIAL_WORDS 4u

#if CUDA
#define PUT_WORD(place, word) (*(place) = (word))
#define GET_WORD(place) (*(place))
#else
// OpenCL 1.2 promises nothing about plain stores that another group reads in the same launch; atomics meet in memory.
#define PUT_WORD(place, word) ((void)atomic_xchg(place, word))
#define GET_WORD(place) atomic_or(place, 0u)
#endif

DEVICE void put_partial(GLOBAL u32 *at, Acc acc) {
#if FORM == LEAST_ROW
    const u64 key = acc.x;
    PUT_WORD(at + 2, (u32)acc.y);
#elif FORM == SUM_FLOAT && WIDE
    const u64 key = F64_BITS(acc);
#elif FORM == SUM_FLOAT
    const u64 key = F32_BITS(acc);
#else
    const u64 key = acc;
#endif
    PUT_WORD(at, (u32)key);
    if (sizeof(Bits) == 8) { PUT_WORD(at + 1, (u32)(key >> 32)); }
}

DEVICE Acc get_partial(GLOBAL u32 *at) {
    const u32 low = GET_WORD(at);
    const u64 high = sizeof(Bits) == 8 ? (u64)GET_WORD(at + 1) << 32 : 0;
    const Bits bits = (Bits)(high | low);
#if FORM == LEAST_ROW
    Acc acc;
    acc.x = bits;
    acc.y = GET_WORD(at + 2);
    return acc;
#elif FORM == SUM_FLOAT && WIDE
    return AS_F64(bits);
#elif FORM == SUM_FLOAT
    return AS_F32(bits);
#else
    return (Acc)bits;
#endif
}
