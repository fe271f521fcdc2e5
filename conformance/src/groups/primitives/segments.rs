//! Reductions by segment.

use super::fold::{ordinary, tree};
use super::sample::{Sample, extreme, few, needs_arithmetic, of_none, same_list, values};
use crate::case::{Cases, Verdict, ensure};
use crate::context::Context;
use imminent_core::primitives::{Float, Integer};
use imminent_core::{Error, Reproducible, Table, Unordered};
use rand_core::Rng;

/// Returns starts of segments of all lengths: empty, short, around a block, and longer than a block of blocks.
fn offsets(context: &Context<'_>, rows: u32) -> Vec<u32> {
    let mut rng = context.random(451);
    let lengths = [0, 1, 2, 3, 40, 255, 256, 257, 511, 1000];
    let mut offsets = vec![0, rows.min(66_000)];
    while let Some(last) = offsets.last().copied()
        && last < rows
    {
        offsets.push(last + lengths[rng.next_u32() as usize % lengths.len()]);
    }
    // Offsets of an incorrect caller: a step back, then past the end.
    offsets.extend([rows / 2, rows / 3, rows, u32::MAX, 5]);
    offsets
}

/// Returns the segments by their definition.
fn segments<'v, T>(values: &'v [T], offsets: &[u32]) -> Vec<&'v [T]> {
    let cut = |pair: &[u32]| values.get(pair[0] as usize..(pair[1] as usize).min(values.len())).unwrap_or_default();
    offsets.windows(2).map(cut).collect()
}

fn folds<T: Sample>(context: &Context<'_>, run: impl Fn(&Table<T>, &Table<u32>, &[&[T]]) -> Verdict) -> Verdict {
    for count in [0, 1, 257, 5000, context.scaled(80_000, 300_000)] {
        for given in [values::<T>(context, count), few::<T>(context, count)] {
            let offsets = offsets(context, count as u32);
            let table = Table::from_rows(context.device, &given)?;
            run(&table, &Table::from_rows(context.device, &offsets)?, &segments(&given, &offsets))?;
        }
    }
    Ok(())
}

fn extremes<T: Sample>(context: &Context<'_>) -> Verdict {
    let queue = context.queue();
    folds::<T>(context, |table, offsets, segments| {
        let mut found = Table::zeroed(context.device, segments.len())?;
        for greatest in [false, true] {
            let of = |values: &[T]| extreme(values, greatest).map_or(of_none(greatest), |(_, value)| value);
            let expected: Vec<T> = segments.iter().map(|values| of(values)).collect();
            if greatest {
                queue.segmented_max(table, offsets, &mut found)?;
            } else {
                queue.segmented_min(table, offsets, &mut found)?;
            }
            same_list(&format!("segments of {} {}", table.len(), T::NAME), &found.read()?, &expected)?;
        }
        Ok(())
    })
}

fn sums<T: Sample + Integer>(context: &Context<'_>) -> Verdict {
    folds::<T>(context, |table, offsets, segments| {
        let mut found = Table::zeroed(context.device, segments.len())?;
        context.queue().segmented_sum(table, offsets, &mut found)?;
        let expected: Vec<T> =
            segments.iter().map(|values| values.iter().fold(T::default(), |sum, x| sum.plus(*x))).collect();
        same_list(&format!("segments of {} {}", table.len(), T::NAME), &found.read()?, &expected)
    })
}

fn float_sums<T: Sample + Float + Into<f64>>(context: &Context<'_>) -> Verdict {
    needs_arithmetic::<T>(context)?;
    let queue = context.queue();
    for count in [0, 1, 300, context.scaled(80_000, 300_000)] {
        let given = ordinary::<T>(context, count);
        let offsets = offsets(context, count as u32);
        let segments = segments(&given, &offsets);
        let (table, starts) = (Table::from_rows(context.device, &given)?, Table::from_rows(context.device, &offsets)?);
        let mut found = Table::zeroed(context.device, segments.len())?;
        match queue.segmented_sum_as(&table, &starts, Reproducible, &mut found) {
            Ok(()) => {
                let expected: Vec<T> = segments.iter().map(|values| tree(values)).collect();
                same_list(&format!("reproducible sums of {count} {}", T::NAME), &found.read()?, &expected)?;
            }
            Err(Error::Determinism { .. }) => context.note("no reproducible sums here"),
            Err(error) => return Err(error.into()),
        }
        queue.segmented_sum_as(&table, &starts, Unordered, &mut found)?;
        for (segment, (found, values)) in found.read()?.into_iter().zip(&segments).enumerate() {
            let (found, exact): (f64, f64) = (found.into(), values.iter().map(|x| (*x).into()).sum());
            let size: f64 = values.iter().map(|x| (*x).into().abs()).sum();
            let bound = size * 2e-7 * (values.len() as f64).sqrt().max(8.0);
            ensure((found - exact).abs() <= bound, || {
                format!("segment {segment} of {count} {}: expected {exact} within {bound}, found {found}", T::NAME)
            })?;
        }
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("segments of u32: least and greatest", extremes::<u32>);
    cases.add("segments of i32: least and greatest", extremes::<i32>);
    cases.add("segments of u64: least and greatest", extremes::<u64>);
    cases.add("segments of i64: least and greatest", extremes::<i64>);
    cases.add("segments of f32: least and greatest", extremes::<f32>);
    cases.add("segments of f64: least and greatest", extremes::<f64>);
    cases.add("segments of u32: sums wrap", sums::<u32>);
    cases.add("segments of i32: sums wrap", sums::<i32>);
    cases.add("segments of u64: sums wrap", sums::<u64>);
    cases.add("segments of i64: sums wrap", sums::<i64>);
    cases.add("segments of f32: sums over the tree of the segment's own length", float_sums::<f32>);
    cases.add("segments of f64: sums over the tree of the segment's own length", float_sums::<f64>);
}
