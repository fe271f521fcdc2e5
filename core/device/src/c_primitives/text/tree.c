// The sum of a column of floats over the fixed tree. a: the column; b: the result.
//
// 32 blocks of 256 values are a part. What a part gives are values of the next level.
//
// Bound by reading the column once: a warp keeps the values of four blocks in registers, loaded 128 bytes at a time and
// all before the first is added, adds strides 128, 64 and 32 there, and the rest by shuffles. The levels above are
// 1/255 of the values.
#define PART_BLOCKS 32u
#if WIDE
typedef double Value;
#define ABSENT AS_F64(SIGN)
#else
typedef float Value;
#define ABSENT AS_F32(SIGN)
#endif

// Value `i` of `count`. Beyond is -0, which every value can be added to without a trace: so all blocks are whole.
#define VALUE(from, i, count) ((i) < (count) ? (from)[i] : ABSENT)

// Strides 128, 64 and 32 of the 8 values that a lane of 32 has of a block.
DEVICE Value first_strides(const Value *x) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

// The same of values in memory, with those past the end.
DEVICE Value first_strides_of(const GLOBAL Value *from, u32 block, u32 count, u32 lane) {
    const u64 at = (u64)block * 256u + lane;
    Value x[8];
    if ((u64)block * 256u + 256u <= count) {
        #pragma unroll
        for (u32 j = 0; j < 8u; j++) { x[j] = from[at + 32u * j]; }
    } else {
        #pragma unroll
        for (u32 j = 0; j < 8u; j++) { x[j] = VALUE(from, at + 32u * j, count); }
    }
    return first_strides(x);
}

#if CUDA
// Sums blocks `first` to `first + 4` of `count` values, by one warp. All loads are under way before anything waits for
// one.
DEVICE void four_sums(const Value *from, u32 first, u32 count, Value *into) {
    const u32 lane = LOCAL_ID % 32u;
    const u64 at = (u64)first * 256u + lane;
    Value own[4][8];
    if (((u64)first + 4u) * 256u <= count) {
        #pragma unroll
        for (u32 i = 0; i < 4u; i++) {
            #pragma unroll
            for (u32 j = 0; j < 8u; j++) { own[i][j] = from[at + i * 256u + j * 32u]; }
        }
    } else {
        #pragma unroll
        for (u32 i = 0; i < 4u; i++) {
            #pragma unroll
            for (u32 j = 0; j < 8u; j++) { own[i][j] = VALUE(from, at + i * 256u + j * 32u, count); }
        }
    }
    Value x[4];
    #pragma unroll
    for (u32 i = 0; i < 4u; i++) { x[i] = first_strides(own[i]); }
    #pragma unroll
    for (u32 stride = 16u; stride > 0u; stride /= 2u) {
        #pragma unroll
        for (u32 i = 0; i < 4u; i++) { x[i] = x[i] + __shfl_down_sync(WARP_ALL, x[i], stride); }
    }
    if (lane == 0u) {
        #pragma unroll
        for (u32 i = 0; i < 4u; i++) { into[i] = x[i]; }
    }
}

// Sums the blocks of parts `first` to `first + parts`: into[i] is that of the i-th. Every warp has four of a part's.
DEVICE void parts_sums(const Value *from, u32 first, u32 parts, u32 count, Value *into) {
    const u32 at = LOCAL_ID / 32u * 4u;
    BARRIER();
    #pragma unroll 1
    for (u32 part = 0u; part < parts; part++) {
        four_sums(from, (first + part) * PART_BLOCKS + at, count, into + part * PART_BLOCKS + at);
    }
    BARRIER();
}

// Sums the first `count` values, at most 256, to `into`, by the first warp.
DEVICE void one_sum(const Value *from, u32 count, Value *into) {
    if (LOCAL_ID >= 32u) { return; }
    Value x = first_strides_of(from, 0u, count, LOCAL_ID);
    #pragma unroll
    for (u32 stride = 16u; stride > 0u; stride /= 2u) { x = x + __shfl_down_sync(WARP_ALL, x, stride); }
    if (LOCAL_ID == 0u) { *into = x; }
}
#else
// A block's 32 values lie 33 apart, so that threads at the same stride in different blocks use different banks.
#define PART_ROOM (PART_BLOCKS * 33u)
#define PLACE(block, lane) ((block) * 33u + (lane))
DEVICE void part_sums(const GLOBAL Value *from, u32 first, u32 count, LOCAL_POINTER Value *into) {
    const u32 lane = LOCAL_ID % 32u, warp = LOCAL_ID / 32u;
    for (u32 i = warp; i < PART_BLOCKS; i += THREADS / 32u) {
        into[PLACE(i, lane)] = first_strides_of(from, first + i, count, lane);
    }
    for (u32 stride = 16u; stride > 0u; stride /= 2u) {
        BARRIER();
        for (u32 i = LOCAL_ID; i < PART_BLOCKS * stride; i += THREADS) {
            const u32 at = PLACE(i / stride, i % stride);
            into[at] = into[at] + into[at + stride];
        }
    }
    BARRIER();
    const Value sum = LOCAL_ID < PART_BLOCKS ? into[PLACE(LOCAL_ID, 0u)] : ABSENT;
    BARRIER();
    if (LOCAL_ID < PART_BLOCKS) { into[LOCAL_ID] = sum; }
    BARRIER();
}
#endif

DEVICE u32 blocks_of(u32 count) {
    return count / 256u + (count % 256u ? 1u : 0u);
}

// Writes the sums of a part's blocks, as many as there are.
DEVICE void put_sums(GLOBAL Value *to, u32 first, u32 count, const LOCAL_POINTER Value *sums) {
    if (LOCAL_ID < PART_BLOCKS && first + LOCAL_ID < blocks_of(count)) { to[first + LOCAL_ID] = sums[LOCAL_ID]; }
    BARRIER();
}

#if CUDA
// All levels in one launch, with one place where the group that is last there goes on. Word 18 of the launch block says
// how many parts a group has at a time. Where it is one, for few rows, the last group sums level 1, which lies at the
// start of `scratch`, and what comes of it: at most four parts. Where it is eight, they are a whole block of level 1,
// and the last group has the values of level 2, from word 16 of the launch block on: at 2^28 rows 4,096 of them.
KERNEL(imminent_tree) {
    LOCAL Value sums[8u * PART_BLOCKS];
    LOCAL u32 flag;
    if (!TURN()) { return; }
    const u32 rows = launch.w[0];
    const u32 blocks = blocks_of(rows);
    const u32 parts = (blocks + PART_BLOCKS - 1u) / PART_BLOCKS;
    const Value *column = COLUMN(Value, a, 0);
    Value *into = COLUMN(Value, b, 1);
    if (launch.w[18] == 1u) {
        Value *level1 = (Value *)scratch;
        for (u32 part = GROUP_ID; part < parts; part += GROUPS) {
            parts_sums(column, part, 1u, rows, sums);
            if (parts > 1u) { put_sums(level1, part * PART_BLOCKS, rows, sums); }
        }
        if (blocks == 1u) {
            if (LOCAL_ID == 0u) { *into = sums[0]; }
        } else if (parts == 1u) {
            one_sum(sums, blocks, into);
        } else if (is_last(counters, GROUPS, &flag)) {
            parts_sums(level1, 0u, (blocks_of(blocks) + PART_BLOCKS - 1u) / PART_BLOCKS, blocks, sums);
            one_sum(sums, blocks_of(blocks), into);
        }
        return;
    }
    Value *level2 = (Value *)(scratch + launch.w[16]);
    for (u32 part = GROUP_ID * 8u; part < parts; part += GROUPS * 8u) {
        parts_sums(column, part, 8u, rows, sums);
        const u32 block = part / 8u;
        one_sum(sums, blocks - block * 256u < 256u ? blocks - block * 256u : 256u, level2 + block);
    }
    if (!is_last(counters, GROUPS, &flag)) { return; }
    // In place: what a part of this loop writes was read in it or before.
    u32 count = blocks_of(blocks);
    while (count > 1u) {
        const u32 next = blocks_of(count);
        for (u32 first = 0u; first < next; first += PART_BLOCKS) {
            parts_sums(level2, first / PART_BLOCKS, 1u, count, sums);
            put_sums(level2, first, count, sums);
        }
        count = next;
    }
    if (LOCAL_ID == 0u) { *into = level2[0]; }
}
#else
// One level: OpenCL 1.2 has no order between groups of a launch, so the host launches the next.
KERNEL(imminent_tree) {
    LOCAL Value sums[PART_ROOM];
    if (!TURN()) { return; }
    const u32 count = launch.w[0];
    const u32 parts = (blocks_of(count) + PART_BLOCKS - 1u) / PART_BLOCKS;
    for (u32 part = GROUP_ID; part < parts; part += GROUPS) {
        part_sums(COLUMN(Value, a, 0), part * PART_BLOCKS, count, sums);
        put_sums(COLUMN(Value, b, 1), part * PART_BLOCKS, count, sums);
    }
}
#endif
