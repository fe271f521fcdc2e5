//! Sorting.

use super::sample::{Sample, both_ways, few, lengths, same_list, values};
use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use imminent_core::Table;
use rand_core::Rng;
use std::cmp::Ordering;

/// Orders numbers, then every NaN.
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
                // Payloads of two widths; that of bits shows that keys of equal order keep their own bits.
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

/// Sorts rows by keys, with the row numbers as payload, and checks both.
fn checked<T: Sample + Ord>(context: &Context<'_>, what: &str, given: &[T]) -> Verdict {
    let queue = context.queue();
    let mut expected: Vec<u32> = (0..given.len() as u32).collect();
    expected.sort_by_key(|row| given[*row as usize]);
    let keys = Table::from_rows(context.device, given)?;
    let payload: Vec<u32> = (0..given.len() as u32).map(|row| row ^ 0x5555_5555).collect();
    let payload_table = Table::from_rows(context.device, &payload)?;
    let (mut sorted_keys, mut sorted) =
        (Table::zeroed(context.device, given.len())?, Table::zeroed(context.device, given.len())?);
    queue.sort_by_key(&keys, &payload_table, &mut sorted_keys, &mut sorted)?;
    let what = format!("{} {}, {what}", given.len(), T::NAME);
    let moved: Vec<u32> = expected.iter().map(|row| payload[*row as usize]).collect();
    equal_slices(&format!("{what}: payload"), &sorted.read()?, &moved)?;
    let in_order: Vec<T> = expected.iter().map(|row| given[*row as usize]).collect();
    same_list(&format!("{what}: keys"), &sorted_keys.read()?, &in_order)?;
    equal_slices(&format!("{what}: permutation"), &queue.sort(&keys)?.read()?, &expected)
}

/// Masks of keys that differ only in some bytes: none, one, two apart, the highest and the lowest.
const BYTES: [u64; 6] =
    [0, 0xff, 0xff00, 0xff_00ff, 0xff00_0000_0000_00ff | 0xff00_0000, 0xff00_0000_0000_0000 | 0xff00_0000];

fn few_bytes<T: Sample + Ord>(context: &Context<'_>, from_bits: fn(u64) -> T) -> Verdict {
    for count in [300, context.scaled(9000, 50_000)] {
        for mask in BYTES {
            let mut rng = context.random(431 + count as u64);
            let given: Vec<T> = (0..count).map(|_| from_bits(rng.next_u64() & mask | 0x0012_3400 & !mask)).collect();
            checked(context, &format!("differing in the bits {mask:#x}"), &given)?;
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
    cases.add("keys that differ in few bytes are sorted by those", |context| {
        few_bytes::<u32>(context, |bits| bits as u32)?;
        few_bytes::<u64>(context, |bits| bits)
    });
    cases.add("lengths around the tiles of a sort make no difference", |context| {
        // Groups of 256 to 1024 threads have 4 to 20 rows per thread.
        for count in [1023, 1024, 1025, 2047, 2049, 4096, 4097, 5120, 5121, 8192, 8193] {
            let mut rng = context.random(433 + count);
            let given: Vec<u32> = (0..count).map(|_| rng.next_u32() >> 12).collect();
            checked(context, "20 bits each", &given)?;
            if count > 5000 {
                checked(context, "with bits above", &given.iter().map(|x| u64::from(*x) << 30).collect::<Vec<_>>())?;
            }
        }
        Ok(())
    });
    cases.add("more than a million rows are sorted", |context| {
        context.needs_full_mode()?;
        for count in [1 << 20, (1 << 20) + 8191, 3_000_017] {
            let mut rng = context.random(437);
            let given: Vec<u32> = (0..count).map(|_| rng.next_u32()).collect();
            checked(context, "all bits", &given)?;
            checked(context, "all bits", &given.iter().map(|x| u64::from(*x) << 20 | 3).collect::<Vec<_>>())?;
        }
        Ok(())
    });
}
