//! State of a simulation under way.

mod bytes;

use super::contract::Events;
use super::kernels::list::EventList;
use super::layout::Layout;
use super::simulation::Bounds;
use super::tables::Tables;
use bytes::{Reader, Writer};
use imminent_core::{Result, Row};
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
    modules: Vec<E::Module>,
    lists: Vec<EventList>,
    payloads: Vec<E::Payloads>,
    handled: u64,
}

/// Error of a state from which a simulation cannot continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    /// The checksum of the bytes is wrong.
    #[error("the state is damaged: its checksum is wrong")]
    Damaged,
    /// The model's types or events have changed, or another version of this program wrote the state.
    #[error("the state is of another model, or of another version of it or of this program")]
    OtherModel,
    /// The modules, the lookahead, the end or the most events per handler differ.
    #[error(
        "the state is of another simulation: modules, lookahead, end or the most events of a handler are not as they were"
    )]
    OtherSimulation,
}

/// Initial rows of all modules of all simulations: states, event lists and payloads.
pub(super) type Beginning<'r, E> =
    (&'r mut [<E as Events>::Module], &'r mut [EventList], &'r mut [<E as Events>::Payloads]);

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
        out.rows(&self.modules);
        out.rows(&self.lists);
        out.rows(&self.payloads);
        let mut bytes = out.into_bytes();
        bytes.extend_from_slice(blake3::hash(&bytes).as_bytes());
        bytes
    }

    /// Reads the bytes of [`State::to_bytes`].
    ///
    /// # Errors
    /// [`StateError::Damaged`], [`StateError::OtherModel`].
    pub fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, StateError> {
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
        let (states, lists, payloads) = (from.rows(modules)?, from.rows(modules)?, from.rows(modules)?);
        Some(State { bounds, most, modules: states, lists, payloads, handled: handled? })
    }

    /// Replaces the initial rows of a simulation with this state, if the simulation has these bounds.
    pub(super) fn lay_over(
        self,
        layout: &Layout,
        (bounds, most): (&Bounds, u32),
        simulation: usize,
        (modules, lists, payloads): Beginning<'_, E>,
    ) -> std::result::Result<(), StateError> {
        if self.bounds != *bounds || self.most != most {
            return Err(StateError::OtherSimulation);
        }
        let rows = self.modules.into_iter().zip(self.lists).zip(self.payloads);
        for (module, ((state, mut list), mut carried)) in (0..).zip(rows) {
            if list.module != module {
                return Err(StateError::Damaged);
            }
            let row = layout.row(simulation, module);
            let capacity = list.capacity().max(carried.capacity()).max(lists[row].capacity());
            list.simulation = simulation as u32;
            list.set_capacity(capacity);
            carried.set_capacity(capacity);
            (modules[row], lists[row], payloads[row]) = (state, list, carried);
        }
        Ok(())
    }
}

/// Returns the states of simulations, given by their numbers and their numbers of modules, in that order; `None` for a
/// simulation with trouble. No event may be on its way, and no list may wait for room.
pub(super) fn of<E: Events>(
    tables: &Tables<E>,
    layout: &Layout,
    simulations: impl Iterator<Item = (usize, u32)>,
) -> Result<Vec<Option<State<E>>>> {
    let Tables { modules, lists, payloads, terms, .. } = tables;
    let (modules, lists, payloads, terms) = (modules.read()?, lists.read()?, payloads.read()?, terms.read()?);
    let state = |(simulation, count): (usize, u32)| {
        let rows = || (0..count).map(|module| layout.row(simulation, module));
        let terms = terms.get(simulation)?;
        if rows().any(|row| lists[row].trouble > 0) {
            return None;
        }
        Some(State {
            bounds: Bounds { modules: count, lookahead: terms.lookahead, end: terms.end },
            most: terms.most,
            modules: rows().map(|row| modules[row].clone()).collect(),
            lists: rows().map(|row| trimmed(&lists[row])).collect(),
            payloads: rows().map(|row| trimmed(&payloads[row])).collect(),
            handled: rows().map(|row| lists[row].handled).sum(),
        })
    };
    Ok(simulations.map(state).collect())
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
