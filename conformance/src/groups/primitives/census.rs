//! Counting the rows that pass a test, and listing them.

use super::sample::{Sample, both_ways, few, lengths, values};
use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::primitives::cells::{Cell, CellColumns as _};
use imminent_core::primitives::Predicate;
use imminent_core::{Column, Error, Row, Scalar, Selection, Table};
use rand_core::Rng;

/// A comparison: its name, its constructor in the library, and its function in Rust.
type Comparison<T> = (
    &'static str,
    fn(&Column<'_, T>, T) -> Result<Predicate, Error>,
    fn(&Column<'_, T>, &Scalar<T>) -> Result<Predicate, Error>,
    fn(&T, &T) -> bool,
);

fn comparisons<T: Sample>() -> [Comparison<T>; 6] {
    [
        ("equals", |c, x| c.equals(x), |c, x| c.equals(x), |a, b| a == b),
        ("differs", |c, x| c.differs(x), |c, x| c.differs(x), |a, b| a != b),
        ("below", |c, x| c.below(x), |c, x| c.below(x), |a, b| a < b),
        ("at_most", |c, x| c.at_most(x), |c, x| c.at_most(x), |a, b| a <= b),
        ("above", |c, x| c.above(x), |c, x| c.above(x), |a, b| a > b),
        ("at_least", |c, x| c.at_least(x), |c, x| c.at_least(x), |a, b| a >= b),
    ]
}

fn check(context: &Context<'_>, what: &str, predicate: &Predicate, expected: &[u32], rows: usize) -> Verdict {
    let queue = context.queue();
    equal(&format!("{what}: count"), &queue.count(predicate)?.read()?, &(expected.len() as u32))?;
    equal(&format!("{what}: any"), &queue.any(predicate)?.read()?, &!expected.is_empty())?;
    equal(&format!("{what}: all"), &queue.all(predicate)?.read()?, &(expected.len() == rows))?;
    let selection = queue.select(predicate)?;
    equal(&format!("{what}: selected"), &selection.count().read()?, &vec![expected.len() as u32])?;
    equal_slices(&format!("{what}: rows selected"), &selection.read()?, expected)
}

fn tests<T: Sample>(context: &Context<'_>) -> Verdict {
    let queue = context.queue();
    for count in lengths(context) {
        for (given, of) in [(values::<T>(context, count), "values"), (few::<T>(context, count), "few values")] {
            // For quick sizes, around the end of a block, every value on the right; otherwise only the lengths matter.
            let rights = if count == 257 { 0..7 } else { 1..2 };
            for right in rights.map(T::few) {
                let comparisons = comparisons::<T>().into_iter().step_by(if count > 1000 { 2 } else { 1 });
                for (name, constant, scalar, truth) in comparisons {
                    let expected: Vec<u32> =
                        (0..).zip(&given).filter(|(_, x)| truth(x, &right)).map(|(row, _)| row).collect();
                    both_ways(context.device, &given, |what, column| {
                        let what = format!("{what} ({of}) {name} {right:?}");
                        check(context, &what, &constant(&column, right)?, &expected, count)?;
                        // Repeats the test with the right side on the device, left there by a primitive.
                        let one = Table::from_rows(context.device, &[right])?;
                        let on_device = queue.min(&one)?;
                        check(
                            context,
                            &format!("{what}, on the device"),
                            &scalar(&column, &on_device)?,
                            &expected,
                            count,
                        )
                    })?;
                }
            }
        }
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("tests of u32 count and select exactly the rows that pass, in order", tests::<u32>);
    cases.add("tests of i32 count and select exactly the rows that pass, in order", tests::<i32>);
    cases.add("tests of u64 count and select exactly the rows that pass, in order", tests::<u64>);
    cases.add("tests of i64 count and select exactly the rows that pass, in order", tests::<i64>);
    cases.add("tests of f32 count and select exactly the rows that pass, in order", tests::<f32>);
    cases.add("tests of f64 count and select exactly the rows that pass, in order", tests::<f64>);
    cases.add("a column of `bool` selects its true rows", |context| {
        let queue = context.queue();
        for count in lengths(context) {
            for one_in in [1, 2, 100] {
                let mut rng = context.random(441);
                let flags: Vec<bool> = (0..count).map(|_| rng.next_u32() % one_in == 0).collect();
                let expected: Vec<u32> = (0..).zip(&flags).filter(|(_, flag)| **flag).map(|(row, _)| row).collect();
                let what = format!("{count} flags, one in {one_in} true");
                let bare = Table::from_rows(context.device, &flags)?;
                equal(&format!("{what}: count"), &queue.count(&bare)?.read()?, &(expected.len() as u32))?;
                equal(&format!("{what}: all"), &queue.all(&bare)?.read()?, &(expected.len() == count))?;
                equal_slices(&what, &queue.select(&bare)?.read()?, &expected)?;
                let cells: Vec<Cell> = flags.iter().map(|flag| Cell { flag: *flag, ..Cell::zeroed(0) }).collect();
                let cells = Table::from_rows(context.device, &cells)?;
                equal(&format!("{what}: any"), &queue.any(cells.flag())?.read()?, &!expected.is_empty())?;
                equal_slices(&format!("{what}, in a struct"), &queue.select(cells.flag())?.read()?, &expected)?;
            }
        }
        Ok(())
    });
    cases.add("a selection is used again, and may have room to spare", |context| {
        let queue = context.queue();
        let table = Table::from_rows(context.device, &(0..1000_u32).collect::<Vec<_>>())?;
        let mut selection = Selection::with_capacity(context.device, 5000)?;
        equal_slices("a new selection", &selection.read()?, &[])?;
        for limit in [700, 3, 0, 1000] {
            queue.select_into(table.column::<u32>(0).below(limit)?, &mut selection)?;
            equal_slices(&format!("below {limit}"), &selection.read()?, &(0..limit).collect::<Vec<_>>())?;
            let rest = queue.select(table.at_least(limit)?)?.read()?;
            equal_slices(&format!("at least {limit}, of the table"), &rest, &(limit..1000).collect::<Vec<_>>())?;
        }
        Ok(())
    });
}
