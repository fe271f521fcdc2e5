//! Own rows, whole tables, lanes, row numbers, parameter blocks.

use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::tables::tables::{self, Cell, Choice, Copied, Event, Everything, First, Line, Out};
use crate::kernels::tables::{chosen, doubles};
use crate::operands::Operand;
use crate::run::{SIZES, agree, map_on, untouched};
use imminent_core::{Device, Error, Lanes, Row, Table};
use rand_core::Rng;

fn cells(context: &Context<'_>, rows: usize) -> Vec<Cell> {
    let mut rng = context.random(31);
    (0..rows)
        .map(|_| Cell {
            value: rng.next_u32(),
            wide: u64::random(&mut rng),
            next: ((u64::from(rng.next_u32()) * rows as u64) >> 32) as u32,
            pair: [rng.next_u32() as i32, rng.next_u32() as i32],
        })
        .collect()
}

/// All values fit 32 bits.
fn write_and_choose(context: &Context<'_>) -> Verdict {
    let rows = context.scaled(2_000, 100_000) as u32;
    let mut rng = context.random(77);
    let cells: Vec<_> = (0..rows)
        .map(|_| chosen::Cell {
            from_other: rng.next_u32().is_multiple_of(2),
            written: rng.next_u32() % 4,
            read: rng.next_u32() % 4,
            values: [rng.next_u32() >> 8; 4],
            at_once: 0,
            in_steps: 0,
        })
        .collect();
    let others: Vec<_> = (0..rows).map(|_| chosen::Other { values: [rng.next_u32() >> 8; 4] }).collect();
    let mut table = Table::from_rows(context.device, &cells)?;
    context.queue().launch::<chosen::write_and_choose>((&mut table, &Table::from_rows(context.device, &others)?))?;
    for (row, (found, (cell, other))) in (0..).zip(table.read()?.iter().zip(cells.iter().zip(&others))) {
        let own = |written: u32| if cell.read == cell.written { written } else { cell.values[cell.read as usize] };
        let other = other.values[cell.read as usize];
        let expected = match cell.from_other {
            true => [other, other * 7],
            false => [own(row * 3 + 1), own(row * 5 + 2) * 7],
        };
        equal(&format!("row {row}"), &[found.at_once, found.in_steps], &expected)?;
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("the row number counts from 0, whatever the number of rows", |context| {
        for rows in SIZES {
            let mut table = Table::from_rows(context.device, &vec![untouched::<Out>(); rows])?;
            context.queue().launch::<tables::row_number>((&mut table,))?;
            let expected: Vec<Out> = (0..rows as u64).map(|id| Out { x: id * 3 + 1 }).collect();
            equal_slices(&format!("kernel `tables::row_number` over {rows} rows"), &table.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add("a launch over the first rows leaves the others alone", |context| {
        for rows in [0_usize, 1, 64, 300, 1000] {
            let mut table = Table::from_rows(context.device, &vec![Out { x: 7 }; 1000])?;
            context.queue().launch_rows::<tables::row_number>(rows, (&mut table,))?;
            let expected: Vec<Out> =
                (0..1000).map(|id| Out { x: if id < rows as u64 { id * 3 + 1 } else { 7 } }).collect();
            equal_slices(&format!("the first {rows} of 1000 rows"), &table.read()?, &expected)?;
        }
        Ok(())
    });
    cases.add("`Rows::len` is the number of rows", |context| {
        for rows in SIZES {
            let all = Table::<Cell>::zeroed(context.device, rows)?;
            let mut out = Table::from_rows(context.device, &[untouched::<Out>()])?;
            context.queue().launch::<tables::length>((&all, &mut out))?;
            equal(&format!("length of a table of {rows} rows"), &out.read()?, &vec![Out { x: rows as u64 }])?;
        }
        Ok(())
    });
    cases.add("`Rows::get` reads any row of the table", |context| {
        for rows in SIZES.into_iter().filter(|rows| *rows > 0) {
            let cells = cells(context, rows);
            let run = |device: &Device| {
                let table = Table::from_rows(device, &cells)?;
                let mut out = Table::<Out>::zeroed(device, rows)?;
                device.queue().launch::<tables::chase>((&table, &table, &mut out))?;
                out.read()
            };
            agree(context, "kernel `tables::chase`", run)?;
            let found = run(context.device)?;
            equal_slices("kernel `tables::chase`, against plain Rust", &found, &chased(&cells))?;
        }
        Ok(())
    });
    cases.add("rows and tables are passed on to functions", |context| {
        let cells = cells(context, 1000);
        agree(context, "kernel `tables::passed_on`", |device| {
            let table = Table::from_rows(device, &cells)?;
            let mut out = Table::<Out>::zeroed(device, cells.len())?;
            device.queue().launch::<tables::passed_on>((&table, &table, &mut out))?;
            out.read()
        })
    });
    cases.add("two tables by turns: each step reads what the one before wrote", |context| {
        let start = cells(context, 500);
        agree(context, "ten steps of kernel `tables::swap_roles`", |device| {
            let (mut a, mut b) = (Table::from_rows(device, &start)?, Table::from_rows(device, &start)?);
            for _ in 0..5 {
                device.queue().launch::<tables::swap_roles>((&mut a, &b))?;
                device.queue().launch::<tables::swap_roles>((&mut b, &a))?;
            }
            Ok([a.read()?, b.read()?].concat())
        })
    });
    cases.add("one kernel takes many tables", |context| {
        let start = cells(context, 400);
        agree(context, "kernel `tables::many`", |device| {
            let table = Table::from_rows(device, &start)?;
            let others: Vec<Out> = (0..400).map(|i| Out { x: i * i }).collect();
            let (b, e) = (Table::from_rows(device, &others)?, Table::from_rows(device, &others)?);
            let mut c = Table::<Out>::zeroed(device, 400)?;
            device.queue().launch::<tables::many>((&table, &b, &mut c, &table, &e))?;
            c.read()
        })
    });
    lanes(cases);
    parameters(cases);
}

/// Computes the result of the kernel `chase`.
fn chased(cells: &[Cell]) -> Vec<Out> {
    let follow = |cell: &Cell| {
        let path = std::iter::successors(Some(cell.next), |at| Some(cells[*at as usize].next)).take(5);
        path.zip([0, 1].into_iter().cycle()).fold(cell.wide, |sum, (at, side)| {
            let cell = &cells[at as usize];
            let sum = sum.wrapping_mul(3).wrapping_add(cell.wide).wrapping_add(u64::from(cell.value));
            sum ^ cell.pair[side] as u64
        })
    };
    cells.iter().map(|cell| Out { x: follow(cell) }).collect()
}

fn lanes(cases: &mut Cases) {
    cases.add("lanes are set and read one by one", |context| {
        for (rows, capacity) in [(1, 1), (65, 3), (300, 8), (1000, 5)] {
            let mut table = Table::<Line>::with_capacity(context.device, rows, capacity)?;
            for _ in 0..capacity + 2 {
                context.queue().launch::<tables::push>((&mut table,))?;
            }
            let expected: Vec<Line> = (0..rows as u32).map(|id| full_line(id, capacity)).collect();
            equal_slices(
                &format!("{capacity} lanes of {rows} rows after kernel `tables::push`"),
                &table.read()?,
                &expected,
            )?;
        }
        Ok(())
    });
    cases.add("lanes are passed on to functions", |context| {
        let cells = cells(context, 200);
        agree(context, "kernel `tables::lanes_passed_on`", |device| {
            let mut table = filled_lines(device, 200, 6)?;
            let others = Table::from_rows(device, &cells)?;
            device.queue().launch::<tables::lanes_passed_on>((&mut table, &others))?;
            table.read()
        })
    });
    cases.add("the lanes of other rows are read", |context| {
        agree(context, "kernel `tables::lanes_of_others`", |device| {
            let table = filled_lines(device, 300, 4)?;
            let mut out = Table::<Out>::zeroed(device, 300)?;
            device.queue().launch::<tables::lanes_of_others>((&table, &mut out))?;
            out.read()
        })
    });
}

fn filled_lines(device: &Device, rows: usize, capacity: u32) -> Result<Table<Line>, Error> {
    let lines: Vec<Line> = (0..rows as u32)
        .map(|id| Line {
            used: id % (capacity + 1),
            times: (0..capacity).map(|lane| u64::from(id) << (lane * 9)).collect::<Vec<_>>().into(),
            events: (0..capacity)
                .map(|lane| Event { time: u64::from(lane), kind: id ^ lane })
                .collect::<Vec<_>>()
                .into(),
            total: 0,
        })
        .collect();
    Table::from_rows(device, &lines)
}

/// Returns a line after enough launches of `push` to fill it.
pub(super) fn full_line(id: u32, capacity: u32) -> Line {
    let time = u64::from(id) * 1_000_000_007;
    let lanes = u64::from(capacity);
    Line {
        used: capacity,
        times: Lanes::from(vec![time; capacity as usize]),
        events: (0..lanes).map(|lane| Event { time: lane, kind: id }).collect::<Vec<_>>().into(),
        total: lanes * (time + u64::from(id)) + 3 * lanes * lanes.saturating_sub(1) / 2,
    }
}

fn everything() -> Everything {
    Everything {
        flag: true,
        unsigned: u32::MAX,
        signed: i32::MIN,
        wide: 0x0123_4567_89ab_cdef,
        wide_signed: -2,
        single: -0.15625,
        numbers: [1, 2, 3],
        event: Event { time: u64::MAX - 1, kind: 4 },
        choice: Choice::Yes,
    }
}

fn parameters(cases: &mut Cases) {
    cases.add("a parameter block holds every type", |context| {
        let block = everything();
        let mut table = Table::from_rows(context.device, &vec![untouched::<Copied>(); 300])?;
        context.queue().launch::<tables::parameters>((&mut table, &block))?;
        let expected: Vec<Copied> = (0..300_u32)
            .map(|id| Copied {
                flag: true,
                unsigned: id.wrapping_sub(1),
                signed: i32::MIN,
                wide: block.wide,
                wide_signed: -2,
                single: -0.15625,
                sum: 1 + 20 + 300 + 4000 + id % 3 + 1,
                time: u64::MAX - 1,
                choice: 5,
            })
            .collect();
        equal_slices("kernel `tables::parameters`", &table.read()?, &expected)
    });
    cases.add("each launch has the parameters it was given", |context| {
        let mut tables = Vec::new();
        for add in 0..20_u64 {
            let mut table = Table::<Out>::zeroed(context.device, 10)?;
            let block = Everything { wide: add << 40, ..everything() };
            context.queue().launch::<tables::two_parameter_blocks>((&mut table, &First { add }, &block))?;
            tables.push(table);
        }
        for (add, table) in (0..).zip(&tables) {
            equal_slices(&format!("launch {add}"), &table.read()?, &[Out { x: add + (add << 40) }; 10])?;
        }
        Ok(())
    });
    cases.add("f64 in tables and parameter blocks", double_scale);
    cases.add("values that were just written, or values of another table, by a condition", write_and_choose);
    cases.add("two kernels of one module do not disturb each other", |context| {
        let cells = cells(context, 100);
        let first = map_length(context, &cells)?;
        let mut rows = Table::<Out>::zeroed(context.device, 100)?;
        context.queue().launch::<tables::row_number>((&mut rows,))?;
        equal_slices("kernel `tables::length` before and after another", &map_length(context, &cells)?, &first)
    });
}

fn map_length(context: &Context<'_>, cells: &[Cell]) -> Result<Vec<Out>, Error> {
    map_on::<tables::length, Cell, Out>(context.device, cells)
}

fn double_scale(context: &Context<'_>) -> Verdict {
    context.needs_float64()?;
    let rows: Vec<doubles::Double> = (0..300).map(|n| doubles::Double { x: f64::from(n) * 0.1, n }).collect();
    let mut table = Table::from_rows(context.device, &rows)?;
    context.queue().launch::<doubles::scale>((&mut table, &doubles::Scale { by: 4.0 }))?;
    // A power of two: exact for any rounding.
    let expected: Vec<doubles::Double> = rows.iter().map(|row| doubles::Double { x: row.x * 4.0, n: row.n }).collect();
    equal_slices("kernel `doubles::scale`", &table.read()?, &expected)?;
    equal("words of the row", &doubles::Double::layout().fixed_words, &3)
}
