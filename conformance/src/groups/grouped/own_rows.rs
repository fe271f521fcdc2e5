//! Rows of invocations and rows of groups.

use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::groups::own_rows::own_rows::{self, Cell, Price, Quota, Total};
use crate::kernels::groups::own_rows::parts;
use imminent_core::{Lanes, Table};
use rand_core::Rng;

fn two_of_each(context: &Context<'_>, count: usize) -> Verdict {
    let mut rng = context.random(101 + count as u64);
    let groups = count.div_ceil(96);
    let cells: Vec<Cell> =
        (0..count).map(|_| Cell { value: rng.next_u32() % 4, items: Lanes::from(vec![3, 0, 0]), count: 1 }).collect();
    let prices: Vec<Price> = (0..count).map(|_| Price { each: u64::from(rng.next_u32() % 9) }).collect();
    let total = |i: u32| Total { untouched: i, sum: 1, list: [i, 0, 0], rows: 9 };
    let totals: Vec<Total> = (0..groups as u32).map(total).collect();
    let quotas: Vec<Quota> = (0..groups as u32).map(|i| Quota { most: 40 + i, kept: u64::from(i) * 7 }).collect();

    let price_table = Table::from_rows(context.device, &prices)?;
    let mut total_table = Table::from_rows(context.device, &totals)?;
    let mut cell_table = Table::from_rows(context.device, &cells)?;
    let quota_table = Table::from_rows(context.device, &quotas)?;
    let large = context
        .queue()
        .launch::<own_rows::two_of_each>((&price_table, &mut total_table, &mut cell_table, &quota_table))?
        .read()?;

    let (mut expected, mut expected_totals, mut expected_large) = (cells, totals, 0);
    for group in 0..groups {
        let rows = group * 96..((group + 1) * 96).min(count);
        let len = rows.len() as u32;
        let scratch: Vec<u64> = rows.clone().map(|i| prices[i].each * u64::from(expected[i].value)).collect();
        for i in rows.clone() {
            let cell = &mut expected[i];
            cell.items.set(1, prices[i].each + cell.items.get(0));
            cell.count = 2;
        }
        let sum: u64 = scratch.iter().sum();
        let total = &mut expected_totals[group];
        if sum % 5 == 4 {
            total.rows = len;
            continue;
        }
        total.sum += sum;
        total.list[group % 3] += 1;
        if total.sum > 1000 {
            expected_large += 1;
            total.sum += quotas[group].kept;
        }
        for i in rows.clone().take(quotas[group].most as usize) {
            expected[i].items.set(2, sum);
            expected[i].count = 3;
        }
        total.rows = rows.filter(|i| prices[*i].each > scratch[0]).count() as u32;
    }
    equal_slices(&format!("the rows of {count} invocations"), &cell_table.read()?, &expected)?;
    equal_slices(&format!("the rows of {groups} groups"), &total_table.read()?, &expected_totals)?;
    equal(&format!("large groups of {groups}"), &large, &expected_large)
}

fn part_of_a_struct(context: &Context<'_>) -> Verdict {
    context.needs_float64()?;
    let cells: Vec<_> =
        (0..160).map(|row| parts::Cell { value: 2 * row + u32::from(row == 40 || row == 100) }).collect();
    let station = |first: bool| parts::Station { reading: parts::Reading { value: 0.1, marks: [first, true, true] } };
    let stations = [true, true, true, false, false].map(station);
    let cells = Table::from_rows(context.device, &cells)?;
    let mut table = Table::from_rows(context.device, &stations)?;
    context.queue().launch::<parts::mark>((&cells, &mut table))?;
    let mut expected = stations;
    for (station, is_marked) in expected.iter_mut().zip([false, true, false, false, false]) {
        station.reading.marks[2] = is_marked;
    }
    equal_slices("the stations", &table.read()?, &expected)
}

pub(super) fn add(cases: &mut Cases) {
    cases.add(
        "groups have own rows beside those of their invocations, read and written, with an early return",
        |context| {
            for count in [0, 1, 95, 96, 97, 1000, context.scaled(5_000, 100_000)] {
                two_of_each(context, count)?;
            }
            Ok(())
        },
    );
    cases.add("groups write a part of a struct of their own row that also has an f64", part_of_a_struct);
}
