//! Histories from the host: reading, writing, growing, and refused calls.

use super::network::{LOOKAHEAD, Network, Sent, nodes};
use crate::case::{Cases, equal, equal_slices, refused};
use crate::context::Context;
use crate::kernels::histories::network::{Steps, run};
use imminent_core::{ClockTable, Error, HistoryTable, Program, Reach};

/// Returns values that distinguish a step of a row from all others.
fn written(rows: u32, step: u32) -> Vec<u64> {
    (0..rows).map(|row| u64::from(step) << 32 | u64::from(row)).collect()
}

fn is_invalid(error: &Error) -> bool {
    matches!(error, Error::Invalid { .. })
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("steps written by the host are read back, wherever the clock is", |context| {
        for (rows, reach) in
            [(1, Reach { past: 3, ahead: 1 }), (1000, Reach { past: 8, ahead: 8 }), (0, Reach { past: 2, ahead: 2 })]
        {
            let mut history = HistoryTable::<u64>::new(context.device, rows as usize, reach)?;
            let mut clock = ClockTable::new(context.device, 0)?;
            for first in [reach.past, reach.past + 1, reach.past + 5, 1_000_000, u32::MAX - reach.ahead] {
                clock.set(first)?;
                let steps = first - reach.past..first + reach.ahead;
                let entries: Vec<Vec<u64>> = steps.clone().map(|step| written(rows, step)).collect();
                history.write(&clock, steps.start, &entries)?;
                equal("all steps", &history.read(&clock, steps.clone())?, &entries)?;
                let part = steps.start + 1..steps.end - 1;
                equal("some steps", &history.read(&clock, part)?.concat(), &entries[1..entries.len() - 1].concat())?;
            }
            history.fill(7)?;
            equal_slices(
                "after filling",
                &history.read(&clock, u32::MAX - reach.ahead..u32::MAX)?.concat(),
                &vec![7; (rows * reach.ahead) as usize],
            )?;
        }
        Ok(())
    });
    cases.add("a history that grows keeps its window, and programs go on with it", growth);
    cases.add("steps without a place and wrong lengths are refused", |context| {
        let reach = Reach { past: 3, ahead: 2 };
        let mut history = HistoryTable::<u64>::new(context.device, 5, reach)?;
        let clock = ClockTable::new(context.device, 10)?;
        for steps in [6..7, 6..8, 11..13, 0..1, 12..13, 7..u32::MAX] {
            refused(&format!("reading {steps:?}"), history.read(&clock, steps), "Invalid", is_invalid)?;
        }
        for first in [6, 12, u32::MAX] {
            let write = history.write(&clock, first, &[written(5, first)]);
            refused(&format!("writing step {first}"), write, "Invalid", is_invalid)?;
        }
        refused("a row too many", history.write(&clock, 7, &[written(6, 7)]), "Invalid", is_invalid)?;
        equal_slices("nothing was written", &history.read(&clock, 7..12)?.concat(), &[0; 25])?;
        let none = HistoryTable::<u64>::new(context.device, 5, Reach { past: 3, ahead: 0 });
        refused("no step ahead", none, "Invalid", is_invalid)?;
        let long = HistoryTable::<u64>::new(context.device, 5, Reach { past: u32::MAX, ahead: 1 });
        refused("too many steps", long, "Limit", |error| matches!(error, Error::Limit { .. }))
    });
    cases.add("a history has as many rows as the launch that writes it", |context| {
        let mut network = Network::new(context.device, &nodes(context, 20), Reach { past: 11, ahead: 9 })?;
        let mut other = HistoryTable::<u32>::new(context.device, 21, network.sent.reach())?;
        let launched = context.queue().launch::<run>((&network.nodes, &mut other, &network.clock, &Steps { count: 1 }));
        refused("another number of rows", launched, "Launch", |error| matches!(error, Error::Launch { .. }))?;
        network.launch(1).map_err(Into::into)
    });
}

fn growth(context: &Context<'_>) -> crate::case::Verdict {
    let nodes = nodes(context, 64);
    let small = Reach { past: 11, ahead: 9 };
    let (mut network, mut sent) = (Network::new(context.device, &nodes, small)?, Sent::default());
    let Network { nodes: table, sent: history, clock } = &mut network;
    let mut program = Program::record(context.device, |program| {
        program.launch::<run>((table, history, clock, &Steps { count: LOOKAHEAD }))?;
        program.advance(clock, LOOKAHEAD)
    })?;
    let mut step = small.past;
    for wanted in [small, Reach { past: 12, ahead: 1 }, Reach { past: 1, ahead: 30 }, Reach { past: 100, ahead: 64 }] {
        let before = network.sent.reach();
        let now = network.clock.first()?;
        let held = network.sent.read(&network.clock, now - before.past..now + before.ahead)?;
        network.sent.grow(&network.clock, wanted)?;
        let grown = Reach { past: before.past.max(wanted.past), ahead: before.ahead.max(wanted.ahead) };
        equal("the reach", &network.sent.reach(), &grown)?;
        let window = now - before.past..now + before.ahead;
        let kept = network.sent.read(&network.clock, window.clone())?;
        equal(&format!("the window after growing to {grown:?}"), &kept, &held)?;
        for _ in 0..20 {
            program.run()?;
            (step..step + LOOKAHEAD).for_each(|step| sent.step(&nodes, step));
            step += LOOKAHEAD;
        }
        let (past, now) = (network.sent.reach().past, network.clock.first()?);
        for (step, found) in (now - past..now).zip(network.sent.read(&network.clock, now - past..now)?) {
            let expected: Vec<u32> = (0..64).map(|row| sent.at(row, step)).collect();
            equal_slices(&format!("step {step} with {grown:?}"), &found, &expected)?;
        }
    }
    Ok(())
}
