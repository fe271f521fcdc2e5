//! Blocks of 256 cells. A launch over all blocks executes a round of outputs.

/// State of blocks of 256 cells between launches.
///
/// This is the advance of `liu-wainer-cell`. A launch visits a block if the recorded minimum of one of the blocks that
/// its cells see is due.
#[imminent_core::kernels]
pub mod blocks {
    use crate::engine::kernels::tournament::FANOUT;

    /// Rounds of outputs at one time after which a model is said not to advance.
    pub const MAX_ROUNDS: u32 = 10000;

    /// State of a block of cells. There are two tables of it, used in turn.
    #[derive(Row)]
    pub struct Block {
        /// Least time at which one of its cells is due.
        pub next: u32,
        /// 1 if the launch before wrote its cells.
        pub written: u32,
        /// Index in the list of the first block that its cells see.
        pub first_source: u32,
        /// Number of these blocks.
        pub sources: u32,
        /// Index of the first input of its cells among all inputs.
        pub first_feed: u32,
        /// Number of these inputs.
        pub feeds: u32,
    }

    /// An entry of the lists of blocks.
    #[derive(Row)]
    pub struct SeenBlock {
        /// Number of the block.
        pub block: u32,
    }

    /// Counters, one set for each block.
    #[derive(Row)]
    pub struct Census {
        /// Time of the step before.
        pub last: u32,
        /// Steps at that time so far.
        pub rounds: u32,
        /// Distinct times after 0.
        pub distinct: u32,
        /// Rounds in which the block was visited.
        pub active: u32,
        /// Time of the last round of late inputs; the greatest number at the start.
        pub fed: u32,
    }

    /// The next round: twice its time in milliseconds, and 1 more if it is that of late inputs.
    #[derive(Row)]
    pub struct Clock {
        /// The number.
        pub round: u64,
    }

    /// State of a block that a launch changes.
    #[derive(Bundle)]
    pub struct BlockState {
        /// State for the next launch.
        pub block: &mut Block,
        /// Counters.
        pub census: &mut Census,
    }

    /// Tables of a launch over all blocks.
    #[derive(Bundle)]
    pub struct BlockTables {
        /// State of all blocks before the launch.
        pub blocks: &Rows<Block>,
        /// Blocks that cells of a block see.
        pub sources: &Rows<SeenBlock>,
        /// Number of the round.
        pub clock: &Rows<Clock>,
        /// Room that the fullest queue needs.
        pub fullest: &Tally<u32>,
    }

    /// Returns the number of the round of outputs at a time.
    pub fn round_at(time: u32) -> u64 {
        (time as u64) << 1
    }

    /// Returns the time of a round.
    pub fn time_of(round: u64) -> u32 {
        (round >> 1) as u32
    }

    /// Returns 1 for a round of late inputs, 0 for one of outputs.
    pub fn lateness_of(round: u64) -> u32 {
        (round & 1) as u32
    }

    impl Census {
        /// Counts a round of outputs at a time.
        pub fn count(&mut self, now: u32) {
            self.rounds = if now == self.last { self.rounds + 1 } else { 0 };
            if now != self.last && now > 0 {
                self.distinct += 1;
            }
            self.last = now;
        }
    }

    /// Reduces the numbers of 256 lanes to 16: each of the first 16 lanes finds the greatest of 16. Lanes that it reads
    /// are 16 apart, so that the 16 that reduce read different banks.
    pub fn reduce(lane: &mut Lane<u32>) {
        if lane.index() < FANOUT {
            let mut most = 0u32;
            for at in 0..FANOUT {
                most = most.max(lane.get(at * FANOUT + lane.index()));
            }
            lane.set(most);
        }
    }
}
