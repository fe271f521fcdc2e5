//! State of a simulation under way.

mod bytes;

use super::contract::Events;
use super::kernels::list::EventList;
use super::simulation::Bounds;
use bytes::{Reader, Writer};
use imminent_core::Row;
use thiserror::Error;

/// Version of the byte format.
const FORM: u32 = 2;

/// Size of the checksum at the end, in bytes.
const CHECKSUM: usize = blake3::OUT_LEN;

/// State of a simulation between two steps. The simulation can continue from it on any device, beside any other
/// simulations, with the same outcome.
#[derive(Debug)]
pub struct State<E: Events> {
    bounds: Bounds,
    /// Largest number of events that a handler schedules.
    most: u32,
    rows: Rows<E>,
    handled: u64,
}

/// Error of a state from which a simulation cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    /// The checksum of the bytes is wrong.
    #[error("the state is damaged: its checksum is wrong. Resume from another state, or start the simulation anew")]
    Damaged,
    /// The model's types or events have changed, or another version of this program wrote the state.
    #[error(
        "the state is of another model, or of another version of the model or of this program: resume it with that version, or start the simulation anew"
    )]
    OtherModel,
    /// The modules, the lookahead, the end or the most events per handler differ.
    #[error(
        "the state is of another simulation: its number of modules, `lookahead`, `end` or `most` differs. Resume it with the start that it was made from"
    )]
    OtherSimulation,
}

/// Rows of the modules of a simulation.
#[derive(Debug)]
pub(super) struct Rows<E: Events> {
    pub(super) modules: Vec<E::Module>,
    pub(super) lists: Vec<EventList>,
    pub(super) payloads: Vec<E::Payloads>,
}

impl<E: Events> State<E> {
    /// Number of executed events.
    #[must_use]
    pub fn handled(&self) -> u64 {
        self.handled
    }

    /// Converts the state to bytes with a checksum. The bytes do not depend on the device.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.number(mark::<E>());
        let Bounds { modules, lookahead, end } = self.bounds;
        [u64::from(modules), lookahead, end, u64::from(self.most), self.handled]
            .into_iter()
            .for_each(|n| out.number(n));
        out.rows(&self.rows.modules);
        out.rows(&self.rows.lists);
        out.rows(&self.rows.payloads);
        let mut bytes = out.into_bytes();
        bytes.extend_from_slice(blake3::hash(&bytes).as_bytes());
        bytes
    }

    /// Reads the bytes of [`State::to_bytes`].
    ///
    /// # Errors
    /// [`StateError::Damaged`], [`StateError::OtherModel`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(StateError::Damaged)?;
        if blake3::hash(content).as_bytes() != checksum {
            return Err(StateError::Damaged);
        }
        let mut from = Reader::new(content);
        if from.number() != Some(mark::<E>()) {
            return Err(StateError::OtherModel);
        }
        Self::read(&mut from).filter(|_| from.is_at_end()).ok_or(StateError::Damaged)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let [modules, lookahead, end, most, handled] = [(); 5].map(|()| from.number());
        let (modules, most) = (modules?, u32::try_from(most?).ok()?);
        let bounds = Bounds { modules: u32::try_from(modules).ok()?, lookahead: lookahead?, end: end? };
        let rows = Rows { modules: from.rows(modules)?, lists: from.rows(modules)?, payloads: from.rows(modules)? };
        Some(State { bounds, most, rows, handled: handled? })
    }

    /// Creates a state.
    pub(super) fn new(bounds: Bounds, most: u32, rows: Rows<E>) -> Self {
        let Rows { modules, lists, payloads } = rows;
        let handled = lists.iter().map(|list| list.handled).sum();
        let lists = lists.iter().map(trimmed).collect();
        let payloads = payloads.iter().map(trimmed).collect();
        State { bounds, most, rows: Rows { modules, lists, payloads }, handled }
    }

    /// Returns the rows, if a simulation has these bounds.
    pub(super) fn into_rows(self, bounds: &Bounds, most: u32) -> Result<Rows<E>, StateError> {
        if self.bounds != *bounds || self.most != most {
            return Err(StateError::OtherSimulation);
        }
        match (0..).zip(&self.rows.lists).all(|(module, list)| list.module == module) {
            true => Ok(self.rows),
            false => Err(StateError::Damaged),
        }
    }
}

/// Returns a row without the zero lanes at its end.
fn trimmed<R: Row>(row: &R) -> R {
    let columns = || R::layout().columns.iter().filter(|column| column.lane);
    let is_used = |lane: &u32| columns().any(|column| row.lane_leaf(*lane, column.word) != 0);
    let used = (0..row.capacity()).rev().find(is_used).map_or(0, |last| last + 1);
    let mut row = row.clone();
    row.set_capacity(used);
    row
}

/// Returns a hash that distinguishes models and versions.
fn mark<E: Events>() -> u64 {
    let layouts = [E::Module::layout(), EventList::layout(), E::Payloads::layout()];
    let what = format!("{FORM} {} {:?} {layouts:?}", env!("CARGO_PKG_VERSION"), E::NAMES);
    blake3::hash(what.as_bytes()).as_bytes().first_chunk().copied().map_or(0, u64::from_le_bytes)
}
