//! One step of a line of cells.

use super::super::kernels::levelling::levelled;
use crate::flood::TOLERANCE;
use multiversion::multiversion;

/// Bits of a word that hold the ninth of an amount.
const SHARE: u64 = (1 << REST) - 1;

/// Bits below the remainder of an amount.
const REST: u32 = 60;

/// Sums of three words, one below the other, along a line. Sums of nine words keep to the low 60 bits what their
/// shares add up to, since all amounts together stay below 2^61.
#[derive(Default)]
pub(super) struct Line {
    /// Words of the line above before the step.
    held: Vec<u64>,
    sums: Vec<u64>,
}

impl Line {
    /// Makes room for lines of a length.
    pub(super) fn widen(&mut self, stride: usize) {
        self.held.resize(stride, 0);
        self.sums.resize(stride, 0);
    }

    /// Holds the line above the next one that is added; zeros beyond the edge.
    pub(super) fn hold(&mut self, above: Option<&[u64]>) {
        match above {
            Some(above) if above.len() == self.held.len() => self.held.copy_from_slice(above),
            _ => self.held.fill(0),
        }
    }

    /// Sums the line above, a line and the one below it, and holds the line in place of the one above.
    pub(super) fn add(&mut self, here: &[u64], below: Option<&[u64]>) {
        let lines = self.sums.iter_mut().zip(&mut self.held).zip(here);
        match below {
            Some(below) => lines.zip(below).for_each(|(((sum, held), &here), &below)| {
                *sum = (*held).wrapping_add(here).wrapping_add(below);
                *held = here;
            }),
            None => lines.for_each(|((sum, held), &here)| {
                *sum = (*held).wrapping_add(here);
                *held = here;
            }),
        }
    }

    /// Sums along the line.
    pub(super) fn sums(&self) -> &[u64] {
        &self.sums
    }
}

/// Takes a step of a line from the sums of three words at each place. `plain` says that all cells but the outer two
/// have nine open cells around them. Returns the number of cells that changed.
pub(super) fn level(sums: &[u64], cells: &mut [u64], open: &[u8], plain: bool) -> u64 {
    // The outer columns are closed.
    let ([_, inner @ .., _], [_, open @ .., _]) = (cells, open) else { return 0 };
    if plain && let ([first, middle @ .., last], [open, .., open_last]) = (&mut *inner, open) {
        let windows = (sums.get(..3), sums.get(1..sums.len() - 1), sums.last_chunk::<3>());
        let (Some(left), Some(between), Some(right)) = windows else { return 0 };
        return settle(first, left, *open) + level_plain(between, middle) + settle(last, right, *open_last);
    }
    let cells = inner.iter_mut().zip(sums.windows(3)).zip(open);
    cells.map(|((cell, sums), &open)| settle(cell, sums, open)).sum()
}

/// Takes a step of one cell. Returns 1 if it changed.
fn settle(cell: &mut u64, sums: &[u64], open: u8) -> u64 {
    let sum = sums.iter().fold(0, |all: u64, &sum| all.wrapping_add(sum));
    let next = levelled(*cell, sum, u32::from(open));
    let changed = next != *cell;
    *cell = next;
    u64::from(changed)
}

/// Takes a step of cells that have nine open cells around them, by the vectors of the processor.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn level_plain(sums: &[u64], cells: &mut [u64]) -> u64 {
    let (Some(middle), Some(right)) = (sums.get(1..), sums.get(2..)) else { return 0 };
    let mut changes = 0;
    for (((cell, left), middle), right) in cells.iter_mut().zip(sums).zip(middle).zip(right) {
        let sum = left.wrapping_add(*middle).wrapping_add(*right) & SHARE;
        let flow = sum.wrapping_sub(9 * (*cell & SHARE));
        let amount = sum + (*cell >> REST);
        let share = ninth(amount);
        let next = share | ((amount - 9 * share) << REST);
        let next = if flow.wrapping_add(TOLERANCE) <= 2 * TOLERANCE { *cell } else { next };
        changes += u64::from(next != *cell);
        *cell = next;
    }
    changes
}

/// Returns a ninth of an amount below 2^61, rounded down. It multiplies 32-bit digits, for which vector instructions
/// exist.
///
/// 2^33 / 9, rounded up, is exact for numbers of 32 bits. A remainder of the high digit counts 2^31, which is nine
/// times 238,609,294 and 2 more.
#[inline(always)]
fn ninth(amount: u64) -> u64 {
    const RECIPROCAL: u64 = 954_437_177;
    const WORD: u64 = 0xffff_ffff;
    let (high, low) = ((amount >> 31) & WORD, amount & (WORD >> 1));
    let high_ninth = (high * RECIPROCAL) >> 33;
    let carried = high - 9 * high_ninth;
    let rest = (2 * carried + low) & WORD;
    (high_ninth << 31) + carried * 238_609_294 + ((rest * RECIPROCAL) >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_ninth_is_a_quotient(amount in prop_oneof![0_u64..1 << 61, 0_u64..1000, (1_u64..1 << 30).prop_map(|high| (high << 31) - 1)]) {
            prop_assert_eq!(ninth(amount), amount / 9);
        }
    }
}
