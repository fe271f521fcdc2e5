//! External inputs.

/// Inputs from generators that are linked to cells.
#[imminent_core::kernels]
pub mod feeds {
    use crate::rules::kernels::space::NEVER;

    /// External inputs of a cell at regular times.
    #[derive(Row)]
    pub struct Feed {
        /// Cell that receives them.
        pub cell: u32,
        /// First operation of the rules that the cell then evaluates.
        pub start: u32,
        /// Time of the first, in milliseconds.
        pub first: u32,
        /// Milliseconds from one to the next; 0 if there is one only.
        pub period: u32,
        /// Value of the first.
        pub value: f64,
        /// Increment of the value from one input to the next.
        pub increment: f64,
    }

    impl Feed {
        /// Returns `true` if an input comes at this time.
        pub fn comes(&self, now: u32) -> bool {
            if now < self.first {
                return false;
            }
            if self.period == 0 { now == self.first } else { (now - self.first) % self.period == 0 }
        }

        /// Returns the value of the input that comes at this time.
        pub fn value_at(&self, now: u32) -> f64 {
            if self.period == 0 {
                return self.value;
            }
            self.value + self.increment * ((now - self.first) / self.period) as f64
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
    }
}
