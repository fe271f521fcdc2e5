//! What an engine knows of an event model.

use super::simulation::First;
use imminent_core::{Data, Program, ProgramBuilder, Result, Row, Scalar, Table};

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

    /// The names of what can happen.
    const NAMES: &'static [&'static str];

    /// An empty agenda with room for so many events.
    fn agenda(place: &Place, room: u32) -> Self::Agenda;

    /// The post of a module that has sent nothing yet, with room for so many events.
    fn post(agenda: &Self::Agenda, room: u32) -> Self::Post;

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

    /// What went wrong at a module: a constant of [`order`](crate::events::kernels::order); 0 if nothing did.
    fn trouble(agenda: &Self::Agenda) -> u32;

    /// Where the modules stand.
    ///
    /// # Errors
    /// Those of the device.
    fn standings(agendas: &Table<Self::Agenda>) -> Result<Vec<Standing>>;

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

    /// Records a step of all modules, in which so many events may happen at each. Its result is 0 if nothing was left to be done, 1 if something was done, 2 if an agenda needs room.
    ///
    /// # Errors
    /// Those of the device.
    fn record_step(step: &mut ProgramBuilder, tables: &mut Tables<Self>, events: u32) -> Result<Scalar<u32>>;

    /// Sets how many events may happen at a module in the steps of a program.
    ///
    /// # Errors
    /// Those of the device.
    fn limit(program: &mut Program, events: u32) -> Result<()>;

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
}
