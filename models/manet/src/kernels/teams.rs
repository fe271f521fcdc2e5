//! Groups of nodes whose lanes help those that have work.

/// Lanes of a group in teams, one for each node of the group that has work.
///
/// Few nodes of a group have work in a step, and each has much. So all lanes of the group share it: of `share` lanes
/// each, the first ones help the first of these nodes, the next ones the second.
#[imminent_core::kernels]
pub mod team {
    use crate::kernels::geometry::Position;

    /// Number of lanes of a group.
    pub const LANES: u32 = 256;

    /// Number of words with a bit for each lane.
    const WORDS: u32 = LANES / 32;

    /// Rank of a node without work.
    pub const NO_RANK: u32 = u32::MAX;

    /// Row of no node.
    pub const NO_ROW: u32 = u32::MAX;

    /// Lane as its group sees it.
    pub struct Note {
        /// Flags that the lane raises: bits 0 and 1.
        pub flags: u32,
        /// Flags of 32 lanes, by bits of [`flags`](Self::flags). The first lanes have these words.
        pub raised: [u32; 2],
        /// Rank of the lane's own node among those with work, or [`NO_RANK`].
        pub rank: u32,
        /// Row of the node that the lane helps, or [`NO_ROW`].
        pub row: u32,
        /// Next line of cells that it searches.
        pub line: u32,
        /// Next place in the list of nodes.
        pub next: u32,
        /// Place in that list behind the current line.
        pub end: u32,
        /// Node that it has found.
        pub node: u32,
        /// Position of that node.
        pub place: Position,
    }

    /// Raises flags of a lane, and nothing else.
    pub fn raise(lane: &mut Lane<Note>, flags: u32) {
        let mut note = lane.own();
        note.flags = flags;
        lane.set(note);
    }

    /// Collects the flags of the group into words.
    pub fn collect(lane: &mut Lane<Note>) {
        if lane.index() < WORDS {
            let mut note = lane.own();
            note.raised = [0, 0];
            for at in 0..32 {
                // Lanes begin at different bits, so that they read from different banks of shared memory.
                let bit = (at + 4 * lane.index()) % 32;
                let flags = lane.get(32 * lane.index() + bit).flags;
                note.raised[0] |= (flags & 1) << bit;
                note.raised[1] |= (flags >> 1) << bit;
            }
            lane.set(note);
        }
    }

    /// Notes the rank of the lane's own node among the `seekers` that have raised the flag, and the row of the one that
    /// the lane helps.
    pub fn join(lane: &mut Lane<Note>, share: u32, seekers: u32) {
        let mut note = lane.own();
        note.rank = NO_RANK;
        if note.flags != 0 {
            note.rank = rank(lane, lane.index());
        }
        note.row = NO_ROW;
        let team = lane.index() / share;
        if team < seekers {
            note.row = lane.row() - lane.index() + ranked(lane, team);
        }
        lane.set(note);
    }

    /// Returns the number of lanes before a lane that have raised the first flag.
    fn rank(lane: &Lane<Note>, of: u32) -> u32 {
        let mut count = 0;
        for word in 0..WORDS {
            count += between(lane.get(word).raised[0], word, 0, of).count_ones();
        }
        count
    }

    /// Returns the lane that has raised the first flag and has a rank, or [`LANES`] if there is none.
    fn ranked(lane: &Lane<Note>, rank: u32) -> u32 {
        let mut left = rank;
        for word in 0..WORDS {
            let mut raised = lane.get(word).raised[0];
            let count = raised.count_ones();
            if left < count {
                for _ in 0..left {
                    raised &= raised - 1;
                }
                return 32 * word + raised.trailing_zeros();
            }
            left -= count;
        }
        LANES
    }

    /// Returns those flags of a word that lanes from `from` on, and before `to`, have raised.
    fn between(raised: u32, word: u32, from: u32, to: u32) -> u32 {
        raised & below(to.saturating_sub(32 * word)) & !below(from.saturating_sub(32 * word))
    }

    /// Returns a word whose lowest bits are set.
    fn below(bits: u32) -> u32 {
        if bits < 32 { (1 << bits) - 1 } else { u32::MAX }
    }

    /// Returns those flags of a word of lanes that lanes from `from` on, and before `to`, have raised.
    pub fn raised_by(lane: &Lane<Note>, flag: u32, word: u32, from: u32, to: u32) -> u32 {
        between(lane.get(word).raised[flag as usize], word, from, to)
    }

    /// Returns `true` if a lane from `from` on, and before `to`, has raised a flag.
    pub fn is_raised(lane: &Lane<Note>, flag: u32, from: u32, to: u32) -> bool {
        let mut any = 0;
        for word in from / 32..(to + 31) / 32 {
            any |= raised_by(lane, flag, word, from, to);
        }
        any != 0
    }
}
