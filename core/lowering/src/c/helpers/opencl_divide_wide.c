// Division and square roots of f32 for devices that round them loosely but have f64.

// An f64 holds more than twice the digits, so rounding twice gives what rounding once does.
DEVICE f32 div_f32(f32 a, f32 b) {
    return (f32)((f64)a / (f64)b);
}

DEVICE f32 sqrt_f32(f32 x) {
    return (f32)sqrt((f64)x);
}
