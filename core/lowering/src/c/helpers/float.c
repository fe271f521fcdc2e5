// Floats: $t is f32 or f64, $u the integer of the same width. Signs and NaN are looked for in the bits.

DEVICE bool is_nan_$t($t x) {
    return (to_bits_$t(x) & (~($u)0 >> 1u)) > (($u)$infinity << $fraction);
}

DEVICE bool is_finite_$t($t x) {
    return (to_bits_$t(x) & (~($u)0 >> 1u)) < (($u)$infinity << $fraction);
}

DEVICE $t neg_$t($t x) {
    return from_bits_$t(to_bits_$t(x) ^ ~(~($u)0 >> 1u));
}

DEVICE $t abs_$t($t x) {
    return from_bits_$t(to_bits_$t(x) & (~($u)0 >> 1u));
}

DEVICE $t copysign_$t($t a, $t b) {
    $u size = ~($u)0 >> 1u;
    return from_bits_$t((to_bits_$t(a) & size) | (to_bits_$t(b) & ~size));
}

DEVICE $t min_$t($t a, $t b) {
    return is_nan_$t(a) || b < opaque_$t(a) ? b : a;
}

DEVICE $t max_$t($t a, $t b) {
    return is_nan_$t(a) || b > opaque_$t(a) ? b : a;
}

DEVICE u32 u32_from_$t($t x) {
    if (!(x > ($t)0.0f)) {
        return 0u;
    }
    return x >= ($t)4294967296.0f ? 0xffffffffu : (u32)x;
}

DEVICE i32 i32_from_$t($t x) {
    if (is_nan_$t(x)) {
        return 0;
    }
    if (x >= ($t)2147483648.0f) {
        return 0x7fffffff;
    }
    return x <= ($t)-2147483648.0f ? -0x7fffffff - 1 : (i32)x;
}

DEVICE u64 u64_from_$t($t x) {
    if (!(x > ($t)0.0f)) {
        return 0u;
    }
    return x >= ($t)18446744073709551616.0f ? ~(u64)0 : (u64)x;
}

DEVICE i64 i64_from_$t($t x) {
    if (is_nan_$t(x)) {
        return 0;
    }
    if (x >= ($t)9223372036854775808.0f) {
        return (i64)(~(u64)0 >> 1u);
    }
    return x <= ($t)-9223372036854775808.0f ? (i64)((u64)1 << 63u) : (i64)x;
}
