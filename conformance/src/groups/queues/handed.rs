//! Programs that are enqueued as a whole, without waiting.

use crate::case::{Cases, Verdict, equal, equal_slices, refused};
use crate::context::Context;
use crate::kernels::programs::steps::{self, Counter, CounterColumns as _, Raise};
use imminent_core::{Error, Program, Scalar, Table};

const ROWS: usize = 3000;

fn counters(context: &Context<'_>) -> Result<Table<Counter>, Error> {
    Table::from_rows(context.device, &vec![Counter { n: 0 }; ROWS])
}

fn all_are(table: &Table<Counter>, n: u64) -> Verdict {
    equal_slices("the counters", &table.read()?, &vec![Counter { n }; ROWS])
}

/// Returns two tables, each of which becomes the result of [`steps::spread`] on the other, and their sum.
fn spreading(
    context: &Context<'_>,
    [a, b]: [&mut Table<Counter>; 2],
    by: u64,
) -> Result<(Program, Scalar<u64>), Error> {
    let mut sum = None;
    let program = Program::record(context.device, |program| {
        program.launch::<steps::raise>((&mut *a, &Raise { by }))?;
        program.launch::<steps::spread>((&mut *b, &*a))?;
        sum = Some(program.launch::<steps::total>((&*b,))?);
        program.copy(b, a)?;
        program.clear(b);
        Ok(())
    })?;
    let sum = sum.ok_or_else(|| Error::invalid("program", "nothing was recorded"))?;
    Ok((program, sum))
}

/// Computes the result in plain Rust.
fn spread(rows: &mut Vec<u64>, by: u64) -> u64 {
    rows.iter_mut().for_each(|n| *n = n.wrapping_add(by));
    let left = |id: usize| rows[(id + ROWS - 1) % ROWS];
    *rows = (0..ROWS).map(|id| rows[id].wrapping_mul(3).wrapping_add(left(id)).wrapping_add(1)).collect();
    rows.iter().fold(0, |sum: u64, n| sum.wrapping_add(*n))
}

fn is_fault(what: &str, result: Result<impl Sized, Error>) -> Verdict {
    refused(what, result, "a fault of `bump_below_five`", |error| {
        error.fault().is_some_and(|fault| fault.kernel == "bump_below_five" && fault.row == 0)
    })
}

fn is_poisoned(what: &str, result: Result<impl Sized, Error>) -> Verdict {
    refused(what, result, "`Error::Poisoned`", |error| matches!(error, Error::Poisoned { .. }))
}

fn counting(context: &Context<'_>, table: &mut Table<Counter>) -> Result<Program, Error> {
    Program::record(context.device, |program| program.launch::<steps::bump_below_five>((table,)).map(drop))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("a program that is handed over leaves what its launches leave, however often", |context| {
        let queue = context.device.new_queue()?;
        let (mut a, mut b) = (counters(context)?, counters(context)?);
        let (mut program, sum) = spreading(context, [&mut a, &mut b], 5)?;
        let mut expected = vec![0; ROWS];
        for times in [1, 1, 30] {
            let mut expected_sum = 0;
            for _ in 0..times {
                program.hand_over(&queue)?;
                expected_sum = spread(&mut expected, 5);
            }
            equal("the sum", &sum.read()?, &expected_sum)?;
        }
        program.set_params::<steps::raise, Raise>(&Raise { by: 7 })?;
        program.hand_over(&queue)?;
        spread(&mut expected, 7);
        // The same program may also be run, on another queue.
        program.run()?;
        equal("the sum after a run", &sum.read()?, &spread(&mut expected, 7))?;
        program.hand_over(&queue)?;
        spread(&mut expected, 7);
        let found: Vec<u64> = a.read()?.iter().map(|row| row.n).collect();
        equal_slices("the rows", &found, &expected)?;
        all_are(&b, 0)
    });
    cases.add("a download behind a handed-over program has what that one left, and nothing later", |context| {
        let queue = context.queue();
        let mut table = counters(context)?;
        let mut program =
            Program::record(context.device, |program| program.launch::<steps::bump>((&mut table,)).map(drop))?;
        let mut downloads = Vec::new();
        for _ in 0..10 {
            program.hand_over(&queue)?;
            downloads.push(table.n().download(&queue, 0..ROWS, context.device.staging(ROWS)?)?);
        }
        for (number, download) in (1..).zip(downloads) {
            equal_slices(&format!("download {number}"), &download.wait()?, &vec![number; ROWS])?;
        }
        // Writes of the host happen in between.
        table.write(&vec![Counter { n: 100 }; ROWS])?;
        program.hand_over(&queue)?;
        all_are(&table, 101)
    });
    cases.add("tables that change places do so in a program that is handed over", |context| {
        let queue = context.queue();
        let (mut a, mut b) = (counters(context)?, counters(context)?);
        let mut program = Program::record(context.device, |program| {
            program.launch::<steps::raise>((&mut a, &Raise { by: 1 }))?;
            program.swap(&mut a, &mut b)
        })?;
        for _ in 0..5 {
            program.hand_over(&queue)?;
        }
        all_are(&a, 2)?;
        all_are(&b, 3)
    });
    cases.add("a fault of a handed-over program is told by the next wait, and poisons what it wrote", |context| {
        let queue = context.queue();
        let mut table = counters(context)?;
        let mut program = counting(context, &mut table)?;
        for _ in 0..7 {
            // A backend that waits knows of the fault before the last one.
            if let Err(error) = program.hand_over(&queue) {
                is_poisoned("handing it over behind the fault", Err::<(), _>(error))?;
            }
        }
        is_fault("waiting for the queue", queue.wait())?;
        queue.wait()?;
        is_poisoned("reading the table", table.read())?;
        is_poisoned("handing it over again", program.hand_over(&queue))?;
        table.write(&vec![Counter { n: 3 }; ROWS])?;
        program.hand_over(&queue)?;
        program.hand_over(&queue)?;
        all_are(&table, 5)?;
        program.hand_over(&queue)?;
        is_fault("reading the table", table.read())
    });
    cases.add("a fault of a handed-over program is told by the download behind it", |context| {
        let queue = context.queue();
        let mut table = counters(context)?;
        let mut program = counting(context, &mut table)?;
        let mut behind = || {
            program.hand_over(&queue)?;
            table.n().download(&queue, 0..ROWS, context.device.staging(ROWS)?)
        };
        let before = (0..5).map(|_| behind()).collect::<Result<Vec<_>, Error>>()?;
        for (number, download) in (1..).zip(before) {
            equal_slices(&format!("download {number}"), &download.wait()?, &vec![number; ROWS])?;
        }
        match behind() {
            Ok(download) => is_fault("the download behind the fault", download.wait())?,
            // From a backend that waits, whose fault is still to be told.
            Err(error) => {
                is_poisoned("the download behind the fault", Err::<(), _>(error))?;
                return is_fault("reading the table", table.read());
            }
        }
        is_poisoned("reading the table", table.read())
    });
    cases.add("a program with a loop is started, not handed over", |context| {
        let mut table = counters(context)?;
        let mut program = Program::record(context.device, |program| {
            program.repeat(3, |step| step.launch::<steps::bump>((&mut table,)).map(drop))
        })?;
        let invalid = |error: &Error| matches!(error, Error::Invalid { .. });
        refused("handing it over", program.hand_over(&context.queue()), "`Error::Invalid`", invalid)?;
        program.run()?;
        all_are(&table, 3)
    });
}
