//! Scratch elements of every type.

use crate::case::{Cases, Verdict, ensure};
use crate::context::Context;
use crate::kernels::groups::scratch::{of_bool, of_f32, of_f64, of_i32, of_i64, of_u32, of_u64, structs};
use crate::operands::Operand;
use crate::run::agree;
use imminent_core::Table;
use rand_core::Rng;

const COUNTS: [usize; 4] = [1, 64, 65, 1000];

/// Returns the final elements of a group: its rows' values, mixed twice. Missing rows hold `zero`.
fn mixed<T: Copy>(values: &[T], zero: T, mix: impl Fn(T, T) -> T) -> Vec<T> {
    let expected = values.chunks(64).flat_map(|group| {
        let mut elements = vec![zero; 64];
        elements[..group.len()].copy_from_slice(group);
        let before = elements.clone();
        for i in 0..group.len() {
            elements[i] = mix(before[i], before[(i + 7) % 64]);
        }
        let first = elements[0];
        elements.truncate(group.len());
        elements.into_iter().map(|x| mix(x, first)).collect::<Vec<_>>()
    });
    expected.collect()
}

fn same<T: PartialEq + std::fmt::Debug>(count: usize, found: &[T], expected: &[T]) -> Verdict {
    crate::case::equal_slices(&format!("{count} rows"), found, expected)
}

macro_rules! scalar_case {
    ($cases:expr, $module:ident, $t:ty, $zero:expr, |$x:ident, $y:ident| $mix:expr, $value:expr) => {
        $cases.add(concat!("scratch elements of type ", stringify!($t)), |context| {
            let value: fn(&mut rand_pcg::Pcg32) -> $t = $value;
            for count in COUNTS {
                let mut rng = context.random(81 + count as u64);
                let values: Vec<$t> = (0..count).map(|_| value(&mut rng)).collect();
                let rows: Vec<_> = values.iter().map(|value| $module::Cell { value: *value, seen: $zero }).collect();
                let mut table = Table::from_rows(context.device, &rows)?;
                context.queue().launch::<$module::mix>((&mut table,))?;
                let found: Vec<$t> = table.read()?.iter().map(|cell| cell.seen).collect();
                same(count, &found, &mixed(&values, $zero, |$x: $t, $y: $t| $mix))?;
            }
            Ok(())
        });
    };
}

fn structures(context: &Context<'_>, count: usize) -> Verdict {
    let mut rng = context.random(91 + count as u64);
    let rows: Vec<structs::Cell> = (0..count)
        .map(|_| structs::Cell {
            value: rng.next_u32(),
            wide: u64::random(&mut rng),
            sum: 0,
            kind: structs::Kind::Idle,
        })
        .collect();
    let rules = structs::Rules { offset: 17, scale: 0x1_0000_0003, weights: [1, 5, 255, 128] };
    agree(context, &format!("{count} rows"), |device| {
        let mut table = Table::from_rows(device, &rows)?;
        let all = Table::from_rows(device, &rows)?;
        device.queue().launch::<structs::elements>((&mut table, &all, &rules))?;
        table.read()
    })
}

pub(super) fn add(cases: &mut Cases) {
    scalar_case!(cases, of_bool, bool, false, |x, y| x != y, |rng| rng.next_u32() % 3 == 0);
    scalar_case!(cases, of_u32, u32, 0, |x, y| x.wrapping_mul(3).wrapping_add(y), u32::random);
    scalar_case!(cases, of_i32, i32, 0, |x, y| x.wrapping_sub(y.wrapping_mul(5)), i32::random);
    scalar_case!(cases, of_u64, u64, 0, |x, y| x.wrapping_mul(0x1_0000_0001).wrapping_add(y), u64::random);
    scalar_case!(cases, of_i64, i64, 0, |x, y| x.wrapping_sub(y.wrapping_mul(7)), i64::random);
    scalar_case!(cases, of_f32, f32, 0.0, |x, y| x.max(y), |rng| rng.next_u32() as f32 - 2e9);
    cases.add("scratch elements of type f64", |context| {
        context.needs_float64()?;
        for count in COUNTS {
            let mut rng = context.random(82 + count as u64);
            let values: Vec<f64> = (0..count).map(|_| f64::from(rng.next_u32()) - 2e9).collect();
            let rows: Vec<_> = values.iter().map(|value| of_f64::Cell { value: *value, seen: 0.0 }).collect();
            let mut table = Table::from_rows(context.device, &rows)?;
            context.queue().launch::<of_f64::mix>((&mut table,))?;
            let found: Vec<f64> = table.read()?.iter().map(|cell| cell.seen).collect();
            same(count, &found, &mixed(&values, 0.0, f64::min))?;
        }
        Ok(())
    });
    cases.add(
        "scratch elements of 60 bytes in groups of 256: structs, arrays, enums, and functions of the lane",
        |context| {
            for count in [0, 1, 255, 256, 257, 1000] {
                structures(context, count)?;
            }
            Ok(())
        },
    );
    cases.add("scratch elements are told apart by the reference too", |context| {
        // The previous case compares with the CPU; this one checks the CPU's values.
        let rows = vec![structs::Cell { value: 4, wide: 6, sum: 0, kind: structs::Kind::Idle }];
        let rules = structs::Rules { offset: 1, scale: 2, weights: [0, 0, 0, 0] };
        let mut table = Table::from_rows(context.device, &rows)?;
        let all = Table::from_rows(context.device, &rows)?;
        context.queue().launch::<structs::elements>((&mut table, &all, &rules))?;
        let found = &table.read()?[0];
        // The element: pair 5 and 6, four times 4, pairs of 6 and of 2: 5 + 6 + 16 + 3 * 8 = 51. Then `wide` is 51 + 4.
        ensure((found.sum, found.value) == (5 + 55 * 2, 4), || format!("found {found:?}"))
    });
}
