//! Kernels that take bundles of another module, row by row.

use super::given::{Input, LONGEST, Outcome, Tables};
use crate::case::{Cases, SkipReason, Stop, Verdict, equal, error_of, fail};
use crate::context::Context;
use crate::kernels::bundles::network::{Network, NetworkArgs, Node, NodeArgs, step};
use crate::kernels::bundles::rows;
use imminent_core::fault::FaultKind;
use imminent_core::{Device, Error, Fault, RowsBuf, Selection, Tally};

pub(super) fn add(cases: &mut Cases) {
    cases.add("bundles lend what separate parameters lend", in_order);
    cases.add("bundles lend the listed rows of a selection", over_a_selection);
    cases.add("a fault behind a bundle names its place", faults);
}

fn bundled(device: &Device, given: &Input, over: Option<&[u32]>) -> Result<Outcome, Error> {
    let mut tables = Tables::new(device, given)?;
    let Tables { facilities, lines, reaches, routes, visits, longest } = &mut tables;
    let net = NetworkArgs { routes, visits, longest, pace: &given.pace };
    let args = (NodeArgs { me: facilities, line: lines, reach: reaches }, net);
    let returned = match over {
        Some(rows) => {
            let selection = Selection::from_rows(device, given.facilities.len(), rows)?;
            device.queue().launch_over::<rows::bundled>(&selection, args)?.read()?
        }
        None => device.queue().launch::<rows::bundled>(args)?.read()?,
    };
    tables.read(returned)
}

fn flat(device: &Device, given: &Input, over: Option<&[u32]>) -> Result<Outcome, Error> {
    let mut tables = Tables::new(device, given)?;
    let Tables { facilities, lines, reaches, routes, visits, longest } = &mut tables;
    let args = (facilities, lines, &*reaches, &*routes, &*visits, &*longest, &given.pace);
    let returned = match over {
        Some(rows) => {
            let selection = Selection::from_rows(device, given.facilities.len(), rows)?;
            device.queue().launch_over::<rows::flat>(&selection, args)?.read()?
        }
        None => device.queue().launch::<rows::flat>(args)?.read()?,
    };
    tables.read(returned)
}

/// Calls the function that both kernels call, row after row.
fn called(given: &Input) -> Outcome {
    let (mut facilities, mut lines) = (given.facilities.clone(), given.lines.clone());
    let (visits, longest) = (Tally::new(&vec![0; facilities.len()]), Tally::new(&[0; LONGEST]));
    let routes = RowsBuf::from(given.routes.clone());
    let net = Network { routes: &routes, visits: &visits, longest: &longest, pace: &given.pace };
    let mut returned = 0;
    for (((id, me), line), reach) in (0..).zip(&mut facilities).zip(&mut lines).zip(&given.reaches) {
        returned = returned.max(step(&mut Node { me, line, reach }, &net, id));
    }
    let all = |tally: &Tally<u32>| (0..tally.len()).map(|slot| tally.load(slot)).collect();
    Outcome { visits: all(&visits), longest: all(&longest), facilities, lines, returned }
}

fn in_order(context: &Context<'_>) -> Verdict {
    for nodes in [1, 64, 1000] {
        let given = Input::new(context, nodes);
        let expected = called(&given);
        for device in [context.reference, context.device] {
            equal(&format!("{nodes} nodes, by parameters"), &flat(device, &given, None)?, &expected)?;
            equal(&format!("{nodes} nodes, by bundles"), &bundled(device, &given, None)?, &expected)?;
        }
    }
    Ok(())
}

/// Number of tables and tallies of the kernel, which also returns a value.
const BOUND: u32 = 6;

fn over_a_selection(context: &Context<'_>) -> Verdict {
    if context.capabilities().limits.bindings < BOUND {
        return Err(Stop::Skip(SkipReason::LacksBindings));
    }
    let given = Input::new(context, 500);
    let rows: Vec<u32> = (0..500).rev().filter(|row| row % 3 != 1).collect();
    let expected = flat(context.reference, &given, Some(&rows))?;
    for device in [context.reference, context.device] {
        equal("by parameters", &flat(device, &given, Some(&rows))?, &expected)?;
        equal("by bundles", &bundled(device, &given, Some(&rows))?, &expected)?;
    }
    Ok(())
}

fn faults(context: &Context<'_>) -> Verdict {
    let given = Input { routes: Vec::new(), ..Input::new(context, 100) };
    let reference = past(context.reference, &given)?;
    let found = (reference.kernel.as_str(), reference.row, reference.kind, reference.text.as_str());
    equal("the fault", &found, &("past", 0, FaultKind::RowOutOfRange, "`self.routes.get(edge)`"))?;
    equal("the fault on the device", &past(context.device, &given)?, &context.reported(reference))
}

fn past(device: &Device, given: &Input) -> Result<Fault, Stop> {
    let Tables { mut facilities, routes, visits, longest, .. } = Tables::new(device, given)?;
    let net = NetworkArgs { routes: &routes, visits: &visits, longest: &longest, pace: &given.pace };
    device.queue().launch::<rows::past>((&mut facilities, net))?;
    match error_of("reading a route that does not exist", device.queue().wait())? {
        Error::Fault(fault) => Ok(fault),
        other => fail(format!("expected `Error::Fault`, found: {other}")),
    }
}
