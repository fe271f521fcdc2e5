//! Single columns.

use super::mixed::mixed;
use crate::case::{Cases, equal_slices};
use crate::kernels::memory::rows::{Mixed, MixedColumns as _};
use imminent_core::Table;

/// Ranges of rows around the sizes at which transfers change their algorithms.
const RANGES: [(usize, usize); 9] =
    [(0, 0), (0, 1), (1, 2), (63, 65), (0, 300), (299, 300), (1, 299), (128, 256), (300, 300)];

macro_rules! column_cases {
    ($cases:expr; $($name:ident: $ty:ty, $sample:expr;)*) => {$(
        $cases.add(concat!("column `", stringify!($name), "` is read and written alone"), |context| {
            let mut expected = mixed(context, 300, 2);
            let table = Table::from_rows(context.device, &expected)?;
            let of = |rows: &[Mixed]| rows.iter().map(|row| row.$name).collect::<Vec<$ty>>();
            equal_slices("the whole column", &table.$name().read()?, &of(&expected))?;
            for (first, end) in RANGES {
                let found = table.$name().read_rows(first..end)?;
                equal_slices(&format!("rows {first}..{end}"), &found, &of(&expected[first..end]))?;
            }
            for (number, (first, end)) in RANGES.into_iter().enumerate() {
                let sample: fn(usize) -> $ty = $sample;
                let values: Vec<$ty> = (first..end).map(|row| sample(row * 16 + number)).collect();
                table.$name().write_rows(first, &values)?;
                for (row, value) in expected[first..end].iter_mut().zip(values) {
                    row.$name = value;
                }
                // Checks all other columns too: a write to a column touches nothing else.
                equal_slices(&format!("the table after a write of rows {first}..{end}"), &table.read()?, &expected)?;
            }
            Ok(())
        });
    )*};
}

pub(super) fn add(cases: &mut Cases) {
    column_cases! { cases;
        flag: bool, |x| x % 3 == 0;
        unsigned: u32, |x| x as u32;
        wide: u64, |x| (x as u64) << 33 | 5;
        signed: i32, |x| -(x as i32);
        wide_signed: i64, |x| -((x as i64) << 31);
        single: f32, |x| x as f32 * -0.25;
        last: u32, |x| !(x as u32);
    }
    cases.add("columns of array elements are read and written alone", |context| {
        let mut expected = mixed(context, 300, 1);
        let table = Table::from_rows(context.device, &expected)?;
        for element in 0..3 {
            let found = table.numbers(element).read()?;
            let column: Vec<u32> = expected.iter().map(|row| row.numbers[element as usize]).collect();
            equal_slices(&format!("element {element}"), &found, &column)?;
            table.numbers(element).write_rows(10, &[element; 50])?;
            expected[10..60].iter_mut().for_each(|row| row.numbers[element as usize] = element);
            equal_slices(&format!("the table after a write of element {element}"), &table.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add("columns of lanes are read and written alone", |context| {
        let mut expected = mixed(context, 300, 4);
        let table = Table::from_rows(context.device, &expected)?;
        for lane in 0..4 {
            let times: Vec<u64> = expected.iter().map(|row| row.times.get(lane)).collect();
            equal_slices(&format!("lane {lane} of `times`"), &table.times(lane).read()?, &times)?;
            let kinds: Vec<u32> = expected[7..211].iter().map(|row| row.kinds.get(lane)).collect();
            equal_slices(
                &format!("rows 7..211 of lane {lane} of `kinds`"),
                &table.kinds(lane).read_rows(7..211)?,
                &kinds,
            )?;
            table.times(lane).write_rows(63, &[u64::from(lane) << 60; 100])?;
            expected[63..163].iter_mut().for_each(|row| row.times.set(lane, u64::from(lane) << 60));
            equal_slices(&format!("the table after a write of lane {lane}"), &table.read()?, &expected)?;
        }
        Ok(())
    });
}
