//! Layout of the state of a queue or program on the device: a head, then fault slots.

use std::ops::Range;

/// Words of a state buffer before its fault slots: the head of a loop's state.
pub const HEAD_WORDS: u32 = 64;
/// Word of a slot for which no row has raised a fault.
pub const NO_FAULT: u32 = u32::MAX;

/// Returns the byte range of slots in the state buffer.
#[must_use]
pub const fn slot_bytes(slots: &Range<u32>) -> Range<u64> {
    let head = HEAD_WORDS as u64;
    (head + slots.start as u64) * 4..(head + slots.end as u64) * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_lie_behind_the_head() {
        let head = u64::from(HEAD_WORDS) * 4;
        assert_eq!(slot_bytes(&(1..3)), head + 4..head + 12);
        assert!(slot_bytes(&(0..0)).is_empty());
    }
}
