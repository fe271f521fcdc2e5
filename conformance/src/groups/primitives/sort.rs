//! Sorting.

use super::sample::{Sample, both_ways, few, lengths, same_list, values};
use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use imminent_core::Table;
use std::cmp::Ordering;

/// Numbers in their order, then every NaN.
fn order<T: Sample>(a: &T, b: &T) -> Ordering {
    a.nan().cmp(&b.nan()).then_with(|| if a.nan() { Ordering::Equal } else { a.order(b) })
}

fn sorts<T: Sample>(context: &Context<'_>) -> Verdict {
    let queue = context.queue();
    for count in lengths(context) {
        let mut ascending = values::<T>(context, count);
        ascending.sort_by(order);
        let descending: Vec<T> = ascending.iter().rev().copied().collect();
        for given in [values::<T>(context, count), few::<T>(context, count), ascending, descending] {
            let mut expected: Vec<u32> = (0..count as u32).collect();
            expected.sort_by(|a, b| order(&given[*a as usize], &given[*b as usize]));
            let keys: Vec<T> = expected.iter().map(|row| given[*row as usize]).collect();
            both_ways(context.device, &given, |what, column| {
                let permutation = queue.sort(column)?;
                equal_slices(&format!("{what}: permutation"), &permutation.read()?, &expected)?;
                equal(&format!("{what}: its count"), &permutation.count().read()?, &vec![count as u32])?;
                // Payloads of two widths; that of bits shows that keys of one order keep their own bits.
                let payload: Vec<u64> = (0..count as u64).map(|row| row << 33 | 7).collect();
                let payload_table = Table::from_rows(context.device, &payload)?;
                let (mut sorted_keys, mut sorted) =
                    (Table::zeroed(context.device, count)?, Table::zeroed(context.device, count)?);
                queue.sort_by_key(column, &payload_table, &mut sorted_keys, &mut sorted)?;
                same_list(&format!("{what}: keys"), &sorted_keys.read()?, &keys)?;
                let moved: Vec<u64> = expected.iter().map(|row| payload[*row as usize]).collect();
                equal_slices(&format!("{what}: payload"), &sorted.read()?, &moved)
            })?;
        }
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("sorting by u32 is stable", sorts::<u32>);
    cases.add("sorting by i32 is stable", sorts::<i32>);
    cases.add("sorting by u64 is stable", sorts::<u64>);
    cases.add("sorting by i64 is stable", sorts::<i64>);
    cases.add("sorting by f32 is stable, every NaN last", sorts::<f32>);
    cases.add("sorting by f64 is stable, every NaN last", sorts::<f64>);
}
