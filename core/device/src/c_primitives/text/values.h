// Values of a column as bits, and as keys whose unsigned order is the total order.
//
// Set before: THREADS, those of a group; WIDE, 1 for values of two words; KIND, 0 unsigned, 1 signed, 2 float; FLIP, 1
// where the greatest is looked for, so that it has the least key.
//
// Every kernel has the same parameters. Words of the launch block: 0 rows, 4 turn, 8 to 15 for each of a, b, c, d where
// the column starts (two words), from 16 on what the kernel says.
#if WIDE
typedef u64 Bits;
typedef Vector64 Vector;
#define LANES 2u
#define ALL_ONES U64(0xffffffffffffffff)
#define SIGN U64(0x8000000000000000)
#define INFINITY_BITS U64(0x7ff0000000000000)
#define NAN_BITS U64(0x7ff8000000000000)
#else
typedef u32 Bits;
typedef Vector32 Vector;
#define LANES 4u
#define ALL_ONES 0xffffffffu
#define SIGN 0x80000000u
#define INFINITY_BITS 0x7f800000u
#define NAN_BITS 0x7fc00000u
#endif

// A launch outside programs has this turn.
#define EVERY_TURN 0xfffffffeu
#define TURN() (launch.w[4] == EVERY_TURN || state[0] == launch.w[4])
#define WORD64(at) ((u64)launch.w[at] | ((u64)launch.w[(at) + 1] << 32))

// The key: a NaN, whatever its sign and payload, has the greatest, which no number has. It is chosen at the end:
// OpenCL's compilers on NVIDIA make of a return in the middle what costs a minimum an eighth of its speed.
DEVICE Bits key_of(Bits x) {
#if KIND == 0
    const Bits key = x;
#elif KIND == 1
    const Bits key = x ^ SIGN;
#else
    const Bits key = x ^ ((x & SIGN) ? ALL_ONES : SIGN);
#endif
#if FLIP
    const Bits ordered = key ^ ALL_ONES;
#else
    const Bits ordered = key;
#endif
#if KIND == 2
    return (x & ~SIGN) > INFINITY_BITS ? ALL_ONES : ordered;
#else
    return ordered;
#endif
}

// The value of a key.
DEVICE Bits bits_of(Bits key) {
#if KIND == 2
    if (key == ALL_ONES) { return NAN_BITS; }
#endif
#if FLIP
    key ^= ALL_ONES;
#endif
#if KIND == 0
    return key;
#elif KIND == 1
    return key ^ SIGN;
#else
    return key ^ ((key & SIGN) ? SIGN : ALL_ONES);
#endif
}
