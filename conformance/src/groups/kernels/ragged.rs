//! Kernels over ragged tables, whose rows have their own numbers of lanes.

use super::tables::full_line;
use crate::case::{Cases, Verdict, equal, equal_slices, fail};
use crate::context::Context;
use crate::kernels::faults::faulty::{self, Given};
use crate::kernels::programs::steps::{self, push};
use crate::kernels::tables::tables::{self, Cell, Event, Line, Out};
use crate::run::agree;
use imminent_core::fault::FaultKind;
use imminent_core::{Device, Error, Lanes, Program, Row, Selection, Stop, Table, TallyTable};

/// Returns the number of lanes of a row: none for some, many for one.
fn room(id: u32) -> u32 {
    if id == 100 { 700 } else { id * id % 7 }
}

fn lines(rows: u32) -> Vec<Line> {
    (0..rows)
        .map(|id| Line {
            used: room(id) - room(id) / 3,
            times: (0..room(id)).map(|lane| u64::from(id) << (lane % 9)).collect::<Vec<_>>().into(),
            events: (0..room(id))
                .map(|lane| Event { time: u64::from(lane), kind: id ^ lane })
                .collect::<Vec<_>>()
                .into(),
            total: 0,
        })
        .collect()
}

fn capacities(rows: u32) -> Vec<u32> {
    (0..rows).map(room).collect()
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("each row has as many lanes as it has room for", |context| {
        for rows in [1_u32, 65, 300, 1000] {
            let mut table = Table::<Line>::ragged(context.device, &capacities(rows))?;
            for _ in 0..9 {
                context.queue().launch::<tables::push>((&mut table,))?;
            }
            let expected: Vec<Line> = (0..rows).map(|id| filled(id, room(id), 9)).collect();
            equal_slices(&format!("{rows} rows after nine times `tables::push`"), &table.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add("one kernel runs over even and ragged tables by turns", |context| {
        let mut even = Table::<Line>::with_capacity(context.device, 300, 4)?;
        let mut ragged = Table::<Line>::ragged(context.device, &capacities(300))?;
        for _ in 0..6 {
            context.queue().launch::<tables::push>((&mut even,))?;
            context.queue().launch::<tables::push>((&mut ragged,))?;
        }
        let expected: Vec<Line> = (0..300).map(|id| full_line(id, 4)).collect();
        equal_slices("the even table", &even.read()?, &expected)?;
        let expected: Vec<Line> = (0..300).map(|id| filled(id, room(id), 6)).collect();
        equal_slices("the ragged table", &ragged.read()?, &expected)
    });
    cases.add("lanes of ragged rows are passed on to functions", |context| {
        let cells: Vec<Cell> =
            (0..300).map(|id| Cell { wide: 1 << (id % 50), ..<Cell as imminent_core::Data>::zeroed() }).collect();
        agree(context, "kernel `tables::lanes_passed_on`", |device| {
            let mut table = Table::from_ragged_rows(device, &lines(300))?;
            let others = Table::from_rows(device, &cells)?;
            device.queue().launch::<tables::lanes_passed_on>((&mut table, &others))?;
            table.read()
        })
    });
    cases.add("the lanes of other ragged rows are read", |context| {
        let run = |device: &Device| {
            let table = Table::from_ragged_rows(device, &lines(300))?;
            let mut out = Table::<Out>::zeroed(device, 300)?;
            device.queue().launch::<tables::lanes_of_others>((&table, &mut out))?;
            out.read()
        };
        agree(context, "kernel `tables::lanes_of_others`", run)?;
        let lines = lines(300);
        let expected: Vec<Out> = (0..300)
            .map(|id| {
                let other = &lines[(id + 1) % 300];
                let used = other.times.as_slice().iter().zip(other.events.as_slice()).take(other.used as usize);
                let start = u64::from(other.times.capacity());
                Out { x: used.fold(start, |x, (t, e)| (x.wrapping_mul(5)).wrapping_add(t + u64::from(e.kind))) }
            })
            .collect();
        equal_slices("kernel `tables::lanes_of_others`, against plain Rust", &run(context.device)?, &expected)
    });
    cases.add("a launch over a subset of ragged rows leaves the others alone", |context| {
        let chosen: Vec<u32> = (0..300).filter(|id| id % 3 == 1).collect();
        let mut table = Table::<Line>::ragged(context.device, &capacities(300))?;
        let selection = Selection::from_rows(context.device, 300, &chosen)?;
        for _ in 0..3 {
            context.queue().launch_over::<tables::push>(&selection, (&mut table,))?;
        }
        let expected: Vec<Line> =
            (0..300).map(|id| if id % 3 == 1 { filled(id, room(id), 3) } else { Line::zeroed(room(id)) }).collect();
        equal_slices("the table", &table.read()?, &expected)
    });
    cases.add("a lane past a row's own room raises a fault", faults);
    cases.add("a program ends before a row overflows, that row grows, and the program goes on", growth);
}

/// Returns a line with room for `capacity` after `times` launches of `push`.
fn filled(id: u32, capacity: u32, times: u32) -> Line {
    let mut line = full_line(id, capacity.min(times));
    line.set_capacity(capacity);
    line
}

/// The row that faults has less room than its neighbours, whose lanes are adjacent to its own.
fn faults(context: &Context<'_>) -> Verdict {
    const BAD_ROW: usize = 70;
    let rows: Vec<faulty::Line> = (0..300)
        .map(|id| {
            let items = vec![7; if id == BAD_ROW { 3 } else { 5 }];
            faulty::Line { items: Lanes::from(items), seen: 9, after: 0 }
        })
        .collect();
    let given: Vec<Given> = vec![Given { a: 3, b: 1, c: 1, d: 1 }; 300];
    let given = Table::from_rows(context.device, &given)?;
    let expect = |what: &str, launched: Result<(), Error>| match launched {
        Err(Error::Fault(fault)) => equal(what, &(fault.row, fault.kind), &(BAD_ROW as u32, FaultKind::LaneOutOfRange)),
        other => fail(format!("{what}: expected a fault, found {other:?}")),
    };
    let mut table = Table::from_ragged_rows(context.device, &rows)?;
    let launched = context.queue().launch::<faulty::lane_read>((&mut table, &given));
    expect("the fault of a read", launched.and_then(|_| context.queue().wait()))?;
    let mut table = Table::from_ragged_rows(context.device, &rows)?;
    let launched = context.queue().launch::<faulty::lane_write>((&mut table, &given));
    expect("the fault of a write", launched.and_then(|_| context.queue().wait()))?;
    // After the row has grown there is a lane, and it is zero.
    let mut table = Table::from_ragged_rows(context.device, &rows)?;
    table.grow_rows(&vec![5; 300])?;
    context.queue().launch::<faulty::lane_read>((&mut table, &given))?;
    context.queue().wait()?;
    let found: Vec<u64> = table.read()?.iter().map(|row| row.seen).collect();
    let expected: Vec<u64> = (0..300).map(|id| if id == BAD_ROW { 0 } else { 7 }).collect();
    equal_slices("what rows see in lane 3 once all have it", &found, &expected)
}

fn growth(context: &Context<'_>) -> Verdict {
    let rows = 130_u32;
    let mut lines = Table::<steps::Line>::ragged(context.device, &(0..rows).map(|id| id % 5 + 1).collect::<Vec<_>>())?;
    let fullest = TallyTable::new(context.device, &[0_u32])?;
    let mut pushed = 0;
    // Bounded, since a backend whose loops do not run must not block the suite.
    for _ in 0..40 {
        let least = lines.capacities().into_iter().min().unwrap_or(0);
        let mut program = Program::record(context.device, |program| {
            program.loop_until(u64::from(23 - pushed), |step| {
                step.launch::<push>((&mut lines, &fullest))?;
                Ok(vec![fullest.at_least(0, least)])
            })
        })?;
        let outcome = program.run()?;
        pushed += outcome.steps as u32;
        if outcome.stop != Stop::Condition(0) || pushed == 23 {
            break;
        }
        // Only the rows that the next two steps would fill.
        let wanted: Vec<u32> =
            lines.capacities().iter().map(|room| if *room <= pushed + 1 { pushed + 3 } else { 0 }).collect();
        lines.grow_rows(&wanted)?;
        // A program that was recorded before the growth continues with the grown table.
        pushed += program.run()?.steps as u32;
        if pushed == 23 {
            break;
        }
    }
    equal("items in each line", &pushed, &23)?;
    let expected: Vec<steps::Line> = lines
        .capacities()
        .iter()
        .zip(0..)
        .map(|(capacity, id)| {
            let mut items = Lanes::zeroed(*capacity);
            (0..pushed).for_each(|lane| items.set(lane, u64::from(lane) * 1000 + id));
            steps::Line { used: pushed, items }
        })
        .collect();
    equal_slices("the lines", &lines.read()?, &expected)
}
