//! Types of an event model, and its events.

use imminent_core::{Data, Row};

/// Types of an event model, as [`event_model!`](crate::event_model) generates them. Do not implement it by hand.
pub trait EventTypes: Sized + Send + Sync + 'static {
    /// State of a module.
    type Module: Row;
    /// Payload of an event.
    type Payload: Data;
    /// Parameters of a simulation.
    type Point: Row;
    /// Kind of an event.
    type Kind: Copy + std::fmt::Debug + Send + Sync;
    /// Payloads of the pending events of a module.
    type Payloads: Row;
    /// Events that a module sent in a step.
    type Post: Row;
    /// Request of the host to execute an event at a module.
    type Request: Row;
    /// Response to a request: the events that the handler scheduled.
    type Response: Row;
    /// Result of one lane of a group that prepares an event.
    type Share: Row;
}

/// Initial event of a simulation.
#[derive(Debug)]
pub struct First<E: EventTypes> {
    /// Time of the event, in ticks.
    pub time: u64,
    /// Number of the module.
    pub module: u32,
    /// Kind of the event.
    pub kind: E::Kind,
    /// Payload of the event.
    pub payload: E::Payload,
}

/// Scheduled event.
#[derive(Debug)]
pub struct Scheduled<E: EventTypes> {
    /// Time in ticks.
    pub time: u64,
    /// Number of the destination module in its simulation.
    pub to: u32,
    /// Rank among events of the same time and module.
    pub tie: u64,
    /// Kind: an index into [`Events::NAMES`](crate::Events::NAMES).
    pub kind: u32,
    /// Payload.
    pub payload: E::Payload,
}

impl<E: EventTypes> Clone for Scheduled<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: EventTypes> Copy for Scheduled<E> {}

impl<E: EventTypes> Clone for First<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: EventTypes> Copy for First<E> {}
