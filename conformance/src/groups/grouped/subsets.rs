//! Launches over subsets, against plain Rust.

use crate::case::{Cases, SkipReason, Stop, Verdict, equal, equal_slices, error_of, fail};
use crate::context::Context;
use crate::kernels::groups::subsets::subsets::{self, Cell, CellColumns, Line, Mark};
use imminent_core::fault::FaultKind;
use imminent_core::ir::Scalar;
use imminent_core::{ArgMin, Error, Program, Selection, Table, TallyTable, reduce};
use rand_core::Rng;

fn cells(context: &Context<'_>, count: usize) -> Vec<Cell> {
    let mut rng = context.random(161 + count as u64);
    let cell = |_| Cell {
        value: rng.next_u32() % 1000,
        wide: u64::from(rng.next_u32()) * 0x1_0001,
        share: (rng.next_u32() % 10_007) as f32 * 0.31,
        turns: 0,
        next: 5,
    };
    (0..count).map(cell).collect()
}

/// Returns lists of rows: none, one, some in order, all from the last to the first.
fn lists(count: usize) -> Vec<Vec<u32>> {
    let all = 0..count as u32;
    let mut lists = vec![vec![], all.clone().rev().collect(), all.clone().filter(|row| row % 7 == 3).collect()];
    lists.extend(count.checked_sub(1).map(|last| vec![last as u32]));
    lists.push(all.filter(|row| row % 257 == 1).collect());
    lists
}

const COUNTS: [usize; 5] = [0, 1, 300, 1000, 100_003];

fn visited(context: &Context<'_>) -> Verdict {
    for count in COUNTS {
        let rows = cells(context, count);
        let marks: Vec<Mark> = (0..count as u32).map(|row| Mark { of: row % 11 }).collect();
        let mark_table = Table::from_rows(context.device, &marks)?;
        for list in lists(count) {
            let selection = Selection::from_rows(context.device, count, &list)?;
            let mut table = Table::from_rows(context.device, &rows)?;
            let counts = TallyTable::new(context.device, &[0_u32; 2])?;
            let args = (&mut table, &mark_table, &mark_table, &counts);
            let sum = context.queue().launch_over::<subsets::visit>(&selection, args)?.read()?;
            let mut expected = rows.clone();
            for row in &list {
                let cell = &mut expected[*row as usize];
                cell.turns = 1;
                cell.next = row * 2 + row % 11 * 2;
            }
            let what = format!("{} of {count} rows", list.len());
            equal_slices(&what, &table.read()?, &expected)?;
            let values = list.iter().map(|row| rows[*row as usize].value);
            equal(&format!("the sum over {what}"), &sum, &values.sum())?;
            let of_ids = list.iter().fold(0_u32, |sum, row| sum.wrapping_add(*row));
            equal_slices(&format!("the tally of {what}"), &counts.read()?, &[list.len() as u32, of_ids])?;
        }
    }
    Ok(())
}

fn reduced(context: &Context<'_>) -> Verdict {
    for count in COUNTS {
        let rows = cells(context, count);
        let table = Table::from_rows(context.device, &rows)?;
        for list in lists(count) {
            let selection = Selection::from_rows(context.device, count, &list)?;
            let queue = context.queue();
            let what = format!("{} of {count} rows", list.len());
            let of = || list.iter().map(|row| (&rows[*row as usize], *row));
            let min = queue.launch_over::<subsets::min>(&selection, (&table,))?.read()?;
            equal(&format!("min of {what}"), &min, &of().map(|(cell, _)| cell.wide).min().unwrap_or(u64::MAX))?;
            let max = queue.launch_over::<subsets::max>(&selection, (&table,))?.read()?;
            equal(&format!("max of {what}"), &max, &of().map(|(cell, _)| cell.wide).max().unwrap_or(0))?;
            let least = queue.launch_over::<subsets::argmin>(&selection, (&table,))?.read()?;
            let (value, row) = of().map(|(cell, row)| (cell.value, row)).min().unwrap_or((u32::MAX, u32::MAX));
            equal(&format!("argmin of {what}"), &least, &ArgMin { value, row })?;
            let even = queue.launch_over::<subsets::count>(&selection, (&table,))?.read()?;
            equal(&format!("count of {what}"), &even, &(of().filter(|(cell, _)| cell.value % 2 == 0).count() as u32))?;
            let any = queue.launch_over::<subsets::any>(&selection, (&table,))?.read()?;
            equal(&format!("any of {what}"), &any, &of().any(|(cell, _)| cell.value == 7))?;
        }
    }
    Ok(())
}

fn float_sums(context: &Context<'_>) -> Verdict {
    let probe = context.probe(Scalar::F32);
    if !probe.basic_correct || probe.contracts || probe.rearranges {
        return Err(Stop::Skip(SkipReason::RoundsOtherwise32));
    }
    for count in COUNTS {
        let rows = cells(context, count);
        let table = Table::from_rows(context.device, &rows)?;
        for list in lists(count) {
            let selection = Selection::from_rows(context.device, count, &list)?;
            let sum = context.queue().launch_over::<subsets::sum_of_shares>(&selection, (&table,))?.read()?;
            let shares: Vec<f32> = list.iter().map(|row| rows[*row as usize].share).collect();
            let expected = reduce::reduce_levels(shares, |a, b| a + b).unwrap_or(0.0);
            equal(&format!("bits of the sum of {} of {count} rows", list.len()), &sum.to_bits(), &expected.to_bits())?;
        }
    }
    Ok(())
}

/// Rows are selected and run repeatedly, all in one program: the list shrinks on the device.
fn in_a_program(context: &Context<'_>) -> Verdict {
    let count = context.scaled(3_000, 50_000);
    let mut rows = cells(context, count);
    rows.iter_mut().for_each(|cell| cell.value %= 9);
    let mut table = Table::from_rows(context.device, &rows)?;
    let mut selection = Selection::with_capacity(context.device, count)?;
    let mut program = Program::record(context.device, |program| {
        program.repeat(12, |step| {
            step.select_into(&table.value().above(0)?, &mut selection)?;
            step.launch_over::<subsets::step>(&selection, (&mut table,)).map(drop)
        })
    })?;
    program.run()?;
    let expected: Vec<[u32; 2]> = rows.iter().map(|cell| [0, cell.value]).collect();
    let found: Vec<[u32; 2]> = table.read()?.iter().map(|cell| [cell.value, cell.turns]).collect();
    equal_slices("values used up and turns", &found, &expected)
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("a subset's rows are run and no others, with their numbers, own rows and tallies", visited);
    cases.add("values are reduced over a subset alone; of an empty one there is the identity", reduced);
    cases.add("sums of f32 over a subset follow the fixed tree of its length, in its order", float_sums);
    cases.add("a subset of rows with lanes", |context| {
        let mut table = Table::<Line>::with_capacity(context.device, 500, 3)?;
        for round in 0..3 {
            let list: Vec<u32> = (0..500).filter(|row| row % (round + 2) == 0).collect();
            let selection = Selection::from_rows(context.device, 500, &list)?;
            context.queue().launch_over::<subsets::push>(&selection, (&mut table,))?;
        }
        let expected: Vec<u32> = (0..500).map(|row| (2..5).filter(|n| row % n == 0).count() as u32).collect();
        let found = table.read()?;
        equal_slices("counts", &found.iter().map(|line| line.count).collect::<Vec<_>>(), &expected)?;
        let last: Vec<u64> = found.iter().map(|line| line.items.get(line.count.saturating_sub(1))).collect();
        let expected: Vec<u64> = (0..500).zip(&expected).map(|(row, n)| if *n == 0 { 0 } else { row * 3 }).collect();
        equal_slices("the last items", &last, &expected)
    });
    cases.add("a fault in a subset names the row of the table, the lowest", |context| {
        let mut rows = cells(context, 5_000);
        rows.iter_mut().for_each(|cell| cell.value += 1);
        for row in [10, 77, 78, 4_999] {
            rows[row].value = 0;
        }
        let list: Vec<u32> = (50..5_000).rev().collect();
        let selection = Selection::from_rows(context.device, 5_000, &list)?;
        let mut table = Table::from_rows(context.device, &rows)?;
        let launched = context.queue().launch_over::<subsets::divide>(&selection, (&mut table,));
        match error_of("a launch that faults", launched.and_then(|_| context.queue().wait()))? {
            Error::Fault(fault) => equal("row and kind", &(fault.row, fault.kind), &(77, FaultKind::DivisionByZero)),
            other => fail(format!("expected `Error::Fault`, found: {other}")),
        }
    });
    cases.add("rows are selected and run in one program, the list never leaving the device", in_a_program);
}
