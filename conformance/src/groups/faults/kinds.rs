//! Kinds of faults: the report, and the value with which the language continues.

use super::expected::{BLANK, GOOD, check, fault_of};
use crate::case::{Cases, Verdict, ensure, equal, equal_slices};
use crate::context::Context;
use crate::kernels::faults::faulty::{self, Given, Line, Seen};
use crate::raw::Raw;
use imminent_core::fault::{FaultKind, Operands};
use imminent_core::{Fault, Kernel, Lanes, Table, TallyTable};

/// Row that faults, in a table of some others.
const BAD_ROW: usize = 70;
const ROWS: usize = 300;

fn rows(bad: Given) -> Vec<Given> {
    let mut rows = vec![GOOD; ROWS];
    rows[BAD_ROW] = bad;
    rows
}

/// Checks a fault in one row: the report of the typed layer and, below it, the contents of the row.
fn one_row<K>(context: &Context<'_>, kind: FaultKind, marker: &str, bad: Given, expected: Seen) -> Verdict
where
    K: for<'a> Kernel<Args<'a> = (&'a Table<Given>, &'a mut Table<Seen>), Output = ()>,
{
    let kernel = K::SOURCE.name;
    let given = rows(bad);
    let table = Table::from_rows(context.device, &given)?;
    let mut seen = Table::from_rows(context.device, &vec![BLANK; ROWS])?;
    let launched = context.queue().launch::<K>((&table, &mut seen)).and_then(|_| context.queue().wait());
    let fault = fault_of(&format!("kernel `{kernel}`"), launched)?;
    check(&fault, kernel, BAD_ROW as u32, kind, marker)?;
    agrees_with_reference::<K>(context, &given, &fault)?;

    let raw = Raw::new(context.device)?;
    let (input, output) = (raw.table(&given, 0)?, raw.table(&vec![BLANK; ROWS], 0)?);
    let arguments = vec![input.argument(false), output.argument(true)];
    let below = fault_of("the same launch below the typed layer", raw.launch::<K>(ROWS as u32, arguments)?)?;
    equal("the fault below the typed layer", &below, &fault)?;
    let found: Vec<Seen> = raw.read(&output)?;
    equal(&format!("kernel `{kernel}`, what the faulting row goes on with"), &found[BAD_ROW], &expected)?;
    let others = found.iter().enumerate().filter(|(row, _)| *row != BAD_ROW);
    let unfinished = others.filter(|(_, seen)| seen.after != 1).map(|(row, _)| row).next();
    ensure(unfinished.is_none(), || {
        format!("kernel `{kernel}`: row {unfinished:?} was not finished, although it has no fault")
    })
}

/// Checks that the reference reports the same column, expression and, if the device keeps them, operands.
fn agrees_with_reference<K>(context: &Context<'_>, given: &[Given], fault: &Fault) -> Verdict
where
    K: for<'a> Kernel<Args<'a> = (&'a Table<Given>, &'a mut Table<Seen>), Output = ()>,
{
    let table = Table::from_rows(context.reference, given)?;
    let mut seen = Table::<Seen>::zeroed(context.reference, given.len())?;
    let queue = context.reference.queue();
    let launched = queue.launch::<K>((&table, &mut seen)).and_then(|_| queue.wait());
    let reference = fault_of("the reference", launched)?;
    ensure(!fault.text.is_empty(), || "the fault quotes no expression".to_owned())?;
    ensure(reference.operands.is_some() == reference.kind.has_operands(), || {
        format!("the reference tells other operands than its kind has: {reference}")
    })?;
    equal("the fault on the device, beside that on the CPU", fault, &context.reported(reference))
}

pub(super) fn add(cases: &mut Cases) {
    arithmetic(cases);
    indices(cases);
    resources(cases);
}

fn arithmetic(cases: &mut Cases) {
    cases.add("integer division by zero gives zero and raises a fault", |context| {
        let expected = Seen { x: 0, after: 1, ..BLANK };
        one_row::<faulty::division>(context, FaultKind::DivisionByZero, "division", Given { b: 0, ..GOOD }, expected)
    });
    cases.add("64-bit division by zero gives zero and raises a fault", |context| {
        let expected = Seen { wide: 0, signed: 0, after: 1, ..BLANK };
        let bad = Given { b: 0, c: i64::MIN, d: u64::MAX, ..GOOD };
        one_row::<faulty::wide_division>(context, FaultKind::DivisionByZero, "wide division", bad, expected)
    });
    cases.add("integer remainder by zero gives zero and raises a fault", |context| {
        let expected = Seen { x: 0, wide: 0, signed: 0, after: 1, ..BLANK };
        let bad = Given { a: 9, b: 0, c: -3, d: 1 << 40 };
        one_row::<faulty::remainder>(context, FaultKind::RemainderByZero, "remainder", bad, expected)
    });
    cases.add("signed integers are divided by zero to zero, with a fault", |context| {
        let expected = Seen { signed: 0, after: 1, ..BLANK };
        for c in [7, -1, i64::MIN, i64::MAX, i64::from(i32::MIN), 1 << 40] {
            let bad = Given { b: 0, c, ..GOOD };
            let (wide, narrow) = (bad, bad);
            one_row::<faulty::signed_division>(context, FaultKind::DivisionByZero, "signed division", wide, expected)?;
            one_row::<faulty::narrow_remainder>(
                context,
                FaultKind::RemainderByZero,
                "narrow remainder",
                narrow,
                expected,
            )?;
        }
        Ok(())
    });
    cases.add("a failed assertion raises a fault and goes on", |context| {
        let expected = Seen { x: 4, after: 1, ..BLANK };
        one_row::<faulty::assertion>(context, FaultKind::Assertion, "assertion", Given { a: 4, ..GOOD }, expected)
    });
    cases.add("a fault in a function is reported with the function's line", |context| {
        let expected = Seen { x: 7, after: 1, ..BLANK };
        let bad = Given { a: 6, b: 0, ..GOOD };
        one_row::<faulty::in_a_helper>(context, FaultKind::DivisionByZero, "helper", bad, expected)
    });
    cases.add("a fault in a loop is raised in the round in which it happens", |context| {
        // Divisors 2, 1, 0, 0, 0: 6 + 12 and zeros.
        let expected = Seen { x: 18, after: 1, ..BLANK };
        one_row::<faulty::in_a_loop>(context, FaultKind::DivisionByZero, "loop", Given { b: 0, ..GOOD }, expected)
    });
}

fn indices(cases: &mut Cases) {
    cases.add("a read past the end of an array gives zero and raises a fault", |context| {
        for a in [4, 5, 1 << 31, u32::MAX] {
            let expected = Seen { x: 0, after: 1, ..BLANK };
            one_row::<faulty::array_read>(
                context,
                FaultKind::IndexOutOfRange,
                "array read",
                Given { a, ..GOOD },
                expected,
            )?;
        }
        Ok(())
    });
    cases.add("a write past the end of an array is dropped and raises a fault", |context| {
        for a in [4, 5, 1 << 31, u32::MAX] {
            let expected = Seen { numbers: [0, 1, 2, 3], after: 1, ..BLANK };
            one_row::<faulty::array_write>(
                context,
                FaultKind::IndexOutOfRange,
                "array write",
                Given { a, ..GOOD },
                expected,
            )?;
        }
        Ok(())
    });
    cases.add("an element that does not exist is lent as zero, dropped again, and raises a fault", |context| {
        for a in [4, u32::MAX] {
            let expected = Seen { x: 0, numbers: [10, 20, 30, 40], after: 1, ..BLANK };
            let bad = Given { a, ..GOOD };
            one_row::<faulty::lent_element>(context, FaultKind::IndexOutOfRange, "lent", bad, expected)?;
        }
        Ok(())
    });
    cases.add("two indices out of range are one fault, and give zero", |context| {
        for (a, b) in [(2, 0), (0, 2), (5, 5), (0, u32::MAX)] {
            let expected = Seen { x: 0, after: 1, ..BLANK };
            let bad = Given { a, b, d: 9, ..GOOD };
            one_row::<faulty::outer_index_first>(context, FaultKind::IndexOutOfRange, "two indices", bad, expected)?;
        }
        Ok(())
    });
    cases.add("an index that is a constant past the end is out of range all the same", |context| {
        let numbers = [BLANK.numbers[0], BLANK.numbers[1], 98, BLANK.numbers[3]];
        let expected = Seen { x: 0, wide: 0, signed: 0, after: 1, numbers };
        let bad = Given { a: 4, ..GOOD };
        one_row::<faulty::known_indices>(context, FaultKind::IndexOutOfRange, "known index", bad, expected)
    });
    cases.add("a negative index is out of range", |context| {
        for c in [-1, i64::MIN, -(1 << 32), -(1 << 32) + 1] {
            let expected = Seen { x: 0, after: 1, ..BLANK };
            one_row::<faulty::negative_index>(
                context,
                FaultKind::IndexOutOfRange,
                "negative index",
                Given { c, ..GOOD },
                expected,
            )?;
        }
        Ok(())
    });
    cases.add("a negative index of 32 bits is out of range", |context| {
        let expected = Seen { x: 0, after: 1, ..BLANK };
        for c in [-1, i64::from(i32::MIN), 4, i64::from(i32::MAX)] {
            let bad = Given { c, ..GOOD };
            one_row::<faulty::narrow_index>(context, FaultKind::IndexOutOfRange, "narrow index", bad, expected)?;
        }
        Ok(())
    });
    cases.add("the high word of a 64-bit index counts", |context| {
        for d in [4, 1 << 32, (1 << 32) + 1, u64::MAX, 1 << 63] {
            let expected = Seen { x: 0, after: 1, ..BLANK };
            one_row::<faulty::wide_index>(
                context,
                FaultKind::IndexOutOfRange,
                "wide index",
                Given { d, ..GOOD },
                expected,
            )?;
        }
        Ok(())
    });
}

/// Checks that the operands are this index and length, if the device keeps any.
fn reports_index(context: &Context<'_>, fault: &Fault, index: u32, length: u64) -> Verdict {
    let operands = Operands::Index { index: index.into(), length };
    equal("the operands of the fault", &fault.operands, &context.reported_operands(operands))
}

fn resources(cases: &mut Cases) {
    cases.add("a row past the end of a table is zero and raises a fault", |context| {
        for a in [ROWS as u32, 1 << 31, u32::MAX] {
            let given = rows(Given { a, ..GOOD });
            let table = Table::from_rows(context.device, &given)?;
            let mut seen = Table::<Seen>::zeroed(context.device, ROWS)?;
            let launched = context.queue().launch::<faulty::row_past_the_end>((&table, &table, &mut seen));
            let fault = fault_of("kernel `row_past_the_end`", launched.and_then(|_| context.queue().wait()))?;
            check(&fault, "row_past_the_end", BAD_ROW as u32, FaultKind::RowOutOfRange, "row")?;
            reports_index(context, &fault, a, ROWS as u64)?;

            let raw = Raw::new(context.device)?;
            let (input, output) = (raw.table(&given, 0)?, raw.table(&vec![BLANK; ROWS], 0)?);
            let arguments = vec![input.argument(false), input.argument(false), output.argument(true)];
            let below = raw.launch::<faulty::row_past_the_end>(ROWS as u32, arguments)?;
            equal("the fault below the typed layer", &fault_of("the raw launch", below)?, &fault)?;
            let found: Vec<Seen> = raw.read(&output)?;
            equal("what the faulting row goes on with", &found[BAD_ROW], &Seen { x: 0, wide: 1, after: 1, ..BLANK })?;
            equal("what its neighbour reads", &found[BAD_ROW + 1], &Seen { x: 1, wide: 1, after: 1, ..BLANK })?;
        }
        Ok(())
    });
    cases.add("a lane past the capacity reads zero and raises a fault", |context| {
        lane::<faulty::lane_read>(context, "lane read", 0, [7; 3])
    });
    cases.add("a write to a lane past the capacity is dropped and raises a fault", |context| {
        lane::<faulty::lane_write>(context, "lane write", 9, [7; 3])
    });
    cases.add("a table without lanes has no lane 0", |context| {
        let given = Table::from_rows(context.device, &[Given { a: 0, ..GOOD }])?;
        let mut lines = Table::<Line>::zeroed(context.device, 1)?;
        let launched = context.queue().launch::<faulty::lane_read>((&mut lines, &given));
        let fault = fault_of("kernel `lane_read`", launched.and_then(|_| context.queue().wait()))?;
        check(&fault, "lane_read", 0, FaultKind::LaneOutOfRange, "lane read")?;
        reports_index(context, &fault, 0, 0)
    });
    cases.add("a tally slot past the end raises a fault", |context| {
        for a in [3, u32::MAX] {
            let given = Table::from_rows(context.device, &rows(Given { a, ..GOOD }))?;
            let mut seen = Table::<Seen>::zeroed(context.device, ROWS)?;
            let counts = TallyTable::new(context.device, &[0_u32; 3])?;
            let launched = context.queue().launch::<faulty::tally_slot>((&given, &counts, &mut seen));
            let fault = fault_of("kernel `tally_slot`", launched.and_then(|_| context.queue().wait()))?;
            check(&fault, "tally_slot", BAD_ROW as u32, FaultKind::TallyOutOfRange, "tally")?;
            reports_index(context, &fault, a, 3)?;
        }
        Ok(())
    });
}

fn lane<K>(context: &Context<'_>, marker: &str, seen: u64, items: [u64; 3]) -> Verdict
where
    K: for<'a> Kernel<Args<'a> = (&'a mut Table<Line>, &'a Table<Given>), Output = ()>,
{
    let line = Line { items: Lanes::from(items.to_vec()), seen: 9, after: 0 };
    for a in [3, 1 << 31, u32::MAX] {
        let given = rows(Given { a, ..GOOD });
        let table = Table::from_rows(context.device, &given)?;
        let mut lines = Table::from_rows(context.device, &vec![line.clone(); ROWS])?;
        let launched = context.queue().launch::<K>((&mut lines, &table)).and_then(|_| context.queue().wait());
        let fault = fault_of(&format!("kernel `{}`", K::SOURCE.name), launched)?;
        check(&fault, K::SOURCE.name, BAD_ROW as u32, FaultKind::LaneOutOfRange, marker)?;
        reports_index(context, &fault, a, 3)?;

        let raw = Raw::new(context.device)?;
        let (input, output) = (raw.table(&given, 0)?, raw.table(&vec![line.clone(); ROWS], 3)?);
        let below = raw.launch::<K>(ROWS as u32, vec![output.argument(true), input.argument(false)])?;
        equal("the fault below the typed layer", &fault_of("the raw launch", below)?, &fault)?;
        let found: Vec<Line> = raw.read(&output)?;
        let expected = Line { items: Lanes::from(items.to_vec()), seen, after: 1 };
        equal_slices("what the faulting row goes on with", &found[BAD_ROW..=BAD_ROW], &[expected])?;
    }
    Ok(())
}
