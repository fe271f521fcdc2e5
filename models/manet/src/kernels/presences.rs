//! Nodes that are there.

/// Choice among the nodes that are there, in networks whose nodes enter and leave.
///
/// The nodes that are there are a list, whose length and whose nodes change with the time.
#[imminent_core::kernels]
pub mod presence {
    use crate::kernels::motion::Terms;

    /// Value of a history.
    #[derive(Row)]
    #[row(packed)]
    pub struct Since {
        /// Time from which it holds, in µs.
        pub time: u64,
        /// Length of the list, or row of a node at a place of the list.
        pub value: u32,
        /// Row behind the last of the history.
        pub end: u32,
    }

    /// Place of the list.
    #[derive(Row)]
    pub struct Place {
        /// First row of the history of its nodes.
        pub first: u32,
    }

    /// Lists of all simulations.
    #[derive(Bundle)]
    pub struct Present {
        /// Histories.
        pub history: &Rows<Since>,
        /// Places of the lists.
        pub places: &Rows<Place>,
    }

    impl Present {
        /// Returns the value at a time of the history that begins in a row, which it has from some earlier time on.
        fn at(&self, first: u32, time: u64) -> u32 {
            let mut low = first;
            let mut high = self.history.get(first).end;
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if self.history.get(middle).time <= time {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            self.history.get(low).value
        }

        /// Number of nodes that are there at a time at which one is.
        pub fn count(&self, time: u64, terms: &Terms) -> u32 {
            self.at(terms.first_length, time)
        }

        /// Returns the number of another node that is there with a node at a time, chosen by a number below `others`,
        /// their number.
        pub fn other(&self, node: u32, time: u64, number: u32, others: u32, terms: &Terms) -> u32 {
            let mut found = self.at(self.places.get(terms.first_place + number).first, time);
            if found == node {
                found = self.at(self.places.get(terms.first_place + others).first, time);
            }
            found
        }
    }
}
