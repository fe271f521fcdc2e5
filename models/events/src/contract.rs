//! What an engine knows of an event model.

use super::simulation::First;
use imminent_core::{Column, Data, Device, Program, ProgramBuilder, Queue, Result, Row, Scalar, Selection, Table};

/// An event model, as [`event_model!`](crate::event_model) makes it of a user's handlers. It is not written by hand.
pub trait Events: Sized + Send + Sync + 'static {
    /// The state of a module.
    type Module: Row;
    /// What an event carries.
    type Payload: Data;
    /// The parameters of a simulation.
    type Point: Row;
    /// What can happen.
    type Kind: Copy + std::fmt::Debug + Send + Sync;
    /// What is to come at a module, and where it stands.
    type Agenda: Row;
    /// What a module sent in a step.
    type Post: Row;
    /// An event that the host lets happen at a module.
    type Errand: Row;
    /// What came of it.
    type Answer: Row;
    /// Which event a group has prepared.
    type Ready: Row;
    /// What a lane of a group finds out when it prepares an event.
    type Share: Row;

    /// Lanes of the groups that prepare events; 0 if none are prepared.
    const LANES: usize;

    /// Groups of each module: what module `n` scheduled is prepared by group `n` modulo this.
    const GROUPS: usize;

    /// The names of what can happen.
    const NAMES: &'static [&'static str];

    /// An empty agenda with room for so many events.
    #[must_use]
    fn agenda(place: &Place, room: u32) -> Self::Agenda {
        let mut agenda = Self::Agenda::zeroed(room);
        Self::seat(&mut agenda, place);
        agenda
    }

    /// Makes a zeroed row the agenda of a module with no event.
    fn seat(agenda: &mut Self::Agenda, place: &Place);

    /// Gives the agenda of a module another place; false, and nothing is changed, where that is the place of another module, or of a simulation with another lookahead, end or promise.
    fn settle(agenda: &mut Self::Agenda, place: &Place) -> bool;

    /// The post of a module that has sent nothing yet, with room for so many events.
    fn post(agenda: &Self::Agenda, room: u32) -> Self::Post;

    /// Posts of modules that have sent nothing yet, by the times of their first events, with room for so many events each.
    ///
    /// # Errors
    /// Those of the device.
    fn posts(device: &Device, earliest: &[u64], room: u32) -> Result<Table<Self::Post>>;

    /// The time of a module's first event, in ticks; the greatest time where there is none.
    fn next(agenda: &Self::Agenda) -> u64;

    /// An event that is scheduled from the beginning, with its place among those of the same time.
    fn first(event: &First<Self>, tie: u64) -> Scheduled<Self>;

    /// Takes an event into an agenda of its module.
    fn expect(agenda: &mut Self::Agenda, event: &Scheduled<Self>);

    /// Says how many events the module has scheduled so far.
    fn number_from(agenda: &mut Self::Agenda, number: u64);

    /// Lets an event happen on the host, and hands over what its handler schedules. The agenda and the post are empty before and after.
    fn happen(
        event: &Scheduled<Self>,
        me: &mut Self::Module,
        point: &Self::Point,
        agenda: &mut Self::Agenda,
        post: &mut Self::Post,
        scheduled: impl FnMut(Scheduled<Self>),
    );

    /// What a module is told to let happen, if anything.
    fn errand(event: Option<&Scheduled<Self>>) -> Self::Errand;

    /// Lets modules do their errands. Their agendas and the first table of posts are empty before and after.
    ///
    /// # Errors
    /// Those of the device.
    fn attend(
        queue: &Queue,
        tables: &mut Tables<Self>,
        errands: &Table<Self::Errand>,
        answers: &mut Table<Self::Answer>,
    ) -> Result<()>;

    /// Hands over what was scheduled in an errand.
    fn scheduled(answer: &Self::Answer, each: impl FnMut(Scheduled<Self>));

    /// What went wrong in an errand: a constant of [`order`](crate::kernels::order); 0 if nothing did.
    fn trouble_of(answer: &Self::Answer) -> u32;

    /// What went wrong at a module: a constant of [`order`](crate::kernels::order); 0 if nothing did.
    fn trouble(agenda: &Self::Agenda) -> u32;

    /// Where the modules stand.
    ///
    /// # Errors
    /// Those of the device.
    fn standings(agendas: &Table<Self::Agenda>) -> Result<Vec<Standing>>;

    /// The earliest event that each module knows, what it sent included, in ticks; the greatest time where none is known.
    ///
    /// # Errors
    /// Those of the device.
    fn earliest(tables: &Tables<Self>) -> Result<Vec<u64>>;

    /// Says of all that need places that they will not get them.
    ///
    /// # Errors
    /// Those of the device.
    fn give_up(agendas: &mut Table<Self::Agenda>) -> Result<()>;

    /// How many places each agenda needs; 0 where it has them.
    ///
    /// # Errors
    /// Those of the device.
    fn wanted(agendas: &Table<Self::Agenda>) -> Result<Vec<u32>>;

    /// What happens next at each module: a position in [`Events::NAMES`], or a greater number if nothing does.
    fn coming(agendas: &Table<Self::Agenda>) -> Column<'_, u32>;

    /// What the last step gave for each module, see [`Events::record_step`].
    fn outcome(agendas: &Table<Self::Agenda>) -> Column<'_, u32>;

    /// How many events have happened at each module.
    fn handled(agendas: &Table<Self::Agenda>) -> Column<'_, u64>;

    /// Records a step of all modules, or of those that are listed: each of them once in the lists of a step. What they send goes into the second table of posts, and what was sent in
    /// the step before is in the first. The result is 0 if nothing was left to be done, 1 if something was done, 2 if an agenda needs room.
    ///
    /// # Errors
    /// Those of the device.
    fn record_step(
        step: &mut ProgramBuilder,
        tables: &mut Tables<Self>,
        listed: Option<&Selection>,
        pace: Pace,
    ) -> Result<Scalar<u32>>;

    /// Records, behind a step of all modules, that groups prepare what they can, if they are to.
    ///
    /// # Errors
    /// Those of the device.
    fn record_preparing(step: &mut ProgramBuilder, tables: &mut Tables<Self>) -> Result<()>;

    /// Sets how far the steps of a program go, in which events are prepared or not.
    ///
    /// # Errors
    /// Those of the device.
    fn set_pace(program: &mut Program, pace: Pace, is_prepared: bool) -> Result<()>;

    /// Lets modules take in what they had no room for, after they were given some.
    ///
    /// # Errors
    /// Those of the device.
    fn catch_up(tables: &mut Tables<Self>) -> Result<()>;
}

/// Where a module is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
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
    /// The least delay of what is sent, in ticks; 0 if nothing is sent.
    pub lookahead: u64,
    /// The most events that a handler schedules.
    pub most: u32,
    /// The run ends before this time, in ticks.
    pub end: u64,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The most events that happen at a module.
    pub events: u32,
    /// Whether a module goes no further than to its first event of another kind.
    pub alike: bool,
}

/// An event that is to happen.
#[derive(Clone, Copy, Debug)]
pub struct Scheduled<E: Events> {
    /// When, in ticks.
    pub time: u64,
    /// At which module of its simulation.
    pub to: u32,
    /// Its place among events of the same time there.
    pub tie: u64,
    /// What happens: a position in [`Events::NAMES`].
    pub kind: u32,
    /// What it carries.
    pub payload: E::Payload,
}

/// Where a module stands.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// The time of the event that happened last, in ticks.
    pub now: u64,
    /// What happened last: a position in [`Events::NAMES`]; the greatest number if nothing did.
    pub happening: u32,
    /// How many events have happened.
    pub handled: u64,
    /// How many events are known.
    pub waiting: u32,
    /// What went wrong; 0 if nothing did.
    pub trouble: u32,
}

/// All modules of all simulations, on a device.
#[derive(Debug)]
pub struct Tables<E: Events> {
    /// Their states.
    pub modules: Table<E::Module>,
    /// What is to come.
    pub agendas: Table<E::Agenda>,
    /// What was sent in the step before, and in this one.
    pub posts: [Table<E::Post>; 2],
    /// The parameters of simulations.
    pub points: Table<E::Point>,
    /// What groups prepare, where they do.
    pub prepared: Option<Prepared<E>>,
}

/// What groups have prepared.
#[derive(Debug)]
pub struct Prepared<E: Events> {
    /// Which events: a row for each group, those of a module side by side.
    pub ready: Table<E::Ready>,
    /// What was found out: a row for each lane of each group.
    pub shares: Table<E::Share>,
}
