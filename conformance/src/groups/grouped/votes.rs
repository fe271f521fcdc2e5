//! Votes, and control flow that depends on them.

use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::groups::votes::votes::{self, Cell, Report, Rules};
use crate::run::agree;
use imminent_core::{Error, Kernel, Table};
use rand_core::Rng;

const COUNTS: [usize; 7] = [0, 1, 31, 64, 127, 300, 5_003];

fn cells(context: &Context<'_>, count: usize, below: u32) -> Vec<Cell> {
    let mut rng = context.random(95 + count as u64);
    (0..count).map(|_| Cell { value: rng.next_u32() % below, rounds: 0 }).collect()
}

fn reports(table: &Table<Report>) -> Result<Vec<[u32; 5]>, Error> {
    let numbers = |r: &Report| [u32::from(r.any), u32::from(r.all), r.count, r.rounds, r.path];
    Ok(table.read()?.iter().map(numbers).collect())
}

fn each_kind(context: &Context<'_>) -> Verdict {
    for count in COUNTS {
        for limit in [0, 5, 9, 10] {
            let rows = cells(context, count, 10);
            let table = Table::from_rows(context.device, &rows)?;
            let mut report = Table::<Report>::zeroed(context.device, count.div_ceil(64))?;
            context.queue().launch::<votes::each_kind>((&table, &mut report, &Rules { limit }))?;
            let vote = |group: &[Cell]| {
                let any = group.iter().any(|cell| cell.value == limit);
                let all = group.iter().all(|cell| cell.value <= limit);
                let below = group.iter().filter(|cell| cell.value < limit).count();
                [u32::from(any), u32::from(all), below as u32, 0, 0]
            };
            let expected: Vec<_> = rows.chunks(64).map(vote).collect();
            equal_slices(&format!("votes of {count} rows about {limit}"), &reports(&report)?, &expected)?;
        }
    }
    Ok(())
}

fn spread(context: &Context<'_>) -> Verdict {
    for count in COUNTS {
        let rows = cells(context, count, 1_000_000);
        let mut table = Table::from_rows(context.device, &rows)?;
        let mut report = Table::<Report>::zeroed(context.device, count.div_ceil(128))?;
        let sum = context.queue().launch::<votes::spread>((&mut table, &mut report))?.read()?;
        // The number of rounds for the greatest value is the largest distance of a row from its nearest occurrence.
        let rounds = |group: &[Cell]| {
            let most = group.iter().map(|cell| cell.value).max().unwrap_or(0);
            let at: Vec<usize> = (0..group.len()).filter(|i| group[*i].value == most).collect();
            (0..group.len()).map(|i| at.iter().map(|p| p.abs_diff(i)).min().unwrap_or(0)).max().unwrap_or(0) as u32
        };
        let expected: Vec<u32> = rows.chunks(128).map(rounds).collect();
        let found: Vec<u32> = report.read()?.iter().map(|report| report.rounds).collect();
        equal_slices(&format!("rounds of {count} rows"), &found, &expected)?;
        equal(&format!("all rounds of {count} rows"), &sum, &expected.iter().sum())?;
        let most = rows.chunks(128).flat_map(|group| {
            let most = group.iter().map(|cell| cell.value).max().unwrap_or(0);
            group.iter().map(move |_| most)
        });
        let found: Vec<u32> = table.read()?.iter().map(|cell| cell.value).collect();
        equal_slices(&format!("values of {count} rows"), &found, &most.collect::<Vec<_>>())?;
    }
    Ok(())
}

fn enough(context: &Context<'_>) -> Verdict {
    for count in COUNTS {
        let rows = cells(context, count, 9);
        let mut table = Table::from_rows(context.device, &rows)?;
        let mut report = Table::<Report>::zeroed(context.device, count.div_ceil(13))?;
        context.queue().launch::<votes::enough>((&mut table, &mut report))?;
        let least = |group: &[Cell]| group.iter().map(|cell| cell.value).min().unwrap_or(0);
        let expected: Vec<_> = rows.chunks(13).map(|group| [1, 0, least(group) + 1, least(group), 0]).collect();
        equal_slices(&format!("reports on {count} rows"), &reports(&report)?, &expected)?;
        let expected: Vec<u32> = rows.chunks(13).flat_map(|group| vec![least(group) + 1; group.len()]).collect();
        let found: Vec<u32> = table.read()?.iter().map(|cell| cell.rounds).collect();
        equal_slices(&format!("rounds of {count} rows"), &found, &expected)?;
    }
    Ok(())
}

/// Compares a kernel with one report per group with the CPU: cells, reports and the value.
fn reported<K>(context: &Context<'_>, size: usize, below: u32, limit: u32) -> Verdict
where
    K: for<'a> Kernel<Args<'a> = (&'a mut Table<Cell>, &'a mut Table<Report>, &'a Rules)>,
    K::Output: imminent_core::Output,
{
    for count in COUNTS {
        let rows = cells(context, count, below);
        agree(context, &format!("kernel `{}` over {count} rows", K::SOURCE.name), |device| {
            let mut table = Table::from_rows(device, &rows)?;
            let mut report = Table::<Report>::zeroed(device, count.div_ceil(size))?;
            let value = device.queue().launch::<K>((&mut table, &mut report, &Rules { limit }))?.read()?;
            let mut seen: Vec<Vec<u32>> = table.read()?.iter().map(|cell| vec![cell.value, cell.rounds]).collect();
            seen.extend(reports(&report)?.iter().map(|report| report.to_vec()));
            seen.push(vec![imminent_core::Data::leaf(&value, 0) as u32]);
            Ok(seen)
        })?;
    }
    Ok(())
}

/// Checks two votes in one expression on the CPU against values computed by hand.
fn expressions(context: &Context<'_>) -> Verdict {
    for (values, limit, expected) in [
        // No value is above the limit, so the second vote never runs: the element is 1, then 10.
        ([2_u32, 3], 5, [0, 1, 1 + 10, 0, 0]),
        ([7, 3], 5, [1, 1, 20, 0, 0]),
    ] {
        let rows = values.map(|value| Cell { value, rounds: 0 });
        let mut table = Table::from_rows(context.device, &rows)?;
        let mut report = Table::<Report>::zeroed(context.device, 1)?;
        context.queue().launch::<votes::in_expressions>((&mut table, &mut report, &Rules { limit }))?;
        equal_slices(&format!("the report on {values:?}"), &reports(&report)?, &[expected])?;
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("any, all and count vote over the rows that there are", each_kind);
    cases.add("a loop goes on while any row changed, in each group as long as it must", spread);
    cases.add("a group of 13 leaves loops by a vote and by its own row", enough);
    cases.add("groups take their own ways through loops, breaks and returns", |context| {
        reported::<votes::ways>(context, 32, 90, 6)
    });
    cases.add("votes inside expressions are held in order and as far as needed", |context| {
        expressions(context)?;
        reported::<votes::in_expressions>(context, 64, 20, 15)
    });
}
