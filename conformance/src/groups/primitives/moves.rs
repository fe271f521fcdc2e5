//! Histograms, and moves of rows and columns.

use super::sample::{Sample, lengths, same_list, values};
use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::primitives::cells::{Cell, CellColumns as _};
use crate::kernels::primitives::parcels::{Parcel, Tag};
use imminent_core::primitives::Integer;
use imminent_core::{Row, Table, TallyScalar, TallyTable};
use rand_core::Rng;

fn parcels(context: &Context<'_>, count: usize, capacity: u32, stream: u64) -> Vec<Parcel> {
    let mut rng = context.random(stream);
    let mut tag = {
        let mut rng = context.random(stream + 1);
        move || Tag { low: rng.next_u32(), high: rng.next_u64() }
    };
    (0..count)
        .map(|row| Parcel {
            number: row as u32 + 1,
            heavy: rng.next_u32() & 1 == 1,
            tags: [tag(), tag()],
            stops: (0..capacity).map(|_| rng.next_u64()).collect::<Vec<_>>().into(),
            marks: (0..capacity).map(|_| tag()).collect::<Vec<_>>().into(),
            weight: rng.next_u64() as i64,
        })
        .collect()
}

/// Creates a table of parcels; it has lanes even without rows.
fn filled(context: &Context<'_>, parcels: &[Parcel], capacity: u32) -> Result<Table<Parcel>, imminent_core::Error> {
    let mut table = Table::with_capacity(context.device, parcels.len(), capacity)?;
    table.write(parcels)?;
    Ok(table)
}

fn permutation(context: &Context<'_>, count: usize) -> Vec<u32> {
    let mut rng = context.random(471);
    let mut rows: Vec<u32> = (0..count as u32).collect();
    for last in (1..count).rev() {
        rows.swap(last, rng.next_u32() as usize % (last + 1));
    }
    rows
}

fn moved_sizes(context: &Context<'_>) -> [usize; 6] {
    [0, 1, 256, 257, 1000, context.scaled(20_001, 200_003)]
}

fn histograms<T: Sample + Integer + TallyScalar>(context: &Context<'_>, lowest: T, width: u64, slots: usize) -> Verdict
where
    i128: From<T> + TryInto<T>,
{
    for count in lengths(context) {
        let mut given: Vec<T> = values(context, count);
        // Half of them at both sides of the edges of slots, where a quotient that is one too small shows.
        for (place, value) in (0..).zip(given.iter_mut().step_by(2)) {
            let edge = i128::from(lowest) + place / 2 % (slots as i128 + 1) * width as i128 - place % 2;
            *value = edge.try_into().unwrap_or(*value);
        }
        let mut expected: Vec<u32> = (0..slots as u32).collect();
        for x in &given {
            let slot = (i128::from(*x) - i128::from(lowest)).div_euclid(width as i128);
            if let Some(count) = usize::try_from(slot).ok().and_then(|slot| expected.get_mut(slot)) {
                *count += 1;
            }
        }
        let mut found = TallyTable::new(context.device, &(0..slots as u32).collect::<Vec<_>>())?;
        context.queue().histogram(&Table::from_rows(context.device, &given)?, lowest, width, &mut found)?;
        equal_slices(&format!("{count} {} in {slots} slots of {width}", T::NAME), &found.read()?, &expected)?;
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("a histogram of u32 counts what lies in its slots", |context| {
        histograms::<u32>(context, 0, 1, 300)?;
        histograms::<u32>(context, 1 << 31, 1 << 24, 100)?;
        histograms::<u32>(context, 5, 1_000_003, 1)
    });
    cases.add("a histogram of i32 counts what lies in its slots", |context| {
        histograms::<i32>(context, i32::MIN, 1 << 20, 4096)?;
        histograms::<i32>(context, -7, 3, 40)
    });
    cases.add("a histogram of u64 counts what lies in its slots", |context| {
        histograms::<u64>(context, 0, u64::MAX, 2)?;
        histograms::<u64>(context, 0, (1 << 54) + 12_345, 20_000)
    });
    cases.add("a histogram of i64 counts what lies in its slots", |context| {
        histograms::<i64>(context, i64::MIN, 1 << 56, 256)?;
        histograms::<i64>(context, -1000, 17, 100)
    });
    cases.add("gathering by a permutation moves whole rows, lanes included", |context| {
        for count in moved_sizes(context) {
            let (given, rows) = (parcels(context, count, 3, 473), permutation(context, count));
            let from = filled(context, &given, 3)?;
            let mut to = filled(context, &parcels(context, count, 3, 475), 3)?;
            context.queue().gather(&Table::from_rows(context.device, &rows)?, &from, &mut to)?;
            let expected: Vec<Parcel> = rows.iter().map(|row| given[*row as usize].clone()).collect();
            equal_slices(&format!("{count} rows gathered"), &to.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add("scattering by a permutation undoes gathering", |context| {
        for count in moved_sizes(context) {
            let (given, rows) = (parcels(context, count, 2, 477), permutation(context, count));
            let rows = Table::from_rows(context.device, &rows)?;
            let from = filled(context, &given, 2)?;
            let mut between = Table::with_capacity(context.device, count, 2)?;
            let mut to = Table::with_capacity(context.device, count, 2)?;
            context.queue().gather(&rows, &from, &mut between)?;
            context.queue().scatter(&rows, &between, &mut to)?;
            equal_slices(&format!("{count} rows there and back"), &to.read()?, &given)?;
        }
        Ok(())
    });
    cases.add("gathering from past the end gives zeroed rows, and from a longer table its rows", |context| {
        let given = parcels(context, 100, 2, 479);
        let rows = [3, 100, 99, u32::MAX, 3, 101];
        let from = Table::from_rows(context.device, &given)?;
        let mut to = Table::from_rows(context.device, &parcels(context, rows.len(), 2, 481))?;
        context.queue().gather(&Table::from_rows(context.device, &rows)?, &from, &mut to)?;
        let expected = rows.map(|row| given.get(row as usize).cloned().unwrap_or_else(|| Parcel::zeroed(2)));
        equal_slices("rows gathered", &to.read()?, &expected)
    });
    cases.add(
        "of several rows scattered to one place the lowest stays, and places that nobody names are left alone",
        |context| {
            for count in [6, 700, context.scaled(5000, 100_000)] {
                let mut rng = context.random(483);
                let (given, before) = (parcels(context, count, 1, 485), parcels(context, count / 2 + 3, 1, 487));
                let rows: Vec<u32> = (0..count)
                    .map(|_| {
                        if rng.next_u32() % 9 == 0 {
                            u32::MAX - rng.next_u32() % 3
                        } else {
                            rng.next_u32() % (count as u32)
                        }
                    })
                    .collect();
                let mut expected = before.clone();
                for (row, value) in rows.iter().zip(&given).rev() {
                    if let Some(place) = expected.get_mut(*row as usize) {
                        *place = value.clone();
                    }
                }
                let mut to = Table::from_rows(context.device, &before)?;
                let from = Table::from_rows(context.device, &given)?;
                context.queue().scatter(&Table::from_rows(context.device, &rows)?, &from, &mut to)?;
                equal_slices(&format!("{count} rows scattered"), &to.read()?, &expected)?;
            }
            Ok(())
        },
    );
    cases.add("a column is filled with a constant or a device scalar, and no other is touched", |context| {
        let queue = context.queue();
        for count in lengths(context) {
            let mut cells: Vec<Cell> = (0..count as u32)
                .map(|row| Cell { before: row, unsigned: row, wide: 9, after: !row, ..Cell::zeroed(0) })
                .collect();
            let table = Table::from_rows(context.device, &cells)?;
            queue.fill(table.wide(), 1 << 40 | 3)?;
            queue.fill(table.single(), -0.0)?;
            // One less than the number of rows: left on the device by a primitive.
            let greatest = queue.max(table.before())?;
            queue.fill(table.unsigned(), &greatest)?;
            for cell in &mut cells {
                (cell.wide, cell.single, cell.unsigned) = (1 << 40 | 3, -0.0, count as u32 - 1);
            }
            let found = table.read()?;
            equal_slices(&format!("{count} rows"), &found, &cells)?;
            same_list("negative zeros", &found.iter().map(|c| c.single).collect::<Vec<f32>>(), &vec![-0.0; count])?;
            let bare = Table::from_rows(context.device, &vec![1_u64; count])?;
            queue.fill(&bare, u64::MAX - 1)?;
            equal_slices("a bare table", &bare.read()?, &vec![u64::MAX - 1; count])?;
        }
        Ok(())
    });
    cases.add("a column is copied to another table's, bit by bit", |context| {
        let queue = context.queue();
        for count in lengths(context) {
            let given = values::<f32>(context, count);
            let bare = Table::from_rows(context.device, &given)?;
            let cells = Table::from_rows(context.device, &vec![Cell { after: 8, ..Cell::zeroed(0) }; count])?;
            queue.copy_column(&bare, cells.single())?;
            let found = cells.read()?;
            same_list("into a struct", &found.iter().map(|c| c.single).collect::<Vec<f32>>(), &given)?;
            equal("what stands beside", &found.iter().filter(|c| c.after != 8 || c.wide != 0).count(), &0)?;
            let back = Table::zeroed(context.device, count)?;
            queue.copy_column(cells.single(), back.column::<f32>(0))?;
            same_list("and back", &back.read()?, &given)?;
        }
        Ok(())
    });
}
