//! Runs a kernel both ways and compares everything that can be seen.

use crate::shared::cells::{Cell, Pair, Par, Phase, Post};
use crate::support::rows::{self, difference};
use imminent_core::data::{Data, Lanes, Row, Rows, RowsBuf, Tally};
use imminent_core::fault::catch;
use imminent_core::ir::interpret::{Bound, Machine, RowTree, Table, zero};
use imminent_core::ir::{ParamKind, StructId, Type, Value, flatten};
use imminent_core::kernel::ModuleSource;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// The signature of every test kernel.
pub(crate) type Kernel = fn(&mut Cell, &mut Post, &Rows<Cell>, &Par, &Rows<Post>, &Tally<u64>, u32) -> u64;

pub(crate) const CAPACITY: u32 = 3;

fn edges<T: Copy + std::fmt::Debug + 'static>(
    edges: &'static [T],
    any: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<T> {
    prop_oneof![2 => proptest::sample::select(edges), 1 => any].boxed()
}

fn word() -> BoxedStrategy<u32> {
    edges(&[0, 1, 2, 3, 4, 5, 7, 31, 32, 33, 64, 0x7fff_ffff, 0x8000_0000, u32::MAX], any::<u32>())
}

fn int() -> BoxedStrategy<i32> {
    edges(&[0, 1, -1, 2, -2, 3, 5, 31, 32, -33, i32::MIN, i32::MIN + 1, i32::MAX], any::<i32>())
}

fn long() -> BoxedStrategy<u64> {
    edges(&[0, 1, 2, 3, 4, 31, 32, 63, 64, 65, 0xffff_ffff, 0x1_0000_0000, 1 << 63, u64::MAX], any::<u64>())
}

fn signed() -> BoxedStrategy<i64> {
    edges(&[0, 1, -1, 2, -3, 63, 64, -65, i64::MIN, i64::MAX, -0x8000_0000, 0x1_0000_0000], any::<i64>())
}

fn single() -> BoxedStrategy<f32> {
    edges(
        &[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            2.5,
            -2.5,
            3e9,
            -3e9,
            1e-40,
            f32::MAX,
            f32::MIN_POSITIVE,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ],
        any::<f32>(),
    )
}

fn double() -> BoxedStrategy<f64> {
    edges(
        &[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            -2.5,
            4294967296.0,
            1e19,
            -1e19,
            1e-310,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ],
        any::<f64>(),
    )
}

fn pair() -> BoxedStrategy<Pair> {
    (word(), signed()).prop_map(|(a, b)| Pair { a, b }).boxed()
}

fn phase() -> BoxedStrategy<Phase> {
    proptest::sample::select(&[Phase::Idle, Phase::Busy, Phase::Done][..]).boxed()
}

prop_compose! {
    pub(crate) fn cell()(
        (a, b, c, d) in (word(), word(), int(), int()),
        (e, f, g, h) in (long(), long(), signed(), signed()),
        (x, y, z, w) in (single(), single(), double(), double()),
        flag in any::<bool>(),
        phase in phase(),
        few in proptest::array::uniform5(word()),
        grid in proptest::array::uniform2(proptest::array::uniform3(int())),
        pair in pair(),
        pairs in proptest::array::uniform3(self::pair()),
        line in proptest::collection::vec(word(), CAPACITY as usize),
        jobs in proptest::collection::vec(self::pair(), CAPACITY as usize),
    ) -> Cell {
        Cell {
            a, b, c, d, e, f, g, h, x, y, z, w, flag, phase, few, grid, pair, pairs,
            line: Lanes::from(line),
            jobs: Lanes::from(jobs),
            out: [0; 16],
        }
    }
}

pub(crate) fn par() -> impl Strategy<Value = Par> {
    (word(), long(), proptest::array::uniform3(word())).prop_map(|(scale, limit, weights)| Par {
        scale,
        limit,
        weights,
    })
}

pub(crate) fn post() -> impl Strategy<Value = Post> {
    (long(), word(), proptest::array::uniform4(word())).prop_map(|(time, to, marks)| Post { time, to, marks })
}

/// Runs a kernel of a module natively and by its IR.
pub(crate) fn compare(name: &str, source: &'static ModuleSource, kernel: Kernel) {
    let module = source.ir().unwrap();
    flatten(module, module.kernel(name).unwrap()).unwrap();
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let rows = proptest::collection::vec(cell(), 1..4);
    let pasts = proptest::collection::vec(post(), 1..3);
    runner.run(&(rows, par(), pasts), |(cells, par, pasts)| same(name, source, kernel, &cells, &par, &pasts)).unwrap();
}

fn same(
    name: &str,
    source: &'static ModuleSource,
    kernel: Kernel,
    cells: &[Cell],
    par: &Par,
    pasts: &[Post],
) -> Result<(), TestCaseError> {
    let module = source.ir().unwrap();
    let function = module.kernel(name).unwrap().function;
    let params = &module.functions[function.index()].params;
    let kind = |position: usize| match params[position].kind {
        ParamKind::Row(id, _) | ParamKind::Rows(id) | ParamKind::Params(id) => id,
        ref other => panic!("{other:?}"),
    };
    let (cell_id, post_id, par_id) = (kind(0), kind(1), kind(3));

    let all = RowsBuf::from(cells.to_vec());
    let past = RowsBuf::from(pasts.to_vec());
    let tally = Tally::new(&[0u64; 4]);
    let mut native = cells.to_vec();
    let mut posts = vec![<Post as Row>::zeroed(0); cells.len()];

    let tree = |row: &Cell| rows::row(module, cell_id, row);
    let mut with_zero: Vec<_> = cells.iter().map(tree).collect();
    with_zero.push(tree(&<Cell as Row>::zeroed(CAPACITY)));
    let mut past_rows: Vec<_> = pasts.iter().map(|row| rows::row(module, post_id, row)).collect();
    past_rows.push(rows::row(module, post_id, &<Post as Row>::zeroed(0)));
    let mut machine = Machine {
        module,
        tables: vec![
            Table { of: cell_id, rows: cells.iter().map(tree).collect() },
            Table { of: post_id, rows: posts.iter().map(|row| rows::row(module, post_id, row)).collect() },
            Table { of: cell_id, rows: with_zero },
            Table { of: post_id, rows: past_rows },
        ],
        tallies: vec![vec![Value::U64(0); 4]],
        histories: Vec::new(),
        first: 0,
        fault: None,
        fuel: 2_000_000,
        group: None,
    };
    let parameters = rows::data(module, &Type::Struct(par_id), par);

    for row in 0..cells.len() {
        let (result, fault) = catch(|| kernel(&mut native[row], &mut posts[row], &all, par, &past, &tally, row as u32));
        machine.fault = None;
        let bound = vec![
            Bound::Row { table: 0, row },
            Bound::Row { table: 1, row },
            Bound::Rows(2),
            Bound::Value(parameters.clone()),
            Bound::Rows(3),
            Bound::Tally(0),
            Bound::Value(Value::U32(row as u32)),
        ];
        let (interpreted, _) = machine.call(function, bound).unwrap();
        prop_assert_eq!(interpreted, Some(Value::U64(result)), "the returned value of row {}", row);
        let site = machine.fault.map(|site| module.sites[site.index()].clone());
        let expected = fault.map(|fault| {
            (fault.kind, fault.at.file.to_owned(), fault.at.line, fault.at.column, fault.at.text.to_owned())
        });
        prop_assert_eq!(
            site.map(|site| (site.kind, site.file, site.line, site.column, site.text)),
            expected,
            "the fault of row {}",
            row
        );
        check_row(module, cell_id, &native[row], &machine.tables[0].rows[row])?;
        check_row(module, post_id, &posts[row], &machine.tables[1].rows[row])?;
    }
    for slot in 0..4 {
        prop_assert_eq!(&machine.tallies[0][slot as usize], &Value::U64(tally.load(slot)), "tally slot {}", slot);
    }
    Ok(())
}

pub(crate) fn check_row<R: Row>(
    module: &imminent_core::ir::Module,
    id: StructId,
    native: &R,
    interpreted: &RowTree,
) -> Result<(), TestCaseError> {
    let expected = rows::row(module, id, native);
    prop_assert_eq!(difference(module, id, interpreted, &expected), None, "interpreted against native");
    Ok(())
}

#[test]
fn the_zero_of_the_interpreter_is_the_zero_of_native_rows() {
    let module = crate::shared::cells::source().ir().unwrap();
    let id = StructId(module.structs.iter().position(|s| s.name == "Pair").unwrap() as u32);
    let native = rows::data(module, &Type::Struct(id), &<Pair as Data>::zeroed());
    assert!(rows::same(&zero(module, &Type::Struct(id)).unwrap(), &native));
}
