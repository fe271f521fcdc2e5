//! Several results of one kernel, each reduced on its own.

use crate::case::{Cases, SkipReason, Stop, Verdict, ensure, equal};
use crate::context::Context;
use crate::kernels::reductions::reduce_several::{
    Input, Totals, TotalsFields as _, change, of_groups, of_row, share, totals,
};
use crate::run::SIZES;
use imminent_core::ir::Scalar;
use imminent_core::{Program, Selection, Stop as End, Table};
use rand_core::Rng;

/// Returns rows whose shares have exact sums, so that these do not depend on the order.
fn rows(context: &Context<'_>, count: usize) -> Vec<Input> {
    let mut rng = context.random(181 + count as u64);
    let row = |_| Input { a: rng.next_u32() % 100_000, x: (rng.next_u32() % 64) as f32 * 0.25 };
    (0..count).map(row).collect()
}

fn sizes(context: &Context<'_>) -> Vec<usize> {
    let mut sizes = SIZES.to_vec();
    sizes.push(context.scaled(65_536, 1_000_003));
    sizes
}

/// Combines the totals of single rows or groups.
fn combined(each: impl Iterator<Item = Totals>) -> Totals {
    let none = Totals { sum: 0, most: i32::MIN, found: false, share: 0.0 };
    each.fold(none, |all, one| Totals {
        sum: all.sum.wrapping_add(one.sum),
        most: all.most.max(one.most),
        found: all.found | one.found,
        share: all.share + one.share,
    })
}

fn by_rows(context: &Context<'_>) -> Verdict {
    for count in sizes(context) {
        let given = rows(context, count);
        let table = Table::from_rows(context.device, &given)?;
        let found = context.queue().launch::<totals>((&table,))?.read()?;
        let expected = combined(given.iter().map(|row| of_row(row.a, row.x)));
        equal(&format!("totals of {count} rows"), &found, &expected)?;
    }
    Ok(())
}

fn by_tree(context: &Context<'_>) -> Verdict {
    let probe = context.probe(Scalar::F32);
    if !probe.basic_correct || probe.rearranges {
        return Err(Stop::Skip(SkipReason::RoundsOtherwise32));
    }
    for count in sizes(context) {
        let mut given = rows(context, count);
        given.iter_mut().for_each(|row| row.x = row.a as f32 * 0.37 - 3_000.0);
        let table = Table::from_rows(context.device, &given)?;
        let among = context.queue().launch::<totals>((&table,))?.share().read()?;
        let alone = context.queue().launch::<share>((&table,))?.read()?;
        ensure(among.to_bits() == alone.to_bits(), || {
            format!("sum of {count} floats: {among:?} among other results, {alone:?} alone")
        })?;
    }
    Ok(())
}

fn by_groups(context: &Context<'_>) -> Verdict {
    for count in sizes(context) {
        let given = rows(context, count);
        let table = Table::from_rows(context.device, &given)?;
        let found = context.queue().launch::<of_groups>((&table,))?.read()?;
        let firsts = given.chunks(32).filter_map(|group| group.first());
        let expected = combined(firsts.map(|row| of_row(row.a, 0.25)));
        equal(&format!("totals of the groups of {count} rows"), &found, &expected)?;
    }
    Ok(())
}

fn by_subsets(context: &Context<'_>) -> Verdict {
    let given = rows(context, 5_000);
    let table = Table::from_rows(context.device, &given)?;
    for step in [0, 1, 3, 700] {
        let listed: Vec<u32> = if step == 0 { Vec::new() } else { (0..5_000).step_by(step).collect() };
        let selection = Selection::from_rows(context.device, given.len(), &listed)?;
        let found = context.queue().launch_over::<totals>(&selection, (&table,))?.read()?;
        let expected =
            combined(listed.iter().filter_map(|row| given.get(*row as usize)).map(|row| of_row(row.a, row.x)));
        equal(&format!("totals of {} listed rows", listed.len()), &found, &expected)?;
    }
    Ok(())
}

fn by_order(context: &Context<'_>) -> Verdict {
    let given = rows(context, 1_000);
    let mut table = Table::from_rows(context.device, &given)?;
    let found = context.queue().launch::<change>((&mut table,))?.read()?;
    let each = || given.iter().map(|row| of_row(row.a, row.x));
    let expected = Totals {
        sum: each().map(|one| one.sum).max().unwrap_or(0),
        most: each().map(|one| one.most).min().unwrap_or(0),
        found: each().any(|one| one.found),
        share: each().map(|one| one.share).fold(f32::INFINITY, f32::min),
    };
    equal("greatest, least, any and least of 1000 rows", &found, &expected)?;
    let changed: Vec<u32> = (0..).zip(&given).map(|(id, row)| row.a.wrapping_add(id)).collect();
    crate::case::equal_slices("the rows", &table.read()?.iter().map(|row| row.a).collect::<Vec<_>>(), &changed)
}

fn by_condition(context: &Context<'_>) -> Verdict {
    let mut table = Table::from_rows(context.device, &[Input { a: 70, x: 0.0 }, Input { a: 70, x: 1.0 }])?;
    let mut program = Program::record(context.device, |program| {
        program.loop_until(100, |step| Ok(vec![step.launch::<change>((&mut table,))?.found().equals(true)]))
    })?;
    let outcome = program.run()?;
    // Row 1 grows by 1 in a step: what step 8 finds is 77.
    equal("steps until a row holds 77", &outcome.steps, &8)?;
    equal("the end of the loop", &outcome.stop, &End::Condition(0))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("several results: each field is reduced on its own", by_rows);
    cases.add("several results: a sum of floats has the tree that it has alone", by_tree);
    cases.add("several results: each field is reduced over the groups", by_groups);
    cases.add("several results: each field is reduced over the listed rows", by_subsets);
    cases.add("several results: the attribute names fields in any order", by_order);
    cases.add("several results: a loop ends on one of them", by_condition);
}
