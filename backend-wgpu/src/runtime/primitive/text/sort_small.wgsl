// A sort of at most 1,024 rows in one dispatch of one workgroup: a bitonic network over keys and row numbers, so that
// equal keys keep their order. Bound by the latency of its barriers. Words of the launch block: 9 first word where keys
// go, 10 where payloads go, 11 first word of the payloads, 17 whether the payload is the row number, 18 whether keys
// are written, 19 words of a payload, 24 rows rounded up to a power of two.
var<workgroup> keys: array<Bits, 1024>;
var<workgroup> numbers: array<u32, 1024>;

fn comes_before(p: u32, q: u32) -> bool {
    return is_below(keys[p], keys[q]) | (is_same(keys[p], keys[q]) & (numbers[p] < numbers[q]));
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) local: u32) {
    let turn = in_turn();
    let rows = launch[0];
    let size = launch[24];
    for (var i = local; i < size; i += 256u) {
        // What is absent has the greatest key and a greater number than all rows.
        keys[i] = ALL_ONES;
        if (i < rows) { keys[i] = key_of(value(i)); }
        numbers[i] = i;
    }
    for (var run = 2u; run <= size; run <<= 1u) {
        for (var distance = run >> 1u; distance > 0u; distance >>= 1u) {
            workgroupBarrier();
            for (var i = local; i < size / 2u; i += 256u) {
                let p = (i / distance) * distance * 2u + i % distance;
                let q = p + distance;
                if (comes_before(q, p) == ((p & run) == 0u)) {
                    let key = keys[p];
                    keys[p] = keys[q];
                    keys[q] = key;
                    let number = numbers[p];
                    numbers[p] = numbers[q];
                    numbers[q] = number;
                }
            }
        }
    }
    workgroupBarrier();
    if (!turn) { return; }
    for (var i = local; i < rows; i += 256u) {
        let row = numbers[i];
        if (launch[18] == 1u) {
            let x = value(row);
            let word = launch[9] + i * (4u / LANES);
            keys_to[word] = low_word(x);
            if (LANES == 2u) { keys_to[word + 1u] = high_word(x); }
        }
        if (launch[17] == 1u) {
            payloads_to[launch[10] + i] = row;
        } else {
            for (var w = 0u; w < launch[19]; w++) {
                payloads_to[launch[10] + i * launch[19] + w] = payloads[launch[11] + row * launch[19] + w];
            }
        }
    }
}
