//! Tables of the modules of simulations.

use super::guesses::Guesses;
use super::links::Links;
use super::windows::Windows;
use crate::event_types::EventTypes;
use crate::kernels::list::{Earliest, EventList, Owner, Terms};
use crate::kernels::ready::Ready;
use imminent_core::{MailTable, Table, TallyTable};

/// All modules of all simulations, on a device.
#[derive(Debug)]
pub struct Tables<E: EventTypes> {
    /// States of the modules.
    pub modules: Table<E::Module>,
    /// Event lists of the modules.
    pub lists: Table<EventList>,
    /// Payloads of the pending events.
    pub payloads: Table<E::Payloads>,
    /// Events sent in the step before, and in this one.
    pub posts: [Table<E::Post>; 2],
    /// Earliest event that each module knew after the step before, and after this one.
    pub earliest: [Table<Earliest>; 2],
    /// Lists of the sent events, by receiver.
    pub mail: MailTable,
    /// Earliest event of each simulation.
    pub windows: Windows,
    /// Links between modules, and the bounds that follow from them.
    pub links: Links,
    /// Modules that stop the steps, where those count them: [`NEEDS_ROOM`](crate::kernels::list::NEEDS_ROOM),
    /// [`HAS_FAILED`](crate::kernels::list::HAS_FAILED).
    pub halts: TallyTable<u32>,
    /// Simulations of the modules.
    pub owners: Table<Owner>,
    /// Constants of the simulations.
    pub terms: Table<Terms>,
    /// Parameters of the simulations.
    pub points: Table<E::Point>,
    /// Prepared events, if preparing is enabled.
    pub prepared: Option<Prepared<E>>,
    /// Speculation, if windows are set.
    pub guesses: Option<Guesses<E>>,
}

/// Side of the messages that a list has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Messages of the last delivery.
    Delivered,
    /// Messages of the delivery before: a step received them, and delivered others.
    Before,
}

/// Events that groups have prepared.
#[derive(Debug)]
pub struct Prepared<E: EventTypes> {
    /// Identity of the prepared event: one row per group, with the groups of a module side by side.
    pub ready: Table<Ready>,
    /// Results of the preparation: one row per lane of each group.
    pub shares: Table<E::Share>,
}
