//! Visibility of data of earlier phases, against plain Rust.

use crate::case::{Cases, equal, equal_slices};
use crate::context::Context;
use crate::kernels::groups::phases::{of_1, of_7, of_32, of_64, of_100, of_256};
use imminent_core::Table;
use rand_core::Rng;

/// Returns numbers of rows around whole groups of a size.
fn sizes(context: &Context<'_>, size: usize) -> Vec<usize> {
    vec![0, 1, size, size + 1, 3 * size - 1, context.scaled(2_003, 100_003)]
}

fn values(context: &Context<'_>, rows: usize) -> Vec<u32> {
    let mut rng = context.random(71 + rows as u64);
    (0..rows).map(|_| rng.next_u32() % 1000).collect()
}

/// Returns the scratch of a group after its rows have set their values.
fn scratch(values: &[u32], size: usize) -> Vec<u32> {
    let mut elements = values.to_vec();
    elements.resize(size, 0);
    elements
}

/// Returns `value`, `seen` and `far` of a group's rows after `rotate`.
fn rotated(values: &[u32], size: usize) -> Vec<[u32; 3]> {
    let mut elements = scratch(values, size);
    let mut rows: Vec<[u32; 3]> = values.iter().map(|value| [0, 0, *value]).collect();
    for round in 0..5 {
        let before = elements.clone();
        for (i, row) in rows.iter_mut().enumerate() {
            elements[i] = before[(i + 1) % size].wrapping_mul(3).wrapping_add(round);
            row[1] = before[i];
        }
    }
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = elements[i];
        row[2] = row[2].wrapping_mul(1000).wrapping_add(elements[size - 1 - i]);
    }
    rows
}

/// Returns `value`, `seen` and `far` of a group's rows after `by_turns`.
fn turned(values: &[u32], size: usize) -> Vec<[u32; 3]> {
    let mut elements = vec![0; size];
    let last = values.len() - 1;
    let mut rows: Vec<[u32; 3]> = values.iter().map(|value| [*value, 0, 0]).collect();
    for round in 0..7 {
        for (i, row) in rows.iter().enumerate() {
            elements[i] = row[0].wrapping_add(round);
        }
        let first = elements[0];
        for (i, row) in rows.iter_mut().enumerate() {
            row[1] = row[1].wrapping_mul(3).wrapping_add(elements[last - i]);
            row[2] = row[2].wrapping_mul(5).wrapping_add(first);
            row[0] = row[0].wrapping_mul(7).wrapping_add(i as u32);
        }
        if first.is_multiple_of(2) {
            let at_end = elements[last];
            for (i, row) in rows.iter_mut().enumerate().filter(|(_, row)| row[0] % 3 != 0) {
                elements[i] = first;
                row[2] = row[2].wrapping_add(at_end);
            }
        }
    }
    for (i, row) in rows.iter_mut().enumerate() {
        row[1] = row[1].wrapping_add(elements[i]);
    }
    rows
}

macro_rules! sized_cases {
    ($cases:expr, $module:ident, $size:literal) => {{
        let table = |context: &Context<'_>, values: &[u32]| {
            let rows: Vec<_> = values.iter().map(|value| $module::Cell { value: *value, seen: 0, far: 0 }).collect();
            Table::from_rows(context.device, &rows)
        };
        let read = |table: &Table<$module::Cell>| -> Result<Vec<[u32; 3]>, imminent_core::Error> {
            Ok(table.read()?.iter().map(|cell| [cell.value, cell.seen, cell.far]).collect())
        };
        $cases.add(
            concat!("groups of ", $size, ": a phase reads what the previous one left, its own writes aside"),
            move |context| {
                for count in sizes(context, $size) {
                    let values = values(context, count);
                    let mut cells = table(context, &values)?;
                    context.queue().launch::<$module::rotate>((&mut cells,))?;
                    let expected: Vec<_> = values.chunks($size).flat_map(|group| rotated(group, $size)).collect();
                    equal_slices(&format!("{count} rows"), &read(&cells)?, &expected)?;
                }
                Ok(())
            },
        );
        $cases.add(
            concat!("groups of ", $size, ": phases that read, set, or do neither, by turns and under conditions"),
            move |context| {
                for count in sizes(context, $size) {
                    let values = values(context, count);
                    let mut cells = table(context, &values)?;
                    context.queue().launch::<$module::by_turns>((&mut cells,))?;
                    let expected: Vec<_> = values.chunks($size).flat_map(|group| turned(group, $size)).collect();
                    equal_slices(&format!("{count} rows"), &read(&cells)?, &expected)?;
                }
                Ok(())
            },
        );
        $cases.add(concat!("groups of ", $size, ": a running sum, and the greatest of the groups'"), move |context| {
            for count in sizes(context, $size) {
                let values = values(context, count);
                let mut cells = table(context, &values)?;
                let most = context.queue().launch::<$module::running_sum>((&mut cells,))?.read()?;
                let mut expected = Vec::new();
                for (number, group) in values.chunks($size).enumerate() {
                    let mut sum = 0;
                    for (i, value) in group.iter().enumerate() {
                        sum += value;
                        expected.push([*value, sum, (number * $size + i) as u32]);
                    }
                }
                equal_slices(&format!("{count} rows"), &read(&cells)?, &expected)?;
                let greatest = values.chunks($size).map(|group| group.iter().sum::<u32>()).max().unwrap_or(0);
                equal(&format!("the greatest sum of {count} rows"), &most, &greatest)?;
            }
            Ok(())
        });
        $cases.add(concat!("groups of ", $size, ": the scratch is zero at the start of every group"), move |context| {
            for count in sizes(context, $size) {
                let mut cells = table(context, &vec![1; count])?;
                for _ in 0..2 {
                    let found = context.queue().launch::<$module::untouched>((&mut cells,))?.read()?;
                    let missing = count.next_multiple_of($size) - count;
                    equal(&format!("elements unset of {count} rows"), &found, &(missing as u32))?;
                    equal_slices(&format!("{count} rows"), &read(&cells)?, &vec![[1, 0, 0]; count])?;
                }
            }
            Ok(())
        });
    }};
}

pub(super) fn add(cases: &mut Cases) {
    sized_cases!(cases, of_1, 1);
    sized_cases!(cases, of_7, 7);
    sized_cases!(cases, of_32, 32);
    sized_cases!(cases, of_64, 64);
    sized_cases!(cases, of_100, 100);
    sized_cases!(cases, of_256, 256);
}
