//! Reductions on the host.

use imminent::Table;
use imminent_testkit::pairs::measure;
use rayon::prelude::*;
use std::hint::black_box;

/// Compares the least value and the sum of a table with a plain iterator and with rayon over the same numbers.
pub fn compare(values: &[u32], pairs: usize) -> Result<(), Box<dyn std::error::Error>> {
    let device = imminent::open(&imminent::DeviceSelection::backend("cpu"))?;
    let table = Table::from_rows(&device, values)?;
    let queue = device.queue();
    let count = ((1 << 22) / values.len()).clamp(1, 256);
    let least = || queue.min(&table).and_then(|least| least.read());
    let total = || queue.sum(&table).and_then(|total| total.read());
    assert_eq!(least()?, values.iter().copied().min().unwrap_or(u32::MAX));
    assert_eq!(total()?, values.iter().copied().fold(0, u32::wrapping_add));
    let again = |work: &dyn Fn()| (0..count).for_each(|_| work());
    let ours_least = || again(&|| drop(black_box(least())));
    let ours_total = || again(&|| drop(black_box(total())));
    let length = values.len();
    let see = |value: u32| {
        black_box(value);
    };
    let iterator_least = || again(&|| see(black_box(values).iter().copied().min().unwrap_or(0)));
    let iterator_total = || again(&|| see(black_box(values).iter().copied().fold(0, u32::wrapping_add)));
    let rayon_least = || again(&|| see(black_box(values).par_iter().copied().min().unwrap_or(0)));
    let rayon_total = || again(&|| see(black_box(values).par_iter().copied().reduce(|| 0, u32::wrapping_add)));
    measure(&format!("min of {length} u32, beside an iterator"), pairs, count, ours_least, iterator_least).print();
    measure(&format!("min of {length} u32, beside rayon"), pairs, count, ours_least, rayon_least).print();
    measure(&format!("sum of {length} u32, beside an iterator"), pairs, count, ours_total, iterator_total).print();
    measure(&format!("sum of {length} u32, beside rayon"), pairs, count, ours_total, rayon_total).print();
    Ok(())
}
