//! Runs a grouped kernel both ways and compares everything that can be seen.

use crate::harness::{CAPACITY, cell, check_row, par, post};
use crate::shared::cells::{Cell, Par, Post};
use crate::support::rows;
use imminent_core::data::{Row, Tally};
use imminent_core::fault::catch;
use imminent_core::ir::interpret::{Bound, Group, Machine, Table, zero};
use imminent_core::ir::{ParamKind, Shape, SiteId, Type, Value, flatten};
use imminent_core::kernel::ModuleSource;
use imminent_core::native::{Call, NativeTable, Slot};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeMap;

/// What a launch is given: cells and posts of a grid that is so many columns wide, one post for each group, past posts,
/// parameters.
#[derive(Clone, Debug)]
struct Given {
    width: u32,
    cells: Vec<Cell>,
    posts: Vec<Post>,
    totals: Vec<Post>,
    past: Vec<Post>,
    par: Par,
}

fn given(shape: Shape) -> impl Strategy<Value = Given> {
    let (width, height) = match shape {
        Shape::Tile(..) => (1_u32..6, 1_u32..5),
        _ => (1..14, 1..2),
    };
    (width, height, par(), proptest::collection::vec(post(), 1..3)).prop_flat_map(move |(width, height, par, past)| {
        let rows = (width * height) as usize;
        let groups = shape.groups(width * height, width) as usize;
        let cells = proptest::collection::vec(cell(), rows);
        let posts = proptest::collection::vec(post(), rows);
        let totals = proptest::collection::vec(post(), groups);
        (cells, posts, totals).prop_map(move |(cells, posts, totals)| Given {
            width,
            cells,
            posts,
            totals,
            past: past.clone(),
            par,
        })
    })
}

/// Runs a kernel of a module natively and by its IR.
pub(crate) fn compare(name: &str, source: &'static ModuleSource) {
    let module = source.ir().unwrap();
    let kernel = module.kernel(name).unwrap();
    let flat = flatten(module, kernel).unwrap();
    assert!(flat.shape.is_grouped() && flat.scratch.is_some());
    let mut runner = TestRunner::new(Config { failure_persistence: None, cases: 96, ..Config::default() });
    runner.run(&given(kernel.shape), |given| same(name, source, &given)).unwrap();
}

fn table<R: Row>(rows: &[R], capacity: u32) -> NativeTable<R> {
    let mut table = NativeTable::zeroed(rows.len() as u32, capacity);
    table.as_mut_slice().clone_from_slice(rows);
    table
}

fn same(name: &str, source: &'static ModuleSource, given: &Given) -> Result<(), TestCaseError> {
    let module = source.ir().unwrap();
    let position = module.kernels.iter().position(|kernel| kernel.name == name).unwrap();
    let kernel = &module.kernels[position];
    let (rows, groups) = (given.cells.len() as u32, given.totals.len() as u32);

    // Natively: all groups by one call, as a backend makes it.
    let mut cells = table(&given.cells, CAPACITY);
    let posts = table(&given.posts, 0);
    let mut totals = table(&given.totals, 0);
    let past = table(&given.past, 0);
    let tally = Tally::new(&[0_u64; 4]);
    let (value, fault) = {
        let slots = [
            Slot::exclusive(&mut cells),
            Slot::shared(&posts),
            Slot::exclusive(&mut totals),
            Slot::shared(&past),
            Slot::value(&given.par),
            Slot::value(&tally),
        ];
        let entry = source.entry(position).unwrap();
        // SAFETY: it is the only call over these slots.
        let call = unsafe { Call::grouped(&slots, kernel.shape, 0..groups, rows, given.width) };
        let mut call = call.unwrap();
        let (done, fault) = catch(|| entry(&mut call));
        done.unwrap();
        let sum = call.into_partials().iter().fold(0_u64, |sum, partial| sum.wrapping_add(partial.value));
        (sum, fault)
    };

    // By the IR.
    let function = kernel.function;
    let params = &module.functions[function.index()].params;
    let id = |position: usize| match params[position].kind {
        ParamKind::Row(id, _) | ParamKind::Rows(id) | ParamKind::Params(id) | ParamKind::Each(id, _) => id,
        ref other => panic!("{other:?}"),
    };
    let (cell_id, post_id, par_id) = (id(1), id(2), id(5));
    let ParamKind::Scratch(element, true) = &params[0].kind else { panic!("{:?}", params[0]) };
    let trees = |posts: &[Post]| posts.iter().map(|row| rows::row(module, post_id, row)).collect::<Vec<_>>();
    let mut past_rows = trees(&given.past);
    past_rows.push(rows::row(module, post_id, &<Post as Row>::zeroed(0)));
    let mut machine = Machine {
        module,
        tables: vec![
            Table { of: cell_id, rows: given.cells.iter().map(|row| rows::row(module, cell_id, row)).collect() },
            Table { of: post_id, rows: trees(&given.posts) },
            Table { of: post_id, rows: trees(&given.totals) },
            Table { of: post_id, rows: past_rows },
        ],
        tallies: vec![vec![Value::U64(0); 4]],
        histories: Vec::new(),
        first: 0,
        fault: None,
        fuel: 5_000_000,
        group: None,
    };
    let par = rows::data(module, &Type::Struct(par_id), &given.par);
    let (mut sum, mut faults) = (0_u64, BTreeMap::<u32, SiteId>::new());
    for index in 0..groups {
        let zero = zero(module, element).unwrap();
        machine.group = Some(Group::new(kernel.shape, index, rows, given.width, &zero).unwrap());
        let bound = vec![
            Bound::Scratch,
            Bound::Each(0),
            Bound::Each(1),
            Bound::Row { table: 2, row: index as usize },
            Bound::Rows(3),
            Bound::Value(par.clone()),
            Bound::Tally(0),
        ];
        let (result, _) = machine.call(function, bound).unwrap();
        let Some(Value::U64(result)) = result else { panic!("{result:?}") };
        sum = sum.wrapping_add(result);
        faults.extend(machine.group.take().unwrap().faults());
    }

    prop_assert_eq!(sum, value, "the sum of the returned values");
    let interpreted = faults.first_key_value().map(|(row, site)| {
        let site = &module.sites[site.index()];
        (*row, site.kind, site.file.clone(), site.line, site.column)
    });
    let native = fault.map(|fault| (fault.row, fault.kind, fault.at.file.to_owned(), fault.at.line, fault.at.column));
    prop_assert_eq!(interpreted, native, "the fault");
    for (row, tree) in cells.as_slice().iter().zip(&machine.tables[0].rows) {
        check_row(module, cell_id, row, tree)?;
    }
    for (row, tree) in totals.as_slice().iter().zip(&machine.tables[2].rows) {
        check_row(module, post_id, row, tree)?;
    }
    for slot in 0..4 {
        prop_assert_eq!(&machine.tallies[0][slot as usize], &Value::U64(tally.load(slot)), "tally slot {}", slot);
    }
    Ok(())
}
