// Decoupled look-back: tiles are numbered in the order in which blocks begin with them, so every tile before this one
// is under way or done. A tile publishes what it has, looks back until it finds one that knows what came before it, and
// publishes that in turn. One launch, and the column is read once.
//
// Words of `counters`: 8 next tile and 9 epoch, drawn together; 10 tiles done, in the last epoch; from STATES on two
// for each tile: a value and a tag. A tag of an earlier epoch means nothing, so nothing has to be cleared between
// launches, and no block counts itself out. A value of two words lies in `scratch`: there are those of the tiles alone,
// then those that include what came before. Word 31 of the launch block: words of `counters`.
#define STATES 131072u
#define ALONE 1u
#define COMPLETE 2u
#define EPOCHS 0x3ffffffeu

DEVICE Acc shuffle(Acc acc, u32 lane) { return __shfl_sync(WARP_ALL, acc, lane); }
DEVICE Acc shuffle_up(Acc acc, u32 distance) { return __shfl_up_sync(WARP_ALL, acc, distance); }

// What a thread of a block knows of its tile.
typedef struct {
    u32 number;
    u32 tiles;
    u32 epoch;
    u32 *counters;
    u32 *scratch;
} Tile;

// The next tile, for the whole block. `shared` has room for a tile's number and its epoch.
//
// The block that draws the last tile readies the count for the next launch: no other block of this one will draw.
DEVICE Tile next_tile(u32 *counters, u32 *scratch, u32 tiles, u64 *shared) {
    Tile tile;
    tile.tiles = tiles;
    tile.counters = counters;
    tile.scratch = scratch;
    tile.number = 0u;
    tile.epoch = 0u;
    if (tiles > 1u) {
        if (LOCAL_ID == 0u) {
            u64 *next = (u64 *)(counters + 8);
            const u64 drawn = atomicAdd(next, 1ull);
            const u64 epoch = (drawn >> 32) + 1u;
            if ((u32)drawn == tiles - 1u && epoch < EPOCHS) { atomicExch(next, epoch << 32); }
            *shared = drawn;
        }
        BARRIER();
        tile.number = (u32)*shared;
        tile.epoch = (u32)(*shared >> 32) + 1u;
    }
    return tile;
}

DEVICE u64 acc_word(Acc acc) {
#if FORM == SUM_FLOAT && WIDE
    return F64_BITS(acc);
#elif FORM == SUM_FLOAT
    return F32_BITS(acc);
#else
    return acc;
#endif
}

DEVICE Acc acc_of(u64 word) {
#if FORM == SUM_FLOAT && WIDE
    return AS_F64(word);
#elif FORM == SUM_FLOAT
    return AS_F32((u32)word);
#else
    return (Acc)word;
#endif
}

DEVICE void publish(Tile tile, u32 status, Acc acc) {
    const u32 tag = tile.epoch * 4u + status;
    volatile u64 *state = (volatile u64 *)(tile.counters + STATES) + tile.number;
    if (sizeof(Acc) == 4) {
        // Both words at once.
        *state = ((u64)tag << 32) | acc_word(acc);
    } else {
        ((volatile u64 *)tile.scratch)[(status == COMPLETE ? tile.tiles : 0u) + tile.number] = acc_word(acc);
        FENCE();
        *state = (u64)tag << 32;
    }
}

// What the tiles before this one have together; for warp 0, all of it.
DEVICE Acc look_back(Tile tile) {
    const u32 lane = LOCAL_ID % 32u;
    volatile u64 *states = (volatile u64 *)(tile.counters + STATES);
    Acc acc = nothing();
    for (i64 last = (i64)tile.number - 1;; last -= 32) {
        const i64 at = last - (i64)lane;
        u64 state = 0;
        u32 status = COMPLETE;
        if (at >= 0) {
            do {
                state = states[at];
                status = (u32)(state >> 32) - tile.epoch * 4u;
            } while (status != ALONE && status != COMPLETE);
        }
        __syncwarp();
        Acc other = nothing();
        if (at >= 0) {
            if (sizeof(Acc) == 4) {
                other = acc_of(state & 0xffffffffu);
            } else {
                FENCE();
                other = acc_of(((volatile u64 *)tile.scratch)[(status == COMPLETE ? tile.tiles : 0u) + at]);
            }
        }
        // The nearest that knows what came before it; those beyond are in there already.
        const u32 complete = __ballot_sync(WARP_ALL, status == COMPLETE);
        const u32 nearest = complete ? (u32)__ffs((int)complete) - 1u : 32u;
        acc = join(acc, shuffle(warp_join(lane <= nearest ? other : nothing()), 0u));
        if (complete) { return acc; }
    }
}

// What came before the tile, for the whole block, given what the tile has, which thread 0 knows at least.
DEVICE Acc before_tile(Tile tile, Acc own, Acc *shared) {
    if (tile.tiles == 1u) { return nothing(); }
    if (LOCAL_ID < 32u) {
        if (LOCAL_ID == 0u) { publish(tile, tile.number == 0u ? COMPLETE : ALONE, own); }
        __syncwarp();
        Acc before = nothing();
        if (tile.number > 0u) {
            before = look_back(tile);
            if (LOCAL_ID == 0u) { publish(tile, COMPLETE, join(before, own)); }
        }
        if (LOCAL_ID == 0u) { *shared = before; }
    }
    BARRIER();
    return *shared;
}

// Ends a block's work on its tile. Once in a thousand million launches the epochs begin anew: the last block to be done
// forgets all tags.
DEVICE void end_tile(Tile tile, u32 words, u32 *shared) {
    if (tile.tiles == 1u || tile.epoch < EPOCHS) { return; }
    BARRIER();
    if (LOCAL_ID == 0u) { *shared = atomicAdd(tile.counters + 10, 1u) == tile.tiles - 1u ? 1u : 0u; }
    BARRIER();
    if (!*shared) { return; }
    // Other blocks read and counted in these words by the same launch: plain stores would race with them.
    for (u32 i = STATES + LOCAL_ID; i < words; i += THREADS) { atomicExch(tile.counters + i, 0u); }
    if (LOCAL_ID < 3u) { atomicExch(tile.counters + 8u + LOCAL_ID, 0u); }
}
