//! Transfers between host and device, and copies on the device.

use super::timing::{Timing, time};
use imminent::models::study::benchmark::Line;
use imminent::{Device, Error, Limit, Result, Table, Tally};
use imminent_core::backend::{Allocation, Read, Span, Write};
use imminent_core::ir::Scalar;
use serde::Serialize;
use std::time::Duration;

/// Rate of transfers of one size.
#[derive(Debug, Serialize)]
pub(super) struct Rate {
    what: &'static str,
    bytes: u64,
    #[serde(flatten)]
    timing: Timing,
    /// Bytes per second, by the median; a copy counts them once, though it reads and writes them.
    bytes_per_s: f64,
    /// Rate relative to that of the copy on the device of this size.
    share_of_copy: f64,
}

impl Line for Rate {
    const HEAD: &'static [&'static str] =
        &["what", "KiB", "us, median", "half of the runs", "GB/s", "share of a device copy", "runs"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.what.to_owned(),
            (self.bytes >> 10).to_string(),
            self.timing.median(),
            self.timing.spread(),
            format!("{:.2}", self.bytes_per_s / 1e9),
            format!("{:.3}", self.share_of_copy),
            self.timing.runs.to_string(),
        ]
    }
}

/// Measures from 4 KiB up to `most` MiB, each size 16 times the one before.
pub(super) fn measure(device: &Device, budget: Duration, most: u32) -> Result<Vec<Rate>> {
    let mut rates = Vec::new();
    let mut bytes = 4 << 10;
    while bytes <= u64::from(most) << 20 {
        match of_size(device, budget, bytes) {
            Ok(more) => rates.extend(more),
            // The rates measured before are kept.
            Err(Error::OutOfMemory { .. } | Error::Limit { .. }) if !rates.is_empty() => break,
            Err(error) => return Err(error),
        }
        bytes *= 16;
    }
    Ok(rates)
}

fn of_size(device: &Device, budget: Duration, bytes: u64) -> Result<Vec<Rate>> {
    let words: Vec<u64> = (0..bytes / 8).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut table = Table::from_rows(device, &words)?;
    let mut other = Table::<u64>::zeroed(device, words.len())?;
    let queue = device.queue();
    let copy = time(budget, || {
        other.copy_from(&table)?;
        queue.wait()
    })?;
    drop(other);
    let write = time(budget, || {
        table.write(&words)?;
        queue.wait()
    })?;
    let read = time(budget, || table.read().map(drop))?;
    drop(table);
    let (upload, download) = raw(device, budget, &words)?;
    let figures = [
        ("copy on the device", copy),
        ("upload of bytes", upload),
        ("download of bytes", download),
        ("write of a table's rows", write),
        ("read of a table's rows", read),
    ];
    let rate = |timing: Timing| bytes as f64 / timing.median_s;
    let figures = figures.map(|(what, timing)| Rate {
        what,
        bytes,
        timing,
        bytes_per_s: rate(timing),
        share_of_copy: rate(timing) / rate(copy),
    });
    Ok(figures.into())
}

/// Measures transfers from and to ordinary memory of the host with the backend's own calls, without conversion of rows.
fn raw(device: &Device, budget: Duration, words: &[u64]) -> Result<(Timing, Timing)> {
    let backend = device.backend();
    let queue = backend.queue()?;
    let too_many = |_| Error::limit(Limit::Slots { of: "a tally of u64".to_owned() }, words.len() as u64, u32::MAX);
    let slots = u32::try_from(words.len()).map_err(too_many)?;
    let native = |slots: u32| -> Box<dyn imminent_core::native::ErasedTally> {
        Box::new(Tally::new(&vec![0_u64; slots as usize]))
    };
    let buffer = backend.allocate(&queue, &Allocation::Tally { scalar: Scalar::U64, slots, native })?;
    let span = Span::column(None, 0, Scalar::U64, 0..slots);
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let upload = time(budget, || {
        backend.write(&queue, &[Write { buffer: &buffer, span: span.clone(), bytes: &bytes }])?;
        backend.finish(&queue)
    })?;
    let expected = bytes.clone();
    bytes.fill(0);
    let download =
        time(budget, || backend.read(&queue, &mut [Read { buffer: &buffer, span: span.clone(), bytes: &mut bytes }]))?;
    if bytes != expected {
        return Err(Error::invalid("transfer", "what was read is not what was written"));
    }
    Ok((upload, download))
}
