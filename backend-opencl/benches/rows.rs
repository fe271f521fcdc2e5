//! Throughput of whole tables of rows to a device and back, beside a plain copy and beside packing leaf by leaf.
//!
//! `cargo bench -p imminent-opencl --bench rows`. A chunk of rows is packed into columns and copied to the device,
//! which takes at least two passes over the bytes; a plain copy takes one. `leaf_by_leaf` is the packing alone, by the
//! calls for single values.

#![allow(missing_docs, clippy::unwrap_used)]

use divan::{Bencher, black_box, counter::BytesCount};
use imminent_core::{Device, Row, Table};
use imminent_opencl::{OpenClBackend, Options};

#[imminent_core::kernels]
mod facility {
    /// A row of 64 bytes, typical of models.
    #[derive(Row)]
    pub struct Facility {
        pub free_at: u64,
        pub next_service: u64,
        pub state: u64,
        pub waiting: u32,
        pub busy: u32,
        pub arrivals: [u64; 4],
    }
}

use facility::Facility;

const ROWS: usize = 1 << 20;

fn main() {
    divan::main();
}

fn rows() -> Vec<Facility> {
    let row = |i: usize| Facility {
        free_at: i as u64,
        next_service: i as u64 * 3,
        state: 7,
        waiting: i as u32,
        busy: 1,
        arrivals: [i as u64; 4],
    };
    (0..ROWS).map(row).collect()
}

fn table() -> Table<Facility> {
    let device = Device::open(OpenClBackend::open(0, &Options::default()).unwrap()).unwrap();
    Table::from_rows(&device, &rows()).unwrap()
}

#[divan::bench]
fn write(bencher: Bencher<'_, '_>) {
    let (mut table, rows) = (table(), rows());
    bencher.counter(BytesCount::new(ROWS * 64)).bench_local(|| {
        table.write(&rows).unwrap();
        table.device().queue().wait().unwrap();
    });
}

#[divan::bench]
fn read(bencher: Bencher<'_, '_>) {
    let table = table();
    bencher.counter(BytesCount::new(ROWS * 64)).bench_local(|| table.read().unwrap());
}

#[divan::bench]
fn plain_copy(bencher: Bencher<'_, '_>) {
    let rows = rows();
    let mut to = rows.clone();
    bencher.counter(BytesCount::new(ROWS * 64)).bench_local(|| black_box(&mut to).copy_from_slice(black_box(&rows)));
}

#[divan::bench]
fn leaf_by_leaf(bencher: Bencher<'_, '_>) {
    let rows = rows();
    bencher.counter(BytesCount::new(ROWS * 64)).bench_local(|| {
        let columns = &<Facility as Row>::layout().columns;
        let column = |column: &imminent_core::ir::Column| -> Vec<u8> {
            let width = column.scalar.words() as usize * 4;
            rows.iter().flat_map(|row| Row::leaf(row, column.word).to_le_bytes().into_iter().take(width)).collect()
        };
        columns.iter().map(column).collect::<Vec<_>>()
    });
}
