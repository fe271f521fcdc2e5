//! Delivery of messages by their destinations.

/// Search for a module's messages among all that were sent in a step.
#[imminent_core::kernels]
pub mod delivery {
    /// Number of messages that a module and those of lower rows sent in a step.
    #[derive(Row)]
    pub struct Running {
        /// The number.
        pub total: u32,
    }

    /// Time of the earliest event of a simulation.
    #[derive(Row)]
    pub struct Window {
        /// Time in ticks; the greatest time if there is no event.
        pub earliest: u64,
    }

    /// Destination of a message, and the place of its contents.
    #[derive(Row)]
    pub struct Envelope {
        /// Row of the receiver; the number of rows if there is no message.
        pub receiver: u32,
        /// Row of the sender's post.
        pub row: u32,
        /// Number of the message in the post.
        pub number: u32,
    }

    /// Returns the row that sent a message, given by its number among all of the step; the number of rows if there is
    /// none.
    pub fn row_of(sent: &Rows<Running>, message: u32) -> u32 {
        let mut low = 0;
        let mut high = sent.len();
        while low < high {
            let middle = low + (high - low) / 2;
            if sent.get(middle).total <= message {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the first place of a sorted list whose receiver is not below `row`.
    pub fn first_for(sorted: &Rows<Envelope>, row: u32) -> u32 {
        let mut low = 0;
        let mut high = sorted.len();
        while low < high {
            let middle = low + (high - low) / 2;
            if sorted.get(middle).receiver < row {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
