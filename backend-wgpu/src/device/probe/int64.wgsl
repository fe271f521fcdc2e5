// Idioms of 64-bit integers that a driver has been seen to get wrong: sums that are compared with one of their
// operands.

@group(0) @binding(0) var<storage, read> operands: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

fn load(word: u32) -> u64 {
    return u64(operands[word]) | (u64(operands[word + 1u]) << 32u);
}

fn store(word: u32, value: u64) {
    results[word] = u32(value & 0xfffffffflu);
    results[word + 1u] = u32(value >> 32u);
}

fn saturating_add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    return select(sum, 0xfffffffffffffffflu, sum < a);
}

fn divide(a: u64, b: u64) -> u64 {
    if (b == 0lu) {
        return 0lu;
    }
    return a / b;
}

fn next_multiple(a: u64, b: u64) -> u64 {
    if (b <= 1lu) {
        return a;
    }
    let whole = divide(a, b) * b;
    if (whole == a) {
        return a;
    } else {
        return saturating_add(whole, b);
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    // The second operand is the same for all, as a parameter is.
    let b = load(0u);
    let a = load(2u + 2u * row);
    store(8u * row, saturating_add(a, b));
    store(8u * row + 2u, saturating_add(divide(a, b) * b, b));
    store(8u * row + 4u, next_multiple(a, b));
    store(8u * row + 6u, next_multiple(b, a) + u64(saturating_add(a, b) < a));
}
