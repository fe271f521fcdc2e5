//! Operand tables: the edge values of each type, and random values of every magnitude.

use rand_core::Rng;
use rand_pcg::Pcg32;

/// A scalar with edge values.
pub(crate) trait Operand: Copy + Send + Sync + 'static {
    /// Returns zero, one, the extremes, powers of two and their neighbours, and other values at which errors have
    /// occurred.
    fn edges() -> Vec<Self>;

    /// Returns a random value; every magnitude is about equally likely.
    fn random(rng: &mut Pcg32) -> Self;
}

macro_rules! integer_operands {
    ($($ty:ty),*) => {$(
        impl Operand for $ty {
            fn edges() -> Vec<Self> {
                let mut edges = vec![0, 1, 2, 3, 5, 7, 10, 1000, <$ty>::MAX, <$ty>::MAX - 1, <$ty>::MIN, <$ty>::MIN + 1];
                // Bits at which devices have made errors: byte, half-word, word and sign boundaries.
                for bit in [4, 8, 15, 16, 23, 24, 30, 31, 32, 33, 47, 62, 63] {
                    if bit < <$ty>::BITS {
                        let power: $ty = 1 << bit;
                        edges.extend([power.wrapping_sub(1), power, power.wrapping_add(1)]);
                    }
                }
                edges.push(0x0123_4567_89ab_cdef_u64 as $ty);
                if <$ty>::MIN != 0 {
                    let negative: Vec<$ty> = edges.iter().map(|x| x.wrapping_neg()).collect();
                    edges.extend(negative);
                }
                edges.sort_unstable();
                edges.dedup();
                edges
            }

            fn random(rng: &mut Pcg32) -> Self {
                let bits = rng.next_u64() as $ty;
                let magnitude = bits >> (rng.next_u32() % <$ty>::BITS);
                if rng.next_u32() & 1 == 0 { magnitude } else { magnitude.wrapping_neg() }
            }
        }
    )*};
}

integer_operands!(u32, i32, u64, i64);

impl Operand for bool {
    fn edges() -> Vec<Self> {
        vec![false, true]
    }

    fn random(rng: &mut Pcg32) -> Self {
        rng.next_u32() & 1 == 1
    }
}

macro_rules! float_operands {
    ($($ty:ident, $bits:ident, $next:ident, $mantissa:expr, $exponent_bias:expr);*) => {$(
        impl Operand for $ty {
            fn edges() -> Vec<Self> {
                let mut edges = vec![
                    0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 10.0, 1000.25, 0.499_999_97,
                    <$ty>::EPSILON, <$ty>::MIN_POSITIVE, <$ty>::MAX, <$ty>::INFINITY, core::$ty::consts::PI,
                    <$ty>::from_bits(1), <$ty>::MIN_POSITIVE.next_down(), <$ty>::MIN_POSITIVE * 0.5,
                    <$ty>::MIN_POSITIVE.sqrt(), <$ty>::MAX.sqrt(),
                ];
                // Ends of fractions, and of the integer types.
                for exponent in [22, 23, 24, 25, 31, 32, 51, 52, 53, 54, 63, 64] {
                    let power = (exponent as $ty).exp2();
                    edges.extend([power.next_down(), power, power.next_up(), power - 0.5, power + 1.0]);
                }
                edges.extend([(1.0 as $ty).next_up(), (1.0 as $ty).next_down(), (0.5 as $ty).next_up(), (0.5 as $ty).next_down()]);
                let negative: Vec<$ty> = edges.iter().map(|x| -x).collect();
                edges.extend(negative);
                edges.push(<$ty>::NAN);
                edges.sort_unstable_by_key(|x| x.to_bits());
                edges.dedup_by_key(|x| x.to_bits());
                edges
            }

            fn random(rng: &mut Pcg32) -> Self {
                let bits = rng.next_u64() as $bits;
                if rng.next_u32() & 1 == 0 {
                    return <$ty>::from_bits(bits);
                }
                // Exponents near zero, where sums and products of two values interact.
                let exponent = ($exponent_bias + (rng.next_u32() % 40) as $bits - 20) << $mantissa;
                <$ty>::from_bits(bits & !(<$ty>::INFINITY.to_bits()) | exponent)
            }
        }
    )*};
}

float_operands!(f32, u32, next_up, 23, 127; f64, u64, next_up, 52, 1023);

/// Returns every pair of edge values, and random pairs.
pub(crate) fn pairs<A: Operand, B: Operand>(random: usize, rng: &mut Pcg32) -> Vec<(A, B)> {
    let seconds = B::edges();
    let mut pairs: Vec<(A, B)> = A::edges().iter().flat_map(|a| seconds.iter().map(|b| (*a, *b))).collect();
    pairs.extend((0..random).map(|_| (A::random(rng), B::random(rng))));
    pairs
}

/// Returns every edge value, and random values.
pub(crate) fn singles<A: Operand>(random: usize, rng: &mut Pcg32) -> Vec<A> {
    let mut singles = A::edges();
    singles.extend((0..random).map(|_| A::random(rng)));
    singles
}

/// Returns shift counts: inside the width, at it, and far beyond.
pub(crate) fn shifts<A: Operand>(random: usize, rng: &mut Pcg32) -> Vec<(A, u32)> {
    const COUNTS: [u32; 22] =
        [0, 1, 2, 7, 8, 15, 16, 24, 30, 31, 32, 33, 34, 47, 48, 62, 63, 64, 65, 96, 128, u32::MAX];
    let mut pairs: Vec<(A, u32)> = A::edges().iter().flat_map(|a| COUNTS.map(|count| (*a, count))).collect();
    pairs.extend((0..random).map(|_| (A::random(rng), rng.next_u32() >> (rng.next_u32() % 32))));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edges_are_there() {
        for value in [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1] {
            assert!(u32::edges().contains(&value));
        }
        for value in [1 << 32, u64::from(u32::MAX), u64::MAX, 1 << 63] {
            assert!(u64::edges().contains(&value));
        }
        for value in [i32::MIN, -1, i32::MAX] {
            assert!(i32::edges().contains(&value));
        }
        assert!(f32::edges().iter().any(|x| x.is_nan()));
        assert!(f32::edges().iter().any(|x| x.is_subnormal()));
        assert!(f32::edges().iter().any(|x| *x == 0.0 && x.is_sign_negative()));
    }

    #[test]
    fn random_operands_have_every_magnitude_and_repeat() {
        let draw = |seed| {
            let mut rng = Pcg32::new(seed, 1);
            (0..2000).map(|_| u64::random(&mut rng)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        for bits in 1..=64 {
            assert!(draw(1).iter().any(|x| 64 - x.leading_zeros() == bits), "no value of {bits} bits");
        }
    }
}
