//! Combinations of all language features, with their faults: compares a function on a device with the native function
//! on the same rows. Rows are read below the typed layer, which includes results after a fault in the comparison.

use crate::case::{Cases, Stop, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::language::cells::cells::{Cell, Pair, Par, Phase, Post};
use crate::kernels::language::{aggregates, calls, control, dense, groups, integers, order, outside};
use crate::operands::Operand;
use crate::raw::{Raw, block};
use imminent_core::backend::Argument;
use imminent_core::fault::FaultKind;
use imminent_core::{Device, Error, Kernel, Lanes, Params};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Number of lanes of a cell, and of slots of the tally.
const CAPACITY: u32 = 3;
const SLOTS: u32 = 4;

/// Input of a launch.
struct Input {
    cells: Vec<Cell>,
    posts: Vec<Post>,
    past: Vec<Post>,
    par: Par,
}

/// Result of a launch.
struct Outcome {
    cells: Vec<Cell>,
    posts: Vec<Post>,
    slots: Vec<u64>,
    fault: Option<FaultSite>,
    result: u64,
}

/// Row, kind, file, line, column and quoted text of the first fault.
type FaultSite = (u32, FaultKind, String, u32, u32, String);

/// Returns a value: two in three are small or at an edge. Indices and divisors are then as often valid as invalid.
fn value<T: Operand>(rng: &mut Pcg32, edges: &[T]) -> T {
    match rng.next_u32() % 3 {
        0 => T::random(rng),
        _ => edges[rng.next_u32() as usize % edges.len()],
    }
}

fn word(rng: &mut Pcg32) -> u32 {
    value(rng, &[0, 1, 2, 3, 4, 5, 7, 31, 32, 33, 64, 0x7fff_ffff, 0x8000_0000, u32::MAX])
}

fn int(rng: &mut Pcg32) -> i32 {
    value(rng, &[0, 1, -1, 2, -2, 3, 5, 31, 32, -33, i32::MIN, i32::MIN + 1, i32::MAX])
}

fn long(rng: &mut Pcg32) -> u64 {
    value(rng, &[0, 1, 2, 3, 4, 31, 32, 63, 64, 65, 0xffff_ffff, 0x1_0000_0000, 1 << 63, u64::MAX])
}

fn signed(rng: &mut Pcg32) -> i64 {
    value(rng, &[0, 1, -1, 2, -3, 63, 64, -65, i64::MIN, i64::MAX, -0x8000_0000, 0x1_0000_0000])
}

fn pair(rng: &mut Pcg32) -> Pair {
    Pair { a: word(rng), b: signed(rng) }
}

fn cell(rng: &mut Pcg32) -> Cell {
    Cell {
        a: word(rng),
        b: word(rng),
        c: int(rng),
        d: int(rng),
        e: long(rng),
        f: long(rng),
        g: signed(rng),
        h: signed(rng),
        flag: rng.next_u32() & 1 == 1,
        phase: [Phase::Idle, Phase::Busy, Phase::Done][rng.next_u32() as usize % 3],
        few: std::array::from_fn(|_| word(rng)),
        grid: std::array::from_fn(|_| std::array::from_fn(|_| int(rng))),
        pair: pair(rng),
        pairs: std::array::from_fn(|_| pair(rng)),
        line: Lanes::from((0..CAPACITY).map(|_| word(rng)).collect::<Vec<_>>()),
        jobs: Lanes::from((0..CAPACITY).map(|_| pair(rng)).collect::<Vec<_>>()),
        out: [0; 16],
        result: 0,
    }
}

fn post(rng: &mut Pcg32) -> Post {
    Post { time: long(rng), to: word(rng), marks: std::array::from_fn(|_| word(rng)) }
}

fn given(rng: &mut Pcg32, rows: usize) -> Input {
    let past = 1 + rng.next_u32() as usize % 2;
    Input {
        cells: (0..rows).map(|_| cell(rng)).collect(),
        posts: (0..rows).map(|_| post(rng)).collect(),
        past: (0..past).map(|_| post(rng)).collect(),
        par: Par { scale: word(rng), limit: long(rng), weights: std::array::from_fn(|_| word(rng)) },
    }
}

/// Returns the numbers of rows of the launches: a few at a time, since each launch reports a fault of its own, and many
/// at once.
fn launches(context: &Context<'_>, most: usize) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..context.scaled(4, 200)).map(|number| 1 + number % most).collect();
    rows.push(context.scaled(100, 1000));
    rows
}

fn fault_of(launched: Result<(), Error>) -> Result<Option<FaultSite>, Stop> {
    match launched {
        Ok(()) => Ok(None),
        Err(Error::Fault(fault)) => {
            Ok(Some((fault.row, fault.kind, fault.file.to_string(), fault.line, fault.column, fault.text.to_string())))
        }
        Err(error) => Err(error.into()),
    }
}

/// Runs one function of a family over own rows.
fn run_rows<K: Kernel, P>(device: &Device, given: &Input, chosen: P) -> Result<Outcome, Stop>
where
    P: Params + Send + Sync + 'static,
{
    let raw = Raw::new(device)?;
    let rows = given.cells.len() as u32;
    let (cells, posts) = (raw.table(&given.cells, CAPACITY)?, raw.table(&given.posts, 0)?);
    let (all, past) = (raw.table(&given.cells, CAPACITY)?, raw.table(&given.past, 0)?);
    let tally = raw.tally(SLOTS)?;
    let launched = raw.launch::<K>(
        rows,
        vec![
            cells.argument(true),
            posts.argument(true),
            all.argument(false),
            block(given.par),
            past.argument(false),
            Argument::Tally { buffer: tally.clone() },
            block(chosen),
        ],
    )?;
    Ok(Outcome {
        fault: fault_of(launched)?,
        cells: raw.read(&cells)?,
        posts: raw.read(&posts)?,
        slots: raw.words(&tally, SLOTS)?,
        result: 0,
    })
}

/// Runs a kernel whose rows are executed in groups; each group has a row of the second table of posts.
fn run_groups<K: Kernel>(device: &Device, given: &Input, totals: &[Post]) -> Result<Outcome, Stop> {
    let raw = Raw::new(device)?;
    let rows = given.cells.len() as u32;
    let (cells, posts) = (raw.table(&given.cells, CAPACITY)?, raw.table(&given.posts, 0)?);
    let (totals, past) = (raw.table(totals, 0)?, raw.table(&given.past, 0)?);
    let tally = raw.tally(SLOTS)?;
    let (launched, result) = raw.reduce::<K>(
        rows,
        vec![
            cells.argument(true),
            posts.argument(false),
            totals.argument(true),
            past.argument(false),
            block(given.par),
            Argument::Tally { buffer: tally.clone() },
        ],
    )?;
    let fault = fault_of(launched)?;
    Ok(Outcome {
        cells: raw.read(&cells)?,
        posts: raw.read(&totals)?,
        slots: raw.words(&tally, SLOTS)?,
        // The language does not define the result of a launch with a fault.
        result: if fault.is_none() { raw.words(&result, 1)?.into_iter().sum() } else { 0 },
        fault,
    })
}

fn compare(what: &str, found: &Outcome, expected: &Outcome) -> Verdict {
    equal(&format!("{what}: the first fault"), &found.fault, &expected.fault)?;
    equal_slices(&format!("{what}: the cells"), &found.cells, &expected.cells)?;
    equal_slices(&format!("{what}: the posts"), &found.posts, &expected.posts)?;
    equal_slices(&format!("{what}: the tally"), &found.slots, &expected.slots)?;
    equal(&format!("{what}: the result"), &found.result, &expected.result)
}

/// Converts `ShortCircuits` to `short circuits`.
fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

fn add_function<K: Kernel, P>(cases: &mut Cases, family: &'static str, name: &'static str, chosen: P)
where
    P: Params + Copy + Send + Sync + 'static,
{
    cases.add(format!("language: {family}: {}", words(name)), move |context| {
        let mut rng = context.random(401);
        for rows in launches(context, 3) {
            let given = given(&mut rng, rows);
            let expected = run_rows::<K, P>(context.reference, &given, chosen)?;
            let found = run_rows::<K, P>(context.device, &given, chosen)?;
            compare(&format!("function `{family}::{name}` over {rows} rows"), &found, &expected)?;
        }
        Ok(())
    });
}

fn add_grouped<K: Kernel>(cases: &mut Cases) {
    cases.add(format!("language: groups: {}", K::SOURCE.name.replace('_', " ")), |context| {
        let module = K::SOURCE.module.ir().map_err(|error| Stop::Fail(error.to_string()))?;
        let Some(kernel) = module.kernel(K::SOURCE.name) else {
            return Err(Stop::Fail("the module lacks the kernel".to_owned()));
        };
        let mut rng = context.random(402);
        for rows in launches(context, 13) {
            let given = given(&mut rng, rows);
            let totals: Vec<Post> = (0..kernel.shape.groups(rows as u32, 0)).map(|_| post(&mut rng)).collect();
            let expected = run_groups::<K>(context.reference, &given, &totals)?;
            let found = run_groups::<K>(context.device, &given, &totals)?;
            compare(&format!("kernel `{}` over {rows} rows", K::SOURCE.name), &found, &expected)?;
        }
        Ok(())
    });
}

macro_rules! families {
    ($cases:expr; $($family:ident: $($op:ident),+;)+) => {
        $({
            use $family::$family::{Chosen, Op, run};
            $(add_function::<run, _>($cases, stringify!($family), stringify!($op), Chosen { op: Op::$op });)+
        })+
    };
}

macro_rules! grouped {
    ($cases:expr; $($kernel:ident),+) => {
        $(add_grouped::<groups::groups::$kernel>($cases);)+
    };
}

pub(super) fn add(cases: &mut Cases) {
    families! { cases;
        integers: Arithmetic, Shifts, Bits, Comparisons, Builtins, Casts, Powers, Saturating, Division, Literals;
        control: Branches, Matches, Guards, Loops, Ranges, Breaks, Returns, Whiles, ShortCircuits, Blocks, Shadows,
            Diverging;
        aggregates: Structs, Arrays, Nested, CheckedReads, CheckedWrites, Updates, Constants, Lanes, Rows, Tallies, Enums;
        calls: ByValue, ByReference, Methods, Resources, LentElements, Associated, RowsAsValues, LanesPassed;
        outside: Values, Patterns, Indices, Known;
        dense: Deep, Expressions, Algorithms;
        order: Operands, Indices, Arguments, Assignments, Conditions, StructFields, Lent, MutatedOperands;
    }
    grouped!(cases; votes, loops, captures, faults, helpers, ranges);
}
