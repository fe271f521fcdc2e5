//! Model whose wrong executions fail.

crate::event_model! {
    /// Doors that must be opened before anybody enters.
    pub mod fickle {
        events {
            /// Sends an event that opens another module.
            Unlock => unlock,
            /// Opens the module.
            Open => open,
            /// Sends an event to another module: to one that does not exist if this one is closed.
            Enter => enter,
            /// Schedules an event: itself again if the module is closed.
            Flood => flood,
            /// Counts.
            Arrive => arrive,
        }

        optimistic;

        /// State of a module.
        #[derive(Row)]
        pub struct Module {
            /// `true` once it is open.
            pub is_open: bool,
            /// Number of arrivals.
            pub entered: u32,
            /// Hash of the events executed here and their order.
            pub trail: u64,
        }

        /// Payload of an event.
        pub struct Payload {
            /// Module that an event is sent to.
            pub to: u32,
            /// Delay of the event that is sent.
            pub delay: u64,
        }

        /// Parameters of a simulation.
        #[derive(Row)]
        pub struct Point {
            /// A row needs a field.
            pub unused: u32,
        }

        fn unlock(_me: &mut Module, payload: Payload, _point: &Point, agenda: &mut Agenda) {
            agenda.send(payload.to, payload.delay, Kind::Open, payload);
        }

        fn open(me: &mut Module, _payload: Payload, _point: &Point, _agenda: &mut Agenda) {
            me.is_open = true;
        }

        fn enter(me: &mut Module, payload: Payload, _point: &Point, agenda: &mut Agenda) {
            me.trail = me.trail * 31 + agenda.now();
            if me.is_open {
                agenda.send(payload.to, payload.delay, Kind::Arrive, payload);
            } else {
                agenda.send(agenda.modules(), payload.delay, Kind::Arrive, payload);
            }
        }

        fn flood(me: &mut Module, payload: Payload, _point: &Point, agenda: &mut Agenda) {
            if me.is_open {
                agenda.send(payload.to, payload.delay, Kind::Arrive, payload);
            } else {
                agenda.schedule(0, Kind::Flood, payload);
            }
        }

        fn arrive(me: &mut Module, _payload: Payload, _point: &Point, _agenda: &mut Agenda) {
            me.entered += 1;
        }
    }
}
