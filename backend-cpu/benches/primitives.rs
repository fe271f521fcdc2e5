//! The host's primitives beside plain iterators, rayon and a plain streaming read, in pairs.
//!
//! `cargo bench -p imminent-cpu`. Every round times one call of each in turn, so that what else the machine does meets all alike; what
//! is printed is the median, and the median of the ratios to ours of the same round. A call of ours includes its result's
//! allocation and is a call of the public interface.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot run must not pass for one that did"
)]

use imminent_core::primitives::ScanOp;
use imminent_core::{Device, Queue, Reproducible, Selection, Table, Unordered};
use imminent_cpu::{CpuBackend, Options};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

const SIZES: [u32; 6] = [10, 14, 17, 20, 22, 25];

#[imminent_core::kernels]
mod rows {
    /// A row of 40 bytes natively, of which a reduction over a column needs 8.
    #[derive(Row)]
    pub struct Token {
        pub place: u32,
        pub time: u64,
        pub weight: f32,
        pub route: [u32; 4],
    }
}
use rows::{Token, TokenColumns as _};

/// Something timed: its name, and the call.
type Rival<'r> = (&'static str, Box<dyn FnMut() + 'r>);

/// Times rivals in turn; the first is ours.
fn pairs(what: &str, rows: usize, bytes: usize, mut rivals: Vec<Rival<'_>>) {
    // Short rounds, so that most of them are not interrupted.
    let calls = ((1 << 15) / rows).clamp(1, 32) as u32;
    let rounds = if rows >= 1 << 24 { 15 } else { 61 };
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); rivals.len()];
    for round in 0..=rounds {
        for ((_, call), times) in rivals.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..calls {
                call();
            }
            let one: Duration = start.elapsed() / calls;
            if round > 0 {
                times.push(one.as_secs_f64());
            }
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let ours = times[0].clone();
    for ((name, _), times) in rivals.iter().zip(times) {
        let ratio = median(times.iter().zip(&ours).map(|(theirs, ours)| theirs / ours).collect());
        let time = median(times);
        println!(
            "{what:<28} {rows:>9} rows  {name:<16} {:>10.2} us {:>7.2} GB/s   {ratio:>6.2} of our time",
            time * 1e6,
            bytes as f64 / time / 1e9
        );
    }
}

/// Makes the compiler believe that a value is used.
fn keep<T>(value: T) {
    black_box(value);
}

/// Reads memory and does as little as can be with it, on all threads.
fn streaming_read(values: &[u32]) -> u32 {
    let fold = |part: &[u32]| {
        let mut lanes = [0; 64];
        for chunk in part.as_chunks::<64>().0 {
            lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane |= x);
        }
        lanes.into_iter().fold(0, |a, b| a | b)
    };
    if values.len() < 1 << 16 {
        return fold(values);
    }
    values.par_chunks(1 << 16).map(fold).reduce(|| 0, |a, b| a | b)
}

fn reductions(queue: &Queue, device: &Device, bits: u32) {
    let rows = 1_usize << bits;
    let narrow: Vec<u32> = (0..rows as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let wide: Vec<u64> = narrow.iter().map(|x| u64::from(*x) << 20).collect();
    let real: Vec<f32> = narrow.iter().map(|x| (*x >> 8) as f32).collect();
    let (t32, t64, tf) = (
        Table::from_rows(device, &narrow).expect("a table"),
        Table::from_rows(device, &wide).expect("a table"),
        Table::from_rows(device, &real).expect("a table"),
    );
    pairs(
        "min u32",
        rows,
        rows * 4,
        vec![
            ("ours", Box::new(|| keep(queue.min(&t32).expect("a minimum")))),
            ("iterator", Box::new(|| keep(narrow.iter().min()))),
            ("rayon", Box::new(|| keep(narrow.par_iter().min()))),
            ("streaming read", Box::new(|| keep(streaming_read(&narrow)))),
        ],
    );
    pairs(
        "sum u64",
        rows,
        rows * 8,
        vec![
            ("ours", Box::new(|| keep(queue.sum(&t64).expect("a sum")))),
            ("iterator", Box::new(|| keep(wide.iter().fold(0_u64, |a, b| a.wrapping_add(*b))))),
            ("rayon", Box::new(|| keep(wide.par_iter().copied().reduce(|| 0_u64, u64::wrapping_add)))),
        ],
    );
    pairs(
        "sum f32 reproducible",
        rows,
        rows * 4,
        vec![
            ("ours", Box::new(|| keep(queue.sum_as(&tf, Reproducible).expect("a sum")))),
            ("ours, unordered", Box::new(|| keep(queue.sum_as(&tf, Unordered).expect("a sum")))),
            ("iterator", Box::new(|| keep(real.iter().sum::<f32>()))),
            ("rayon", Box::new(|| keep(real.par_iter().sum::<f32>()))),
        ],
    );
    pairs(
        "arg-min f32",
        rows,
        rows * 4,
        vec![
            ("ours", Box::new(|| keep(queue.arg_min(&tf).expect("an arg-min")))),
            (
                "iterator",
                Box::new(|| {
                    keep((0..).zip(&real).min_by(|(i, a): &(u32, &f32), (j, b)| a.total_cmp(b).then(i.cmp(j))))
                }),
            ),
            (
                "rayon",
                Box::new(|| keep(real.par_iter().enumerate().min_by(|(i, a), (j, b)| a.total_cmp(b).then(i.cmp(j))))),
            ),
        ],
    );
    let tokens: Vec<Token> =
        wide.iter().map(|time| Token { place: 1, time: *time, weight: 0.0, route: [0; 4] }).collect();
    let table = Table::from_rows(device, &tokens).expect("a table");
    pairs(
        "min of a struct's u64",
        rows,
        rows * size_of::<Token>(),
        vec![
            ("ours", Box::new(|| keep(queue.min(table.time()).expect("a minimum")))),
            ("iterator", Box::new(|| keep(tokens.iter().map(|token| token.time).min()))),
            ("rayon", Box::new(|| keep(tokens.par_iter().map(|token| token.time).min()))),
        ],
    );
}

fn orders(queue: &Queue, device: &Device, bits: u32) {
    let rows = 1_usize << bits;
    let keys: Vec<u32> = (0..rows as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let table = Table::from_rows(device, &keys).expect("a table");
    let mut selection = Selection::with_capacity(device, rows).expect("a selection");
    for (what, share) in [("select 1 %", 100), ("select 50 %", 2)] {
        let limit = u32::MAX / share;
        let test = table.column::<u32>(0).below(limit).expect("a test");
        pairs(
            what,
            rows,
            rows * 4,
            vec![
                ("ours", Box::new(|| queue.select_into(&test, &mut selection).expect("a selection"))),
                (
                    "iterator",
                    Box::new(|| {
                        keep((0_u32..).zip(&keys).filter(|(_, x)| **x < limit).map(|(row, _)| row).collect::<Vec<_>>())
                    }),
                ),
                (
                    "rayon",
                    Box::new(|| {
                        keep(
                            keys.par_iter()
                                .enumerate()
                                .filter(|(_, x)| **x < limit)
                                .map(|(row, _)| row as u32)
                                .collect::<Vec<_>>(),
                        )
                    }),
                ),
            ],
        );
    }
    let mut running = Table::<u32>::zeroed(device, rows).expect("a table");
    let mut plain = vec![0_u32; rows];
    pairs(
        "scan u32",
        rows,
        rows * 8,
        vec![
            ("ours", Box::new(|| queue.inclusive_scan(&table, ScanOp::Sum, &mut running).expect("a scan"))),
            (
                "iterator",
                Box::new(|| {
                    let mut sum = 0_u32;
                    for (out, x) in plain.iter_mut().zip(&keys) {
                        sum = sum.wrapping_add(*x);
                        *out = sum;
                    }
                    black_box(&plain);
                }),
            ),
        ],
    );
    if bits <= 22 {
        pairs(
            "sort by u32, permutation",
            rows,
            rows * 8,
            vec![
                ("ours", Box::new(|| keep(queue.sort(&table).expect("a sort")))),
                (
                    "iterator",
                    Box::new(|| {
                        let mut order: Vec<u32> = (0..rows as u32).collect();
                        order.sort_by_key(|row| keys[*row as usize]);
                        black_box(order);
                    }),
                ),
                (
                    "rayon",
                    Box::new(|| {
                        let mut order: Vec<u32> = (0..rows as u32).collect();
                        order.par_sort_by_key(|row| keys[*row as usize]);
                        black_box(order);
                    }),
                ),
            ],
        );
    }
}

fn main() {
    let device = Device::open(CpuBackend::open(&Options::default()).expect("the host")).expect("the host");
    let queue = device.queue();
    let wanted: Vec<u32> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    for bits in SIZES.into_iter().filter(|bits| wanted.is_empty() || wanted.contains(bits)) {
        reductions(&queue, &device, bits);
        orders(&queue, &device, bits);
    }
}
