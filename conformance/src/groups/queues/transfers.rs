//! Uploads and downloads through staging.

use crate::case::{Cases, Verdict, equal_slices, refused};
use crate::context::Context;
use crate::groups::memory::mixed::mixed;
use crate::kernels::memory::rows::{Mixed, MixedColumns as _, Small, SmallColumns as _};
use imminent_core::{Column, Error, Plain, Staging, Table};
use rand_core::Rng;
use std::ops::Range;

/// Uploads values to some rows and downloads them again, each by a separate transfer.
fn round_trip<T: Plain>(context: &Context<'_>, column: &Column<'_, T>, rows: Range<usize>, values: &[T]) -> Verdict {
    let queue = context.queue();
    let mut staging = context.device.staging::<T>(values.len())?;
    staging.copy_from_slice(values);
    let mut staging = column.upload(&queue, rows.clone(), staging)?.wait()?;
    equal_slices("the staging after the upload", &staging, values)?;
    staging.fill(<T as imminent_core::Data>::zeroed());
    let staging = column.download(&queue, rows.clone(), staging)?.wait()?;
    equal_slices(&format!("rows {rows:?} as downloaded"), &staging, values)?;
    equal_slices(&format!("rows {rows:?} as read"), &column.read_rows(rows.clone())?, values)
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("columns of every type are uploaded and downloaded", |context| {
        let rows = mixed(context, 1000, 3);
        let table = Table::from_rows(context.device, &rows)?;
        let mut random = context.random(201);
        let words: Vec<u32> = (0..1000).map(|_| random.next_u32()).collect();
        let wide: Vec<u64> = (0..1000).map(|_| random.next_u64()).collect();
        round_trip(context, &table.unsigned(), 0..1000, &words)?;
        round_trip(context, &table.wide(), 1..999, &wide[1..999])?;
        round_trip(context, &table.signed(), 7..8, &[-5])?;
        round_trip(
            context,
            &table.wide_signed(),
            500..1000,
            &wide.iter().map(|w| *w as i64).collect::<Vec<_>>()[500..],
        )?;
        round_trip(context, &table.single(), 0..3, &[1.5, -0.0, f32::MAX])?;
        round_trip(context, &table.numbers(2), 3..1000, &words[3..])?;
        round_trip(context, &table.times(2), 0..1000, &wide)?;
        round_trip(context, &table.kinds(0), 999..1000, &[9])?;
        // Data that was not uploaded is unchanged.
        let mut expected: Vec<Mixed> = rows;
        for (row, (word, wide)) in expected.iter_mut().zip(words.iter().zip(&wide)) {
            row.unsigned = *word;
            row.times.set(2, *wide);
        }
        for (row, word) in expected.iter_mut().zip(&words).skip(3) {
            row.numbers[2] = *word;
        }
        for (row, wide) in expected.iter_mut().zip(&wide).take(999).skip(1) {
            row.wide = *wide;
        }
        for (row, wide) in expected.iter_mut().zip(&wide).skip(500) {
            row.wide_signed = *wide as i64;
        }
        expected[7].signed = -5;
        expected[999].kinds.set(0, 9);
        for (row, single) in expected.iter_mut().zip([1.5, -0.0, f32::MAX]) {
            row.single = single;
        }
        equal_slices("the table after all transfers", &table.read()?, &expected)
    });
    cases.add("transfers of many sizes arrive whole", |context| {
        let most = context.scaled(250_000, 5_000_000);
        let table = Table::<Small>::zeroed(context.device, most)?;
        for length in [0, 1, 63, 64, 65, 16_383, 16_384, 16_385, most - 1, most] {
            let values: Vec<u32> = (0..length as u32).map(|i| i.wrapping_mul(2_654_435_761) ^ length as u32).collect();
            round_trip(context, &table.value(), most - length..most, &values)?;
        }
        Ok(())
    });
    cases.add("many transfers may be under way, and may be waited for in any order", |context| {
        let (queue, rows) = (context.queue(), 5000);
        let table = Table::<Small>::zeroed(context.device, rows * 16)?;
        let mut uploads = Vec::new();
        for part in 0..16 {
            let mut staging: Staging<u32> = context.device.staging(rows)?;
            staging.fill(part as u32 + 1);
            uploads.push(table.value().upload(&queue, part * rows..(part + 1) * rows, staging)?);
        }
        let mut downloads = Vec::new();
        for part in 0..16 {
            let staging = context.device.staging(rows)?;
            downloads.push((part, table.value().download(&queue, part * rows..(part + 1) * rows, staging)?));
        }
        for (part, download) in downloads.into_iter().rev() {
            let expected = vec![part as u32 + 1; rows];
            equal_slices(&format!("part {part}"), &download.wait()?, &expected)?;
        }
        uploads.into_iter().try_for_each(|upload| upload.wait().map(drop))?;
        Ok(())
    });
    cases.add("a transfer goes on when its submission and its table are dropped", |context| {
        let queue = context.queue();
        for round in 0..30_u32 {
            let (table, kept) =
                (Table::<Small>::zeroed(context.device, 20_000)?, Table::<Small>::zeroed(context.device, 3)?);
            let mut staging = context.device.staging(20_000)?;
            staging.fill(round);
            drop(table.value().upload(&queue, 0..20_000, staging)?);
            drop(table.value().download(&queue, 0..20_000, context.device.staging(20_000)?)?);
            let mut staging = context.device.staging(3)?;
            staging.fill(round);
            drop(kept.value().upload(&queue, 0..3, staging)?);
            drop(table);
            equal_slices("what was uploaded last", &kept.value().read()?, &[round; 3])?;
        }
        Ok(queue.wait()?)
    });
    cases.add("transfers that make no sense are refused, and change nothing", |context| {
        let queue = context.queue();
        let table = Table::from_rows(context.device, &[Small { value: 3 }; 10])?;
        let invalid = |what: &str, result: Result<(), Error>| {
            refused(what, result, "`Error::Invalid`", |error| matches!(error, Error::Invalid { .. }))
        };
        let up = |rows: Range<usize>, length: usize| -> Result<(), Error> {
            table.value().upload(&queue, rows, context.device.staging(length)?)?.wait().map(drop)
        };
        let down = |rows: Range<usize>, length: usize| -> Result<(), Error> {
            table.value().download(&queue, rows, context.device.staging(length)?)?.wait().map(drop)
        };
        invalid("an upload past the last row", up(5..11, 6))?;
        invalid("a download past the last row", down(10..11, 1))?;
        invalid("an upload of a range that ends before it begins", up(Range { start: 5, end: 4 }, 0))?;
        invalid("an upload of a staging shorter than the range", up(0..10, 9))?;
        invalid("a download to a staging longer than the range", down(0..10, 11))?;
        invalid("an upload of a column of another width", {
            let staging = context.device.staging::<u64>(10)?;
            table.column::<u64>(0).upload(&queue, 0..10, staging).map(drop)
        })?;
        invalid("an upload of a staging of another device", {
            let staging = context.reference.staging::<u32>(10)?;
            table.value().upload(&queue, 0..10, staging).map(drop)
        })?;
        invalid("an upload on a queue of another device", {
            let staging = context.device.staging::<u32>(10)?;
            table.value().upload(&context.reference.queue(), 0..10, staging).map(drop)
        })?;
        up(10..10, 0)?;
        down(0..0, 0)?;
        equal_slices("the table after refused transfers", &table.read()?, &[Small { value: 3 }; 10])
    });
}
