//! Layout of the fault slots in which a device keeps the operands of a launch's fault.
//!
//! Operands are three words. For every launch the device keeps those of the lowest row with a fault, without locks and
//! independently of the order of rows. A launch has one slot for each of the 96 bits, behind the slots of its sites. An
//! invocation with a fault puts the minimum of its row into the slot of each bit that is set in its operands. So a bit
//! of the lowest row's operands is set if and only if the bit's slot holds that row.
//!
//! | words | kind of fault |
//! | --- | --- |
//! | left operand in 64 bits (low, high); [`SIGNED`] or 0 | division, remainder |
//! | index in 64 bits (low, high); length of the array, with [`SIGNED`] or without | array index |
//! | index, 0, length | row, lane, tally slot, scratch element |
//! | step, first possible step, number of possible steps | history |

use imminent_core::fault::Operands;
use imminent_ir::FaultKind;
use imminent_ir::flatten::FlatKernel;
use imminent_ir::launch::{Faults, SIGNED, keeps_operands};

/// Slots that operands take behind those of the sites.
const OPERAND_SLOTS: u32 = 96;

/// Returns the number of fault slots of one launch of a kernel.
#[must_use]
pub fn launch_slots(flat: &FlatKernel, faults: Faults) -> u32 {
    let sites = u32::try_from(flat.sites.len()).unwrap_or(u32::MAX);
    sites.saturating_add(if keeps_operands(flat, faults) { OPERAND_SLOTS } else { 0 })
}

/// Decodes the operands of a row's fault, from the words of the slots behind those of the sites.
pub(super) fn decode(kind: FaultKind, row: u32, slots: impl Iterator<Item = u32>) -> Option<Operands> {
    let mut words = [0_u32; 3];
    for (bit, slot) in (0..OPERAND_SLOTS).zip(slots) {
        if slot == row
            && let Some(word) = words.get_mut(bit as usize / 32)
        {
            *word |= 1 << (bit % 32);
        }
    }
    let [low, high, third] = words;
    let bits = u64::from(low) | u64::from(high) << 32;
    let wide = if third & SIGNED == 0 { i128::from(bits) } else { i128::from(bits.cast_signed()) };
    Some(match kind {
        FaultKind::DivisionByZero | FaultKind::RemainderByZero => Operands::Dividend(wide),
        FaultKind::IndexOutOfRange => Operands::Index { index: wide, length: u64::from(third & !SIGNED) },
        FaultKind::RowOutOfRange
        | FaultKind::LaneOutOfRange
        | FaultKind::TallyOutOfRange
        | FaultKind::ScratchOutOfRange => Operands::Index { index: i128::from(low), length: u64::from(third) },
        FaultKind::HistoryTooYoung
        | FaultKind::HistoryTooOld
        | FaultKind::HistoryTooEarly
        | FaultKind::HistoryTooFar => {
            let from = u64::from(high);
            Operands::Step { step: low, from, until: from + u64::from(third) }
        }
        FaultKind::Assertion | FaultKind::LoopCut => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault_slots::NO_FAULT;

    /// Returns the slots after rows with these operands, in this order.
    fn slots(rows: &[(u32, [u32; 3])]) -> Vec<u32> {
        let mut slots = vec![NO_FAULT; OPERAND_SLOTS as usize];
        for (row, words) in rows {
            for (bit, slot) in slots.iter_mut().enumerate() {
                if words[bit / 32] >> (bit % 32) & 1 == 1 {
                    *slot = (*slot).min(*row);
                }
            }
        }
        slots
    }

    #[test]
    fn the_operands_are_those_of_the_lowest_row_in_any_order() {
        let (low, high) = ((3, [6, 0, 5]), (9, [u32::MAX, 1, 7]));
        for rows in [[low, high], [high, low]] {
            let found = decode(FaultKind::LaneOutOfRange, 3, slots(&rows).into_iter());
            assert_eq!(found, Some(Operands::Index { index: 6, length: 5 }));
        }
    }

    #[test]
    fn every_kind_has_its_own_reading_of_the_words() {
        let read = |kind, words| decode(kind, 0, slots(&[(0, words)]).into_iter());
        let minus_two = [u32::MAX - 1, u32::MAX, SIGNED];
        assert_eq!(read(FaultKind::DivisionByZero, minus_two), Some(Operands::Dividend(-2)));
        let [low, high, third] = minus_two;
        assert_eq!(
            read(FaultKind::IndexOutOfRange, [low, high, third | 4]),
            Some(Operands::Index { index: -2, length: 4 })
        );
        assert_eq!(
            read(FaultKind::IndexOutOfRange, [low, high, 4]),
            Some(Operands::Index { index: i128::from(u64::MAX - 1), length: 4 })
        );
        let step = Operands::Step { step: 7, from: u64::from(u32::MAX), until: u64::from(u32::MAX) + 2 };
        assert_eq!(read(FaultKind::HistoryTooOld, [7, u32::MAX, 2]), Some(step));
        assert_eq!(read(FaultKind::Assertion, [7, 8, 9]), None);
    }
}
