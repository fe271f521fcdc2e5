//! Effects of a fault: poisoned tables, and a queue that continues.

use super::expected::{BLANK, GOOD, check, fault_of};
use crate::case::{Cases, Verdict, ensure, equal, equal_slices, error_of, refused};
use crate::context::Context;
use crate::kernels::faults::faulty::{self, Given, GivenColumns as _, Seen, SeenColumns as _};
use crate::kernels::programs::steps::{Counter, bump_below_five};
use imminent_core::fault::FaultKind;
use imminent_core::{Device, Error, Outcome, Program, Stop, Table, TallyTable};

/// Returns rows of which the second makes kernel `division` fault, and rows for its results.
fn faulty_rows(device: &Device) -> Result<(Table<Given>, Table<Seen>), Error> {
    Ok((Table::from_rows(device, &[GOOD, Given { b: 0, ..GOOD }])?, Table::from_rows(device, &[BLANK, BLANK])?))
}

/// Returns a table that a faulting launch has written, and the table that it has read.
fn poisoned(device: &Device) -> Result<(Table<Given>, Table<Seen>), crate::case::Stop> {
    let (given, mut seen) = faulty_rows(device)?;
    let launched = device.queue().launch::<faulty::division>((&given, &mut seen)).and_then(|_| device.queue().wait());
    fault_of("kernel `division`", launched)?;
    Ok((given, seen))
}

fn is_poisoned<T>(what: &str, result: Result<T, Error>) -> Verdict {
    let error = error_of(what, result)?;
    ensure(matches!(error, Error::Poisoned { .. }), || format!("{what}: expected `Error::Poisoned`, found: {error}"))?;
    match error.fault() {
        Some(fault) => check(fault, "division", 1, FaultKind::DivisionByZero, "division"),
        None => crate::case::fail(format!("{what}: the error does not name the fault that is its cause: {error}")),
    }
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("a table that a faulting launch writes cannot be read, and names the cause", |context| {
        let (given, seen) = poisoned(context.device)?;
        is_poisoned("reading the table", seen.read())?;
        is_poisoned("reading it again", seen.read())?;
        is_poisoned("reading one column", seen.x().read())?;
        is_poisoned("copying from it", Table::<Seen>::zeroed(context.device, 2)?.copy_from(&seen))?;
        // A table that was only read is unchanged.
        equal_slices("the table that was read", &given.read()?, &[GOOD, Given { b: 0, ..GOOD }])
    });
    cases.add("a poisoned table is refused by launches and programs", |context| {
        let (given, mut seen) = poisoned(context.device)?;
        is_poisoned("a launch with it", context.queue().launch::<faulty::harmless>((&given, &mut seen)))?;
        let recorded = Program::record(context.device, |program| {
            program.launch::<faulty::harmless>((&given, &mut seen)).map(drop)
        });
        is_poisoned("a program with it", recorded.and_then(|mut program| program.run()))
    });
    cases.add("writing, clearing or copying into a poisoned table cures it", |context| {
        let (_, mut seen) = poisoned(context.device)?;
        seen.write(&[BLANK, BLANK])?;
        equal_slices("the table, written", &seen.read()?, &[BLANK, BLANK])?;
        let (_, mut seen) = poisoned(context.device)?;
        seen.clear()?;
        let zero = Seen { x: 0, wide: 0, signed: 0, after: 0, numbers: [0; 4] };
        equal_slices("the table, cleared", &seen.read()?, &[zero, zero])?;
        let (_, mut seen) = poisoned(context.device)?;
        seen.copy_from(&Table::from_rows(context.device, &[BLANK, zero])?)?;
        equal_slices("the table, copied into", &seen.read()?, &[BLANK, zero])
    });
    cases.add("an error is returned once", |context| {
        let _ = poisoned(context.device)?;
        context.queue().wait()?;
        context.queue().wait().map_err(crate::case::Stop::from)
    });
    cases.add("the queue goes on after a fault", |context| {
        for _ in 0..5 {
            let (mut given, mut seen) = poisoned(context.device)?;
            let fresh = Given { a: 77, ..GOOD };
            given.write(&[fresh, fresh])?;
            seen.write(&[BLANK, BLANK])?;
            context.queue().launch::<faulty::division>((&given, &mut seen))?;
            let expected = Seen { x: 77, after: 1, ..BLANK };
            equal_slices("a launch after a fault", &seen.read()?, &[expected, expected])?;
        }
        Ok(())
    });
    cases.add("a fault comes out of the read that waits for it", |context| {
        let given = Table::from_rows(context.device, &[Given { b: 0, ..GOOD }])?;
        let mut seen = Table::from_rows(context.device, &[BLANK])?;
        let launched = context.queue().launch::<faulty::division>((&given, &mut seen));
        let fault = fault_of("reading behind the launch", launched.and_then(|_| seen.read()))?;
        check(&fault, "division", 0, FaultKind::DivisionByZero, "division")
    });
    cases.add("reading the result of a launch that returns nothing gives its fault", |context| {
        let (given, mut seen) = faulty_rows(context.device)?;
        let nothing = context.queue().launch::<faulty::division>((&given, &mut seen))?;
        let fault = fault_of("reading the result", nothing.read())?;
        check(&fault, "division", 1, FaultKind::DivisionByZero, "division")?;
        is_poisoned("reading it again", nothing.read())?;
        is_poisoned("reading the table", seen.read())?;
        context.queue().wait()?;
        // The launch is repeated by the short way of those that were launched before.
        seen.write(&[BLANK, BLANK])?;
        let again = context.queue().launch::<faulty::division>((&given, &mut seen))?;
        check(&fault_of("reading behind it", seen.read())?, "division", 1, FaultKind::DivisionByZero, "division")?;
        is_poisoned("reading the result behind the table", again.read())
    });
    cases.add("a fault stays away from calls that use nothing of its launch", |context| {
        let (given, mut seen) = faulty_rows(context.device)?;
        let (good, mut fine) =
            (Table::from_rows(context.device, &[GOOD])?, Table::from_rows(context.device, &[BLANK])?);
        let before = context.queue().launch::<faulty::division>((&good, &mut fine))?;
        let fault = context.queue().launch::<faulty::division>((&given, &mut seen))?;
        let mut other = Table::from_rows(context.device, &[GOOD])?;
        equal_slices("a table made behind it", &other.read()?, &[GOOD])?;
        other.write(&[Given { a: 1, ..GOOD }])?;
        let staging = context.device.staging(1)?;
        let loaded = other.a().download(&context.queue(), 0..1, staging)?.wait()?;
        equal_slices("a download", &loaded, &[1])?;
        before.read()?;
        equal("a table of an earlier launch", &fine.read()?[0].after, &1)?;
        let fault = fault_of("the launch itself", fault.read())?;
        check(&fault, "division", 1, FaultKind::DivisionByZero, "division")?;
        is_poisoned("its table", seen.read())?;
        context.queue().wait().map_err(crate::case::Stop::from)
    });
    cases.add("a fault that nobody asked for comes out of the next wait, once", |context| {
        let (given, mut seen) = faulty_rows(context.device)?;
        context.queue().launch::<faulty::division>((&given, &mut seen))?;
        equal_slices("a table that was only read", &given.read()?, &[GOOD, Given { b: 0, ..GOOD }])?;
        let fault = fault_of("waiting", context.queue().wait())?;
        check(&fault, "division", 1, FaultKind::DivisionByZero, "division")?;
        context.queue().wait()?;
        is_poisoned("its table", seen.read())
    });
    cases.add("the result of a faulting launch is poisoned", |context| {
        let table = Table::from_rows(context.device, &[Given { b: 0, ..GOOD }])?;
        let sum = match context.queue().launch::<faulty::reduced>((&table,)) {
            Ok(sum) => sum,
            Err(error) => return crate::case::fail(format!("a launch must return before its fault: {error}")),
        };
        fault_of("waiting for the launch", context.queue().wait())?;
        refused("reading its result", sum.read(), "`Error::Poisoned`", |error| matches!(error, Error::Poisoned { .. }))
    });
    cases.add("a tally of a faulting launch is poisoned, and filling cures it", |context| {
        let given = Table::from_rows(context.device, &[Given { a: 9, ..GOOD }])?;
        let mut seen = Table::<Seen>::zeroed(context.device, 1)?;
        let mut counts = TallyTable::new(context.device, &[0_u32; 3])?;
        let launched = context.queue().launch::<faulty::tally_slot>((&given, &counts, &mut seen));
        fault_of("kernel `tally_slot`", launched.and_then(|_| context.queue().wait()))?;
        refused("reading the tally", counts.read(), "`Error::Poisoned`", |error| {
            matches!(error, Error::Poisoned { .. })
        })?;
        counts.fill(4)?;
        equal("the tally, filled", &counts.read()?, &vec![4; 3])
    });
    cases.add("work before a fault is whole, and tables it alone wrote stay readable", |context| {
        let good = Table::from_rows(context.device, &[GOOD; 300])?;
        let mut before = Table::<Seen>::zeroed(context.device, 300)?;
        context.queue().launch::<faulty::harmless>((&good, &mut before))?;
        context.queue().wait()?;
        let _ = poisoned(context.device)?;
        let expected = Seen { x: 1, wide: 0, signed: 0, after: 1, numbers: [0; 4] };
        equal_slices("a table of earlier work", &before.read()?, &[expected; 300])
    });
    cases.add("a fault inside a program stops it, and names the kernel and row", in_a_program);
}

fn in_a_program(context: &Context<'_>) -> Verdict {
    let start = |values: [u64; 3]| values.map(|n| Counter { n });
    let mut table = Table::from_rows(context.device, &start([0, 2, 1]))?;
    let mut program = Program::record(context.device, |program| {
        program.loop_until(1000, |step| Ok(vec![step.launch::<bump_below_five>((&mut table,))?.equals(0)]))
    })?;
    let fault = fault_of("a program whose fourth step faults", program.run())?;
    equal(
        "the kernel, row and kind",
        &(fault.kernel.as_str(), fault.row, fault.kind),
        &("bump_below_five", 1, FaultKind::Assertion),
    )?;
    refused("reading its table", table.read(), "`Error::Poisoned`", |error| matches!(error, Error::Poisoned { .. }))?;
    refused("running it again", program.run(), "`Error::Poisoned`", |error| matches!(error, Error::Poisoned { .. }))?;
    // After recovery, the same program runs.
    table.write(&start([0, 1, 1]))?;
    let mut short = Program::record(context.device, |program| {
        program.loop_until(3, |step| Ok(vec![step.launch::<bump_below_five>((&mut table,))?.equals(0)]))
    })?;
    equal("a shorter program", &short.run()?, &Outcome { steps: 3, stop: Stop::StepLimit })?;
    equal_slices("its table", &table.read()?, &start([3, 4, 4]))?;
    let fault = fault_of("the first program again", program.run())?;
    equal("its fault's row", &fault.row, &1)
}
