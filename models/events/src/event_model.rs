//! Macro that generates an event model from a user's handlers.

/// Declares an event model: the state of its modules, the payload of its events, and a handler for each kind of event.
///
/// The macro generates a [kernel module](imminent_core::kernels) with the user's items and those of the engine. The
/// user writes three types of these names:
/// * `Module`, a row: the state of a module, one for each module of each simulation;
/// * `Payload`, a struct: the payload of an event;
/// * `Point`, a row: the parameters of a simulation, which all its modules read.
///
/// and a handler for each kind of event,
/// `fn handler(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda)`. A handler changes its own
/// module and schedules events:
/// * `agenda.schedule(delay, Kind::Name, payload)`: at the same module, `delay` ticks from now, which may be 0;
/// * `agenda.send(module, delay, Kind::Name, payload)`: at another module, given by its number, after at least the
///   [lookahead](crate::Lookahead);
/// * `agenda.now()`, `agenda.module()`, `agenda.modules()`: the time in ticks, the module's number, and the number of
///   modules of its simulation.
///
/// `optimistic;` after `events` lets modules execute events speculatively, if an engine [asks for
/// it](crate::Engine::set_window).
///
/// If the handler of a kind of events begins with much work, groups of lanes can do it as a `prepared` stage, declared
/// after `events`. The mesh is an example; `docs/events.md` describes the functions.
///
/// The macro generates the names `Kind`, `Event`, `Payloads`, `Post`, `Request`, `Response`, `Ready`, `Agenda`, `Own`,
/// `Known`, `Past`, `step`, `step_prepared`, `choose`, `prepare`, `execute`, `advance`, `receive`, `catch_up`,
/// `handle` and others, and `Saved`, `speculate`, `publish` and `commit` in an `optimistic` model. It uses the names of
/// [`order`](crate::kernels::order), [`list`](crate::kernels::list), [`speculation`](crate::kernels::speculation) and
/// [`mail`](imminent_core::mail). The type `step` stands for the model in engines:
/// [`Engine`](crate::Engine)`::<mesh::step>`.
///
/// Events of a module are executed in the order of their times. Events of the same time are ordered by the number of
/// the module that scheduled them, and those of one module by the order of scheduling. Determinism class: that of the
/// handlers, `Exact` if they compute in integers.
///
/// ```
/// imminent_events::event_model! {
///     /// Modules in a ring that pass a token on.
///     mod ring {
///         events {
///             /// The token arrives.
///             Arrive => arrive,
///         }
///
///         /// State of a module.
///         #[derive(Row)]
///         pub struct Module { pub seen: u32 }
///
///         pub struct Payload { pub rounds: u32 }
///
///         /// Parameters of a simulation.
///         #[derive(Row)]
///         pub struct Point { pub delay: u64 }
///
///         fn arrive(me: &mut Module, token: Payload, point: &Point, agenda: &mut Agenda) {
///             me.seen += 1;
///             let next = (agenda.module() + 1) % agenda.modules();
///             agenda.send(next, point.delay, Kind::Arrive, Payload { rounds: token.rounds + 1 });
///         }
///     }
/// }
///
/// use imminent_events::{First, Start, sequential};
///
/// # fn main() -> Result<(), imminent_events::EngineError> {
/// let start = Start::<ring::step> {
///     point: ring::Point { delay: 5 }.into(),
///     modules: vec![ring::Module { seen: 0 }; 4],
///     events: vec![First { time: 0, module: 0, kind: ring::Kind::Arrive, payload: ring::Payload { rounds: 0 } }],
///     lookahead: 5.into(),
///     end: 100,
/// };
/// let end = sequential(&start, 1, 0)?.expect("no handler fails"); // a handler schedules one event at most
/// assert_eq!(end.modules[0].seen, 5); // at times 0, 20, 40, 60 and 80
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! event_model {
    (
        $(#[$meta:meta])*
        $visibility:vis mod $name:ident {
            events { $($events:tt)* }
            prepared { $($prepared:tt)* }
            $($items:tt)*
        }
    ) => {
        $crate::event_model! { @model [$(#[$meta])* $visibility mod $name] { $($events)* } { $($prepared)* } {} { $($items)* } }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis mod $name:ident {
            events { $($events:tt)* }
            optimistic;
            $($items:tt)*
        }
    ) => {
        $crate::event_model! { @model [$(#[$meta])* $visibility mod $name] { $($events)* } {} { speculation } { $($items)* } }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis mod $name:ident {
            events { $($events:tt)* }
            $($items:tt)*
        }
    ) => {
        $crate::event_model! { @model [$(#[$meta])* $visibility mod $name] { $($events)* } {} {} { $($items)* } }
    };
    (
        @model [$(#[$meta:meta])* $visibility:vis mod $name:ident]
        { $($(#[$event_meta:meta])* $kind:ident => $handler:ident),+ $(,)? }
        { $(
            $prepared:ident {
                lanes: $lanes:tt,
                groups: $groups:tt,
                of: $share:ident,
                scratch: $scratch:ident,
                rounds: $rounds:tt,
                by: $part:ident,
                united: $united:ident,
                alone: $alone:ident $(,)?
            }
        )? }
        { $($speculation:ident)? }
        { $($items:tt)* }
    ) => {
        $(#[$meta])*
        #[$crate::imminent_core::kernels]
        $visibility mod $name {
            use $crate::imminent_core::mail::{Inbox, Outbox};
            use $crate::kernels::links::{Bound, OutLinks, check_send, horizon};
            use $crate::kernels::list::{Earliest, EventList, IDLE, Owner, Plan, Terms, rests_until, window};
            #[allow(unused_imports, reason = "for models that prepare events")]
            use $crate::kernels::order::{Key, before, sender};
            $($items)*

            /// Kind of an event.
            pub enum Kind {
                $($(#[$event_meta])* $kind),+
            }

            /// Scheduled event.
            pub struct Event {
                /// Time of the event, in ticks.
                pub time: u64,
                /// Rank among events of the same time.
                pub tie: u64,
                /// Number of the destination module in the simulation.
                pub to: u32,
                /// Kind of the event.
                pub kind: u32,
                /// Payload of the event.
                pub payload: Payload,
            }

            /// Payloads of the pending events of a module.
            #[derive(Row)]
            #[row(packed)]
            pub struct Payloads {
                /// A lane for each event, given by its key.
                pub slots: Lanes<Payload>,
            }

            /// Events that a module sent in a step.
            #[derive(Row)]
            #[row(packed)]
            pub struct Post {
                /// The events, by their numbers.
                pub events: Lanes<Event>,
            }

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

            /// Request to execute an event at a module in a round of the co-processor.
            #[derive(Row)]
            pub struct Request {
                /// Time of the event, in ticks.
                pub time: u64,
                /// Kind of the event; the greatest number if there is none.
                pub kind: u32,
                /// Payload of the event.
                pub payload: Payload,
            }

            /// Response to a request.
            #[derive(Row)]
            pub struct Response {
                /// Number of scheduled events.
                pub count: u32,
                /// Error code, as in a list.
                pub trouble: u32,
                /// Scheduled events.
                pub events: Lanes<Event>,
            }

            /// Agenda of a module: what handlers schedule events by.
            #[derive(Bundle)]
            pub struct Agenda {
                /// Event list of the module.
                pub list: &mut EventList,
                /// Payloads of its events.
                pub payloads: &mut Payloads,
                /// Events that it sends.
                pub post: &mut Post,
                /// Links to other modules.
                pub links: &OutLinks,
                /// Constants of its simulation.
                pub terms: &Terms,
            }

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
                /// Earliest event of each simulation, if they are reduced.
                pub windows: &Rows<Earliest>,
                /// Bounds of the modules, if a simulation has links.
                pub bounds: &Rows<Bound>,
                /// Limits of the step.
                pub plan: &Plan,
            }

            #[allow(dead_code, reason = "few models need all of it")]
            impl Agenda {
                /// Returns the time, in ticks.
                pub fn now(&self) -> u64 {
                    self.list.now
                }

                /// Returns the number of the module in its simulation.
                pub fn module(&self) -> u32 {
                    self.list.module
                }

                /// Returns the number of modules of the simulation.
                pub fn modules(&self) -> u32 {
                    self.terms.modules
                }

                /// Schedules an event at this module, `delay` ticks from now.
                pub fn schedule(&mut self, delay: u64, kind: Kind, payload: Payload) {
                    let tie = self.list.number();
                    if self.list.trouble == 0 {
                        let time = self.list.now.saturating_add(delay);
                        self.expect(time, tie, kind as u32, payload);
                    }
                }

                /// Schedules an event at another module, `delay` ticks from now.
                pub fn send(&mut self, to: u32, delay: u64, kind: Kind, payload: Payload) {
                    if to == self.list.module {
                        self.schedule(delay, kind, payload);
                        return;
                    }
                    check_send(self.list, self.links, self.terms, to, delay);
                    let time = self.list.now.saturating_add(delay);
                    let tie = self.list.number();
                    if self.list.trouble == 0 {
                        self.post.events.set(self.list.sent, Event { time, tie, to, kind: kind as u32, payload });
                        self.list.sent += 1;
                    }
                }

                /// Adds an event to the list, which has room for it.
                pub fn expect(&mut self, time: u64, tie: u64, kind: u32, payload: Payload) {
                    let slot = self.list.insert(time, tie, kind);
                    self.payloads.slots.set(slot, payload);
                }
            }

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

            /// Executes an event whose preparation is done.
            pub fn handle_prepared(kind: u32, me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                $(if kind == Kind::$kind as u32 {
                    $handler(me, payload, point, agenda);
                })+
            }

            /// Executes an event.
            pub fn handle(kind: u32, me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                let carried = payload;
                $(
                    let mut carried = carried;
                    if kind == Kind::$prepared as u32 {
                        carried = $alone(me, agenda.list.module, payload, point, agenda.list.now);
                    }
                )?
                handle_prepared(kind, me, carried, point, agenda);
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
                let simulation = known.owners.get(id).simulation;
                let terms = known.terms.get(simulation);
                let mut earliest = 0;
                let mut horizon = u64::MAX;
                let mut message = 0;
                if terms.lookahead > 0 {
                    earliest = window(terms, simulation, past.earliest, known.windows, known.plan);
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
                let simulation = known.owners.get(id).simulation;
                let terms = known.terms.get(simulation);
                let mut until = u64::MAX;
                if terms.lookahead > 0 {
                    until = horizon(terms, known.windows.get(simulation).time, known.bounds, id);
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

            $(
                /// Position of an event that was searched.
                struct Found {
                    /// `true` if the event exists.
                    is_there: bool,
                    /// Key of the event.
                    key: Key,
                    /// The message that has the event, if it was just sent; otherwise 0.
                    message: u32,
                }

                /// Returns `true` if modules with this number modulo `groups` have just sent anything to a row.
                fn has_message_of(row: u32, number: u32, inbox: &Inbox, posts: &Rows<Post>) -> bool {
                    let mut message = inbox.first(row);
                    while message != 0 {
                        let event = posts.get(inbox.sender(message)).events.get(inbox.number(message));
                        if sender(event.tie) % $groups == number {
                            return true;
                        }
                        message = inbox.next(message);
                    }
                    false
                }

                /// Finds the first event of the prepared kind among those that modules with this number modulo `groups`
                /// scheduled, including events just sent.
                fn first_of(list: &EventList, end: u64, row: u32, number: u32, inbox: &Inbox, posts: &Rows<Post>) -> Found {
                    let kind = Kind::$prepared as u32;
                    let mut found = Found { is_there: false, key: Key { time: end, tie: 0, slot: 0, kind }, message: 0 };
                    for place in 0..list.waiting {
                        let key = list.keys.get(place);
                        if key.kind == kind && sender(key.tie) % $groups == number && before(key, found.key) {
                            found.is_there = true;
                            found.key = key;
                        }
                    }
                    let mut message = inbox.first(row);
                    while message != 0 {
                        let event = posts.get(inbox.sender(message)).events.get(inbox.number(message));
                        if event.kind == kind && sender(event.tie) % $groups == number {
                            let key = Key { time: event.time, tie: event.tie, slot: 0, kind };
                            if before(key, found.key) {
                                found = Found { is_there: true, key, message };
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
                    shares: &Rows<$share>,
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
                        earliest = window(terms, own.list.simulation, past.earliest, known.windows, known.plan);
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
                        let next = own.list.keys.get(0);
                        let is_prepared = next.kind == Kind::$prepared as u32;
                        let group = id * $groups + sender(next.tie) % $groups;
                        if is_prepared && ready.get(group).after != next.tie + 1 {
                            waits = true;
                            left = 0;
                        } else {
                            let key = own.list.take(terms.most);
                            let mut payload = own.payloads.slots.get(key.slot);
                            if is_prepared {
                                calls = true;
                                payload = $united(payload, shares, group * $lanes, point);
                            }
                            let mut agenda = Agenda { list: own.list, payloads: own.payloads, post: own.post, links: own.links, terms };
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
                    let row = id / $groups;
                    let list = lists.get(row);
                    let number = id % $groups;
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
                #[kernel(group = $lanes)]
                pub fn prepare(
                    group: &mut Group<$scratch>,
                    shares: &mut Each<$share>,
                    ready: &Ready,
                    modules: &Rows<Module>,
                    lists: &Rows<EventList>,
                    payloads: &Rows<Payloads>,
                    posts: &Rows<Post>,
                    terms: &Rows<Terms>,
                    points: &Rows<Point>,
                ) {
                    if ready.is_due {
                        let row = group.index() / $groups;
                        let list = lists.get(row);
                        let mut payload = payloads.get(row).slots.get(if ready.sender == 0 { ready.place } else { 0 });
                        if ready.sender > 0 {
                            payload = posts.get(ready.sender - 1).events.get(ready.place).payload;
                        }
                        let point = terms.get(list.simulation).point;
                        let module = list.module;
                        let time = ready.time;
                        let mut round = 0;
                        while round < $rounds {
                            group.phase(shares, |lane, share| {
                                $part(round, lane, share, modules.get(row), module, payload, points.get(point), time);
                            });
                            round += 1;
                        }
                    }
                }
            )?

            $(
                use $crate::kernels::$speculation::{
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
                    let simulation = known.owners.get(id).simulation;
                    let terms = known.terms.get(simulation);
                    let start = known.windows.get(simulation).time;
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
                    let simulation = known.owners.get(id).simulation;
                    let terms = known.terms.get(simulation);
                    let start = known.windows.get(simulation).time;
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
            )?

            /// Executes an event that the host has chosen.
            #[kernel]
            pub fn execute(
                own: &mut Own,
                response: &mut Response,
                request: &Request,
                terms: &Rows<Terms>,
                points: &Rows<Point>,
            ) {
                response.count = 0;
                if request.kind == u32::MAX {
                    return;
                }
                let of_all = terms.get(own.list.simulation);
                own.list.begin(request.time, request.kind, of_all.most);
                let mut agenda = Agenda { list: own.list, payloads: own.payloads, post: own.post, links: own.links, terms: of_all };
                handle(request.kind, own.me, request.payload, points.get(of_all.point), &mut agenda);
                for place in 0..own.list.waiting {
                    let key = own.list.keys.get(place);
                    let payload = own.payloads.slots.get(key.slot);
                    let to = own.list.module;
                    response.events.set(place, Event { time: key.time, tie: key.tie, to, kind: key.kind, payload });
                }
                for number in 0..own.list.sent {
                    response.events.set(own.list.waiting + number, own.post.events.get(number));
                }
                response.count = own.list.waiting + own.list.sent;
                response.trouble = own.list.trouble;
                own.list.waiting = 0;
                own.list.touched = 0;
                own.list.sent = 0;
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

        $crate::event_contract! { $name { $($kind),+ } { $($prepared $share $lanes $groups)? } { $($speculation)? } }
    };
}
