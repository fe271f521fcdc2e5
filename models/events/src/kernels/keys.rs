//! In which order the events of a module happen.

/// Events by their keys: a binary heap whose least key is first.
///
/// Keys are small and are moved about; what an event carries stays where it was put until the event happens.
#[imminent_core::kernels]
pub mod order {
    /// How many events a module may schedule: [`tie`] has 40 bits for their numbers.
    pub const MOST_NUMBERS: u64 = 1 << 40;

    /// An event was sent to a module that its simulation does not have.
    pub const NO_SUCH_MODULE: u32 = 1;
    /// An event was sent sooner than after the lookahead.
    pub const TOO_SOON: u32 = 2;
    /// A handler scheduled more events than its model says.
    pub const TOO_MANY: u32 = 3;
    /// A module scheduled more events than can be numbered.
    pub const TOO_MANY_EVER: u32 = 4;
    /// The device has no room for what a module expects.
    pub const NO_ROOM: u32 = 5;

    /// When an event happens, what happens, and where the list keeps what it carries.
    pub struct Key {
        /// When, in ticks.
        pub time: u64,
        /// Its place among events of the same time: see [`tie`].
        pub tie: u64,
        /// The lane of what it carries.
        pub slot: u32,
        /// Which handler.
        pub kind: u32,
    }

    /// Of events that happen at one module at the same time, those of the module with the lower number come first, and of one module's events the one that
    /// it scheduled first.
    pub fn tie(from: u32, number: u64) -> u64 {
        (u64::from(from) << 40) | number
    }

    /// The module that scheduled an event.
    pub fn sender(tie: u64) -> u32 {
        (tie >> 40) as u32
    }

    /// Whether `a` happens before `b`.
    pub fn before(a: Key, b: Key) -> bool {
        if a.time != b.time {
            return a.time < b.time;
        }
        a.tie < b.tie
    }

    /// Puts a key into the heap, at or above a place that is free.
    pub fn rise(keys: &mut Lanes<Key>, place: u32, key: Key) {
        let mut hole = place;
        while hole > 0 {
            let parent = (hole - 1) >> 1;
            let other = keys.get(parent);
            if before(other, key) {
                break;
            }
            keys.set(hole, other);
            hole = parent;
        }
        keys.set(hole, key);
    }

    /// Puts a key into a heap of `count` places whose first is free.
    pub fn sink(keys: &mut Lanes<Key>, count: u32, key: Key) {
        let mut hole = 0;
        loop {
            let mut child = 2 * hole + 1;
            if child >= count {
                break;
            }
            let mut other = keys.get(child);
            if child + 1 < count {
                let right = keys.get(child + 1);
                if before(right, other) {
                    other = right;
                    child += 1;
                }
            }
            if before(key, other) {
                break;
            }
            keys.set(hole, other);
            hole = child;
        }
        keys.set(hole, key);
    }
}
