//! Macro that generates an event model from a user's handlers.

/// Declares an event model: the state of its modules, the payload of its events, and a handler for each kind of event.
///
/// The macro generates a [kernel module](imminent_core::kernels) with the user's items, a function that calls the
/// handlers, and the kernels of the engine, which are [templates](crate::templates). The user writes three types of
/// these names:
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
/// The macro generates the names `Kind`, `handle` and `handle_prepared`. The names of the templates belong to the
/// module too, with those that they import. The type `step` stands for the model in engines:
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
        $crate::event_model! {
            @model [$(#[$meta])* $visibility mod $name]
            { $($events)* } { preparation $($prepared)* } {} { $($items)* }
        }
    };
    (
        $(#[$meta:meta])*
        $visibility:vis mod $name:ident {
            events { $($events:tt)* }
            optimistic;
            $($items:tt)*
        }
    ) => {
        $crate::event_model! {
            @model [$(#[$meta])* $visibility mod $name]
            { $($events)* } {} { speculation } { $($items)* }
        }
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
            $preparation:ident $prepared:ident {
                lanes: $lanes:tt,
                groups: $groups:tt,
                rounds: $rounds:tt $(,)?
            }
        )? }
        { $($speculation:ident)? }
        { $($items:tt)* }
    ) => {
        $(#[$meta])*
        #[$crate::imminent_core::kernels(with(
            $crate::templates::agenda, $crate::templates::delivery, $crate::templates::steps,
            $crate::templates::coprocessor $(, $crate::templates::$preparation)?
            $(, $crate::templates::$speculation)?
        ), needs(
            struct Module: Row, struct Payload, struct Point: Row,
            $(fn $handler(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda)),+
        ))]
        $visibility mod $name {
            $($items)*

            /// Kind of an event.
            pub enum Kind {
                $($(#[$event_meta])* $kind),+
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
                        carried = prepare_alone(me, agenda.list.module, payload, point, agenda.list.now);
                    }
                )?
                handle_prepared(kind, me, carried, point, agenda);
            }

            $(
                /// Kind of the events that groups prepare.
                pub const PREPARED: u32 = Kind::$prepared as u32;
                /// Lanes of a group.
                pub const LANES: u32 = $lanes;
                /// Groups of a module.
                pub const GROUPS: u32 = $groups;
                /// Rounds of a preparation.
                pub const ROUNDS: u32 = $rounds;
            )?
        }

        $crate::event_contract! { $name { $($kind),+ } { $($prepared)? } { $($speculation)? } }
    };
    ($(#[$meta:meta])* $visibility:vis mod $name:ident { $($items:tt)* }) => {
        compile_error!("a model begins with its kinds of events: write `events { Name => handler, }` first in the module");
    };
}
