// Signed integers: $t is i32 or i64, $u the unsigned type of the same width, in which nothing overflows.

DEVICE $t add_$t($t a, $t b) {
    return ($t)(($u)a + ($u)b);
}

DEVICE $t sub_$t($t a, $t b) {
    return ($t)(($u)a - ($u)b);
}

DEVICE $t mul_$t($t a, $t b) {
    return ($t)(($u)a * ($u)b);
}

DEVICE $t neg_$t($t a) {
    return ($t)(0u - ($u)a);
}

DEVICE $t shl_$t($t a, u32 n) {
    return ($t)(($u)a << (n & $bits));
}

DEVICE $t shr_$t($t a, u32 n) {
    return a >> (n & $bits);
}

DEVICE $t div_$t(imminent_context *ctx, $t a, $t b, u32 site) {
    if (b == 0) {
        raise_fault(ctx, site);
        return 0;
    }
    if (b == -1) {
        return neg_$t(a);
    }
    return a / b;
}

DEVICE $t rem_$t(imminent_context *ctx, $t a, $t b, u32 site) {
    if (b == 0) {
        raise_fault(ctx, site);
        return 0;
    }
    if (b == -1) {
        return 0;
    }
    return a % b;
}

DEVICE $t min_$t($t a, $t b) {
    return b < a ? b : a;
}

DEVICE $t max_$t($t a, $t b) {
    return a < b ? b : a;
}

DEVICE $t abs_$t($t a) {
    return a < 0 ? neg_$t(a) : a;
}

DEVICE $u abs_diff_$t($t a, $t b) {
    return b < a ? ($u)a - ($u)b : ($u)b - ($u)a;
}

DEVICE $t signum_$t($t a) {
    return a < 0 ? -1 : (a > 0 ? 1 : 0);
}

// The least value where `negative`, else the greatest.
DEVICE $t saturated_$t(bool negative) {
    return negative ? ($t)(~(~($u)0 >> 1u)) : ($t)(~($u)0 >> 1u);
}

DEVICE $t saturating_add_$t($t a, $t b) {
    $t sum = add_$t(a, b);
    return ((a ^ sum) & (b ^ sum)) < 0 ? saturated_$t(a < 0) : sum;
}

DEVICE $t saturating_sub_$t($t a, $t b) {
    $t difference = sub_$t(a, b);
    return ((a ^ b) & (a ^ difference)) < 0 ? saturated_$t(a < 0) : difference;
}

DEVICE $t rotate_left_$t($t x, u32 n) {
    return ($t)rotate_left_$u(($u)x, n);
}

DEVICE $t rotate_right_$t($t x, u32 n) {
    return ($t)rotate_right_$u(($u)x, n);
}

DEVICE u32 count_ones_$t($t x) {
    return count_ones_$u(($u)x);
}

DEVICE u32 leading_zeros_$t($t x) {
    return leading_zeros_$u(($u)x);
}

DEVICE u32 trailing_zeros_$t($t x) {
    return trailing_zeros_$u(($u)x);
}

DEVICE $t reverse_bits_$t($t x) {
    return ($t)reverse_bits_$u(($u)x);
}

DEVICE $t swap_bytes_$t($t x) {
    return ($t)swap_bytes_$u(($u)x);
}
