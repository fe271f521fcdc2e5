// Division and square roots of f32 as the device's own operations.

DEVICE f32 div_f32(f32 a, f32 b) {
    return a / b;
}

DEVICE f32 sqrt_f32(f32 x) {
    return sqrt(x);
}
