//! Interface between engines and event models.

use super::exchange::Exchange;
use super::simulation::First;
use imminent_core::{Column, Data, Device, Program, ProgramBuilder, Queue, Result, Row, Scalar, Selection, Table};

/// Event model, as [`event_model!`](crate::event_model) generates it from a user's handlers. Do not implement it by
/// hand.
pub trait Events: Sized + Send + Sync + 'static {
    /// State of a module.
    type Module: Row;
    /// Payload of an event.
    type Payload: Data;
    /// Parameters of a simulation.
    type Point: Row;
    /// Kind of an event.
    type Kind: Copy + std::fmt::Debug + Send + Sync;
    /// Event list and position of a module.
    type Agenda: Row;
    /// Events that a module sent in a step.
    type Post: Row;
    /// Request of the host to execute an event at a module.
    type Errand: Row;
    /// Response to a request: the events that the handler scheduled.
    type Answer: Row;
    /// Event that a group has prepared.
    type Ready: Row;
    /// Result of one lane of a group that prepares an event.
    type Share: Row;

    /// Lanes of the groups that prepare events; 0 if the model prepares none.
    const LANES: usize;

    /// Groups per module. Events that module `n` scheduled are prepared by group `n` modulo this number.
    const GROUPS: usize;

    /// Names of the kinds of events.
    const NAMES: &'static [&'static str];

    /// Creates an empty agenda with room for `room` events.
    #[must_use]
    fn agenda(place: &Place, room: u32) -> Self::Agenda {
        let mut agenda = Self::Agenda::zeroed(room);
        Self::seat(&mut agenda, place);
        agenda
    }

    /// Initializes a zeroed row as the agenda of a module without events.
    fn seat(agenda: &mut Self::Agenda, place: &Place);

    /// Moves the agenda of a module to another place. Returns `false`, without a change, if the place differs in
    /// module, lookahead, end or most events per handler.
    fn settle(agenda: &mut Self::Agenda, place: &Place) -> bool;

    /// Creates the post of a module that has sent nothing yet, with room for `room` events.
    fn post(agenda: &Self::Agenda, room: u32) -> Self::Post;

    /// Creates posts of modules that have sent nothing yet, from the times of their first events, with room for `room`
    /// events each.
    ///
    /// # Errors
    /// Errors of the device.
    fn posts(device: &Device, earliest: &[u64], room: u32) -> Result<Table<Self::Post>>;

    /// Returns the time of a module's first event, in ticks; the greatest time if there is none.
    fn next(agenda: &Self::Agenda) -> u64;

    /// Converts an initial event, with its rank among those of the same time.
    fn first(event: &First<Self>, tie: u64) -> Scheduled<Self>;

    /// Adds an event to the agenda of its module.
    fn expect(agenda: &mut Self::Agenda, event: &Scheduled<Self>);

    /// Sets the number of events that the module has scheduled so far.
    fn number_from(agenda: &mut Self::Agenda, number: u64);

    /// Executes an event on the host, and passes the events that its handler schedules to `scheduled`. The agenda and
    /// the post are empty before and after.
    fn happen(
        event: &Scheduled<Self>,
        me: &mut Self::Module,
        point: &Self::Point,
        agenda: &mut Self::Agenda,
        post: &mut Self::Post,
        scheduled: impl FnMut(Scheduled<Self>),
    );

    /// Creates the request for an event, or an empty request.
    fn errand(event: Option<&Scheduled<Self>>) -> Self::Errand;

    /// Executes the requests of all modules. Their agendas and the first table of posts are empty before and after.
    ///
    /// # Errors
    /// Errors of the device.
    fn attend(
        queue: &Queue,
        tables: &mut Tables<Self>,
        errands: &Table<Self::Errand>,
        answers: &mut Table<Self::Answer>,
    ) -> Result<()>;

    /// Passes each event that a response contains to `each`.
    fn scheduled(answer: &Self::Answer, each: impl FnMut(Scheduled<Self>));

    /// Returns the error in a response: a constant of [`order`](crate::kernels::order); 0 if there was none.
    fn trouble_of(answer: &Self::Answer) -> u32;

    /// Returns the error of a module: a constant of [`order`](crate::kernels::order); 0 if there was none.
    fn trouble(agenda: &Self::Agenda) -> u32;

    /// Returns the positions of the modules.
    ///
    /// # Errors
    /// Errors of the device.
    fn standings(agendas: &Table<Self::Agenda>) -> Result<Vec<Standing>>;

    /// Returns the time of the earliest event that each module knows, including sent ones, in ticks; the greatest time
    /// if it knows none.
    ///
    /// # Errors
    /// Errors of the device.
    fn earliest(tables: &Tables<Self>) -> Result<Vec<u64>>;

    /// Returns the column of [`Events::earliest`] of a table of posts.
    fn earliest_of(posts: &Table<Self::Post>) -> Column<'_, u64>;

    /// Returns the number of messages in each post.
    fn sent(posts: &Table<Self::Post>) -> Column<'_, u32>;

    /// Records that the messages of the first table of posts are listed by their senders, if messages are delivered by
    /// destination.
    ///
    /// # Errors
    /// Errors of the device.
    fn record_addresses(step: &mut ProgramBuilder, tables: &mut Tables<Self>) -> Result<()>;

    /// Reports an error at all modules that need more room.
    ///
    /// # Errors
    /// Errors of the device.
    fn give_up(agendas: &mut Table<Self::Agenda>) -> Result<()>;

    /// Returns the capacity that each agenda needs; 0 if its capacity suffices.
    ///
    /// # Errors
    /// Errors of the device.
    fn wanted(agendas: &Table<Self::Agenda>) -> Result<Vec<u32>>;

    /// Returns the kind of each module's next event: an index into [`Events::NAMES`], or a greater number if there is
    /// none.
    fn coming(agendas: &Table<Self::Agenda>) -> Column<'_, u32>;

    /// Returns the result of the last step for each module, see [`Events::record_step`].
    fn outcome(agendas: &Table<Self::Agenda>) -> Column<'_, u32>;

    /// Returns the number of events executed at each module.
    fn handled(agendas: &Table<Self::Agenda>) -> Column<'_, u64>;

    /// Records a step of all modules, or of the listed ones; the lists of a step contain each module once. Sent events
    /// go to the second table of posts; the first has those of the step before. The result is 0 if nothing was left to
    /// do, 1 if something was done, 2 if an agenda needs room.
    ///
    /// # Errors
    /// Errors of the device.
    fn record_step(
        step: &mut ProgramBuilder,
        tables: &mut Tables<Self>,
        listed: Option<&Selection>,
        pace: Pace,
    ) -> Result<Scalar<u32>>;

    /// Records, after a step of all modules, that groups prepare events, if preparing is enabled.
    ///
    /// # Errors
    /// Errors of the device.
    fn record_preparing(step: &mut ProgramBuilder, tables: &mut Tables<Self>) -> Result<()>;

    /// Sets the limits of the steps of a program that was recorded with these tables.
    ///
    /// # Errors
    /// Errors of the device.
    fn set_pace(program: &mut Program, pace: Pace, tables: &Tables<Self>) -> Result<()>;

    /// Adds pending events to agendas that have been enlarged.
    ///
    /// # Errors
    /// Errors of the device.
    fn catch_up(tables: &mut Tables<Self>) -> Result<()>;
}

/// Place of a module.
#[derive(Clone, Copy, Debug)]
pub struct Place {
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
    /// Lookahead: least delay of sent events, in ticks; 0 if the model sends none.
    pub lookahead: u64,
    /// Largest number of events that a handler schedules.
    pub most: u32,
    /// End of the run, in ticks: all events are before it.
    pub end: u64,
}

/// Limits of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Largest number of events per module.
    pub events: u32,
    /// `true` if a module stops at its first event of another kind.
    pub alike: bool,
}

/// Scheduled event.
#[derive(Clone, Copy, Debug)]
pub struct Scheduled<E: Events> {
    /// Time in ticks.
    pub time: u64,
    /// Number of the destination module in its simulation.
    pub to: u32,
    /// Rank among events of the same time and module.
    pub tie: u64,
    /// Kind: an index into [`Events::NAMES`].
    pub kind: u32,
    /// Payload.
    pub payload: E::Payload,
}

/// Position of a module.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Time of the last event, in ticks.
    pub now: u64,
    /// Kind of the last event: an index into [`Events::NAMES`]; the greatest number if there was none.
    pub happening: u32,
    /// Number of executed events.
    pub handled: u64,
    /// Number of pending events.
    pub waiting: u32,
    /// Error code; 0 without an error.
    pub trouble: u32,
}

/// All modules of all simulations, on a device.
#[derive(Debug)]
pub struct Tables<E: Events> {
    /// States of the modules.
    pub modules: Table<E::Module>,
    /// Event lists of the modules.
    pub agendas: Table<E::Agenda>,
    /// Events sent in the step before, and in this one.
    pub posts: [Table<E::Post>; 2],
    /// Parameters of the simulations.
    pub points: Table<E::Point>,
    /// Prepared events, if preparing is enabled.
    pub prepared: Option<Prepared<E>>,
    /// Messages by their receivers, if they are delivered by destination. Events are then not prepared.
    pub exchange: Option<Exchange>,
}

/// Events that groups have prepared.
#[derive(Debug)]
pub struct Prepared<E: Events> {
    /// Identity of the prepared event: one row per group, with the groups of a module side by side.
    pub ready: Table<E::Ready>,
    /// Results of the preparation: one row per lane of each group.
    pub shares: Table<E::Share>,
}
