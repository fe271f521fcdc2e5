//! Entries of every type.

use crate::case::{Cases, equal_slices};
use crate::kernels::histories::{of_arrays, of_bool, of_f32, of_f64, of_i32, of_i64, of_u32, of_u64};
use crate::operands::{Operand, singles};
use imminent_core::{ClockTable, HistoryTable, Reach, Table};
use rand_core::Rng;

const REACH: Reach = Reach { past: 5, ahead: 2 };
const ROWS: u32 = 300;

macro_rules! entries_case {
    ($cases:expr, $module:ident, $t:ty, $float64:expr, $values:expr) => {
        $cases.add(format!("entries of {} go around the ring unchanged", stringify!($t)), |context| {
            if $float64 {
                context.needs_float64()?;
            }
            let mut rng = context.random(72);
            let all: Vec<$t> = $values(&mut rng, (ROWS * REACH.past) as usize);
            let mut steps: Vec<Vec<$t>> = all.chunks_exact(ROWS as usize).map(<[$t]>::to_vec).collect();
            let links: Vec<_> = (0..ROWS)
                .map(|_| $module::Link { from: rng.next_u32() % ROWS, delay: 1 + rng.next_u32() % REACH.past })
                .collect();
            let table = Table::from_rows(context.device, &links)?;
            let mut series = HistoryTable::<$t>::new(context.device, ROWS as usize, REACH)?;
            let mut clock = ClockTable::new(context.device, REACH.past)?;
            series.write(&clock, 0, &steps)?;
            for now in REACH.past..REACH.past + 30 {
                context.queue().launch::<$module::pass>((&table, &mut series, &clock))?;
                context.queue().advance(&mut clock, 1)?;
                steps.push(links.iter().map(|link| steps[(now - link.delay) as usize][link.from as usize]).collect());
            }
            let first = clock.first()?;
            for (step, found) in (first - REACH.past..).zip(series.read(&clock, first - REACH.past..first)?) {
                let found: Vec<_> = found.iter().map(words).collect();
                let expected: Vec<_> = steps[step as usize].iter().map(words).collect();
                equal_slices(&format!("step {step}"), &found, &expected)?;
            }
            Ok(())
        });
    };
}

/// Returns the bits of a value, by which a NaN equals itself.
fn words<T: imminent_core::Data>(value: &T) -> Vec<u64> {
    (0..T::WORDS).map(|word| value.leaf(word)).collect()
}

fn scalars<T: Operand>(rng: &mut rand_pcg::Pcg32, count: usize) -> Vec<T> {
    let values = singles::<T>(count, rng);
    values.iter().cycle().take(count).copied().collect()
}

pub(super) fn add(cases: &mut Cases) {
    entries_case!(cases, of_bool, bool, false, |rng: &mut rand_pcg::Pcg32, count| -> Vec<bool> {
        (0..count).map(|_| rng.next_u32().is_multiple_of(2)).collect()
    });
    entries_case!(cases, of_u32, u32, false, scalars::<u32>);
    entries_case!(cases, of_i32, i32, false, scalars::<i32>);
    entries_case!(cases, of_u64, u64, false, scalars::<u64>);
    entries_case!(cases, of_i64, i64, false, scalars::<i64>);
    entries_case!(cases, of_f32, f32, false, |rng: &mut rand_pcg::Pcg32, count| -> Vec<f32> {
        (0..count).map(|_| rng.next_u32() as f32 * 1.5e-3 - 1e6).collect()
    });
    entries_case!(cases, of_f64, f64, true, |rng: &mut rand_pcg::Pcg32, count| -> Vec<f64> {
        (0..count).map(|_| f64::from(rng.next_u32()) * 1.5e-3 - 1e6).collect()
    });
    entries_case!(cases, of_arrays, [u32; 3], false, |rng: &mut rand_pcg::Pcg32, count| -> Vec<[u32; 3]> {
        (0..count).map(|_| [rng.next_u32(), rng.next_u32(), rng.next_u32()]).collect()
    });
}
