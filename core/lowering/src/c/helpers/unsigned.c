// Unsigned integers: $t is u32 or u64, $bits one less than its width.

DEVICE $t div_$t(imminent_context *ctx, $t a, $t b, u32 site) {
    if (b == 0u) {
        raise_fault(ctx, site);
        return 0u;
    }
    return a / b;
}

DEVICE $t rem_$t(imminent_context *ctx, $t a, $t b, u32 site) {
    if (b == 0u) {
        raise_fault(ctx, site);
        return 0u;
    }
    return a % b;
}

DEVICE $t min_$t($t a, $t b) {
    return b < a ? b : a;
}

DEVICE $t max_$t($t a, $t b) {
    return a < b ? b : a;
}

DEVICE $t abs_diff_$t($t a, $t b) {
    return b < a ? a - b : b - a;
}

DEVICE $t rotate_left_$t($t x, u32 n) {
    return (x << (n & $bits)) | (x >> ((0u - n) & $bits));
}

DEVICE $t rotate_right_$t($t x, u32 n) {
    return (x >> (n & $bits)) | (x << ((0u - n) & $bits));
}

// The zeros below the lowest one are the ones of this word.
DEVICE u32 trailing_zeros_$t($t x) {
    return count_ones_$t(~x & (x - 1u));
}

DEVICE $t saturating_add_$t($t a, $t b) {
    return a + b < a ? ~($t)0 : a + b;
}

DEVICE $t saturating_sub_$t($t a, $t b) {
    return a < b ? ($t)0 : a - b;
}
