//! Operands: edge values, and random ones of all magnitudes.

use imminent_ir::Scalar;

/// Operands: all pairs of edge values, then random ones of all magnitudes.
pub(super) fn operands(scalar: Scalar) -> Vec<(u64, u64, u32)> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let edges = edges(scalar);
    let mut cases = Vec::new();
    for (i, a) in edges.iter().enumerate() {
        for (j, b) in edges.iter().enumerate() {
            cases.push((*a, *b, (i * 7 + j) as u32));
        }
    }
    let mask = if scalar.words() == 2 { u64::MAX } else { u64::from(u32::MAX) };
    for _ in 0..6000 {
        let (a, b) = match scalar {
            Scalar::Bool => (random.next() & 1, random.next() & 1),
            _ => (random.sized() & mask, random.sized() & mask),
        };
        cases.push((a, b, (random.next() >> 20) as u32 % 200));
    }
    cases
}

fn edges(scalar: Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 => {
            let mut floats = vec![
                0.0,
                1.0,
                0.5,
                1.5,
                2.5,
                3.5,
                0.1,
                16777216.0,
                16777217.0,
                2147483648.0,
                2147483520.0,
                4294967296.0,
                4294967040.0,
                9.223372e18,
                9.223371e18,
                1.8446744e19,
                1.8446743e19,
                1e30,
                f32::MAX,
                f32::MIN_POSITIVE,
                f32::INFINITY,
                f32::NAN,
                3.0,
                7.25,
                0.99999994,
                8388607.5,
                8388609.0,
            ];
            floats.extend(floats.clone().iter().map(|x| -x));
            floats.iter().map(|x| u64::from(x.to_bits())).collect()
        }
        Scalar::F64 => {
            let mut floats = vec![
                0.0,
                1.0,
                0.5,
                1.5,
                2.5,
                0.1,
                4294967295.5,
                2147483647.5,
                9007199254740993.0,
                9.223372036854775e18,
                9.223372036854776e18,
                1.8446744073709552e19,
                1.844674407370955e19,
                1e300,
                f64::MAX,
                f64::MIN_POSITIVE,
                f64::INFINITY,
                f64::NAN,
                f64::from_bits(1),
                3.0,
                4503599627370497.5,
            ];
            floats.extend(floats.clone().iter().map(|x| -x));
            floats.iter().map(|x| x.to_bits()).collect()
        }
        _ => {
            let mut values = vec![
                0,
                1,
                2,
                3,
                5,
                7,
                10,
                255,
                256,
                65535,
                65536,
                65537,
                0x00ff_00ff,
                0x7fff_ffff,
                0x8000_0000,
                0x8000_0001,
            ];
            values.extend([0xffff_ffff, 0xffff_fffe, 0xfffe_0001]);
            if scalar.words() == 2 {
                values.extend([
                    1 << 32,
                    (1 << 32) + 1,
                    (1 << 33) - 1,
                    0xffff_0000_0000,
                    0x0001_0000_0001,
                    1 << 53,
                    (1 << 53) + 1,
                ]);
                values.extend([
                    1 << 62,
                    i64::MAX as u64,
                    (i64::MAX - 1) as u64,
                    1 << 63,
                    (1 << 63) + 1,
                    u64::MAX,
                    u64::MAX - 1,
                ]);
                values.extend([
                    0xffff_ffff_0000_0000,
                    0x8000_0000_8000_0000,
                    0xffff_ffff_0000_0001,
                    0x0000_0001_8000_0000,
                    10_000_000_000,
                ]);
                values.extend([
                    (1 << 24) + 1,
                    (1 << 40) + (1 << 15),
                    (1 << 63) + (1 << 39),
                    (1 << 63) + (3 << 39),
                    6364136223846793005,
                ]);
            }
            values
        }
    }
}

/// A small generator, so that the cases are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of a random length, sometimes negated.
    fn sized(&mut self) -> u64 {
        let length = self.next() % 64;
        let x = self.next() >> length;
        if self.next().is_multiple_of(4) { x.wrapping_neg() } else { x }
    }
}
