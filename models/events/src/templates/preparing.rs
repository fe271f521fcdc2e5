//! Steps of models with prepared events.

/// Kernels that prepare events of one kind by groups of lanes. They use the types `Scratch` and `Share`, the functions
/// `prepare_part` and `unite`, and the constants `PREPARED`, `LANES`, `GROUPS` and `ROUNDS`.
#[imminent_core::kernels(template)]
pub mod preparation {
    use crate::kernels::order::{Key, before, sender};
    use crate::kernels::ready::{EventPosition, Ready};

    /// Returns `true` if modules with this number modulo `groups` have just sent anything to a row.
    fn has_message_of(row: u32, number: u32, inbox: &Inbox, posts: &Rows<Post>) -> bool {
        let mut message = inbox.first(row);
        while message != 0 {
            let event = posts.get(inbox.sender(message)).events.get(inbox.number(message));
            if sender(event.tie) % GROUPS == number {
                return true;
            }
            message = inbox.next(message);
        }
        false
    }

    /// Finds the first event of the prepared kind among those that modules with this number modulo `groups`
    /// scheduled, including events just sent.
    fn first_of(list: &EventList, end: u64, row: u32, number: u32, inbox: &Inbox, posts: &Rows<Post>) -> EventPosition {
        let kind = PREPARED;
        let mut found = EventPosition { is_there: false, key: Key { time: end, tie: 0, slot: 0, kind }, message: 0 };
        for place in 0..list.waiting {
            let key = list.key(place);
            if key.kind == kind && sender(key.tie) % GROUPS == number && before(key, found.key) {
                found.is_there = true;
                found.key = key;
            }
        }
        let mut message = inbox.first(row);
        while message != 0 {
            let event = posts.get(inbox.sender(message)).events.get(inbox.number(message));
            if event.kind == kind && sender(event.tie) % GROUPS == number {
                let key = Key { time: event.time, tie: event.tie, slot: 0, kind };
                if before(key, found.key) {
                    found = EventPosition { is_there: true, key, message };
                }
            }
            message = inbox.next(message);
        }
        found
    }

    /// Makes one step of every module with prepared events: a module stops at an event whose preparation is
    /// not done.
    #[kernel(reduce = max)]
    pub fn step_prepared(
        own: &mut Own,
        ready: &Rows<Ready>,
        shares: &Rows<Share>,
        past: &Past,
        inbox: &Inbox,
        outbox: &Outbox,
        known: &Known,
        id: u32,
    ) -> u32 {
        let terms = known.terms.get(own.list.simulation);
        let mut earliest = 0;
        let mut horizon = u64::MAX;
        own.list.sent = 0;
        if terms.lookahead > 0 {
            earliest = window(terms, past.earliest, known.windows, known.plan);
            horizon = earliest.saturating_add(terms.lookahead);
            take_in(own.list, own.payloads, inbox.first(id), inbox, past.posts);
            if own.list.late != 0 {
                horizon = 0;
            }
        }
        let done = own.list.handled;
        let point = known.points.get(terms.point);
        let mut left = known.plan.events;
        let mut waits = false;
        let mut calls = false;
        while left > 0 && own.list.goes_on(terms, own.post.events.capacity(), horizon) {
            let next = own.list.key(0);
            let is_prepared = next.kind == PREPARED;
            let group = id * GROUPS + sender(next.tie) % GROUPS;
            if is_prepared && ready.get(group).after != next.tie + 1 {
                waits = true;
                left = 0;
            } else {
                let key = own.list.take(terms.most);
                let mut payload = own.payloads.slots.get(key.slot);
                if is_prepared {
                    calls = true;
                    payload = unite(payload, shares, group * LANES, point);
                }
                let mut agenda =
                    Agenda { list: own.list, payloads: own.payloads, post: own.post, links: own.links, terms };
                handle_prepared(key.kind, own.me, payload, point, &mut agenda);
                left -= 1;
                if known.plan.alike && own.list.changes() {
                    left = 0;
                }
            }
        }
        own.list.calls = calls || waits;
        end_step(own, terms, outbox, id, earliest);
        own.list.finish(terms.end, done, waits)
    }

    /// Chooses the event that a group prepares: the first one of the prepared kind among those of some
    /// modules, unless it is prepared already.
    #[kernel]
    pub fn choose(
        ready: &mut Ready,
        lists: &Rows<EventList>,
        posts: &Rows<Post>,
        inbox: &Inbox,
        terms: &Rows<Terms>,
        id: u32,
    ) {
        let row = id / GROUPS;
        let list = lists.get(row);
        let number = id % GROUPS;
        ready.is_due = false;
        // Most groups have nothing to do, and see that from two words.
        if list.calls || has_message_of(row, number, inbox, posts) {
            let end = terms.get(list.simulation).end;
            let found = first_of(list, end, row, number, inbox, posts);
            if found.is_there && list.trouble == 0 && ready.after != found.key.tie + 1 {
                ready.after = found.key.tie + 1;
                ready.is_due = true;
                ready.time = found.key.time;
                ready.sender = 0;
                ready.place = found.key.slot;
                if found.message != 0 {
                    ready.sender = inbox.sender(found.message) + 1;
                    ready.place = inbox.number(found.message);
                }
            }
        }
    }

    /// Prepares the events that were chosen.
    #[kernel(group = LANES)]
    pub fn prepare(
        group: &mut Group<Scratch>,
        shares: &mut Each<Share>,
        ready: &Ready,
        modules: &Rows<Module>,
        lists: &Rows<EventList>,
        payloads: &Rows<Payloads>,
        posts: &Rows<Post>,
        terms: &Rows<Terms>,
        points: &Rows<Point>,
    ) {
        if ready.is_due {
            let row = group.index() / GROUPS;
            let list = lists.get(row);
            let mut payload = payloads.get(row).slots.get(if ready.sender == 0 { ready.place } else { 0 });
            if ready.sender > 0 {
                payload = posts.get(ready.sender - 1).events.get(ready.place).payload;
            }
            let point = terms.get(list.simulation).point;
            let module = list.module;
            let time = ready.time;
            let mut round = 0;
            while round < ROUNDS {
                group.phase(shares, |lane, share| {
                    prepare_part(round, lane, share, modules.get(row), module, payload, points.get(point), time);
                });
                round += 1;
            }
        }
    }
}
