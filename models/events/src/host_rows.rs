//! Rows of a module on the host.

use super::event_types::EventTypes;
use super::kernels::list::{EventList, NEAR};
use imminent_core::Row;

/// Rows of a module on the host, by which a handler schedules events.
#[derive(Debug)]
pub struct HostRows<E: EventTypes> {
    /// Event list of the module.
    pub list: EventList,
    /// Payloads of its events.
    pub payloads: E::Payloads,
    /// Events that it sends.
    pub post: E::Post,
}

impl<E: EventTypes> HostRows<E> {
    /// Creates empty rows for a module, with room for the events of one handler.
    pub(super) fn new(simulation: u32, module: u32, number: u64, room: u32) -> Self {
        HostRows {
            list: empty(simulation, module, number, room),
            payloads: E::Payloads::zeroed(room.max(NEAR)),
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
        ..EventList::zeroed(room.saturating_sub(NEAR))
    }
}
