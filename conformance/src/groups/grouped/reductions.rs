//! Values of groups, reduced over the groups, and tallies of groups.

use crate::case::{Cases, SkipReason, Stop, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::groups::reductions::{of_f32, of_i32, of_i64, of_u32, of_u64, tallies, truths};
use crate::operands::Operand;
use imminent_core::ir::Scalar;
use imminent_core::{Table, TallyTable, reduce};
use rand_core::Rng;

fn sizes(context: &Context<'_>) -> [usize; 8] {
    [0, 1, 15, 16, 17, 4096, 4097, context.scaled(70_001, 1_000_003)]
}

macro_rules! integers {
    ($cases:expr, $module:ident, $t:ident) => {
        $cases.add(concat!("groups return ", stringify!($t), ": least, greatest and sum over the groups"), |context| {
            for count in sizes(context) {
                let mut rng = context.random(121 + count as u64);
                let values: Vec<$t> = (0..count).map(|_| $t::random(&mut rng)).collect();
                let rows: Vec<_> = values.iter().map(|a| $module::Input { a: *a }).collect();
                let table = Table::from_rows(context.device, &rows)?;
                let queue = context.queue();
                let found = [
                    queue.launch::<$module::min>((&table,))?.read()?,
                    queue.launch::<$module::max>((&table,))?.read()?,
                    queue.launch::<$module::sum>((&table,))?.read()?,
                ];
                let sums = || values.chunks(16).map(|group| group.iter().fold(0, |sum: $t, a| sum.wrapping_add(*a)));
                let expected = [
                    sums().min().unwrap_or($t::MAX),
                    sums().max().unwrap_or($t::MIN),
                    sums().fold(0, |sum: $t, a| sum.wrapping_add(a)),
                ];
                equal(&format!("least, greatest and sum of the groups of {count} rows"), &found, &expected)?;
            }
            Ok(())
        });
    };
}

fn floats(context: &Context<'_>) -> Verdict {
    let probe = context.probe(Scalar::F32);
    if !probe.basic_correct || probe.contracts || probe.rearranges {
        return Err(Stop::Skip(SkipReason::RoundsOtherwise32));
    }
    for count in sizes(context).into_iter().filter(|count| *count > 0) {
        let mut rng = context.random(131 + count as u64);
        let values: Vec<f32> = (0..count).map(|_| (rng.next_u32() % 2_000_001) as f32 * 0.37 - 300_000.0).collect();
        let rows: Vec<_> = values.iter().map(|a| of_f32::Input { a: *a }).collect();
        let table = Table::from_rows(context.device, &rows)?;
        // Adds like the kernel: the rows of a group in order, with zeros for missing rows.
        let sum = |group: &[f32]| (1..16).fold(group[0], |sum, i| sum + group.get(i).copied().unwrap_or(0.0));
        let sums: Vec<f32> = values.chunks(16).map(sum).collect();
        let queue = context.queue();
        let found = [
            queue.launch::<of_f32::min>((&table,))?.read()?,
            queue.launch::<of_f32::max>((&table,))?.read()?,
            queue.launch::<of_f32::sum>((&table,))?.read()?,
        ];
        let expected = [
            sums.iter().copied().fold(f32::INFINITY, f32::min),
            sums.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            reduce::reduce_levels(sums, |a, b| a + b).unwrap_or(0.0),
        ];
        let (found, expected) = (found.map(f32::to_bits), expected.map(f32::to_bits));
        equal(&format!("bits of least, greatest and sum of the groups of {count} rows"), &found, &expected)?;
    }
    Ok(())
}

fn truth(context: &Context<'_>) -> Verdict {
    for count in sizes(context) {
        let mut rng = context.random(141 + count as u64);
        for at_end in [false, true] {
            let mut rows: Vec<_> = (0..count).map(|_| truths::Input { a: 4 + rng.next_u32() % 60 }).collect();
            if let (true, Some(last)) = (at_end, rows.last_mut()) {
                last.a = 3;
            }
            let table = Table::from_rows(context.device, &rows)?;
            let any = context.queue().launch::<truths::any>((&table,))?.read()?;
            equal(&format!("any of {count} rows"), &any, &(at_end && count > 0))?;
            let found = context.queue().launch::<truths::count>((&table,))?.read()?;
            let odd = |group: &&[truths::Input]| group.iter().filter(|row| row.a % 2 == 1).count() > 25;
            equal(&format!("groups counted of {count} rows"), &found, &(rows.chunks(50).filter(odd).count() as u32))?;
        }
    }
    Ok(())
}

fn tallied(context: &Context<'_>) -> Verdict {
    for count in sizes(context) {
        let mut rng = context.random(151 + count as u64);
        let rows: Vec<_> = (0..count).map(|_| tallies::Input { a: rng.next_u32() % 1000 }).collect();
        let table = Table::from_rows(context.device, &rows)?;
        let counts = TallyTable::new(context.device, &[0_u32; 4])?;
        let sums = TallyTable::new(context.device, &[0_u64; 2])?;
        let most = TallyTable::new(context.device, &[0_u32; 4])?;
        context.queue().launch::<tallies::both>((&table, &counts, &sums, &most))?;
        let odd = |group: &[tallies::Input]| group.iter().filter(|row| row.a % 2 == 1).count() as u32;
        let groups = count.div_ceil(40) as u32;
        let many = rows.chunks(40).filter(|group| odd(group) > 20).count() as u32;
        equal_slices(&format!("counts of {count} rows"), &counts.read()?, &[groups, count as u32, 3 * groups, many])?;
        let all: u64 = rows.iter().map(|row| u64::from(row.a)).sum();
        let expected = [rows.chunks(40).map(|group| u64::from(odd(group))).sum(), all * 3 * 0x1_0000_0001];
        equal_slices(&format!("sums of {count} rows"), &sums.read()?, &expected)?;
        let mut greatest = [0; 4];
        for (number, group) in rows.chunks(40).enumerate() {
            greatest[number % 4] = greatest[number % 4].max(group[0].a);
        }
        equal_slices(&format!("greatest of {count} rows"), &most.read()?, &greatest)?;
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    integers!(cases, of_u32, u32);
    integers!(cases, of_i32, i32);
    integers!(cases, of_u64, u64);
    integers!(cases, of_i64, i64);
    cases.add("groups return f32: sums follow the fixed tree of the number of groups", floats);
    cases.add("groups return bool: whether one is true, and how many", truth);
    cases.add("a tally counts a phase's contribution for every row and the group's once", tallied);
}
