//! Pending outputs of cells.

/// State of a cell that no other sees: its random numbers and its queue of outputs.
#[imminent_core::kernels]
pub mod outputs {
    use crate::rules::kernels::space::{Cell, NEVER};
    use imminent_core::random::Pcg32;

    /// An output that a cell of the transport kind has pending.
    pub struct Pending {
        /// Time of the output, in milliseconds.
        pub due: u32,
        /// Value of the output.
        pub value: f64,
    }

    /// State of a cell that other cells do not see.
    #[derive(Row)]
    pub struct Own {
        /// Generator of the cell's random numbers.
        pub random: Pcg32,
        /// First operation of the cell's rules.
        pub start: u32,
        /// Time of the last output, in milliseconds.
        pub time: u32,
        /// Outputs so far, the initial one included.
        pub outputs: u32,
        /// Pending outputs in `queue`.
        pub waiting: u32,
        /// Pending outputs, the earliest first; for cells of the transport kind.
        pub queue: Lanes<Pending>,
    }

    impl Own {
        /// Adds an output to the queue, after those of the same time.
        pub fn insert(&mut self, due: u32, value: f64) {
            let mut at = self.waiting;
            self.queue.set(at, Pending { due, value });
            while at > 0 && self.queue.get(at - 1).due > due {
                self.queue.set(at, self.queue.get(at - 1));
                at -= 1;
            }
            self.queue.set(at, Pending { due, value });
            self.waiting += 1;
        }

        /// Removes the outputs of this time.
        pub fn remove(&mut self, now: u32) {
            let mut gone = 0u32;
            while gone < self.waiting && self.queue.get(gone).due <= now {
                gone += 1;
            }
            if gone > 0 {
                for at in gone..self.waiting {
                    self.queue.set(at - gone, self.queue.get(at));
                }
                self.waiting -= gone;
            }
        }

        /// Shows the output that comes next: of several at one time the last.
        pub fn show(&self, cell: Cell) -> Cell {
            let mut shown = cell;
            shown.due = NEVER;
            if self.waiting > 0 {
                let due = self.queue.get(0).due;
                let mut at = 0u32;
                while at + 1 < self.waiting && self.queue.get(at + 1).due == due {
                    at += 1;
                }
                shown.due = due;
                shown.pending = self.queue.get(at).value;
            }
            shown
        }
    }
}
