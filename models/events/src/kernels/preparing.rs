//! Events that groups prepare.

/// Rows of groups that prepare events.
#[imminent_core::kernels]
pub mod ready {
    use crate::kernels::order::Key;

    /// Event that a group has prepared or is to prepare, if any.
    #[derive(Row)]
    pub struct Ready {
        /// Tie of the event, which is unique in the simulation, plus one; 0 if there is none.
        pub after: u64,
        /// `true` if the group is to prepare it now.
        pub is_due: bool,
        /// Time of the event, in ticks.
        pub time: u64,
        /// Row of the module that has just sent the event, counted from 1; 0 if the event is in the list.
        pub sender: u32,
        /// Number of the event in the sender's post, or the lane of its payload.
        pub place: u32,
    }

    /// Position of an event that was searched.
    pub struct EventPosition {
        /// `true` if the event exists.
        pub is_there: bool,
        /// Key of the event.
        pub key: Key,
        /// The message that has the event, if it was just sent; otherwise 0.
        pub message: u32,
    }
}
