//! Tables of the modules of simulations.

use super::contract::Events;
use super::kernels::list::{Earliest, EventList, Terms};
use super::windows::Windows;
use imminent_core::{MailTable, Row, Table};

/// All modules of all simulations, on a device.
#[derive(Debug)]
pub struct Tables<E: Events> {
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
    /// Constants of the simulations.
    pub terms: Table<Terms>,
    /// Parameters of the simulations.
    pub points: Table<E::Point>,
    /// Prepared events, if preparing is enabled.
    pub prepared: Option<Prepared<E>>,
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
pub struct Prepared<E: Events> {
    /// Identity of the prepared event: one row per group, with the groups of a module side by side.
    pub ready: Table<E::Ready>,
    /// Results of the preparation: one row per lane of each group.
    pub shares: Table<E::Share>,
}

/// Rows of a module on the host, by which a handler schedules events.
#[derive(Debug)]
pub struct Desk<E: Events> {
    /// Event list of the module.
    pub list: EventList,
    /// Payloads of its events.
    pub payloads: E::Payloads,
    /// Events that it sends.
    pub post: E::Post,
}

impl<E: Events> Desk<E> {
    /// Creates empty rows for a module, with room for the events of one handler.
    pub(super) fn new(simulation: u32, module: u32, number: u64, room: u32) -> Self {
        Desk {
            list: empty(simulation, module, number, room),
            payloads: E::Payloads::zeroed(room),
            post: E::Post::zeroed(room),
        }
    }
}

/// Returns the list of a module without events, which has scheduled `number` events, with room for `room` events.
pub(super) fn empty(simulation: u32, module: u32, number: u64, room: u32) -> EventList {
    EventList {
        simulation,
        module,
        scheduled: number,
        next: u64::MAX,
        happening: u32::MAX,
        coming: u32::MAX,
        ..EventList::zeroed(room)
    }
}
