//! Tallies in every type, with every operation, against a fold in plain Rust.

use crate::case::{Cases, SkipReason, Stop, Verdict, equal_slices};
use crate::context::Context;
use crate::kernels::tallies::{
    tally_i32, tally_i64, tally_i64_extremes, tally_u32, tally_u64, tally_u64_extremes, tally_uses,
};
use crate::operands::{Operand, singles};
use crate::run::agree;
use imminent_core::{Kernel, Table, TallyTable};
use rand_core::Rng;

/// Returns numbers of rows and slots: many rows to few slots, few rows to many.
fn shapes(context: &Context<'_>) -> [(usize, u32); 6] {
    [(0, 1), (1, 1), (1000, 1), (5000, 3), (257, 256), (context.scaled(20_000, 500_000), 1000)]
}

/// Returns contributions and the slots to which they go.
fn contributions<T: Operand>(context: &Context<'_>, rows: usize, slots: u32) -> Vec<(T, u32)> {
    let mut rng = context.random(41 + rows as u64);
    let mut values = singles::<T>(rows, &mut rng);
    values.truncate(rows);
    values.into_iter().map(|value| (value, rng.next_u32() % slots)).collect()
}

/// Returns the contents of the slots after two launches.
fn folded<T: Copy>(contributions: &[(T, u32)], start: T, slots: u32, op: impl Fn(T, T) -> T) -> Vec<T> {
    let mut expected = vec![start; slots as usize];
    for (value, slot) in contributions.iter().chain(contributions) {
        let cell = &mut expected[*slot as usize];
        *cell = op(*cell, *value);
    }
    expected
}

macro_rules! tally_cases {
    ($cases:expr, $t:ident, $module:ident, $extremes:ident) => {{
        macro_rules! operation {
            ($from:ident, $kernel:ident, $what:expr, $wide:expr, $start:expr, |$x:ident, $y:ident| $op:expr) => {
                $cases.add(concat!(stringify!($t), " tally: ", $what), |context| {
                    needs_extremes(context, $wide)?;
                    for (rows, slots) in shapes(context) {
                        let given = contributions::<$t>(context, rows, slots);
                        let rows: Vec<_> = given.iter().map(|(a, slot)| $from::Input { a: *a, slot: *slot }).collect();
                        let table = Table::from_rows(context.device, &rows)?;
                        let tally = TallyTable::<$t>::new(context.device, &vec![$start; slots as usize])?;
                        // Contributions persist from launch to launch.
                        context.queue().launch::<$from::$kernel>((&table, &tally))?;
                        context.queue().launch::<$from::$kernel>((&table, &tally))?;
                        let expected = folded(&given, $start, slots, |$x: $t, $y: $t| $op);
                        let what = format!(
                            "kernel `{}`, {} rows into {slots} slots",
                            $from::$kernel::SOURCE.name,
                            given.len()
                        );
                        equal_slices(&what, &tally.read()?, &expected)?;
                    }
                    Ok(())
                });
            };
        }
        operation!($module, add, "`add` wraps", false, 5, |x, y| x.wrapping_add(y));
        operation!($module, or, "`or`", false, 8, |x, y| x | y);
        operation!($module, and, "`and`", false, !0, |x, y| x & y);
        operation!($extremes, min, "`min`", $t::BITS == 64, $t::MAX, |x, y| x.min(y));
        operation!($extremes, max, "`max`", $t::BITS == 64, $t::MIN, |x, y| x.max(y));
    }};
}

fn needs_extremes(context: &Context<'_>, wide: bool) -> Verdict {
    if wide && !context.capabilities().tally_min_max_64 {
        Err(Stop::Skip(SkipReason::LacksTallyMinMax64))
    } else {
        Ok(())
    }
}

pub(super) fn add(cases: &mut Cases) {
    tally_cases!(cases, u32, tally_u32, tally_u32);
    tally_cases!(cases, i32, tally_i32, tally_i32);
    tally_cases!(cases, u64, tally_u64, tally_u64_extremes);
    tally_cases!(cases, i64, tally_i64, tally_i64_extremes);
    cases.add("carries of 64-bit tallies are not lost between rows", |context| {
        // Every contribution carries from the low word to the high one.
        let rows = vec![tally_u64::Input { a: 0xffff_ffff, slot: 0 }; context.scaled(20_000, 500_000)];
        let table = Table::from_rows(context.device, &rows)?;
        let tally = TallyTable::new(context.device, &[0xffff_ffff_u64])?;
        context.queue().launch::<tally_u64::add>((&table, &tally))?;
        equal_slices("the sum", &tally.read()?, &[0xffff_ffff * (rows.len() as u64 + 1)])
    });
    cases.add("several tallies of one kernel, one of them in a function", |context| {
        let mut rng = context.random(42);
        let rows: Vec<_> = (0..3000).map(|_| tally_uses::Input { a: u32::random(&mut rng) }).collect();
        agree(context, "the tallies of kernel `tally_uses::several`", |device| {
            let table = Table::from_rows(device, &rows)?;
            let counts = TallyTable::new(device, &[0_u32; 7])?;
            let sums = TallyTable::new(device, &[0_u64])?;
            let most = TallyTable::new(device, &[i32::MIN])?;
            device.queue().launch::<tally_uses::several>((&table, &counts, &sums, &most))?;
            let counts = counts.read()?.into_iter().map(u64::from);
            Ok(counts.chain(sums.read()?).chain(most.read()?.into_iter().map(|x| x as u64)).collect())
        })
    });
    cases.add("how many slots a tally has, one and more in turn", |context| {
        let mut rng = context.random(43);
        let rows: Vec<_> = (0..700).map(|_| tally_uses::Asked { a: rng.next_u32(), counts: 0, sums: 0 }).collect();
        let mut table = Table::from_rows(context.device, &rows)?;
        let [one, seven] = [1, 7].map(|slots| TallyTable::new(context.device, &vec![0_u32; slots]));
        let [single, three] = [1, 3].map(|slots| TallyTable::new(context.device, &vec![0_u64; slots]));
        let (one, seven, single, three) = (one?, seven?, single?, three?);
        // The same tallies are used again, together with others.
        for (counts, sums) in [(&one, &single), (&seven, &single), (&one, &three), (&seven, &three), (&one, &single)] {
            context.queue().launch::<tally_uses::measured>((&mut table, counts, sums))?;
            let found: Vec<_> = table.read()?.iter().map(|row| (row.counts, row.sums)).collect();
            equal_slices("what rows found", &found, &vec![(counts.len() as u32, sums.len() as u32); rows.len()])?;
        }
        let mut expected = [0_u32; 7];
        rows.iter().for_each(|row| expected[row.a as usize % 7] += 2);
        equal_slices("counts in a single slot", &one.read()?, &[0])?;
        equal_slices("counts", &seven.read()?, &expected)?;
        equal_slices("a sum in a single slot", &single.read()?, &[0])?;
        let sum: u64 = rows.iter().map(|row| 2 * u64::from(row.a)).sum();
        equal_slices("the sums", &three.read()?, &[0, 0, sum])
    });
}
