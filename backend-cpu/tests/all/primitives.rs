//! Laws of the primitives, on generated values and lengths: native over several threads, and portable.
#![allow(clippy::unwrap_used)]

use imminent_core::primitives::ScanOp;
use imminent_core::{Device, Queue, Reproducible, Table, TallyTable};
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::sync::LazyLock;

static DEVICES: LazyLock<Vec<Device>> = LazyLock::new(|| {
    let open = |threads, portable_primitives| {
        Device::open(
            CpuBackend::open(&Options { threads: Some(threads), portable_primitives, ..Options::default() }).unwrap(),
        )
        .unwrap()
    };
    vec![open(1, false), open(3, false), open(2, true)]
});

fn each_queue(mut law: impl FnMut(&Device, &Queue) -> Result<(), TestCaseError>) -> Result<(), TestCaseError> {
    DEVICES.iter().try_for_each(|device| law(device, &device.queue()))
}

/// Returns values repeated to a length; some lengths are enough for several threads.
fn repeated(seed: &[u32], length: usize) -> Vec<u32> {
    let rotate = |i: usize| seed[i % seed.len()].rotate_left((i / seed.len()) as u32 % 3);
    (0..length).map(|i| if seed.is_empty() { 7 } else { rotate(i) }).collect()
}

fn lengths() -> impl Strategy<Value = usize> {
    prop_oneof![5 => 0_usize..600, 1 => Just(256), 1 => Just(65_537), 1 => 131_000_usize..200_000]
}

/// Compares floats by the definition of the order: numbers by `total_cmp`, every NaN last.
fn float_order(a: f32, b: f32) -> std::cmp::Ordering {
    a.is_nan().cmp(&b.is_nan()).then(if a.is_nan() { std::cmp::Ordering::Equal } else { a.total_cmp(&b) })
}

/// Threads share the work from 4 MiB on. Values are few, so that the least and the greatest stand in every part.
#[test]
fn columns_for_several_threads_have_the_results_of_one() {
    let values: Vec<u64> = (7..600_011_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58).collect();
    assert!(values.len() * 8 > 1 << 22);
    let position = |wanted: u64| values.iter().position(|value| *value == wanted).unwrap() as u32;
    let running = |exclusive: bool| -> Vec<u64> {
        let sums = values.iter().scan(0, |sum: &mut u64, value| {
            let before = *sum;
            *sum += value;
            Some(if exclusive { before } else { *sum })
        });
        sums.collect()
    };
    let mut sorted: Vec<u32> = (0..values.len() as u32).collect();
    sorted.sort_by_key(|row| values[*row as usize]);
    let offsets: Vec<u32> = (0..=1000).map(|segment| (segment * segment * 6 / 10).min(values.len() as u32)).collect();
    let totals: Vec<u64> =
        offsets.windows(2).map(|ends| values[ends[0] as usize..ends[1] as usize].iter().sum()).collect();
    let mut slots = vec![0_u32; 5];
    values.iter().filter_map(|value| value.checked_sub(3)).for_each(|from| {
        if let Some(slot) = slots.get_mut(from as usize / 7) {
            *slot += 1;
        }
    });
    each_queue(|device, queue| {
        let table = Table::from_rows(device, &values).unwrap();
        let (least, greatest) = (queue.arg_min(&table).unwrap(), queue.arg_max(&table).unwrap());
        assert_eq!((least.read().unwrap().row, greatest.read().unwrap().row), (position(0), position(63)));
        assert_eq!(queue.sum(&table).unwrap().read().unwrap(), values.iter().sum::<u64>());
        for exclusive in [false, true] {
            let mut sums = Table::<u64>::zeroed(device, values.len()).unwrap();
            match exclusive {
                false => queue.inclusive_scan(&table, ScanOp::Sum, &mut sums).unwrap(),
                true => queue.exclusive_scan(&table, ScanOp::Sum, &mut sums).unwrap(),
            }
            assert!(sums.read().unwrap() == running(exclusive), "exclusive: {exclusive}");
        }
        let few = table.column::<u64>(0).below(5).unwrap();
        let expected: Vec<u32> = (0..).zip(&values).filter(|(_, value)| **value < 5).map(|(row, _)| row).collect();
        assert!(queue.select(&few).unwrap().read().unwrap() == expected);
        assert_eq!(queue.count(&few).unwrap().read().unwrap() as usize, expected.len());
        assert!(queue.sort(&table).unwrap().read().unwrap() == sorted);
        let mut sums = Table::<u64>::zeroed(device, totals.len()).unwrap();
        let ends = Table::from_rows(device, &offsets).unwrap();
        queue.segmented_sum(&table, &ends, &mut sums).unwrap();
        assert!(sums.read().unwrap() == totals);
        let mut counts = TallyTable::new(device, &[0_u32; 5]).unwrap();
        queue.histogram(&table, 3, 7, &mut counts).unwrap();
        assert_eq!(counts.read().unwrap(), slots);
        Ok(())
    })
    .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn sorting_permutes_and_is_stable(seed in prop::collection::vec(any::<u32>(), 0..50), length in lengths()) {
        let keys: Vec<f32> = repeated(&seed, length).into_iter().map(f32::from_bits).collect();
        let mut expected: Vec<u32> = (0..length as u32).collect();
        expected.sort_by(|a, b| float_order(keys[*a as usize], keys[*b as usize]));
        each_queue(|device, queue| {
            let order = queue.sort(&Table::from_rows(device, &keys).unwrap()).unwrap().read().unwrap();
            // Equal as lists: a permutation, in order, and stable.
            prop_assert!(order == expected);
            Ok(())
        })?;
    }

    #[test]
    fn a_selection_is_the_rows_that_pass(seed in prop::collection::vec(0_u32..4, 0..50), length in lengths()) {
        let values = repeated(&seed, length);
        let expected: Vec<u32> = (0..).zip(&values).filter(|(_, x)| **x >= 2).map(|(row, _)| row).collect();
        each_queue(|device, queue| {
            let table = Table::from_rows(device, &values).unwrap();
            let test = table.column::<u32>(0).at_least(2).unwrap();
            prop_assert!(queue.select(&test).unwrap().read().unwrap() == expected);
            prop_assert_eq!(queue.count(&test).unwrap().read().unwrap() as usize, expected.len());
            Ok(())
        })?;
    }

    #[test]
    fn differences_undo_a_running_sum(seed in prop::collection::vec(any::<u32>(), 0..50), length in lengths()) {
        let values = repeated(&seed, length);
        each_queue(|device, queue| {
            let table = Table::from_rows(device, &values).unwrap();
            let (mut inclusive, mut exclusive) =
                (Table::<u32>::zeroed(device, length).unwrap(), Table::<u32>::zeroed(device, length).unwrap());
            queue.inclusive_scan(&table, ScanOp::Sum, &mut inclusive).unwrap();
            queue.exclusive_scan(&table, ScanOp::Sum, &mut exclusive).unwrap();
            let (inclusive, exclusive) = (inclusive.read().unwrap(), exclusive.read().unwrap());
            let differences: Vec<u32> = inclusive.iter().zip(&exclusive).map(|(a, b)| a.wrapping_sub(*b)).collect();
            prop_assert!(differences == values);
            prop_assert_eq!(exclusive.first().copied().unwrap_or(0), 0);
            prop_assert!(exclusive.iter().skip(1).eq(inclusive.iter().take(length.saturating_sub(1))));
            let sum = queue.sum(&table).unwrap().read().unwrap();
            prop_assert_eq!(sum, inclusive.last().copied().unwrap_or(0));
            Ok(())
        })?;
    }

    #[test]
    fn the_least_is_where_arg_min_says(seed in prop::collection::vec(any::<u32>(), 1..50), length in 1_usize..150_000) {
        let values: Vec<f32> = repeated(&seed, length).into_iter().map(f32::from_bits).collect();
        let first = (0..length).min_by(|a, b| float_order(values[*a], values[*b])).unwrap();
        each_queue(|device, queue| {
            let table = Table::from_rows(device, &values).unwrap();
            let found = queue.arg_min(&table).unwrap().read().unwrap();
            prop_assert_eq!(found.row as usize, first);
            let least = queue.min(&table).unwrap().read().unwrap();
            prop_assert!(least.to_bits() == values[first].to_bits() || least.is_nan() && values[first].is_nan());
            Ok(())
        })?;
    }

    #[test]
    fn reproducible_sums_are_the_same_everywhere(
        seed in prop::collection::vec(-1e6_f32..1e6, 1..50),
        length in 0_usize..200_000,
    ) {
        let values: Vec<f32> = (0..length).map(|i| seed[i % seed.len()] * (i % 7) as f32).collect();
        let mut sums = Vec::new();
        each_queue(|device, queue| {
            let table = Table::from_rows(device, &values).unwrap();
            sums.push(queue.sum_as(&table, Reproducible).unwrap().read().unwrap().to_bits());
            Ok(())
        })?;
        prop_assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
    }

    #[test]
    fn scattering_undoes_gathering(keys in prop::collection::vec(any::<u32>(), 0..700)) {
        each_queue(|device, queue| {
            // Sorting random keys gives a random permutation.
            let permutation = queue.sort(&Table::from_rows(device, &keys).unwrap()).unwrap();
            let given = Table::from_rows(device, &(0..keys.len() as u64).collect::<Vec<_>>()).unwrap();
            let (mut there, mut back) =
                (Table::zeroed(device, keys.len()).unwrap(), Table::zeroed(device, keys.len()).unwrap());
            queue.gather(permutation.rows(), &given, &mut there).unwrap();
            queue.scatter(permutation.rows(), &there, &mut back).unwrap();
            prop_assert_eq!(back.read().unwrap(), given.read().unwrap());
            Ok(())
        })?;
    }
}
