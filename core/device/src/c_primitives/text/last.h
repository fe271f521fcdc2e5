// Whether this group is the last of `groups` to come here: then it sees what the others wrote before. The counter is
// left 0.
DEVICE u32 is_last(GLOBAL u32 *counter, u32 groups, LOCAL_POINTER u32 *flag) {
    BARRIER();
    if (LOCAL_ID == 0u) {
        FENCE();
        const u32 last = ATOMIC_ADD(counter, 1u) == groups - 1u ? 1u : 0u;
        if (last) { ATOMIC_EXCHANGE(counter, 0u); }
        *flag = last;
    }
    BARRIER();
    const u32 last = *flag;
    FENCE();
    BARRIER();
    return last;
}
