// Faults and indices. One function per paragraph; a function is written into a text only if it is used.

// The first fault of an invocation is the one that counts. `site` is the number of the site, plus one.
DEVICE void raise_fault(imminent_context *ctx, u32 site) {
    if (ctx->fault == 0u) {
        ctx->fault = site;
    }
}

// The words that the next fault has for its operands.
DEVICE void note_operands(imminent_context *ctx, u32 low, u32 high, u32 third) {
    if (ctx->fault == 0u) {
        ctx->fault_words[0] = low;
        ctx->fault_words[1] = high;
        ctx->fault_words[2] = third;
    }
}

// The number of a row to read: past the end it is that of the zero row.
DEVICE u32 bind_row(imminent_context *ctx, u32 index, u32 rows, u32 site) {
    if (index >= rows) {
        raise_fault(ctx, site);
        return rows;
    }
    return index;
}

// An index as a word: what does not fit becomes the greatest word, which is past the end of every array.
DEVICE u32 index_u64(u64 index) {
    return index > 0xffffffffu ? 0xffffffffu : (u32)index;
}

DEVICE u64 join_u64(u32 low, u32 high) {
    return (u64)low | ((u64)high << 32u);
}

DEVICE u32 swap_bytes_u32(u32 x) {
    return (x << 24u) | ((x & 0xff00u) << 8u) | ((x >> 8u) & 0xff00u) | (x >> 24u);
}

DEVICE u64 swap_bytes_u64(u64 x) {
    return join_u64(swap_bytes_u32((u32)(x >> 32u)), swap_bytes_u32((u32)x));
}

// Between phases every invocation but the first has a fault already, so that it notes none: those are the first row's.
DEVICE void enter_phase(imminent_context *ctx) {
    if (ctx->lane != 0u) {
        ctx->fault = ctx->lane_fault;
    }
}

DEVICE void leave_phase(imminent_context *ctx) {
    if (ctx->lane != 0u) {
        ctx->lane_fault = ctx->fault;
        ctx->fault = 0xffffffffu;
    }
}
