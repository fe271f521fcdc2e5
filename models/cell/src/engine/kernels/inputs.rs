//! External inputs.

/// Times of external inputs.
#[imminent_core::kernels]
pub mod feeds {
    use crate::engine::kernels::space::NEVER;

    /// Times of the external inputs of a cell: one, or several at regular times.
    pub struct When {
        /// Cell that receives them.
        pub cell: u32,
        /// Time of the first, in milliseconds.
        pub first: u32,
        /// Milliseconds from one to the next; 0 if there is one only.
        pub period: u32,
        /// 1 if an input comes after all outputs of its time, in a round without outputs; 0 if it comes with the first.
        pub late: u32,
    }

    /// A round of outputs, or of late inputs.
    pub struct Round {
        /// Time of the round, in milliseconds.
        pub now: u32,
        /// 1 in a round of late inputs, 0 in one of outputs.
        pub late: u32,
        /// Index of the first input of the cells that are looked at.
        pub first_feed: u32,
        /// Number of these inputs; 0 if none comes in this round.
        pub feeds: u32,
    }

    impl When {
        /// Returns `true` if an input comes at this time.
        pub fn comes(&self, now: u32) -> bool {
            if now < self.first {
                return false;
            }
            if self.period == 0 { now == self.first } else { (now - self.first) % self.period == 0 }
        }

        /// Returns the number of inputs before the one that comes at this time.
        pub fn before(&self, now: u32) -> u32 {
            if self.period == 0 { 0 } else { (now - self.first) / self.period }
        }

        /// Returns the time of the next input after this time.
        pub fn after(&self, now: u32) -> u32 {
            if now < self.first {
                return self.first;
            }
            if self.period == 0 {
                return NEVER;
            }
            let ahead = self.period - (now - self.first) % self.period;
            if now > NEVER - ahead { NEVER } else { now + ahead }
        }

        /// Returns the time of the next late input in a round at `now`, which may be this time. The last round of late
        /// inputs was at `fed`; both are [`NEVER`] at the start.
        pub fn late_after(&self, now: u32, fed: u32) -> u32 {
            if now == NEVER {
                return self.first;
            }
            if fed != now && self.comes(now) { now } else { self.after(now) }
        }
    }
}
