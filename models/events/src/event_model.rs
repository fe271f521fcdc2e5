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
/// `fn handler(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda, post: &mut Post)`. A handler
/// changes its own module and schedules events:
/// * `agenda.schedule(delay, Kind::Name, payload)`: at the same module, `delay` ticks from now, which may be 0;
/// * `agenda.send(post, module, delay, Kind::Name, payload)`: at another module, given by its number, after at least
///   the model's lookahead;
/// * `agenda.now()`, `agenda.module()`, `agenda.modules()`: the time in ticks, the module's number, and the number of
///   modules of its simulation.
///
/// If the handler of a kind of events begins with much work, groups of lanes can do it as a `prepared` stage, declared
/// after `events`. The mesh is an example; `docs/events.md` describes the functions.
///
/// The macro generates the names `Agenda`, `Post`, `Sent`, `Found`, `Errand`, `Answer`, `Kind`, `Plan`, `Ready`,
/// `step`, `step_delivered`, `step_prepared`, `address`, `prepare`, `attend`, `catch_up`, `catch_up_delivered`,
/// `handle`, `handle_safe` and `handle_prepared`, and uses those of [`order`](crate::kernels::order) and
/// [`delivery`](crate::kernels::delivery). The type `step` stands for the model in engines:
/// [`Engine`](crate::Engine)`::<mesh::step>`.
///
/// Events of a module are executed in the order of their times. Events of the same time are ordered by the number of
/// the module that scheduled them, and those of one module by the order of scheduling. Determinism class: that of the
/// handlers, `Exact` if they compute in integers.
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
            use $crate::kernels::delivery::{Envelope, Running, Window, first_for, row_of};
            $($items)*

            /// Kind of an event.
            pub enum Kind {
                $($(#[$event_meta])* $kind),+
            }

            /// Event list and position of a module.
            #[derive(Row)]
            pub struct Agenda {
                /// Row of the simulation's parameters.
                pub simulation: u32,
                /// Number of the module in its simulation.
                pub module: u32,
                /// Number of modules of the simulation.
                pub modules: u32,
                /// Number of the simulation among those on the device.
                pub window: u32,
                /// Row of the simulation's module 0.
                pub first: u32,
                /// Stride from a module's row to that of the next module.
                pub stride: u32,
                /// Lookahead: least delay of events sent to other modules, in ticks; 0 if the model sends none.
                pub lookahead: u64,
                /// Largest number of events that a handler schedules.
                pub most: u32,
                /// Number of events that the current handler may still schedule.
                pub left: u32,
                /// End of the run, in ticks: all events are before it.
                pub end: u64,
                /// Time of the current or last event, in ticks.
                pub now: u64,
                /// Kind of the current or last event.
                pub happening: u32,
                /// Time of the next event; the greatest time if none is known.
                pub next: u64,
                /// Kind of the next known event; the greatest number if there is none, or if it will not be executed.
                pub coming: u32,
                /// Result of the last step.
                pub outcome: u32,
                /// Number of pending events.
                pub waiting: u32,
                /// Number of lanes that were ever used.
                pub touched: u32,
                /// Number of events that the module has scheduled.
                pub scheduled: u64,
                /// Number of executed events.
                pub handled: u64,
                /// Capacity that the module needs to continue; 0 if it suffices.
                pub wanted: u32,
                /// `true` if the events of the last step are not yet added to the list.
                pub is_late: bool,
                /// `true` if groups must look for another event to prepare: a prepared event was executed, or the
                /// module waits for one.
                pub calls: bool,
                /// Error code: a constant of [`order`](crate::kernels::order); 0 without an error.
                pub trouble: u32,
                /// Heap of the pending events, followed by the free lanes of `payloads`.
                pub keys: Lanes<Key>,
                /// Payloads of the pending events.
                pub payloads: Lanes<Payload>,
            }

            /// Sent event.
            pub struct Sent {
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

            /// Events that a module sent in a step.
            #[derive(Row)]
            pub struct Post {
                /// Time of the earliest event that the module knows, including sent ones; the greatest time if it knows
                /// none.
                pub earliest: u64,
                /// Number of sent events.
                pub count: u32,
                /// Sent events.
                pub sent: Lanes<Sent>,
            }

            /// Event that a group has prepared, if any.
            #[derive(Row)]
            pub struct Ready {
                /// Tie of the event, which is unique in the simulation, plus one; 0 if there is none.
                pub after: u64,
            }

            /// Position of an event that was searched.
            pub struct Found {
                /// `true` if the event exists.
                pub is_there: bool,
                /// Key of the event. For an event that was just sent, its slot is an index into a post.
                pub key: Key,
                /// `true` if the event was just sent.
                pub is_sent: bool,
                /// Row of the post of an event that was just sent.
                pub row: u32,
            }

            /// Limits of a step.
            #[derive(Params)]
            pub struct Plan {
                /// Largest number of events per module.
                pub events: u32,
                /// `true` if a module stops at its first event of another kind.
                pub alike: bool,
            }

            /// Request to execute an event at a module in a round of the co-processor.
            #[derive(Row)]
            pub struct Errand {
                /// Time of the event, in ticks.
                pub time: u64,
                /// Kind of the event; the greatest number if there is none.
                pub kind: u32,
                /// Payload of the event.
                pub payload: Payload,
            }

            /// Response to a request.
            #[derive(Row)]
            pub struct Answer {
                /// Number of scheduled events.
                pub count: u32,
                /// Error code, as in an agenda.
                pub trouble: u32,
                /// Scheduled events.
                pub sent: Lanes<Sent>,
            }

            #[allow(dead_code, reason = "few models need all of it")]
            impl Agenda {
                /// Returns the time, in ticks.
                pub fn now(&self) -> u64 {
                    self.now
                }

                /// Returns the number of the module in its simulation.
                pub fn module(&self) -> u32 {
                    self.module
                }

                /// Returns the number of modules of the simulation.
                pub fn modules(&self) -> u32 {
                    self.modules
                }

                /// Schedules an event at this module, `delay` ticks from now.
                pub fn schedule(&mut self, delay: u64, kind: Kind, payload: Payload) {
                    let tie = self.number();
                    if self.trouble == 0 {
                        self.expect(self.now.saturating_add(delay), tie, kind as u32, payload);
                    }
                }

                /// Schedules an event at another module, `delay` ticks from now.
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

                /// Adds an event to the list.
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

                /// Removes the first event from the list, which must not be empty, and makes it the current one.
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

                /// Adds the events that were sent to the module, if there is room for all. Returns the earliest time of
                /// an event in the simulation.
                fn take_in(&mut self, posts: &Rows<Post>) -> u64 {
                    let mut earliest = self.next;
                    let mut sent = 0;
                    for module in 0..self.modules {
                        let post = posts.get(self.first + module * self.stride);
                        earliest = earliest.min(post.earliest);
                        sent += post.count;
                    }
                    // Most of the events may be for other modules: exact counting is left to the rare case.
                    if self.waiting + sent > self.keys.capacity() && !self.has_room_for(self.coming_in(posts)) {
                        return earliest;
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

                /// Returns `true` if there is room for `coming` events; otherwise notes that they are late.
                fn has_room_for(&mut self, coming: u32) -> bool {
                    let needed = self.waiting + coming;
                    if needed <= self.keys.capacity() {
                        return true;
                    }
                    self.is_late = true;
                    // A module with an error stops, and needs no room.
                    if self.trouble == 0 {
                        self.wanted = needed;
                    }
                    false
                }

                /// Adds the events that were sent to the module in this row, if there is room for all.
                fn take_delivered(&mut self, posts: &Rows<Post>, sorted: &Rows<Envelope>, row: u32) {
                    let first = first_for(sorted, row);
                    let mut end = first;
                    while end < sorted.len() && sorted.get(end).receiver == row {
                        end += 1;
                    }
                    if end > first && self.has_room_for(end - first) {
                        for place in first..end {
                            let envelope = sorted.get(place);
                            let sent = posts.get(envelope.row).sent.get(envelope.number);
                            self.expect(sent.time, sent.tie, sent.kind, sent.payload);
                        }
                    }
                }

                /// Counts the events that were sent to the module.
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

                /// Begins a step with messages that are sorted by their receivers; see [`Agenda::begin`].
                fn begin_delivered(
                    &mut self,
                    post: &mut Post,
                    posts: &Rows<Post>,
                    sorted: &Rows<Envelope>,
                    windows: &Rows<Window>,
                    row: u32,
                ) -> u64 {
                    let mut horizon = u64::MAX;
                    post.earliest = u64::MAX;
                    if self.lookahead > 0 {
                        self.take_delivered(posts, sorted, row);
                        let earliest = windows.get(self.window).earliest;
                        horizon = earliest.saturating_add(self.lookahead);
                        if self.is_late {
                            post.earliest = earliest;
                            horizon = 0;
                        }
                    }
                    post.count = 0;
                    horizon
                }

                /// Begins a step: adds the sent events. Returns the time before which all events are safe.
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

                /// Ends a step; `before` is the number of events before it. Returns 0 if nothing was left to do, 1 if
                /// something was done or waits to be prepared, 2 if a list needs room.
                fn finish(&mut self, post: &mut Post, before: u64, waits: bool) -> u32 {
                    post.earliest = post.earliest.min(self.next);
                    self.foresee();
                    self.outcome = if self.handled > before || waits { 1 } else { 0 };
                    if self.wanted > 0 {
                        self.outcome = 2;
                    }
                    self.outcome
                }

                /// Returns `true` if the next event is executed in this step: it is before `horizon` and before the
                /// end, and there is room for all that its handler schedules.
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

                /// Returns `true` if modules with this number modulo `groups` have just sent anything.
                pub fn hears(&self, number: u32, groups: u32, posts: &Rows<Post>) -> bool {
                    let mut sent = 0;
                    let mut module = number;
                    while module < self.modules {
                        sent += posts.get(self.first + module * self.stride).count;
                        module += groups;
                    }
                    sent > 0
                }

                /// Returns `true` if there is a next event, and its kind differs from that of the last one.
                fn changes(&self) -> bool {
                    self.waiting > 0 && self.keys.get(0).kind != self.happening
                }

                /// Finds the first event of a kind among those scheduled by modules with this number modulo `groups`,
                /// including events just sent.
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

                /// Returns the payload of an event that was found.
                pub fn carried(&self, found: Found, posts: &Rows<Post>) -> Payload {
                    if found.is_sent {
                        return posts.get(found.row).sent.get(found.key.slot).payload;
                    }
                    self.payloads.get(found.key.slot)
                }

                /// Sets the kind of the next event, if there is one.
                pub fn foresee(&mut self) {
                    self.coming = u32::MAX;
                    if self.next < self.end && self.trouble == 0 {
                        self.coming = self.keys.get(0).kind;
                    }
                }
            }

            /// Executes an event whose preparation is done.
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

            /// Executes an event.
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

            /// Executes the events of a module before `horizon`. Returns the result of the step.
            fn handle_safe(
                me: &mut Module,
                agenda: &mut Agenda,
                post: &mut Post,
                point: &Point,
                plan: &Plan,
                horizon: u64,
            ) -> u32 {
                let before = agenda.handled;
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

            /// Makes one step of every module: it receives the events sent to it, and then executes all safe events.
            /// Returns 0 if nothing was left to do, 1 if something was done, 2 if a list needs room.
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
                handle_safe(me, agenda, post, points.get(agenda.simulation), plan, horizon)
            }

            /// Makes one step of every module like [`step()`], with messages that are sorted by their receivers.
            #[kernel(reduce = max)]
            pub fn step_delivered(
                me: &mut Module,
                agenda: &mut Agenda,
                post: &mut Post,
                posts: &Rows<Post>,
                sorted: &Rows<Envelope>,
                windows: &Rows<Window>,
                points: &Rows<Point>,
                plan: &Plan,
                id: u32,
            ) -> u32 {
                let horizon = agenda.begin_delivered(post, posts, sorted, windows, id);
                handle_safe(me, agenda, post, points.get(agenda.simulation), plan, horizon)
            }

            /// Lists the messages of a step by their senders.
            #[kernel]
            pub fn address(
                envelope: &mut Envelope,
                running: &Rows<Running>,
                agendas: &Rows<Agenda>,
                posts: &Rows<Post>,
                id: u32,
            ) {
                // Places without a message come last in the order of receivers.
                envelope.receiver = running.len();
                let row = row_of(running, id);
                if row < running.len() {
                    let post = posts.get(row);
                    let number = id + post.count - running.get(row).total;
                    let agenda = agendas.get(row);
                    envelope.receiver = agenda.first + post.sent.get(number).to * agenda.stride;
                    envelope.row = row;
                    envelope.number = number;
                }
            }

            $(
                /// Makes one step of every module with prepared events: a module stops at an event whose preparation is
                /// not done.
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

                /// Prepares the first event of the prepared kind among those that some modules scheduled, unless it is
                /// prepared already.
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
                    // Most groups have nothing to do, and see that from two words.
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

            /// Executes an event that the host has chosen.
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

            /// Adds pending events to an agenda that has been enlarged.
            #[kernel]
            pub fn catch_up(agenda: &mut Agenda, post: &mut Post, posts: &Rows<Post>) {
                agenda.wanted = 0;
                if agenda.is_late {
                    agenda.is_late = false;
                    agenda.take_in(posts);
                    // The time in the post stood for all events under way. If they have been executed meanwhile, it
                    // would block the other modules.
                    post.earliest = agenda.next;
                }
            }

            /// Adds pending events like [`catch_up()`], with messages that are sorted by their receivers.
            #[kernel]
            pub fn catch_up_delivered(
                agenda: &mut Agenda,
                post: &mut Post,
                posts: &Rows<Post>,
                sorted: &Rows<Envelope>,
                id: u32,
            ) {
                agenda.wanted = 0;
                if agenda.is_late {
                    agenda.is_late = false;
                    agenda.take_delivered(posts, sorted, id);
                    post.earliest = agenda.next;
                }
            }
        }

        $crate::event_contract! { $name { $($kind),+ } { $($prepared $share $lanes $groups)? } }
    };
}
