//! Long loops run all their rounds, or the launch reports that they did not.

use crate::case::{Cases, Stop, Verdict, equal_slices, fail};
use crate::context::Context;
use crate::kernels::long_loops::long_loops::{self, Round};
use imminent_core::fault::FaultKind;
use imminent_core::{Error, Kernel, Table};

/// llvmpipe ends every loop after 65,535 rounds.
const ROUNDS: u32 = 200_000;

pub(super) fn add(cases: &mut Cases) {
    cases.add("`while` goes round 200,000 times, or faults", long::<long_loops::by_while>);
    cases.add("`for` goes round 200,000 times, or faults", long::<long_loops::by_for>);
    cases.add("`loop` goes round 200,000 times, or faults", long::<long_loops::by_loop>);
    cases.add("nested loops go round 200,000 times, or fault", long::<long_loops::by_nested>);
    cases.add("a loop in a phase goes round 200,000 times, or faults", long::<long_loops::in_a_phase>);
}

fn mixed(rounds: u32) -> u32 {
    (0..rounds).fold(0, |mixed: u32, round| mixed.rotate_left(5) ^ round)
}

fn long<K>(context: &Context<'_>) -> Verdict
where
    K: for<'a> Kernel<Args<'a> = (&'a mut Table<Round>,), Output = ()>,
{
    // Short loops come first: they end by themselves on every device. The row with many rounds is distinguished from
    // the others.
    let all_short = [0, 1, 2, 1000, 30_000];
    equal_slices("after short loops", &launched::<K>(context, &all_short).map_err(Stop::from)?, &all_short.map(mixed))?;
    let with_a_long_one = [3, ROUNDS, 1000];
    match launched::<K>(context, &with_a_long_one) {
        Ok(found) => equal_slices("after a long loop", &found, &with_a_long_one.map(mixed)),
        Err(Error::Fault(fault)) if fault.kind == FaultKind::LoopCut && !context.capabilities().long_loops => Ok(()),
        Err(other) => fail(format!("expected all rounds, or the fault that says they were cut; found: {other}")),
    }
}

fn launched<K>(context: &Context<'_>, rounds: &[u32]) -> Result<Vec<u32>, Error>
where
    K: for<'a> Kernel<Args<'a> = (&'a mut Table<Round>,), Output = ()>,
{
    let rows: Vec<Round> = rounds.iter().map(|&rounds| Round { rounds, mixed: 0 }).collect();
    let mut table = Table::from_rows(context.device, &rows)?;
    context.queue().launch::<K>((&mut table,))?;
    Ok(table.read()?.iter().map(|row| row.mixed).collect())
}
