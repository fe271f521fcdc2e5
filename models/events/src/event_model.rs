//! The macro that makes an event model of a user's handlers.

/// Declares an event model: what its modules are, what its events carry, and a handler for each kind of event.
///
/// It becomes a [kernel module](imminent_core::kernels) in which the user's items and those of the engine stand side by side. The user writes three types of
/// these names:
/// * `Module`, a row: the state of a module, one for each module of each simulation;
/// * `Payload`, a struct: what an event carries;
/// * `Point`, a row: the parameters of a simulation, which all its modules read.
///
/// and a handler for each kind of event, `fn handler(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, post: &mut Post)`. It changes its own
/// module and schedules events:
/// * `agenda.schedule(delay, Kind::Name, payload)`: here, `delay` ticks from now, which may be 0;
/// * `agenda.send(post, module, delay, Kind::Name, payload)`: at another module, by its number, after at least the model's lookahead;
/// * `agenda.now()`, `agenda.module()`, `agenda.modules()`: the time in ticks, the module's number, how many its simulation has.
///
/// A kind of events whose handler begins with much work can be `prepared` by groups, behind the `events`; the mesh is an example, and `docs/events.md` says what the functions are.
///
/// `Agenda`, `Post`, `Sent`, `Found`, `Errand`, `Answer`, `Kind`, `Plan`, `Ready`, `step`, `step_prepared`, `prepare`, `attend`, `catch_up`, `handle` and `handle_prepared` are names that the macro writes, and those of [`order`](crate::kernels::order) are in use.
/// The model is known to engines by the type `step`: [`Engine`](crate::Engine)`::<mesh::step>`.
///
/// Events of a module happen in the order of their time; of those of one time, those that modules with lower numbers scheduled come first, and those of one module in
/// the order in which it scheduled them. Determinism class: that of the handlers, `Exact` where they reckon in integers.
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
        $crate::event_model! { @model [$(#[$meta])* $visibility mod $name] { $($events)* } { $($prepared)* } { $($items)* } }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis mod $name:ident {
            events { $($events:tt)* }
            $($items:tt)*
        }
    ) => {
        $crate::event_model! { @model [$(#[$meta])* $visibility mod $name] { $($events)* } {} { $($items)* } }
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
        { $($items:tt)* }
    ) => {
        $(#[$meta])*
        #[$crate::imminent_core::kernels]
        $visibility mod $name {
            use $crate::kernels::order::{Key, MOST_NUMBERS, NO_SUCH_MODULE, TOO_MANY, TOO_MANY_EVER, TOO_SOON, before, rise, sender, sink, tie};
            $($items)*

            /// What can happen.
            pub enum Kind {
                $($(#[$event_meta])* $kind),+
            }

            /// What is to come at a module, and where it stands.
            #[derive(Row)]
            pub struct Agenda {
                /// The row of the simulation's parameters.
                pub simulation: u32,
                /// The module's number in its simulation.
                pub module: u32,
                /// How many modules the simulation has.
                pub modules: u32,
                /// The row of the simulation's module 0.
                pub first: u32,
                /// From a module's row to that of the next.
                pub stride: u32,
                /// The least delay of what is sent to other modules, in ticks; 0 if nothing is sent.
                pub lookahead: u64,
                /// The most events that a handler schedules.
                pub most: u32,
                /// How many the present one may still schedule.
                pub left: u32,
                /// The run ends before this time, in ticks.
                pub end: u64,
                /// The time of the event that happens, or happened last, in ticks.
                pub now: u64,
                /// What happens, or happened last.
                pub happening: u32,
                /// When the next event happens; the greatest time if none is known.
                pub next: u64,
                /// What the next event is, as far as it is known; the greatest number if there is none, or if it will not happen.
                pub coming: u32,
                /// What the last step gave.
                pub outcome: u32,
                /// How many events are known.
                pub waiting: u32,
                /// How many lanes were ever used.
                pub touched: u32,
                /// How many events the module has scheduled.
                pub scheduled: u64,
                /// How many events have happened.
                pub handled: u64,
                /// Lanes that it needs before it can go on; 0 if it has them.
                pub wanted: u32,
                /// Whether what was sent to it last is not taken in yet.
                pub is_late: bool,
                /// Whether groups look for another of its events to prepare: one that they had prepared has happened, or it waits for one.
                pub calls: bool,
                /// What went wrong: a constant of [`order`](crate::kernels::order); 0 if nothing did.
                pub trouble: u32,
                /// The heap of what is known; behind it, the lanes of `payloads` that are free.
                pub keys: Lanes<Key>,
                /// What events carry.
                pub payloads: Lanes<Payload>,
            }

            /// An event that is sent.
            pub struct Sent {
                /// When it happens, in ticks.
                pub time: u64,
                /// Its place among events of the same time.
                pub tie: u64,
                /// At which module of the simulation.
                pub to: u32,
                /// What happens.
                pub kind: u32,
                /// What it carries.
                pub payload: Payload,
            }

            /// What a module sent in a step.
            #[derive(Row)]
            pub struct Post {
                /// The earliest event that it knows, sent ones included; the greatest time if it knows none.
                pub earliest: u64,
                /// How many events it sent.
                pub count: u32,
                /// The events.
                pub sent: Lanes<Sent>,
            }

            /// Which event a group has prepared, if any.
            #[derive(Row)]
            pub struct Ready {
                /// Its tie, which no other event of the simulation has, and one more; 0 if there is none.
                pub after: u64,
            }

            /// Where an event is that was looked for.
            pub struct Found {
                /// Whether there is one.
                pub is_there: bool,
                /// Its key, whose slot is a place in a post where it was just sent.
                pub key: Key,
                /// Whether it was just sent.
                pub is_sent: bool,
                /// The row of the post that it is in then.
                pub row: u32,
            }

            /// How far a step goes.
            #[derive(Params)]
            pub struct Plan {
                /// The most events that happen at a module.
                pub events: u32,
                /// Whether a module goes no further than to its first event of another kind.
                pub alike: bool,
            }

            /// An event that is to happen at a module in a round of the co-processor.
            #[derive(Row)]
            pub struct Errand {
                /// When it happens, in ticks.
                pub time: u64,
                /// What happens; the greatest number if nothing does.
                pub kind: u32,
                /// What it carries.
                pub payload: Payload,
            }

            /// What came of it.
            #[derive(Row)]
            pub struct Answer {
                /// How many events were scheduled.
                pub count: u32,
                /// What went wrong, as in an agenda.
                pub trouble: u32,
                /// The events.
                pub sent: Lanes<Sent>,
            }

            #[allow(dead_code, reason = "few models need all of it")]
            impl Agenda {
                /// The time, in ticks.
                pub fn now(&self) -> u64 {
                    self.now
                }

                /// The module's number in its simulation.
                pub fn module(&self) -> u32 {
                    self.module
                }

                /// How many modules the simulation has.
                pub fn modules(&self) -> u32 {
                    self.modules
                }

                /// Something will happen here, so many ticks from now.
                pub fn schedule(&mut self, delay: u64, kind: Kind, payload: Payload) {
                    let tie = self.number();
                    if self.trouble == 0 {
                        self.expect(self.now.saturating_add(delay), tie, kind as u32, payload);
                    }
                }

                /// Something will happen at another module, so many ticks from now.
                pub fn send(&mut self, post: &mut Post, to: u32, delay: u64, kind: Kind, payload: Payload) {
                    if to == self.module {
                        self.schedule(delay, kind, payload);
                        return;
                    }
                    if to >= self.modules {
                        self.fail(NO_SUCH_MODULE);
                    }
                    if self.lookahead == 0 || delay < self.lookahead {
                        self.fail(TOO_SOON);
                    }
                    let time = self.now.saturating_add(delay);
                    let tie = self.number();
                    if self.trouble == 0 {
                        post.sent.set(post.count, Sent { time, tie, to, kind: kind as u32, payload });
                        post.count += 1;
                        post.earliest = post.earliest.min(time);
                    }
                }

                fn fail(&mut self, trouble: u32) {
                    if self.trouble == 0 {
                        self.trouble = trouble;
                    }
                }

                fn number(&mut self) -> u64 {
                    if self.left == 0 {
                        self.fail(TOO_MANY);
                        return 0;
                    }
                    self.left -= 1;
                    let number = self.scheduled;
                    self.scheduled = number + 1;
                    if self.scheduled >= MOST_NUMBERS {
                        self.fail(TOO_MANY_EVER);
                    }
                    tie(self.module, number)
                }

                /// Takes an event into the list.
                pub fn expect(&mut self, time: u64, tie: u64, kind: u32, payload: Payload) {
                    let place = self.waiting;
                    let mut slot = place;
                    if place < self.touched {
                        slot = self.keys.get(place).slot;
                    } else {
                        self.touched = place + 1;
                    }
                    self.payloads.set(slot, payload);
                    self.waiting = place + 1;
                    self.next = self.next.min(time);
                    rise(&mut self.keys, place, Key { time, tie, slot, kind });
                }

                /// Takes the first event out of the list, which has one at least; it happens now.
                fn take(&mut self) -> Key {
                    let first = self.keys.get(0);
                    let count = self.waiting - 1;
                    let last = self.keys.get(count);
                    self.waiting = count;
                    self.next = u64::MAX;
                    if count > 0 {
                        sink(&mut self.keys, count, last);
                        self.next = self.keys.get(0).time;
                    }
                    self.keys.set(count, first);
                    self.now = first.time;
                    self.happening = first.kind;
                    self.handled += 1;
                    self.left = self.most;
                    first
                }

                /// Takes in what was sent to the module, if all of it has room. Gives the earliest time at which anything happens in the simulation.
                fn take_in(&mut self, posts: &Rows<Post>) -> u64 {
                    let mut earliest = self.next;
                    let mut sent = 0;
                    for module in 0..self.modules {
                        let post = posts.get(self.first + module * self.stride);
                        earliest = earliest.min(post.earliest);
                        sent += post.count;
                    }
                    // Most of it may be for others: it is counted only where it matters.
                    if self.waiting + sent > self.keys.capacity() {
                        let needed = self.waiting + self.coming_in(posts);
                        if needed > self.keys.capacity() {
                            self.is_late = true;
                            // One in trouble goes nowhere, and needs nothing any more.
                            if self.trouble == 0 {
                                self.wanted = needed;
                            }
                            return earliest;
                        }
                    }
                    if sent > 0 {
                        for module in 0..self.modules {
                            let post = posts.get(self.first + module * self.stride);
                            for place in 0..post.count {
                                if post.sent.get(place).to == self.module {
                                    let sent = post.sent.get(place);
                                    self.expect(sent.time, sent.tie, sent.kind, sent.payload);
                                }
                            }
                        }
                    }
                    earliest
                }

                /// How many events were sent to the module.
                fn coming_in(&self, posts: &Rows<Post>) -> u32 {
                    let mut coming = 0;
                    for module in 0..self.modules {
                        let post = posts.get(self.first + module * self.stride);
                        for place in 0..post.count {
                            if post.sent.get(place).to == self.module {
                                coming += 1;
                            }
                        }
                    }
                    coming
                }

                /// Begins a step: takes in what was sent. Gives the time before which nothing unknown can happen.
                fn begin(&mut self, post: &mut Post, posts: &Rows<Post>) -> u64 {
                    let mut horizon = u64::MAX;
                    post.earliest = u64::MAX;
                    if self.lookahead > 0 {
                        let earliest = self.take_in(posts);
                        horizon = earliest.saturating_add(self.lookahead);
                        if self.is_late {
                            post.earliest = earliest;
                            horizon = 0;
                        }
                    }
                    post.count = 0;
                    horizon
                }

                /// Ends a step before which `before` events had happened. Gives 0 if nothing was to be done, 1 if something was or waits to be prepared, 2 if a list needs room.
                fn finish(&mut self, post: &mut Post, before: u64, waits: bool) -> u32 {
                    post.earliest = post.earliest.min(self.next);
                    self.foresee();
                    self.outcome = if self.handled > before || waits { 1 } else { 0 };
                    if self.wanted > 0 {
                        self.outcome = 2;
                    }
                    self.outcome
                }

                /// Whether the next event happens in this step: it comes before `horizon` and before the end, and whatever its handler schedules has room.
                fn goes_on(&mut self, post: &Post, horizon: u64) -> bool {
                    if self.next >= horizon || self.next >= self.end || self.trouble > 0 {
                        return false;
                    }
                    let needed = self.waiting + self.most;
                    if needed > self.keys.capacity() {
                        self.wanted = needed;
                        return false;
                    }
                    self.lookahead == 0 || post.count + self.most <= post.sent.capacity()
                }

                /// Whether modules with this number modulo `groups` have just sent anything.
                pub fn hears(&self, number: u32, groups: u32, posts: &Rows<Post>) -> bool {
                    let mut sent = 0;
                    let mut module = number;
                    while module < self.modules {
                        sent += posts.get(self.first + module * self.stride).count;
                        module += groups;
                    }
                    sent > 0
                }

                /// Whether the next event, if there is one, is of another kind than the one that happened last.
                fn changes(&self) -> bool {
                    self.waiting > 0 && self.keys.get(0).kind != self.happening
                }

                /// The first event of a kind, of those that modules with this number modulo `groups` scheduled, what they have just sent included.
                pub fn first_of(&self, kind: u32, number: u32, groups: u32, posts: &Rows<Post>) -> Found {
                    let mut found = Found {
                        is_there: false,
                        key: Key { time: self.end, tie: 0, slot: 0, kind },
                        is_sent: false,
                        row: 0,
                    };
                    for place in 0..self.waiting {
                        let key = self.keys.get(place);
                        if key.kind == kind && sender(key.tie) % groups == number && before(key, found.key) {
                            found.is_there = true;
                            found.key = key;
                        }
                    }
                    let mut module = number;
                    while module < self.modules {
                        let row = self.first + module * self.stride;
                        let post = posts.get(row);
                        for place in 0..post.count {
                            if post.sent.get(place).to == self.module && post.sent.get(place).kind == kind {
                                let sent = post.sent.get(place);
                                let key = Key { time: sent.time, tie: sent.tie, slot: place, kind };
                                if before(key, found.key) {
                                    found = Found { is_there: true, key, is_sent: true, row };
                                }
                            }
                        }
                        module += groups;
                    }
                    found
                }

                /// What an event carries that was found.
                pub fn carried(&self, found: Found, posts: &Rows<Post>) -> Payload {
                    if found.is_sent {
                        return posts.get(found.row).sent.get(found.key.slot).payload;
                    }
                    self.payloads.get(found.key.slot)
                }

                /// What will happen next, if anything will.
                pub fn foresee(&mut self) {
                    self.coming = u32::MAX;
                    if self.next < self.end && self.trouble == 0 {
                        self.coming = self.keys.get(0).kind;
                    }
                }
            }

            /// What happens at a module when an event does, of which everything is prepared.
            pub fn handle_prepared(
                kind: u32,
                me: &mut Module,
                payload: Payload,
                point: &Point,
                agenda: &mut Agenda,
                post: &mut Post,
            ) {
                $(if kind == Kind::$kind as u32 {
                    $handler(me, payload, point, agenda, post);
                })+
            }

            /// What happens at a module when an event does.
            pub fn handle(
                kind: u32,
                me: &mut Module,
                payload: Payload,
                point: &Point,
                agenda: &mut Agenda,
                post: &mut Post,
            ) {
                let carried = payload;
                $(
                    let mut carried = carried;
                    if kind == Kind::$prepared as u32 {
                        carried = $alone(me, agenda.module, payload, point, agenda.now);
                    }
                )?
                handle_prepared(kind, me, carried, point, agenda, post);
            }

            /// One step of every module: it takes in what was sent to it, and then all happens that nothing unknown can come before. Gives 0 if nothing was to be
            /// done, 1 if something was, 2 if a list needs room.
            #[kernel(reduce = max)]
            pub fn step(
                me: &mut Module,
                agenda: &mut Agenda,
                post: &mut Post,
                posts: &Rows<Post>,
                points: &Rows<Point>,
                plan: &Plan,
            ) -> u32 {
                let horizon = agenda.begin(post, posts);
                let before = agenda.handled;
                let point = points.get(agenda.simulation);
                let mut left = plan.events;
                while left > 0 && agenda.goes_on(post, horizon) {
                    let key = agenda.take();
                    let payload = agenda.payloads.get(key.slot);
                    handle(key.kind, me, payload, point, agenda, post);
                    left -= 1;
                    if plan.alike && agenda.changes() {
                        left = 0;
                    }
                }
                agenda.finish(post, before, false)
            }

            $(
                /// The same, where groups prepare events: a module goes no further than to one that is not prepared.
                #[kernel(reduce = max)]
                pub fn step_prepared(
                    me: &mut Module,
                    agenda: &mut Agenda,
                    post: &mut Post,
                    ready: &Rows<Ready>,
                    shares: &Rows<$share>,
                    posts: &Rows<Post>,
                    points: &Rows<Point>,
                    plan: &Plan,
                    id: u32,
                ) -> u32 {
                    let horizon = agenda.begin(post, posts);
                    let before = agenda.handled;
                    let point = points.get(agenda.simulation);
                    let mut left = plan.events;
                    let mut waits = false;
                    let mut calls = false;
                    while left > 0 && agenda.goes_on(post, horizon) {
                        let next = agenda.keys.get(0);
                        let is_prepared = next.kind == Kind::$prepared as u32;
                        let group = id * $groups + sender(next.tie) % $groups;
                        if is_prepared && ready.get(group).after != next.tie + 1 {
                            waits = true;
                            left = 0;
                        } else {
                            let key = agenda.take();
                            let mut payload = agenda.payloads.get(key.slot);
                            if is_prepared {
                                calls = true;
                                payload = $united(payload, shares, group * $lanes, point);
                            }
                            handle_prepared(key.kind, me, payload, point, agenda, post);
                            left -= 1;
                            if plan.alike && agenda.changes() {
                                left = 0;
                            }
                        }
                    }
                    agenda.calls = calls || waits;
                    agenda.finish(post, before, waits)
                }

                /// Prepares the first event of a module that is prepared, of those that some modules scheduled, if it is not yet.
                #[kernel(group = $lanes)]
                pub fn prepare(
                    group: &mut Group<$scratch>,
                    shares: &mut Each<$share>,
                    ready: &mut Ready,
                    modules: &Rows<Module>,
                    agendas: &Rows<Agenda>,
                    posts: &Rows<Post>,
                    points: &Rows<Point>,
                ) {
                    let row = group.index() / $groups;
                    let agenda = agendas.get(row);
                    let number = group.index() % $groups;
                    // Most have nothing to do, and find that out by two words.
                    if agenda.calls || agenda.hears(number, $groups, posts) {
                        let found = agenda.first_of(Kind::$prepared as u32, number, $groups, posts);
                        if found.is_there && agenda.trouble == 0 && ready.after != found.key.tie + 1 {
                            ready.after = found.key.tie + 1;
                            let payload = agenda.carried(found, posts);
                            let simulation = agenda.simulation;
                            let time = found.key.time;
                            let module = agenda.module;
                            let mut round = 0;
                            while round < $rounds {
                                group.phase(shares, |lane, share| {
                                    $part(round, lane, share, modules.get(row), module, payload, points.get(simulation), time);
                                });
                                round += 1;
                            }
                        }
                    }
                }
            )?

            /// Lets an event happen that the host has chosen.
            #[kernel]
            pub fn attend(
                me: &mut Module,
                agenda: &mut Agenda,
                post: &mut Post,
                answer: &mut Answer,
                errand: &Errand,
                points: &Rows<Point>,
            ) {
                answer.count = 0;
                if errand.kind == u32::MAX {
                    return;
                }
                agenda.now = errand.time;
                agenda.happening = errand.kind;
                agenda.left = agenda.most;
                let point = points.get(agenda.simulation);
                handle(errand.kind, me, errand.payload, point, agenda, post);
                for place in 0..agenda.waiting {
                    let key = agenda.keys.get(place);
                    let payload = agenda.payloads.get(key.slot);
                    let sent = Sent { time: key.time, tie: key.tie, to: agenda.module, kind: key.kind, payload };
                    answer.sent.set(place, sent);
                }
                for place in 0..post.count {
                    answer.sent.set(agenda.waiting + place, post.sent.get(place));
                }
                answer.count = agenda.waiting + post.count;
                answer.trouble = agenda.trouble;
                agenda.waiting = 0;
                agenda.touched = 0;
                post.count = 0;
            }

            /// Takes in what a module had no room for, after it was given some.
            #[kernel]
            pub fn catch_up(agenda: &mut Agenda, post: &mut Post, posts: &Rows<Post>) {
                agenda.wanted = 0;
                if agenda.is_late {
                    agenda.is_late = false;
                    agenda.take_in(posts);
                    // It stood for all that was under way. If that has happened meanwhile, nobody would get any further by it.
                    post.earliest = agenda.next;
                }
            }
        }

        $crate::event_contract! { $name { $($kind),+ } { $($prepared $share $lanes $groups)? } }
    };
}
