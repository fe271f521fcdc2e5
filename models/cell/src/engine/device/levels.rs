//! Levels of tournaments.

use crate::engine::kernels::tournament::{FANOUT, LEVELS};

/// Returns the levels of a tournament over some cells: first entries, their number, and the entries of all.
pub(crate) fn levels(cells: u32) -> ([u32; LEVELS], u32, u32) {
    let (mut starts, mut next, mut entries, mut levels) = ([0; LEVELS], 0, cells.next_multiple_of(FANOUT), 0);
    for start in &mut starts {
        *start = next;
        next += entries;
        levels += 1;
        if entries == FANOUT {
            break;
        }
        entries = (entries / FANOUT).next_multiple_of(FANOUT);
    }
    (starts, levels, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_whole_and_end_with_sixteen_entries() {
        assert_eq!(levels(1), ([0; LEVELS], 1, 16));
        assert_eq!(levels(16).1, 1);
        let (starts, number, entries) = levels(17);
        assert_eq!((starts[1], number, entries), (32, 2, 48));
        let (starts, number, entries) = levels(4096);
        assert_eq!((&starts[..3], number, entries), (&[0, 4096, 4352][..], 3, 4368));
        assert!(levels(u32::MAX / 256).1 <= LEVELS as u32);
    }
}
