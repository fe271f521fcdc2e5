//! First and last step that may be read, and the faults beyond them.

use crate::case::{Cases, Stop, Verdict, ensure, equal, error_of, fail};
use crate::context::Context;
use crate::kernels::histories::limits::{Ask, get, look, own, set, tell};
use crate::kernels::histories::{FILE, SOURCE};
use imminent_core::fault::FaultKind;
use imminent_core::{ClockTable, Device, Error, Fault, HistoryTable, Kernel, Queue, Reach, Table};

const ROWS: u32 = 200;
const ROW: u32 = 77;

/// A request of one row for a step; the others request a valid one.
struct Asked {
    row: u32,
    step: u32,
}

/// Returns the value that a row reads, or the fault; and the row's own history at the step afterwards.
fn ask<K>(
    device: &Device,
    (reach, first): (Reach, u32),
    asked: &Asked,
    launch: impl Fn(&Queue, &mut Table<Ask>, &mut HistoryTable<u32>, &ClockTable) -> Result<(), Error>,
) -> Result<Result<u32, Fault>, Stop>
where
    K: Kernel,
{
    let safe = if K::SOURCE.name == "get" { first - 1 } else { first };
    let rows: Vec<Ask> = (0..ROWS)
        .map(|row| match row == ROW {
            true => Ask { row: asked.row, step: asked.step, seen: 5 },
            false => Ask { row: 0, step: safe, seen: 5 },
        })
        .collect();
    let mut table = Table::from_rows(device, &rows)?;
    let mut series = HistoryTable::new(device, ROWS as usize, reach)?;
    let clock = ClockTable::new(device, first)?;
    let oldest = first.saturating_sub(reach.past);
    for step in oldest..first.saturating_add(reach.ahead) {
        series.write(&clock, step, &[(0..ROWS).map(|row| step.wrapping_mul(1000) + row).collect()])?;
    }
    let queue = device.queue();
    let launched = launch(&queue, &mut table, &mut series, &clock).and_then(|()| queue.wait());
    match launched {
        Ok(()) if K::SOURCE.name == "set" => Ok(Ok(series.read(&clock, asked.step..asked.step + 1)?[0][ROW as usize])),
        Ok(()) => Ok(Ok(table.read()?[ROW as usize].seen)),
        Err(Error::Fault(fault)) => Ok(Err(fault)),
        Err(other) => fail(format!("kernel `{}`: {other}", K::SOURCE.name)),
    }
}

fn check(found: Result<u32, Fault>, expected: Result<u32, FaultKind>, kernel: &str, what: &str) -> Verdict {
    match (found, expected) {
        (Ok(found), Ok(expected)) => equal(what, &found, &expected),
        (Err(fault), Err(kind)) => {
            let marker = format!("// marker: {kernel}");
            let line = (1..).zip(SOURCE.lines()).find(|(_, line)| line.ends_with(&marker)).map_or(0, |(line, _)| line);
            let found = (fault.row, fault.kind, fault.file.as_str(), fault.line);
            ensure(found == (ROW, kind, FILE, line), || {
                format!("{what}: expected a fault in row {ROW}: {kind}, at {FILE}:{line}; found: {fault}")
            })
        }
        (found, expected) => fail(format!("{what}: expected {expected:?}, found {found:?}")),
    }
}

macro_rules! asks {
    ($context:expr, $kernel:ident, $at:expr, $row:expr, $step:expr, $expected:expr) => {{
        let what = format!("`{}` of row {} at step {} from {:?}", stringify!($kernel), $row, $step, $at);
        let asked = Asked { row: $row, step: $step };
        let on = |device| {
            ask::<$kernel>(device, $at, &asked, |queue, table, series, clock| {
                queue.launch::<$kernel>((table, series, clock)).map(drop)
            })
        };
        let found = on($context.device)?;
        if found.is_err() {
            let reference = on($context.reference)?.map_err(|fault| $context.reported(fault));
            equal("the fault on the device, beside that on the CPU", &found, &reference)?;
        }
        check(found, $expected, stringify!($kernel), &what)?;
    }};
}

/// Returns the initial contents of the history.
fn entry(row: u32, step: u32) -> Result<u32, FaultKind> {
    Ok(step.wrapping_mul(1000) + row)
}

fn at(context: &Context<'_>, reach: Reach, first: u32) -> Verdict {
    let at = (reach, first);
    let (oldest, end) = (first - reach.past, first + reach.ahead);
    let other = (ROW + 1) % ROWS;
    for (row, step) in [(other, oldest), (ROW, oldest), (other, first - 1)] {
        asks!(context, get, at, row, step, entry(row, step));
        asks!(context, look, at, row, step, entry(row, step));
    }
    // For any row, also the own one: `get` reads the past of a history that the launch writes.
    for row in [other, ROW] {
        asks!(context, get, at, row, first, Err(FaultKind::HistoryTooYoung));
        asks!(context, get, at, row, end - 1, Err(FaultKind::HistoryTooYoung));
        asks!(context, get, at, row, u32::MAX, Err(FaultKind::HistoryTooYoung));
        asks!(context, look, at, row, first, entry(row, first));
        asks!(context, look, at, row, end - 1, entry(row, end - 1));
        asks!(context, look, at, row, end, Err(FaultKind::HistoryTooYoung));
    }
    for step in [oldest, first - 1, first, end - 1] {
        asks!(context, own, at, 0, step, entry(ROW, step));
    }
    asks!(context, own, at, 0, end, Err(FaultKind::HistoryTooYoung));
    asks!(context, own, at, 0, u32::MAX, Err(FaultKind::HistoryTooYoung));
    if oldest > 0 {
        for row in [other, ROW] {
            asks!(context, get, at, row, oldest - 1, Err(FaultKind::HistoryTooOld));
            asks!(context, look, at, row, oldest - 1, Err(FaultKind::HistoryTooOld));
            asks!(context, get, at, row, 0, Err(FaultKind::HistoryTooOld));
        }
        asks!(context, own, at, 0, oldest - 1, Err(FaultKind::HistoryTooOld));
    }
    for step in [first, end - 1] {
        asks!(context, set, at, 0, step, Ok(1_000_005));
    }
    asks!(context, set, at, 0, first - 1, Err(FaultKind::HistoryTooEarly));
    asks!(context, set, at, 0, 0, Err(FaultKind::HistoryTooEarly));
    asks!(context, set, at, 0, end, Err(FaultKind::HistoryTooFar));
    asks!(context, set, at, 0, u32::MAX, Err(FaultKind::HistoryTooFar));
    for row in [ROWS, u32::MAX] {
        asks!(context, get, at, row, first - 1, Err(FaultKind::RowOutOfRange));
        asks!(context, look, at, row, first, Err(FaultKind::RowOutOfRange));
        asks!(context, get, at, row, end, Err(FaultKind::RowOutOfRange));
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("the first and last steps that can be read and written, and the faults beyond", |context| {
        at(context, Reach { past: 7, ahead: 4 }, 7)?;
        at(context, Reach { past: 7, ahead: 4 }, 1_000_003)?;
        at(context, Reach { past: 12, ahead: 4 }, u32::MAX - 5)
    });
    cases.add("before a history is as old as it reaches, it begins with step 0", |context| {
        let early = (Reach { past: 40, ahead: 3 }, 2);
        asks!(context, get, early, 3, 0, entry(3, 0));
        asks!(context, get, early, 3, 2, Err(FaultKind::HistoryTooYoung));
        asks!(context, own, early, 0, 4, entry(ROW, 4));
        // A step before 0 wraps around and is therefore far ahead.
        asks!(context, get, early, 3, 0_u32.wrapping_sub(1), Err(FaultKind::HistoryTooYoung));
        Ok(())
    });
    cases.add("without a past nothing older can be read, and the last step is the last that there is", |context| {
        let none = (Reach { past: 0, ahead: 3 }, 9);
        asks!(context, own, none, 0, 8, Err(FaultKind::HistoryTooOld));
        asks!(context, look, none, 3, 8, Err(FaultKind::HistoryTooOld));
        asks!(context, look, none, 3, 11, entry(3, 11));
        asks!(context, set, none, 0, 11, Ok(1_000_005));
        let end = (Reach { past: 3, ahead: 9 }, u32::MAX - 2);
        asks!(context, own, end, 0, u32::MAX - 1, entry(ROW, u32::MAX - 1));
        Ok(())
    });
    cases.add("a clock at the end of its steps stops there, with a fault", |context| {
        let mut clock = ClockTable::new(context.device, u32::MAX - 3)?;
        let mut table = Table::from_rows(context.device, &[Ask { row: 0, step: 0, seen: 0 }])?;
        context.queue().advance(&mut clock, 3)?;
        context.queue().launch::<tell>((&mut table, &clock))?;
        equal("the clock, as a kernel sees it", &table.read()?[0].seen, &u32::MAX)?;
        let advanced = context.queue().advance(&mut clock, 1).and_then(|()| context.queue().wait());
        let error = error_of("advancing a clock past its end", advanced)?;
        ensure(matches!(&error, Error::Fault(fault) if fault.kind == FaultKind::Assertion), || {
            format!("expected a fault, found {error}")
        })?;
        clock.set(4)?;
        equal("the clock, put back", &clock.first()?, &4)
    });
}
