//! Reductions on the host.

use imminent::Table;
use imminent_testkit::pairs::measure;
use rayon::prelude::*;
use std::hint::black_box;

/// Compares the least value and the sum of a table with a plain iterator and with rayon over the same numbers.
pub fn compare(values: &[u32], pairs: usize) -> Result<(), Box<dyn std::error::Error>> {
    let device = imminent::open(&imminent::DeviceSelection::of(imminent::BackendName::Cpu))?;
    let table = Table::from_rows(&device, values)?;
    let queue = device.queue();
    let count = ((1 << 22) / values.len()).clamp(1, 256);
    let least = || queue.min(&table).and_then(|least| least.read());
    let total = || queue.sum(&table).and_then(|total| total.read());
    assert_eq!(least()?, values.iter().copied().min().unwrap_or(u32::MAX));
    assert_eq!(total()?, values.iter().copied().fold(0, u32::wrapping_add));
    let ours_least = || (0..count).for_each(|_| drop(black_box(least())));
    let ours_total = || (0..count).for_each(|_| drop(black_box(total())));
    let length = values.len();
    let iterator_least = || (0..count).for_each(|_| drop(black_box(black_box(values).iter().min())));
    let iterator_total = || {
        (0..count).for_each(|_| drop(black_box(black_box(values).iter().copied().fold(0, u32::wrapping_add))));
    };
    let rayon_least = || (0..count).for_each(|_| drop(black_box(black_box(values).par_iter().min())));
    let rayon_total = || {
        (0..count).for_each(|_| drop(black_box(black_box(values).par_iter().copied().reduce(|| 0, u32::wrapping_add))))
    };
    measure(&format!("min of {length} u32, beside an iterator"), pairs, count, ours_least, iterator_least).print();
    measure(&format!("min of {length} u32, beside rayon"), pairs, count, ours_least, rayon_least).print();
    measure(&format!("sum of {length} u32, beside an iterator"), pairs, count, ours_total, iterator_total).print();
    measure(&format!("sum of {length} u32, beside rayon"), pairs, count, ours_total, rayon_total).print();
    Ok(())
}
