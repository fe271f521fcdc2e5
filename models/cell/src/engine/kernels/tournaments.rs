//! Tournaments of next-event times.

/// Tournaments, which find the most urgent of many cells without a scan of all.
///
/// Times are kept as *urgency*, the greatest time less the time: zero is a cell with nothing pending. The first level
/// has the urgencies of all cells. An entry of a further level is the greatest of 16 entries of the level before.
#[imminent_core::kernels]
pub mod tournament {
    /// Entries of a level that one entry of the next stands for.
    pub const FANOUT: u32 = 16;
    /// Most levels.
    pub const LEVELS: usize = 8;

    /// Returns the greatest urgency of 16 entries.
    fn winner(entries: &Lanes<u32>, first: u32) -> u32 {
        let mut most = 0u32;
        for at in 0..FANOUT {
            most = most.max(entries.get(first + at));
        }
        most
    }

    /// Sets the urgency of a cell, and the winners above it. `greatest` is the greatest urgency before. Returns the
    /// greatest one now.
    pub fn set(
        entries: &mut Lanes<u32>,
        levels: u32,
        starts: &[u32; LEVELS],
        cell: u32,
        urgency: u32,
        greatest: u32,
    ) -> u32 {
        let rises = urgency >= entries.get(cell);
        let mut now = urgency;
        let mut at = cell;
        let mut level = 0u32;
        entries.set(cell, now);
        while level + 1 < levels {
            let first = starts[level as usize] + at / FANOUT * FANOUT;
            at /= FANOUT;
            level += 1;
            let place = starts[level as usize] + at;
            now = if rises { now.max(entries.get(place)) } else { winner(entries, first) };
            entries.set(place, now);
        }
        if rises { urgency.max(greatest) } else { winner(entries, starts[level as usize]) }
    }

    /// Returns the last cell of the greatest urgency.
    pub fn find(entries: &Lanes<u32>, levels: u32, starts: &[u32; LEVELS], greatest: u32) -> u32 {
        let mut cell = 0u32;
        let mut level = levels;
        while level > 0 {
            level -= 1;
            let first = starts[level as usize] + cell * FANOUT;
            let mut found = 0u32;
            for at in 0..FANOUT {
                if entries.get(first + at) == greatest {
                    found = at;
                }
            }
            cell = cell * FANOUT + found;
        }
        cell
    }
}
