//! Compares the host's primitives with plain iterators, rayon and a plain streaming read, in pairs.
//!
//! `cargo bench -p imminent-cpu`, with `-- 10 22` for some powers of two only. Every round times one call of each in
//! turn, so other load of the machine affects all alike. The output is the median, and the median of the ratios to ours
//! within one round. A call of ours goes through the public interface and includes allocating the result. "ours, in a
//! program" is one step of a replayed program, whose result is allocated already.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot run must not pass for one that did"
)]

mod stream;
mod turns;

use imminent_core::primitives::ScanOp;
use imminent_core::{Device, Program, Queue, Reproducible, Selection, Table, TallyTable, Unordered};
use imminent_cpu::{CpuBackend, Options};
use rayon::prelude::*;
use std::hint::black_box;
use stream::streaming_read;
use turns::{one, pairs};

const SIZES: [u32; 9] = [0, 5, 8, 10, 14, 17, 20, 22, 25];

/// Steps of a program that is replayed.
const STEPS: u32 = 64;

#[imminent_core::kernels]
mod rows {
    /// A row of 32 bytes in native form; a reduction over a column needs 8 of them.
    #[derive(Row)]
    pub struct Token {
        pub place: u32,
        pub time: u64,
        pub weight: f32,
        pub route: [u32; 4],
    }
}
use rows::{Token, TokenColumns as _};

/// Makes the compiler believe that a value is used.
fn keep<T>(value: T) {
    black_box(value);
}

/// Returns a program of [`STEPS`] minima.
fn program(device: &Device, table: &Table<u32>, into: &mut Table<u32>) -> Program {
    Program::record(device, |builder| builder.repeat(STEPS, |step| step.min_into(table, into).map(drop)))
        .expect("a program")
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
    let mut into = Table::<u32>::zeroed(device, 1).expect("a table");
    let mut steps = program(device, &t32, &mut into);
    let min_u32 = vec![
        one("ours", || keep(queue.min(&t32).expect("a minimum"))),
        ("ours, in a program", STEPS, Box::new(|| keep(steps.run().expect("a run")))),
        one("iterator", || keep(narrow.iter().min())),
        one("rayon", || keep(narrow.par_iter().min())),
        one("streaming read", || keep(streaming_read(&narrow))),
    ];
    pairs("min u32", rows, rows * 4, min_u32);
    let sum_u64 = vec![
        one("ours", || keep(queue.sum(&t64).expect("a sum"))),
        one("iterator", || keep(wide.iter().fold(0_u64, |a, b| a.wrapping_add(*b)))),
        one("rayon", || keep(wide.par_iter().copied().reduce(|| 0_u64, u64::wrapping_add))),
        one("streaming read", || keep(streaming_read(bytemuck::cast_slice(&wide)))),
    ];
    pairs("sum u64", rows, rows * 8, sum_u64);
    let sum_f32 = vec![
        one("ours", || keep(queue.sum_as(&tf, Reproducible).expect("a sum"))),
        one("ours, unordered", || keep(queue.sum_as(&tf, Unordered).expect("a sum"))),
        one("iterator", || keep(real.iter().sum::<f32>())),
        one("rayon", || keep(real.par_iter().sum::<f32>())),
        one("streaming read", || keep(streaming_read(bytemuck::cast_slice(&real)))),
    ];
    pairs("sum f32 reproducible", rows, rows * 4, sum_f32);
    let arg_min = vec![
        one("ours", || keep(queue.arg_min(&tf).expect("an arg-min"))),
        one("iterator", || {
            keep((0..).zip(&real).min_by(|(i, a): &(u32, &f32), (j, b)| a.total_cmp(b).then(i.cmp(j))));
        }),
        one("rayon", || {
            keep(real.par_iter().enumerate().min_by(|(i, a), (j, b)| a.total_cmp(b).then(i.cmp(j))));
        }),
        one("streaming read", || keep(streaming_read(bytemuck::cast_slice(&real)))),
    ];
    pairs("arg-min f32", rows, rows * 4, arg_min);
    let tokens: Vec<Token> =
        wide.iter().map(|time| Token { place: 1, time: *time, weight: 0.0, route: [0; 4] }).collect();
    let table = Table::from_rows(device, &tokens).expect("a table");
    let of_struct = vec![
        one("ours", || keep(queue.min(table.time()).expect("a minimum"))),
        one("iterator", || keep(tokens.iter().map(|token| token.time).min())),
        one("rayon", || keep(tokens.par_iter().map(|token| token.time).min())),
    ];
    pairs("min of a struct's u64", rows, rows * size_of::<Token>(), of_struct);
    let (mut again, mut copy) = (Vec::new(), Vec::new());
    let whole = vec![
        one("Table::read", || keep(table.read().expect("the rows"))),
        one("clone", || keep(tokens.clone())),
        one("read_into", || table.read_into(&mut again).expect("the rows")),
        one("clone_into", || tokens.clone_into(&mut copy)),
    ];
    pairs("read of structs", rows, rows * size_of::<Token>(), whole);
}

fn orders(queue: &Queue, device: &Device, bits: u32) {
    let rows = 1_usize << bits;
    let keys: Vec<u32> = (0..rows as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let table = Table::from_rows(device, &keys).expect("a table");
    let mut selection = Selection::with_capacity(device, rows).expect("a selection");
    for (what, share) in [("select 1 %", 100), ("select 50 %", 2)] {
        let limit = u32::MAX / share;
        let test = table.column::<u32>(0).below(limit).expect("a test");
        let rivals = vec![
            one("ours", || queue.select_into(&test, &mut selection).expect("a selection")),
            one("iterator", || {
                let passing = (0_u32..).zip(&keys).filter(|(_, x)| **x < limit).map(|(row, _)| row);
                keep(passing.collect::<Vec<_>>());
            }),
            one("rayon", || {
                let passing = keys.par_iter().enumerate().filter(|(_, x)| **x < limit).map(|(row, _)| row as u32);
                keep(passing.collect::<Vec<_>>());
            }),
        ];
        pairs(what, rows, rows * 4, rivals);
    }
    let mut running = Table::<u32>::zeroed(device, rows).expect("a table");
    let mut plain = vec![0_u32; rows];
    let scans = vec![
        one("ours", || queue.inclusive_scan(&table, ScanOp::Sum, &mut running).expect("a scan")),
        one("iterator", || {
            let mut sum = 0_u32;
            for (out, x) in plain.iter_mut().zip(&keys) {
                sum = sum.wrapping_add(*x);
                *out = sum;
            }
            black_box(&plain);
        }),
    ];
    pairs("scan u32", rows, rows * 8, scans);
    let mut tally = TallyTable::new(device, &[0_u32; 256]).expect("a tally");
    let mut counts = vec![0_u32; 256];
    let histograms = vec![
        one("ours", || queue.histogram(&table, 0, 1 << 24, &mut tally).expect("a histogram")),
        one("iterator", || {
            for x in &keys {
                counts[(x >> 24) as usize] += 1;
            }
            black_box(&counts);
        }),
    ];
    pairs("histogram u32, 256 slots", rows, rows * 4, histograms);
    let segments = rows.div_ceil(100);
    let ends: Vec<u32> = (0..=segments).map(|s| (s * 100).min(rows) as u32).collect();
    let offsets = Table::from_rows(device, &ends).expect("a table");
    let mut sums = Table::<u32>::zeroed(device, segments).expect("a table");
    let mut plain = vec![0_u32; segments];
    let segmented = vec![
        one("ours", || queue.segmented_sum(&table, &offsets, &mut sums).expect("sums")),
        one("iterator", || {
            for (sum, segment) in plain.iter_mut().zip(ends.windows(2)) {
                *sum = keys[segment[0] as usize..segment[1] as usize].iter().fold(0, |a, b| a.wrapping_add(*b));
            }
            black_box(&plain);
        }),
    ];
    pairs("sums of 100 rows each", rows, rows * 4, segmented);
    if bits <= 22 {
        let sorts = vec![
            one("ours", || keep(queue.sort(&table).expect("a sort"))),
            one("iterator", || {
                let mut order: Vec<u32> = (0..rows as u32).collect();
                order.sort_by_key(|row| keys[*row as usize]);
                black_box(order);
            }),
            one("rayon", || {
                let mut order: Vec<u32> = (0..rows as u32).collect();
                order.par_sort_by_key(|row| keys[*row as usize]);
                black_box(order);
            }),
        ];
        pairs("sort by u32, permutation", rows, rows * 8, sorts);
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
