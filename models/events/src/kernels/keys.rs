//! Order of the events of a module.

/// Keys of events, by which a module orders them.
#[imminent_core::kernels]
pub mod order {
    /// Largest number of events that a module may schedule: [`tie`] has 40 bits for their numbers.
    pub const MAX_NUMBERS: u64 = 1 << 40;

    /// Error: an event was sent to a module that its simulation does not have.
    pub const NO_SUCH_MODULE: u32 = 1;
    /// Error: an event was sent with a delay below the lookahead.
    pub const TOO_SOON: u32 = 2;
    /// Error: a handler scheduled more events than its model states.
    pub const TOO_MANY: u32 = 3;
    /// Error: a module scheduled more events than [`MAX_NUMBERS`].
    pub const TOO_MANY_EVER: u32 = 4;
    /// Error: the device has no memory for the pending events of a module.
    pub const NO_ROOM: u32 = 5;
    /// Error: a module has executed [`MAX_AT_ONE_TIME`] events at one time.
    pub const ENDLESS: u32 = 6;
    /// Error: an event was sent to a module that the sender has no link to.
    pub const NOT_LINKED: u32 = 7;

    /// Largest number of events that a module may execute at one time, since a handler that always schedules an event
    /// for the current time would never end.
    pub const MAX_AT_ONE_TIME: u32 = 1 << 20;

    /// Key of a pending event: its time, its kind, and the lane of its payload.
    pub struct Key {
        /// Time in ticks.
        pub time: u64,
        /// Rank among events of the same time: see [`tie`].
        pub tie: u64,
        /// Lane of the payload.
        pub slot: u32,
        /// Index of the handler.
        pub kind: u32,
    }

    /// Returns the rank of an event among those of the same module and time. Events of the module with the lower number
    /// come first, and those of one module in the order of scheduling.
    pub fn tie(from: u32, number: u64) -> u64 {
        (u64::from(from) << 40) | number
    }

    /// Returns the module that scheduled an event.
    pub fn sender(tie: u64) -> u32 {
        (tie >> 40) as u32
    }

    /// Returns `true` if `a` is executed before `b`.
    pub fn before(a: Key, b: Key) -> bool {
        if a.time != b.time {
            return a.time < b.time;
        }
        a.tie < b.tie
    }
}
