//! Histories and clocks in bundles.

use crate::case::{Cases, Verdict, equal};
use crate::context::Context;
use crate::kernels::bundles::flows::{self, Flow, LinkArgs, Steps};
use imminent_core::{ClockTable, Device, Error, HistoryTable, Reach, Table};
use rand_core::Rng;

const FLOWS: usize = 200;
const REACH: Reach = Reach { past: 8, ahead: 4 };
const STEPS: u32 = 3;

/// Rows, histories of what was sent, and returned values after some launches.
type Outcome = (Vec<Flow>, Vec<Vec<u64>>, Vec<u64>);

pub(super) fn add(cases: &mut Cases) {
    cases.add("a bundle lends histories and the clock", check);
}

fn check(context: &Context<'_>) -> Verdict {
    let mut rng = context.random(179);
    let flow = |_| Flow { before: rng.next_u32() % FLOWS as u32, delay: STEPS + rng.next_u32() % 5, sum: 0 };
    let given: Vec<Flow> = (0..FLOWS).map(flow).collect();
    let expected = run(context.reference, &given, false)?;
    for device in [context.reference, context.device] {
        equal("by parameters", &run(device, &given, false)?, &expected)?;
        equal("by bundles", &run(device, &given, true)?, &expected)?;
    }
    Ok(())
}

fn run(device: &Device, given: &[Flow], bundled: bool) -> Result<Outcome, Error> {
    let mut me = Table::from_rows(device, given)?;
    let mut sent = HistoryTable::<u64>::new(device, FLOWS, REACH)?;
    let mut lost = HistoryTable::<u32>::new(device, FLOWS, REACH)?;
    let mut clock = ClockTable::new(device, REACH.past)?;
    let (queue, net) = (device.queue(), Steps { steps: STEPS });
    let entries: Vec<u32> = (0..FLOWS as u32).collect();
    let mut returned = Vec::new();
    for _ in 0..5 {
        let first = clock.first()?;
        lost.write(&clock, first, &[entries.clone(), entries.clone()])?;
        returned.push(if bundled {
            let link = LinkArgs { me: &mut me, sent: &mut sent, lost: &lost, clock: &clock };
            queue.launch::<flows::bundled>((link, &net))?.read()?
        } else {
            queue.launch::<flows::flat>((&mut me, &mut sent, &lost, &clock, &net))?.read()?
        });
        queue.advance(&mut clock, STEPS)?;
    }
    let first = clock.first()?;
    let sent = sent.read(&clock, first - REACH.past..first)?;
    Ok((me.read()?, sent, returned))
}
