//! Repeated steps of all modules, as a program of the device.

use super::stages::Stages;
use super::tables::Tables;
use crate::contract::Events;
use crate::kernels::list::{self, EventListColumns as _, FULL, IDLE, Plan, Terms};
use crate::kernels::speculation::{self, Reach};
use crate::mapping::{Mapping, WARP};
use imminent_core::{Condition, GAP, Program, ProgramBuilder, Result, Scalar, Selection};

/// Index of the condition that ends the steps when nothing is left to do.
pub(super) const DONE: usize = 0;

/// Index of the condition that ends the steps when a list needs room.
pub(super) const NO_ROOM: usize = 1;

/// Index of the condition that ends the steps when a module has failed, if the steps have it.
pub(super) const FAILED: usize = 2;

/// Index of the condition that ends speculative steps when a module has no room for its events in the window.
pub(super) const CUT: usize = 3;

/// Largest number of steps of simulations that go on by themselves, after which all are looked at. Limited steps are
/// counted one by one.
const STEPS_APART: u64 = 32;

/// Form of the steps of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A module receives messages, and then executes its safe events.
    Whole,
    /// [`Stages`] of all modules.
    Staged,
    /// [`Stages`] of all modules, whose simulations go on by themselves.
    Apart,
    /// [`Stages`] of the modules that are listed for them.
    Listed,
    /// Modules execute the events of a time window speculatively.
    Speculative,
}

/// Returns the form of the steps of a mapping. Bounds by links need two stages: between steps no message is under way.
/// Two stages do not suit prepared events: a module that waits for one is not listed. Stages of all modules end at the
/// ends of all simulations. A simulation that `failed` never reaches its end.
pub(super) fn form<E: Events>(tables: &Tables<E>, mapping: Mapping, (sends, failed): (bool, bool)) -> Form {
    match mapping {
        _ if tables.guesses.is_some() => Form::Speculative,
        _ if tables.prepared.is_some() => Form::Whole,
        Mapping::Due => Form::Listed,
        Mapping::Apart if sends && !failed && tables.windows.are_in_groups() => Form::Apart,
        Mapping::InOrder | Mapping::Apart if sends && !failed && (tables.links.exist() || !tables.windows.looks()) => {
            Form::Staged
        }
        _ => Form::Whole,
    }
}

/// Records steps that end when nothing is left to do, when a list needs room, when a module has failed, or after a
/// given number.
pub(super) fn record<E: Events>(
    tables: &mut Tables<E>,
    (mapping, form): (Mapping, Form),
    (plan, reach): (&Plan, &Reach),
    (sends, failed): (bool, bool),
    most_steps: u64,
) -> Result<Program> {
    let device = tables.lists.device().clone();
    let mut stages = match form {
        Form::Whole | Form::Speculative => None,
        Form::Staged => Some(Stages::All),
        Form::Apart => Some(Stages::InGroups(if most_steps == u64::MAX { STEPS_APART } else { 1 })),
        Form::Listed => Some(Stages::due(tables, failed)?),
    };
    let mut visited = visited::<E>(tables, mapping)?;
    Program::record(&device, |program| {
        program.loop_until(most_steps, |step| match &mut stages {
            Some(stages) => stages.record(step, tables, plan, sends),
            None if form == Form::Speculative => record_speculative(step, tables, plan, reach),
            None => record_whole(step, tables, mapping, plan, sends, &mut visited),
        })
    })
}

/// Modules that a whole step visits.
enum Visited {
    All,
    /// All, in the order of a list or of several.
    Lists(Vec<Selection>),
}

/// Number of kinds of modules: one per kind of next event, and one for modules without events.
fn kinds<E: Events>() -> u32 {
    E::NAMES.len() as u32 + 1
}

/// Returns the modules that a step of a mapping visits.
fn visited<E: Events>(tables: &Tables<E>, mapping: Mapping) -> Result<Visited> {
    let (device, rows) = (tables.lists.device(), tables.lists.len());
    let by_kind = |width| Ok(Visited::Lists(vec![Selection::by_kind(device, rows, kinds::<E>(), width)?]));
    match mapping {
        Mapping::InOrder | Mapping::Due | Mapping::Apart => Ok(Visited::All),
        Mapping::Spread => {
            let places = spread(&rows_of_modules(&tables.terms.read()?));
            Ok(Visited::Lists(vec![Selection::from_places(device, rows, &places)?]))
        }
        Mapping::Sorted => by_kind(1),
        Mapping::Padded => by_kind(WARP),
        Mapping::PerKind => {
            let lists = (0..kinds::<E>()).map(|_| Selection::with_capacity(device, rows));
            lists.collect::<Result<_>>().map(Visited::Lists)
        }
    }
}

/// Returns the rows of the modules of all simulations, in order.
fn rows_of_modules(terms: &[Terms]) -> Vec<u32> {
    let of = |of: &Terms| (0..of.modules).map(|module| of.first + module * of.stride).collect::<Vec<_>>();
    let mut rows = terms.iter().flat_map(of).collect::<Vec<_>>();
    rows.sort_unstable();
    rows
}

/// Places every row in its own warp. Few rows are placed several warps apart, to use all processors of a large device.
fn spread(rows: &[u32]) -> Vec<u32> {
    let apart = match rows.len() {
        0..=128 => 8,
        129..=256 => 4,
        257..=512 => 2,
        _ => 1,
    };
    let width = apart * WARP as usize;
    let mut places = vec![GAP; rows.len() * width];
    for (row, place) in rows.iter().zip(places.iter_mut().step_by(width)) {
        *place = *row;
    }
    places
}

/// Records a step in which modules receive the messages of the step before, and execute their safe events.
fn record_whole<E: Events>(
    step: &mut ProgramBuilder,
    tables: &mut Tables<E>,
    mapping: Mapping,
    plan: &Plan,
    sends: bool,
    visited: &mut Visited,
) -> Result<Vec<Condition>> {
    if sends && !tables.windows.looks() {
        let Tables { windows, earliest: [earliest, _], owners, terms, .. } = tables;
        windows.record(step, earliest, owners, terms)?;
    }
    let result = visit(step, tables, mapping, plan, visited)?;
    let [before, now] = &mut tables.earliest;
    step.swap(before, now)?;
    if sends {
        tables.mail.record_delivery(step)?;
        let [before, now] = &mut tables.posts;
        step.swap(before, now)?;
    }
    E::record_preparing(step, tables)?;
    Ok(vec![result.equals(IDLE), result.equals(FULL)])
}

/// Records a step that executes the events of a time window. Between two steps no message is under way.
fn record_speculative<E: Events>(
    step: &mut ProgramBuilder,
    tables: &mut Tables<E>,
    plan: &Plan,
    reach: &Reach,
) -> Result<Vec<Condition>> {
    let Tables { windows, earliest: [earliest, _], lists, owners, terms, .. } = tables;
    let is_done = windows.record_with_end(step, earliest, lists, owners, terms)?;
    let worst = E::record_window(step, tables, plan, reach)?;
    let halts = [list::NEEDS_ROOM, list::HAS_FAILED].map(|slot| tables.halts.at_least(slot, 1));
    let is_cut = worst.map(|worst| worst.equals(speculation::CUT));
    Ok([is_done].into_iter().chain(halts).chain(is_cut).collect())
}

fn visit<E: Events>(
    step: &mut ProgramBuilder,
    tables: &mut Tables<E>,
    mapping: Mapping,
    plan: &Plan,
    visited: &mut Visited,
) -> Result<Scalar<u32>> {
    let lists = match visited {
        Visited::All => return E::record_step(step, tables, None, plan),
        Visited::Lists(lists) => lists,
    };
    match lists.as_mut_slice() {
        [list] => {
            if mapping.is_by_kind() {
                let width = if mapping == Mapping::Padded { WARP } else { 1 };
                step.group_by(tables.lists.coming(), kinds::<E>(), width, list)?;
            }
            E::record_step(step, tables, Some(list), plan)
        }
        lists => {
            let last = lists.len() as u32 - 1;
            for (kind, list) in (0..).zip(&mut *lists) {
                let coming = tables.lists.coming();
                let which = if kind < last { coming.equals(kind)? } else { coming.at_least(last)? };
                step.select_into(which, list)?;
            }
            for list in lists {
                E::record_step(step, tables, Some(list), plan)?;
            }
            step.max(tables.lists.outcome())
        }
    }
}
