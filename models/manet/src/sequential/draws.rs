//! Integers that random words choose.

use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Draws an integer below a bound from one word.
pub(super) fn below(rng: &mut Pcg32, bound: u32) -> u32 {
    share(rng.next_u32(), bound)
}

/// Returns the integer below a bound that a word chooses.
pub(super) fn share(word: u32, bound: u32) -> u32 {
    ((u64::from(word) * u64::from(bound)) >> 32) as u32
}
