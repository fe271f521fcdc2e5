//! Numbers from which a kernel is generated.

use imminent_core::ir::{Scalar, Value};

/// List of numbers that decides what is generated. Past its end every number is 0, which always selects the simplest
/// choice. A shorter list, or one of smaller numbers, therefore gives a simpler kernel, and failures shrink.
pub(super) struct Choices<'c> {
    rest: std::slice::Iter<'c, u16>,
}

impl<'c> Choices<'c> {
    pub(super) fn new(numbers: &'c [u16]) -> Self {
        Choices { rest: numbers.iter() }
    }

    fn next(&mut self) -> u16 {
        self.rest.next().copied().unwrap_or(0)
    }

    /// Returns a number below `n`; 0 if `n` is 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        usize::from(self.next()) % n.max(1)
    }

    /// Returns one of the given values, the first by default.
    pub(super) fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let at = self.below(of.len());
        of.get(at).cloned()
    }

    /// Returns `true` once in `n` times.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// Returns random bits.
    fn word(&mut self) -> u32 {
        u32::from(self.next()) << 16 | u32::from(self.next())
    }

    /// Returns a value of a scalar type: mostly an edge value.
    pub(super) fn literal(&mut self, scalar: Scalar) -> Value {
        const WORDS: [u32; 14] = [0, 1, 2, 3, 5, 7, 31, 32, 33, 64, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, u32::MAX];
        const WIDE: [u64; 16] = [
            0,
            1,
            2,
            3,
            31,
            32,
            63,
            64,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x1_0000_0000,
            0x7fff_ffff_ffff_ffff,
            0x8000_0000_0000_0000,
            0xffff_ffff_0000_0000,
            u64::MAX,
        ];
        const FLOATS: [f64; 14] =
            [0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 3.0, 1e-3, 1e9, -3e9, 1e19, f64::INFINITY, f64::NAN, -0.0];
        let edge = !self.one_in(4);
        match scalar {
            Scalar::Bool => Value::Bool(self.below(2) == 1),
            Scalar::U32 => Value::U32(if edge { WORDS[self.below(WORDS.len())] } else { self.word() }),
            Scalar::I32 => Value::I32(if edge { WORDS[self.below(WORDS.len())] } else { self.word() } as i32),
            Scalar::U64 => Value::U64(if edge { WIDE[self.below(WIDE.len())] } else { self.wide() }),
            Scalar::I64 => Value::I64(if edge { WIDE[self.below(WIDE.len())] } else { self.wide() } as i64),
            Scalar::F32 => Value::F32((FLOATS[self.below(FLOATS.len())] as f32).to_bits()),
            Scalar::F64 => Value::F64(FLOATS[self.below(FLOATS.len())].to_bits()),
        }
    }

    fn wide(&mut self) -> u64 {
        u64::from(self.word()) << 32 | u64::from(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_the_end_everything_is_the_simplest() {
        let mut choices = Choices::new(&[7, 1]);
        assert_eq!((choices.below(5), choices.below(5), choices.below(5)), (2, 1, 0));
        assert_eq!(choices.pick(&['a', 'b']), Some('a'));
        assert_eq!(choices.literal(Scalar::I64), Value::I64(0));
        assert!(!choices.one_in(2));
        assert_eq!((choices.below(0), choices.pick::<u8>(&[])), (0, None));
    }
}
