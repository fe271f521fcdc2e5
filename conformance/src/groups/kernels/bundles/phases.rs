//! Bundles in kernels that run in groups.

use super::given::{Input, Outcome, Tables};
use crate::case::{Cases, Verdict, equal};
use crate::context::Context;
use crate::kernels::bundles::grouped::{self, NodesArgs, Total, WholeArgs};
use crate::kernels::bundles::network::NetworkArgs;
use imminent_core::{Device, Error, Table};

/// Number of rows of a group.
const GROUP: usize = 64;

type Grouped = (Outcome, Vec<Total>);

pub(super) fn add(cases: &mut Cases) {
    cases.add("phases make bundles of their rows, and capture those of the kernel", |context| {
        for nodes in [1, 64, 1000] {
            let given = Input::new(context, nodes);
            let expected = flat(context.reference, &given)?;
            equal("by bundles, on the CPU", &bundled(context.reference, &given)?, &expected)?;
            check(context, &given, &expected)?;
        }
        Ok(())
    });
}

fn check(context: &Context<'_>, given: &Input, expected: &Grouped) -> Verdict {
    equal("by parameters", &flat(context.device, given)?, expected)?;
    equal("by bundles", &bundled(context.device, given)?, expected)
}

fn totals(device: &Device, given: &Input) -> Result<Table<Total>, Error> {
    Table::zeroed(device, given.facilities.len().div_ceil(GROUP))
}

fn bundled(device: &Device, given: &Input) -> Result<Grouped, Error> {
    let (mut tables, mut totals) = (Tables::new(device, given)?, totals(device, given)?);
    let Tables { facilities, lines, reaches, routes, visits, longest } = &mut tables;
    let nodes = NodesArgs { facilities, lines, reaches };
    let whole = WholeArgs { total: &mut totals, pace: &given.pace };
    let net = NetworkArgs { routes, visits, longest, pace: &given.pace };
    let returned = device.queue().launch::<grouped::bundled>((nodes, whole, net))?.read()?;
    Ok((tables.read(returned)?, totals.read()?))
}

fn flat(device: &Device, given: &Input) -> Result<Grouped, Error> {
    let (mut tables, mut totals) = (Tables::new(device, given)?, totals(device, given)?);
    let Tables { facilities, lines, reaches, routes, visits, longest } = &mut tables;
    let args = (facilities, lines, &*reaches, &mut totals, &*routes, &*visits, &*longest, &given.pace);
    let returned = device.queue().launch::<grouped::flat>(args)?.read()?;
    Ok((tables.read(returned)?, totals.read()?))
}
