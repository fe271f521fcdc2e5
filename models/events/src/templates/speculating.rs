//! Time windows that modules execute speculatively.

/// Kernels of a window: rounds of `speculate` and `publish` until nothing changes, then `commit`.
#[imminent_core::kernels(template)]
pub mod speculation {
    use crate::kernels::speculation::{
        CUT, Guess, Marks, Reach, STEADY, UNMARKED, Verdict, copy_list, limit_of, note_lack,
    };

    /// Rows of a module at the start of a window.
    #[derive(Bundle)]
    pub struct Saved {
        /// State of the module.
        pub me: &mut Module,
        /// Event list of the module.
        pub list: &mut EventList,
        /// Payloads of its events.
        pub payloads: &mut Payloads,
    }

    /// Copies the payloads of the first lanes.
    fn copy_payloads(from: &Payloads, to: &mut Payloads, count: u32) {
        for slot in 0..count {
            to.slots.set(slot, from.slots.get(slot));
        }
    }

    /// Restores the rows of a module at the start of the window.
    fn roll_back(own: &mut Own, saved: &Saved) {
        *own.me = *saved.me;
        copy_list(saved.list, own.list);
        copy_payloads(saved.payloads, own.payloads, saved.list.touched);
    }

    /// First launch of a round: executes all events before the limit of modules that have not done so yet,
    /// or whose near messages have changed. Their new messages are not published yet.
    #[kernel]
    pub fn speculate(
        own: &mut Own,
        saved: &mut Saved,
        guess: &mut Guess,
        marks: &Marks,
        near: &Inbox,
        far: &Inbox,
        posts: &Rows<Post>,
        known: &Known,
        reach: &Reach,
        id: u32,
    ) {
        let simulation = simulation_of(known.owners, known.terms, id);
        let terms = known.terms.get(simulation);
        let start = known.windows.get(terms.window).time;
        let limit = limit_of(terms, start, reach);
        let message = near.first(id);
        near.forget(id);
        far.forget(id);
        if id == 0 {
            guess.rounds += 1;
        }
        let mark = marks.take(id);
        if mark != UNMARKED || (!guess.is_part && own.earliest.time < limit) {
            // Events before this time have the same result as in the execution before.
            let mut until = start;
            if guess.is_part {
                until = start + u64::from(mark);
                roll_back(own, saved);
            } else {
                *saved.me = *own.me;
                copy_list(own.list, saved.list);
                copy_payloads(own.payloads, saved.payloads, own.list.touched);
                guess.is_part = true;
                guess.sent = 0;
            }
            guess.is_fresh = true;
            guess.kept = 0;
            own.list.sent = 0;
            take_in(own.list, own.payloads, message, near, posts);
            if own.list.late == 0 {
                let before = own.list.handled;
                for part in 0..2 {
                    execute_until(own, terms, known, until);
                    if part == 0 {
                        guess.kept = own.list.sent;
                    }
                    until = limit;
                }
                guess.executed += own.list.handled - before;
            }
            note_lack(guess, own.list, limit, own.post.events.capacity(), terms.most);
        }
    }

    /// Second launch of a round: publishes new messages, marks the modules whose near messages have
    /// changed, and sends all messages of the window. Returns a verdict.
    #[kernel(reduce = max)]
    pub fn publish(
        list: &EventList,
        draft: &Post,
        post: &mut Post,
        guess: &mut Guess,
        marks: &Marks,
        near: &Outbox,
        far: &Outbox,
        known: &Known,
        reach: &Reach,
        id: u32,
    ) -> u32 {
        if !guess.is_part {
            return STEADY;
        }
        let simulation = simulation_of(known.owners, known.terms, id);
        let terms = known.terms.get(simulation);
        let start = known.windows.get(terms.window).time;
        let limit = limit_of(terms, start, reach);
        let mut verdict = STEADY;
        if guess.is_fresh {
            guess.is_fresh = false;
            for number in guess.kept..guess.sent {
                let event = post.events.get(number);
                let to = terms.first + event.to * terms.stride;
                verdict = verdict.max(marks.set(to, event.time, start, limit));
            }
            for number in guess.kept..list.sent {
                let event = draft.events.get(number);
                post.events.set(number, event);
                let to = terms.first + event.to * terms.stride;
                verdict = verdict.max(marks.set(to, event.time, start, limit));
            }
            guess.sent = list.sent;
            if guess.list_wanted > 0 || guess.post_wanted > 0 {
                verdict = CUT;
            }
        }
        for number in 0..guess.sent {
            let event = post.events.get(number);
            let to = terms.first + event.to * terms.stride;
            if event.time < limit {
                near.send(id, number, to);
            } else {
                far.send(id, number, to);
            }
        }
        verdict
    }

    /// Ends a window: far messages go into the lists of their receivers. If a module had no room, all
    /// modules roll back.
    #[kernel]
    pub fn commit(
        own: &mut Own,
        saved: &mut Saved,
        guess: &mut Guess,
        marks: &Marks,
        near: &Inbox,
        far: &Inbox,
        posts: &Rows<Post>,
        verdict: &Rows<Verdict>,
        halts: &Tally<u32>,
        terms: &Rows<Terms>,
        id: u32,
    ) {
        let message = far.first(id);
        near.forget(id);
        far.forget(id);
        if verdict.get(0).worst == CUT {
            marks.take(id);
            if guess.is_part {
                roll_back(own, saved);
            }
        } else if guess.is_part || message != 0 {
            take_in(own.list, own.payloads, message, far, posts);
            own.list.foresee(terms.get(own.list.simulation).end);
            own.list.halt(halts);
            own.earliest.time = own.list.next;
        }
        guess.is_part = false;
    }
}
