//! Tables of simulations before their first step.

use super::layout::Layout;
use super::likely;
use super::links::Links;
use super::order::Order;
use super::tables::Tables;
use super::uploads::{even_table, table};
use super::windows::{Windows, reduces};
use crate::contract::Events;
use crate::error::EngineError;
use crate::host_rows::empty;
use crate::kernels::list::{EarliestColumns as _, NEAR, Owner};
use crate::room::Room;
use crate::simulation::Start;
use crate::state::State;
use imminent_core::backend::GROUP_ROWS;
use imminent_core::{Device, MailTable, Row, Table, TallyTable};
use std::collections::BTreeMap;

/// Simulations before their first step.
pub(super) struct Setup<E: Events> {
    pub(super) layout: Layout,
    pub(super) tables: Tables<E>,
    /// Number of modules of each simulation.
    pub(super) modules: Vec<u32>,
    /// `true` if modules send events to one another.
    pub(super) sends: bool,
}

/// Number of groups over which simulations are spread that go on by themselves. A GPU executes more at once, but their
/// rows without modules take memory and time.
const SPREAD: usize = 64;

/// Returns the order of the rows of simulations on a device.
fn order<E: Events>(device: &Device, starts: &[Start<E>]) -> Order {
    let sending = || starts.iter().filter(|start| start.lookahead.least() > 0);
    let fit = || starts.iter().all(|start| start.modules.len() <= GROUP_ROWS as usize);
    match sending().next().is_some() {
        _ if reduces(sending().map(|start| start.modules.len() as u64)) => Order::InSequence,
        // Groups that prepare events are of another size.
        true if E::LANES == 0 && starts.len() > 1 && fit() => {
            Order::InGroups { spread: if likely::goes_apart(device, E::NAMES.len()) { SPREAD } else { 1 } }
        }
        _ => Order::Interleaved,
    }
}

/// Creates the tables of simulations, some of which continue from states.
pub(super) fn set_up<E: Events>(
    device: &Device,
    starts: Vec<Start<E>>,
    states: BTreeMap<usize, State<E>>,
    most: u32,
) -> Result<Setup<E>, EngineError> {
    let sends = starts.iter().any(|start| start.lookahead.least() > 0);
    let layout = Layout::of(&starts, order(device, &starts))?;
    let mut room = Room::new(most);
    let point_of: Vec<u32> = starts.iter().map(|start| room.add(start)).collect();
    let modules_of: Vec<u32> = starts.iter().map(|start| start.modules.len() as u32).collect();
    let mut modules = vec![E::Module::zeroed(0); layout.rows];
    let mut lists: Vec<_> = (0..layout.rows).map(|_| empty(0, 0, 0, room.list())).collect();
    let mut payloads: Vec<_> = (0..layout.rows).map(|_| E::Payloads::zeroed(room.list())).collect();
    let (mut terms, mut bounds, mut lookaheads) = (Vec::with_capacity(starts.len()), Vec::new(), Vec::new());
    for (simulation, start) in starts.into_iter().enumerate() {
        bounds.push(start.bounds());
        lookaheads.push((start.bounds().modules, start.lookahead.clone()));
        terms.push(layout.terms(simulation, point_of[simulation], &start, most));
        let (events, numbers) = start.agenda();
        for ((module, state), number) in (0..).zip(start.modules).zip(numbers) {
            let (row, list) = (layout.row(simulation, module), &mut lists[layout.row(simulation, module)]);
            (list.simulation, list.module, list.scheduled) = (simulation as u32, module, number);
            modules[row] = state;
        }
        for event in &events {
            let row = layout.row(simulation, event.to);
            E::expect(&mut lists[row], &mut payloads[row], event);
        }
    }
    for (simulation, state) in states {
        if let Some(bounds) = bounds.get(simulation) {
            let state = state.into_rows(bounds, most).map_err(|error| EngineError::State { simulation, error })?;
            let rows = state.modules.into_iter().zip(state.lists).zip(state.payloads);
            for (module, ((state, mut list), mut carried)) in (0..).zip(rows) {
                let row = layout.row(simulation, module);
                let room = list.room().max(carried.capacity()).max(lists[row].room());
                list.simulation = simulation as u32;
                list.set_capacity(room - NEAR);
                carried.set_capacity(room);
                (modules[row], lists[row], payloads[row]) = (state, list, carried);
            }
        }
    }
    for list in &mut lists {
        let end = bounds.get(list.simulation as usize).map_or(0, |bounds| bounds.end);
        list.foresee(end);
    }
    let earliest: Vec<u64> = lists.iter().map(|list| list.next).collect();
    let owners: Vec<Owner> = lists.iter().map(|list| Owner { simulation: list.simulation }).collect();
    let windows: Vec<_> = bounds.iter().map(|bounds| (bounds.modules, bounds.end)).collect();
    let rows = layout.rows;
    // Nobody reads posts where nothing is sent.
    let read = if sends { rows } else { 0 };
    let known = Table::zeroed(device, rows)?;
    known.time().write_rows(0, &earliest)?;
    let posts = [Table::with_capacity(device, read, room.post())?, Table::with_capacity(device, rows, room.post())?];
    let coming = Table::zeroed(device, rows)?;
    if layout.order.is_in_groups() {
        // Steps of some modules never write what belongs to no module.
        coming.time().write_rows(0, &earliest)?;
    }
    let tables = Tables {
        modules: table(device, modules)?,
        lists: even_table(device, lists)?,
        payloads: even_table(device, payloads)?,
        posts,
        earliest: [known, coming],
        mail: MailTable::new(device, read, room.post())?,
        windows: Windows::new(device, &windows, (layout.order, rows))?,
        links: Links::new(device, layout.links(&lookaheads))?,
        halts: TallyTable::new(device, &[0; 2])?,
        owners: Table::from_rows(device, &owners)?,
        terms: Table::from_rows(device, &terms)?,
        points: table(device, room.points())?,
        prepared: None,
        guesses: None,
    };
    Ok(Setup { layout, tables, modules: modules_of, sends })
}
