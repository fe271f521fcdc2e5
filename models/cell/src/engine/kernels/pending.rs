//! Pending outputs of cells.

/// State of a cell that no other cell sees: random numbers, counts, and the times of its pending outputs.
///
/// A cell of the transport kind has a queue of outputs, in the order in which they were computed. Outputs of one time
/// leave in this order, one in each round; if only the last of them counts, the queue has one. The values are in lanes
/// of their own at the same places, since their type is the model's. A lane of a group keeps the queues of many cells,
/// entry by entry: the entries of a queue are `stride` lanes apart, from the lane `first` on.
#[imminent_core::kernels]
pub mod outputs {
    use imminent_core::random::Pcg32;

    /// State of a cell that other cells do not see.
    #[derive(Row)]
    pub struct Own {
        /// Generator of the cell's random numbers.
        pub random: Pcg32,
        /// Zone of the cell; in a rule file the first operation of its rules.
        pub zone: u32,
        /// Time of the last output, in milliseconds.
        pub time: u32,
        /// Outputs so far, the initial one included.
        pub outputs: u32,
        /// Number of pending outputs in `dues`.
        pub waiting: u32,
        /// Times of the pending outputs, in milliseconds; for cells of the transport kind.
        pub dues: Lanes<u32>,
    }

    /// Returns the first entry of an output at a time; `waiting`, the number of entries, if there is none.
    pub fn entry_at(dues: &Lanes<u32>, first: u32, stride: u32, waiting: u32, due: u32) -> u32 {
        let mut at = 0u32;
        while at < waiting && dues.get(at * stride + first) != due {
            at += 1;
        }
        at
    }

    /// Returns the first entry of the earliest outputs. There has to be one.
    pub fn earliest(dues: &Lanes<u32>, first: u32, stride: u32, waiting: u32) -> u32 {
        let mut found = 0u32;
        let mut least = dues.get(first);
        for at in 1..waiting {
            let due = dues.get(at * stride + first);
            if due < least {
                least = due;
                found = at;
            }
        }
        found
    }

    impl Own {
        /// Adds an output to the end of the queue, or instead of one at the same time if the last counts. Returns the
        /// lane of its value.
        pub fn insert(&mut self, due: u32, last_counts: bool) -> u32 {
            let mut at = self.waiting;
            if last_counts {
                at = entry_at(&self.dues, 0, 1, self.waiting, due);
            }
            self.dues.set(at, due);
            self.waiting = self.waiting.max(at + 1);
            at
        }

        /// Removes an output from the queue. Entries after it move up by one.
        pub fn remove(&mut self, at: u32) {
            self.waiting -= 1;
            for place in at..self.waiting {
                self.dues.set(place, self.dues.get(place + 1));
            }
        }
    }
}
