//! Steps of modules.

/// Kernels of a step: each module executes its safe events, and sends others.
///
/// In small simulations a step is one launch, `step`: a module receives, executes and sends. In large ones
/// it is two, `advance` and `receive`.
#[imminent_core::kernels(template)]
pub mod steps {
    use crate::imminent_core::mail::Outbox;
    use crate::kernels::links::{Bound, horizon};
    use crate::kernels::list::{IDLE, Owner, Plan, rests_until, simulation_of, window};

    /// Rows of one module.
    #[derive(Bundle)]
    pub struct Own {
        /// State of the module.
        pub me: &mut Module,
        /// Event list of the module.
        pub list: &mut EventList,
        /// Payloads of its events.
        pub payloads: &mut Payloads,
        /// Events that it sends in this step.
        pub post: &mut Post,
        /// Earliest event that it knows after this step.
        pub earliest: &mut Earliest,
        /// Links to other modules.
        pub links: &OutLinks,
    }

    /// Tables of the step before.
    #[derive(Bundle)]
    pub struct Past {
        /// Events that modules sent.
        pub posts: &Rows<Post>,
        /// Earliest event that each module knew.
        pub earliest: &Rows<Earliest>,
    }

    /// Tables that no step changes.
    #[derive(Bundle)]
    pub struct Known {
        /// Simulations of the modules.
        pub owners: &Rows<Owner>,
        /// Constants of the simulations.
        pub terms: &Rows<Terms>,
        /// Parameters of the simulations.
        pub points: &Rows<Point>,
        /// Earliest event of each simulation, at the row that its constants name, if they are reduced.
        pub windows: &Rows<Earliest>,
        /// Bounds of the modules, if a simulation has links.
        pub bounds: &Rows<Bound>,
        /// Limits of the step.
        pub plan: &Plan,
    }

    /// Sends the events that the module has posted. Returns the time of the earliest of them.
    fn send_posted(own: &mut Own, terms: &Terms, outbox: &Outbox, id: u32) -> u64 {
        let mut soonest = u64::MAX;
        for number in 0..own.list.sent {
            let event = own.post.events.get(number);
            soonest = soonest.min(event.time);
            outbox.send(id, number, terms.first + event.to * terms.stride);
        }
        soonest
    }

    /// Ends a step: sends the events that the module has posted, and publishes the earliest event that it
    /// knows. Of a module that has not received all messages that is the earliest event of its simulation.
    fn end_step(own: &mut Own, terms: &Terms, outbox: &Outbox, id: u32, earliest: u64) {
        let mut soonest = own.list.next;
        if own.list.late != 0 {
            soonest = earliest;
        }
        own.earliest.time = soonest.min(send_posted(own, terms, outbox, id));
    }

    /// Executes the events of a module before `horizon`, up to the limits of a step.
    fn execute_until(own: &mut Own, terms: &Terms, known: &Known, horizon: u64) {
        let point = known.points.get(terms.point);
        let mut left = known.plan.events;
        while left > 0 && own.list.goes_on(terms, own.post.events.capacity(), horizon) {
            let key = own.list.take(terms.most);
            let payload = own.payloads.slots.get(key.slot);
            let mut agenda = Agenda { list: own.list, payloads: own.payloads, post: own.post, links: own.links, terms };
            handle(key.kind, own.me, payload, point, &mut agenda);
            left -= 1;
            if known.plan.alike && own.list.changes() {
                left = 0;
            }
        }
    }

    /// Makes one step of every module: it receives the events sent to it, and then executes all safe events.
    /// Returns the outcome: a constant of `list`.
    #[kernel(reduce = max)]
    pub fn step(own: &mut Own, past: &Past, inbox: &Inbox, outbox: &Outbox, known: &Known, id: u32) -> u32 {
        let simulation = simulation_of(known.owners, known.terms, id);
        let terms = known.terms.get(simulation);
        let mut earliest = 0;
        let mut horizon = u64::MAX;
        let mut message = 0;
        if terms.lookahead > 0 {
            earliest = window(terms, past.earliest, known.windows, known.plan);
            horizon = earliest.saturating_add(terms.lookahead);
            message = inbox.first(id);
        }
        // Most modules of a large simulation have nothing to do.
        if message == 0 {
            let limit = horizon.min(terms.end);
            let until = rests_until(limit, past.earliest.get(id).time, own.list);
            if until >= limit {
                own.earliest.time = until;
                if known.plan.alike {
                    own.list.outcome = IDLE;
                }
                return IDLE;
            }
        }
        own.list.sent = 0;
        take_in(own.list, own.payloads, message, inbox, past.posts);
        if own.list.late != 0 {
            horizon = 0;
        }
        let done = own.list.handled;
        execute_until(own, terms, known, horizon);
        end_step(own, terms, outbox, id, earliest);
        own.list.finish(terms.end, done, false)
    }

    /// Executes the safe events of modules that have received all messages, and sends the events that they
    /// post.
    #[kernel]
    pub fn advance(own: &mut Own, outbox: &Outbox, halts: &Tally<u32>, known: &Known, id: u32) {
        let simulation = simulation_of(known.owners, known.terms, id);
        let terms = known.terms.get(simulation);
        let mut until = u64::MAX;
        if terms.lookahead > 0 {
            until = horizon(terms, known.windows.get(terms.window).time, known.bounds, id);
        }
        if own.earliest.time < until.min(terms.end) {
            own.list.sent = 0;
            execute_until(own, terms, known, until);
            send_posted(own, terms, outbox, id);
            own.list.foresee(terms.end);
            own.list.halt(halts);
            own.earliest.time = own.list.next;
        }
    }
}
