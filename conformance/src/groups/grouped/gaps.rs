//! Launches over lists with gaps, against plain Rust.

use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::groups::subsets::subsets::{self, Cell, CellColumns, Mark};
use imminent_core::{GAP, Program, Selection, Table, TallyTable};
use rand_core::Rng;

const COUNTS: [u32; 4] = [1, 40, 300, 20_011];

fn cell(value: u32) -> Cell {
    Cell { value, wide: 0, share: 0.0, turns: 0, next: 0 }
}

/// Returns every third row from the last to the first, with `gaps` gaps before each and behind the last.
fn spread(count: u32, gaps: usize) -> Vec<u32> {
    let rows = (0..count).rev().filter(|row| row % 3 == 1);
    let before = |row| std::iter::repeat_n(GAP, gaps).chain([row]);
    rows.flat_map(before).chain(std::iter::repeat_n(GAP, 5)).collect()
}

fn visited(context: &Context<'_>) -> Verdict {
    for (count, gaps) in COUNTS.into_iter().flat_map(|count| [0, 1, 31].map(|gaps| (count, gaps))) {
        let places = spread(count, gaps);
        let selection = Selection::from_places(context.device, count as usize, &places)?;
        let rows: Vec<Cell> = (0..count).map(|row| cell(row % 1_000 + 1)).collect();
        let marks: Vec<Mark> = (0..count).map(|row| Mark { of: row % 11 }).collect();
        let mut table = Table::from_rows(context.device, &rows)?;
        let marks = Table::from_rows(context.device, &marks)?;
        let counts = TallyTable::new(context.device, &[0_u32; 2])?;
        let args = (&mut table, &marks, &marks, &counts);
        let sum = context.queue().launch_over::<subsets::visit>(&selection, args)?.read()?;
        let listed = || (0..count).filter(|row| row % 3 == 1);
        let mut expected = rows.clone();
        for row in listed() {
            let cell = &mut expected[row as usize];
            (cell.turns, cell.next) = (1, row * 2 + row % 11 * 2);
        }
        let what = format!("a third of {count} rows, {gaps} gaps before each");
        equal_slices(&what, &table.read()?, &expected)?;
        equal(&format!("the sum over {what}"), &sum, &listed().map(|row| row % 1_000 + 1).sum())?;
        let of_ids = listed().fold(0_u32, u32::wrapping_add);
        equal_slices(&format!("the tally of {what}"), &counts.read()?, &[listed().count() as u32, of_ids])?;
        let least = context.queue().launch_over::<subsets::argmin>(&selection, (&table,))?.read()?;
        let first = listed().min_by_key(|row| row % 1_000).unwrap_or(u32::MAX);
        equal(&format!("the row of the least value of {what}"), &least.row, &first)?;
    }
    Ok(())
}

/// Returns the expected list of `group_by`; rows of the last kind are in the order of their numbers.
fn by_kind(kinds: &[u32], of: u32, width: usize) -> Vec<u32> {
    let mut places = Vec::new();
    for kind in 0..of {
        let kind_of = |row: &u32| kinds[*row as usize];
        let mut rows: Vec<u32> = (0..kinds.len() as u32).filter(|row| kind_of(row).min(of - 1) == kind).collect();
        rows.sort_by_key(kind_of);
        places.extend(rows);
        places.resize(places.len().next_multiple_of(width), GAP);
    }
    places
}

fn grouped(context: &Context<'_>) -> Verdict {
    for count in [0, 1, 40, 300, 5_000] {
        let mut rng = context.random(907 + count);
        let kinds: Vec<u32> = (0..count).map(|_| rng.next_u32() % 6).collect();
        let table = Table::from_rows(context.device, &kinds.iter().map(|kind| cell(*kind)).collect::<Vec<_>>())?;
        for (of, width) in [(1, 1), (4, 1), (6, 32), (9, 8)] {
            let mut selection = Selection::by_kind(context.device, count as usize, of, width)?;
            context.queue().group_by(table.value(), of, width, &mut selection)?;
            let what = format!("{count} rows of {of} kinds, {width} abreast");
            equal_slices(&what, &selection.read()?, &by_kind(&kinds, of, width as usize))?;
        }
    }
    Ok(())
}

/// Rows change their kind in every step and are listed again by it: all in one program.
fn in_a_program(context: &Context<'_>) -> Verdict {
    let count = context.scaled(1_000, 20_000);
    let rows: Vec<Cell> = (0..count as u32).map(|row| cell(row % 7 + 5)).collect();
    let mut table = Table::from_rows(context.device, &rows)?;
    let mut selection = Selection::by_kind(context.device, count, 4, 32)?;
    let mut program = Program::record(context.device, |program| {
        program.repeat(5, |step| {
            step.group_by(table.value(), 4, 32, &mut selection)?;
            step.launch_over::<subsets::step>(&selection, (&mut table,)).map(drop)
        })
    })?;
    program.run()?;
    let expected: Vec<u32> = rows.iter().map(|cell| cell.value - 5).collect();
    let found: Vec<u32> = table.read()?.iter().map(|cell| cell.value).collect();
    equal_slices("what is left", &found, &expected)?;
    let before: Vec<u32> = rows.iter().map(|cell| cell.value - 4).collect();
    equal_slices("the last list", &selection.read()?, &by_kind(&before, 4, 32))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("a list with gaps runs its rows and nothing else", visited);
    cases.add("rows are listed by their kind, each kind from a multiple of the width on", grouped);
    cases.add("rows are listed by kind and run in one program", in_a_program);
}
