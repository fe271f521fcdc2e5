//! Delivery of events that other modules sent.

/// Kernels by which modules receive the events sent to them.
#[imminent_core::kernels(template)]
pub mod delivery {
    use crate::imminent_core::mail::Inbox;
    use crate::kernels::list::Earliest;

    /// Adds messages to the list of their receiver, from one of them on. If the list has no room for all, it
    /// notes the first that is late, and the room that it needs.
    fn take_in(list: &mut EventList, payloads: &mut Payloads, first: u32, inbox: &Inbox, posts: &Rows<Post>) {
        let mut message = first;
        while message != 0 && list.has_room_for(message) {
            let event = posts.get(inbox.sender(message)).events.get(inbox.number(message));
            let slot = list.insert(event.time, event.tie, event.kind);
            payloads.slots.set(slot, event.payload);
            message = inbox.next(message);
        }
        // A module with an error stops, and needs no room.
        if message != 0 && list.trouble == 0 {
            list.wanted = list.waiting;
            while message != 0 {
                list.wanted += 1;
                message = inbox.next(message);
            }
        }
    }

    /// Adds the messages to modules to their lists, in any order, and forgets them.
    ///
    /// The order of messages cannot be observed: events leave a list by their times and ties.
    #[kernel]
    pub fn receive(
        list: &mut EventList,
        payloads: &mut Payloads,
        earliest: &mut Earliest,
        inbox: &Inbox,
        posts: &Rows<Post>,
        halts: &Tally<u32>,
        terms: &Rows<Terms>,
        id: u32,
    ) {
        let message = inbox.first(id);
        if message != 0 {
            take_in(list, payloads, message, inbox, posts);
            inbox.forget(id);
            list.foresee(terms.get(list.simulation).end);
            list.halt(halts);
            earliest.time = list.next;
        }
    }

    /// Adds late messages to a list that has been enlarged.
    #[kernel]
    pub fn catch_up(
        list: &mut EventList,
        payloads: &mut Payloads,
        earliest: &mut Earliest,
        inbox: &Inbox,
        posts: &Rows<Post>,
    ) {
        list.wanted = 0;
        if list.late != 0 {
            let message = list.late;
            list.late = 0;
            take_in(list, payloads, message, inbox, posts);
            // The time stood for all events under way. If they have been executed meanwhile, it would block the
            // other modules.
            earliest.time = list.next;
        }
    }
}
