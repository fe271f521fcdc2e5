//! Speculative execution of the events of a time window.

/// Time windows whose events are executed before it is known that they are safe.
///
/// A window of a simulation begins at its earliest event, and ends at its *limit*. All modules execute their events
/// before the limit with the messages that they know. A module whose messages change rolls back to the start of the
/// window and executes its events again. The window is committed when no messages change any more. Events before the
/// start plus `k` times the lookahead are final after `k` rounds, so every window ends.
///
/// Messages for times before the limit are *near*, the others *far*: only near ones are received in the window.
#[imminent_core::kernels]
pub mod speculation {
    use crate::kernels::list::{EventList, NEAR, Terms};

    /// Verdict of a round: no messages have changed.
    pub const STEADY: u32 = 0;
    /// Verdict of a round: near messages have changed.
    pub const CHANGED: u32 = 1;
    /// Verdict of a round: a module has no room for all its events before the limit.
    pub const CUT: u32 = 2;

    /// Length of windows.
    #[derive(Params)]
    pub struct Reach {
        /// Length in ticks. A window is at least as long as the lookahead of its simulation, and at least one tick.
        pub window: u64,
    }

    /// Part of a module in the present window.
    #[derive(Row)]
    pub struct Guess {
        /// Number of events executed so far, those that were rolled back included.
        pub executed: u64,
        /// Number of rounds so far, which the first row alone counts.
        pub rounds: u64,
        /// `true` if the module has executed events in the window, so its rows at the start are saved.
        pub is_part: bool,
        /// `true` if it has executed events in this round.
        pub is_fresh: bool,
        /// Number of its published messages.
        pub sent: u32,
        /// Number of the first messages that the last execution did not change.
        pub kept: u32,
        /// Room that its list lacked in the last execution; 0 if it had enough.
        pub list_wanted: u32,
        /// Room that its post lacked in the last execution; 0 if it had enough.
        pub post_wanted: u32,
    }

    /// Result of a round.
    #[derive(Row)]
    pub struct Verdict {
        /// Greatest verdict of any module: a constant of this module.
        pub worst: u32,
    }

    /// Room that modules lack.
    pub struct Lack {
        /// Capacity that a list needs; 0 if all suffice.
        pub list: u32,
        /// Capacity that a post needs; 0 if all suffice.
        pub post: u32,
    }

    /// Work of all windows so far.
    pub struct Work {
        /// Number of executed events, those that were rolled back included.
        pub executed: u64,
        /// Number of rounds.
        pub rounds: u64,
    }

    /// Longest window in ticks: marks have 32 bits.
    pub const LONGEST: u64 = 0xFFFF_FFFE;

    /// Word of a module that is not marked.
    pub const UNMARKED: u32 = 0xFFFF_FFFF;

    /// Marks at modules whose near messages have changed since their last execution.
    ///
    /// A mark is the time of the earliest changed message, counted from the start of the window. Events before it are
    /// executed again with the same result, and send the same messages. All later messages of the module count as
    /// changed, which is safe: payloads of any type need not be compared.
    #[derive(Bundle)]
    pub struct Marks {
        /// A word for each module.
        pub words: &Tally<u32>,
    }

    impl Marks {
        /// Marks the receiver of a changed message if it is near. Returns a verdict. The window begins at `start` and
        /// ends at `limit`.
        pub fn set(&self, receiver: u32, time: u64, start: u64, limit: u64) -> u32 {
            if time >= limit {
                return STEADY;
            }
            self.words.min(receiver, (time - start) as u32);
            CHANGED
        }

        /// Removes and returns the mark of a module. No launch both sets and takes marks.
        #[unordered]
        pub fn take(&self, row: u32) -> u32 {
            let mark = self.words.load(row);
            if mark != UNMARKED {
                self.words.store(row, UNMARKED);
            }
            mark
        }
    }

    /// Returns the limit of a window that begins at `start`.
    pub fn limit_of(terms: &Terms, start: u64, reach: &Reach) -> u64 {
        start.saturating_add(reach.window.clamp(1, LONGEST).max(terms.lookahead)).min(terms.end)
    }

    /// Copies a list to another one of the same capacity.
    pub fn copy_list(from: &EventList, to: &mut EventList) {
        to.next = from.next;
        to.now = from.now;
        to.scheduled = from.scheduled;
        to.handled = from.handled;
        to.waiting = from.waiting;
        to.touched = from.touched;
        to.repeated = from.repeated;
        to.happening = from.happening;
        to.coming = from.coming;
        to.left = from.left;
        to.sent = from.sent;
        to.wanted = from.wanted;
        to.late = from.late;
        to.trouble = from.trouble;
        to.simulation = from.simulation;
        to.module = from.module;
        to.outcome = from.outcome;
        to.calls = from.calls;
        to.rank = from.rank;
        to.slot = from.slot;
        to.kind = from.kind;
        to.second = from.second;
        for place in NEAR..from.touched {
            to.put(place, from.key(place));
        }
    }

    /// Notes the room that a module lacked to execute all its events before the limit. `post` is the room of its post,
    /// of which a handler may take `most` places.
    pub fn note_lack(guess: &mut Guess, list: &EventList, limit: u64, post: u32, most: u32) {
        guess.list_wanted = list.wanted;
        guess.post_wanted = 0;
        if list.wanted == 0 && list.trouble == 0 && list.next < limit {
            guess.post_wanted = post + most;
        }
    }

    /// Returns the greatest room that lists and posts lacked.
    #[kernel(reduce = { list: max, post: max })]
    pub fn lack(guess: &Guess) -> Lack {
        Lack { list: guess.list_wanted, post: guess.post_wanted }
    }

    /// Returns the work of all windows so far.
    #[kernel(reduce = { executed: sum, rounds: sum })]
    pub fn work(guess: &Guess) -> Work {
        Work { executed: guess.executed, rounds: guess.rounds }
    }
}
