// Joining what the threads of a group hold.

#if CUDA
// What the lane `distance` further on holds.
DEVICE Acc shuffle_down(Acc acc, u32 distance) {
#if FORM == LEAST_ROW
    Acc other;
    other.x = __shfl_down_sync(WARP_ALL, acc.x, distance);
    other.y = __shfl_down_sync(WARP_ALL, acc.y, distance);
    return other;
#else
    return __shfl_down_sync(WARP_ALL, acc, distance);
#endif
}

// Lane 0 gets what the warp holds.
DEVICE Acc warp_join(Acc acc) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && FORM == LEAST && !WIDE
    return __reduce_min_sync(WARP_ALL, acc);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && (FORM == COUNT || (FORM == SUM && !WIDE))
    return __reduce_add_sync(WARP_ALL, acc);
#else
    #pragma unroll
    for (u32 distance = 16; distance > 0; distance /= 2) { acc = join(acc, shuffle_down(acc, distance)); }
    return acc;
#endif
}

// Thread 0 gets what the group holds. `shared` has room for one of each warp.
DEVICE Acc group_join(Acc acc, LOCAL_POINTER Acc *shared) {
    const u32 lane = LOCAL_ID % 32u;
    acc = warp_join(acc);
    if (lane == 0u) { shared[LOCAL_ID / 32u] = acc; }
    BARRIER();
    if (LOCAL_ID < 32u) {
        acc = warp_join(lane < THREADS / 32u ? shared[lane] : nothing());
    }
    BARRIER();
    return acc;
}
#define GROUP_ROOM 8u
#else
// Thread 0 gets what the group holds. `shared` has room for one of each thread.
DEVICE Acc group_join(Acc acc, LOCAL_POINTER Acc *shared) {
    shared[LOCAL_ID] = acc;
    BARRIER();
    for (u32 stride = THREADS / 2u; stride > 0u; stride /= 2u) {
        if (LOCAL_ID < stride) { shared[LOCAL_ID] = join(shared[LOCAL_ID], shared[LOCAL_ID + stride]); }
        BARRIER();
    }
    acc = shared[0];
    BARRIER();
    return acc;
}
#define GROUP_ROOM 256u

// What the threads before this one hold; `all` gets what the group holds. `shared` has room for two of each thread.
DEVICE Acc group_before(Acc acc, LOCAL_POINTER Acc *shared, Acc *all) {
    u32 from = 0u;
    shared[LOCAL_ID] = acc;
    BARRIER();
    for (u32 distance = 1u; distance < THREADS; distance *= 2u) {
        const u32 to = THREADS - from;
        const Acc own = shared[from + LOCAL_ID];
        shared[to + LOCAL_ID] = LOCAL_ID >= distance ? join(shared[from + LOCAL_ID - distance], own) : own;
        from = to;
        BARRIER();
    }
    *all = shared[from + THREADS - 1u];
    const Acc before = LOCAL_ID == 0u ? nothing() : shared[from + LOCAL_ID - 1u];
    BARRIER();
    return before;
}
#endif
