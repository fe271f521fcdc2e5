//! State of a simulation under way.

mod bytes;

use super::contract::{Events, Place, Tables};
use super::layout::Layout;
use bytes::{Reader, Writer};
use imminent_core::{Result, Row};
use thiserror::Error;

/// Version of the byte format.
const FORM: u32 = 1;

/// Size of the checksum at the end, in bytes.
const CHECKSUM: usize = blake3::OUT_LEN;

/// State of a simulation between two steps. The simulation can continue from it on any device, beside any other
/// simulations, with the same outcome.
#[derive(Debug)]
pub struct State<E: Events> {
    modules: Vec<E::Module>,
    agendas: Vec<E::Agenda>,
    posts: Vec<E::Post>,
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

/// Initial rows of all modules of all simulations: states, event lists and sent events.
pub(super) type Beginning<'r, E> =
    (&'r mut [<E as Events>::Module], &'r mut [<E as Events>::Agenda], &'r mut [<E as Events>::Post]);

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
        out.number(self.modules.len() as u64);
        out.number(self.handled);
        out.rows(&self.modules);
        out.rows(&self.agendas);
        out.rows(&self.posts);
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
        let (modules, handled) = (from.number()?, from.number()?);
        let state =
            State { modules: from.rows(modules)?, agendas: from.rows(modules)?, posts: from.rows(modules)?, handled };
        Some(state)
    }

    /// Replaces the initial rows of a simulation with this state.
    pub(super) fn lay_over(
        self,
        layout: &Layout,
        place: impl Fn(u32) -> Place,
        simulation: usize,
        (modules, agendas, posts): Beginning<'_, E>,
    ) -> std::result::Result<(), StateError> {
        let State { modules: states, agendas: lists, posts: sent, .. } = self;
        if states.len() as u64 != u64::from(place(0).modules) {
            return Err(StateError::OtherSimulation);
        }
        for (module, ((state, mut agenda), mut post)) in (0..).zip(states.into_iter().zip(lists).zip(sent)) {
            let row = layout.row(simulation, module);
            if !E::settle(&mut agenda, &place(module)) {
                return Err(StateError::OtherSimulation);
            }
            agenda.set_capacity(agenda.capacity().max(agendas[row].capacity()));
            post.set_capacity(post.capacity().max(posts[row].capacity()));
            (modules[row], agendas[row], posts[row]) = (state, agenda, post);
        }
        Ok(())
    }
}

/// Returns the states of simulations, given by their numbers and their numbers of modules, in that order; `None` for a
/// simulation with trouble. No step may be under way, and no list may wait for room.
pub(super) fn of<E: Events>(
    tables: &Tables<E>,
    layout: &Layout,
    simulations: impl Iterator<Item = (usize, u32)>,
) -> Result<Vec<Option<State<E>>>> {
    // Parameters come from the start. Events sent in the step before the last have arrived.
    let Tables { modules, agendas, posts: [_, posts], points: _, prepared: _, exchange: _ } = tables;
    let standings = E::standings(agendas)?;
    let (modules, agendas, posts) = (modules.read()?, agendas.read()?, posts.read()?);
    let state = |(simulation, count): (usize, u32)| {
        let rows = || (0..count).map(|module| layout.row(simulation, module));
        if rows().any(|row| standings[row].trouble > 0) {
            return None;
        }
        Some(State {
            modules: rows().map(|row| modules[row].clone()).collect(),
            agendas: rows().map(|row| trimmed(&agendas[row])).collect(),
            posts: rows().map(|row| trimmed(&posts[row])).collect(),
            handled: rows().map(|row| standings[row].handled).sum(),
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
    let layouts = [E::Module::layout(), E::Agenda::layout(), E::Post::layout()];
    let what = format!("{FORM} {} {:?} {layouts:?}", env!("CARGO_PKG_VERSION"), E::NAMES);
    blake3::hash(what.as_bytes()).as_bytes().first_chunk().copied().map_or(0, u64::from_le_bytes)
}
