//! Memory on a device: what is written is read, whatever the lengths.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{INSTALL, VARIANTS, backend, device, options};
use imminent_core::backend::{Allocation, Backend, Buffer, QueueHandle, Read, Span, Write};
use imminent_core::ir::{Column, Layout, Scalar};
use imminent_core::native::{ErasedTable, NativeTable};
use imminent_core::{Error, Table, TallyTable};
use imminent_opencl::OpenClBackend;

const LENGTHS: [usize; 11] = [0, 1, 2, 63, 64, 65, 255, 256, 257, 1000, 5000];

#[test]
fn a_column_is_read_as_it_was_written() {
    for options in ["", "workgroup=64"] {
        let device = device(options);
        for rows in LENGTHS {
            let values: Vec<u64> = (0..rows as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut table = Table::<u64>::zeroed(&device, rows).unwrap();
            assert_eq!(table.read().unwrap(), vec![0; rows]);
            table.write(&values).unwrap();
            assert_eq!(table.read().unwrap(), values);
            table.clear().unwrap();
            assert_eq!(table.read().unwrap(), vec![0; rows]);
        }
    }
}

#[test]
fn every_scalar_type_is_stored() {
    let device = device("");
    fn check<T: imminent_core::Row>(device: &imminent_core::Device, values: &[T]) {
        assert_eq!(Table::from_rows(device, values).unwrap().read().unwrap(), values);
    }
    check(&device, &[true, false, true]);
    check(&device, &[u32::MAX, 0, 7]);
    check(&device, &[i32::MIN, -1, 7]);
    check(&device, &[u64::MAX, 1 << 40, 7]);
    check(&device, &[i64::MIN, -1, 7]);
    check(&device, &[f32::MAX, -0.0, f32::INFINITY]);
    check(&device, &[f64::MIN_POSITIVE, -0.0, f64::NEG_INFINITY]);
}

#[test]
fn tallies_are_stored() {
    for options in VARIANTS {
        let device = device(options);
        for slots in [1, 2, 255, 256] {
            let values: Vec<i64> = (0..slots).map(|i| -i << 33).collect();
            let mut tally = TallyTable::new(&device, &values).unwrap();
            assert_eq!(tally.read().unwrap(), values);
            tally.fill(-5).unwrap();
            assert_eq!(tally.read().unwrap(), vec![-5; values.len()]);
        }
    }
}

#[test]
fn a_table_takes_over_another() {
    for options in VARIANTS {
        let device = device(options);
        for rows in LENGTHS {
            let values: Vec<u64> = (0..rows as u64).collect();
            let mut from = Table::from_rows(&device, &values).unwrap();
            let mut to = Table::<u64>::zeroed(&device, rows).unwrap();
            to.copy_from(&from).unwrap();
            from.clear().unwrap();
            assert_eq!(to.read().unwrap(), values);
            assert_eq!(from.read().unwrap(), vec![0; rows]);
        }
    }
}

/// A row of five fixed words and lanes of three.
fn layout() -> &'static Layout {
    let column = |word, scalar, lane| Column { name: format!("c{word}"), scalar, word, lane };
    Box::leak(Box::new(Layout {
        name: "Row".to_owned(),
        fixed_words: 5,
        lane_words: 3,
        columns: vec![
            column(0, Scalar::U64, false),
            column(2, Scalar::U32, false),
            column(3, Scalar::I64, false),
            column(0, Scalar::U64, true),
            column(2, Scalar::U32, true),
        ],
    }))
}

fn native(rows: u32, capacity: u32) -> Box<dyn ErasedTable> {
    Box::new(NativeTable::<u32>::zeroed(rows, capacity))
}

/// A table of [`layout`] with all its columns, as bytes.
struct Columns {
    backend: OpenClBackend,
    queue: QueueHandle,
    rows: u32,
}

impl Columns {
    fn new(options: &str, rows: u32) -> Columns {
        let backend = backend(options);
        Columns { queue: backend.queue().unwrap(), backend, rows }
    }

    fn allocate(&self, capacity: u32) -> Buffer {
        self.backend
            .allocate(&self.queue, &Allocation::Table { layout: layout(), rows: self.rows, capacity, native })
            .unwrap()
    }

    fn spans(&self, capacity: u32) -> Vec<Span> {
        let span = |column: &Column, lane| Span { lane, word: column.word, scalar: column.scalar, rows: 0..self.rows };
        let fixed = layout().columns.iter().filter(|c| !c.lane).map(|c| span(c, None));
        let lanes = (0..capacity).flat_map(|lane| layout().columns.iter().filter(|c| c.lane).map(move |c| (lane, c)));
        fixed.chain(lanes.map(|(lane, c)| span(c, Some(lane)))).collect()
    }

    fn pattern(&self, spans: &[Span]) -> Vec<Vec<u8>> {
        spans
            .iter()
            .enumerate()
            .map(|(k, span)| (0..span.bytes()).map(|i| (i * 7 + k * 31 + 1) as u8).collect())
            .collect()
    }

    fn write(&self, buffer: &Buffer, spans: &[Span], bytes: &[Vec<u8>]) {
        let writes: Vec<Write<'_>> =
            spans.iter().zip(bytes).map(|(span, bytes)| Write { buffer, span: span.clone(), bytes }).collect();
        self.backend.write(&self.queue, &writes).unwrap();
    }

    fn read(&self, buffer: &Buffer, spans: &[Span]) -> Vec<Vec<u8>> {
        let mut bytes: Vec<Vec<u8>> = spans.iter().map(|span| vec![0xaa; span.bytes()]).collect();
        let mut reads: Vec<Read<'_>> =
            spans.iter().zip(&mut bytes).map(|(span, bytes)| Read { buffer, span: span.clone(), bytes }).collect();
        self.backend.read(&self.queue, &mut reads).unwrap();
        bytes
    }
}

#[test]
fn columns_and_lanes_do_not_overlap() {
    for rows in [1, 62, 63, 64, 65] {
        let table = Columns::new("", rows);
        let buffer = table.allocate(4);
        let spans = table.spans(4);
        let bytes = table.pattern(&spans);
        table.write(&buffer, &spans, &bytes);
        assert_eq!(table.read(&buffer, &spans), bytes, "{rows}");
    }
}

#[test]
fn part_of_a_column_can_be_written_and_read() {
    let table = Columns::new("", 63);
    let buffer = table.allocate(1);
    let whole = Span { lane: None, word: 3, scalar: Scalar::I64, rows: 0..63 };
    let part = Span { rows: 5..9, ..whole.clone() };
    table.write(&buffer, std::slice::from_ref(&part), &[vec![9; 32]]);
    let mut expected = vec![0; 63 * 8];
    expected[40..72].fill(9);
    assert_eq!(table.read(&buffer, &[whole, part]), vec![expected, vec![9; 32]]);
}

#[test]
fn a_table_grows_without_losing_anything() {
    for rows in [1, 63, 64] {
        let table = Columns::new("", rows);
        let small = table.allocate(1);
        let spans = table.spans(1);
        let bytes = table.pattern(&spans);
        table.write(&small, &spans, &bytes);
        let large = table.backend.grow(&table.queue, &small, 5).unwrap();
        assert_eq!(table.read(&large, &spans), bytes, "{rows}");
        let added = &table.spans(5)[spans.len()..];
        assert!(table.read(&large, added).iter().flatten().all(|byte| *byte == 0), "{rows}");
        assert_eq!(table.read(&small, &spans), bytes, "{rows}");
        assert!(table.backend.grow(&table.queue, &large, 2).is_err());
    }
}

#[test]
fn released_memory_is_counted_off() {
    let backend = backend("");
    let queue = backend.queue().unwrap();
    assert_eq!(backend.allocated_bytes(), 0);
    let table =
        backend.allocate(&queue, &Allocation::Table { layout: layout(), rows: 1000, capacity: 0, native }).unwrap();
    assert_eq!(backend.allocated_bytes(), 1024 * 5 * 4);
    let result = backend.allocate(&queue, &Allocation::Result { scalar: Scalar::U64, with_row: true }).unwrap();
    assert!(backend.allocated_bytes() > 1024 * 5 * 4);
    drop((table, result));
    assert_eq!(backend.allocated_bytes(), 0);
}

#[test]
fn a_result_is_zero_even_where_its_memory_was_used_before() {
    let backend = backend("");
    let queue = backend.queue().unwrap();
    let span = Span { lane: None, word: 0, scalar: Scalar::U64, rows: 0..1 };
    for value in [[7; 8], [9; 8]] {
        let result = backend.allocate(&queue, &Allocation::Result { scalar: Scalar::U64, with_row: false }).unwrap();
        let mut bytes = [0xaa; 8];
        backend.read(&queue, &mut [Read { buffer: &result, span: span.clone(), bytes: &mut bytes }]).unwrap();
        assert_eq!(bytes, [0; 8]);
        backend.write(&queue, &[Write { buffer: &result, span: span.clone(), bytes: &value }]).unwrap();
        backend.read(&queue, &mut [Read { buffer: &result, span: span.clone(), bytes: &mut bytes }]).unwrap();
        assert_eq!(bytes, value);
    }
}

#[test]
fn a_transfer_larger_than_a_staging_buffer_goes_in_parts() {
    let device = device("");
    // 80 MiB and a little.
    let values: Vec<u64> = (0..(10 << 20) + 3).map(|i| i * i).collect();
    let mut table = Table::<u64>::zeroed(&device, values.len()).unwrap();
    table.write(&values).unwrap();
    assert!(table.read().unwrap() == values);
}

#[test]
fn what_does_not_fit_is_a_typed_error() {
    let device = device("max_table_bytes=600000");
    let error = Table::<u64>::zeroed(&device, 80_000).unwrap_err();
    assert!(matches!(error, Error::Limit { requested: 640_512, limit: 600_000, .. }), "{error}");
    let error = TallyTable::new(&device, &vec![0u64; 75_001]).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let error = Table::<u64>::zeroed(&device, u32::MAX as usize - 2000).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let whole = common::device("");
    let most = whole.capabilities().limits.table_bytes;
    let error =
        Table::<u64>::zeroed(&whole, usize::try_from(most / 8).unwrap().min(u32::MAX as usize - 1)).unwrap_err();
    assert!(matches!(error, Error::Limit { .. } | Error::OutOfMemory { .. }), "{error}");
    // The device is still good.
    assert_eq!(Table::from_rows(&device, &[1u32, 2]).unwrap().read().unwrap(), [1, 2]);
}

#[test]
fn spans_and_lengths_that_do_not_fit_are_typed_errors() {
    let table = Columns::new("", 10);
    let buffer = table.allocate(1);
    let span = |lane, word, scalar, rows| Span { lane, word, scalar, rows };
    for outside in
        [span(None, 5, Scalar::U32, 0..1), span(Some(1), 0, Scalar::U64, 0..1), span(None, 0, Scalar::U64, 0..11)]
    {
        let bytes = vec![0; outside.bytes()];
        let write = Write { buffer: &buffer, span: outside.clone(), bytes: &bytes };
        assert!(matches!(table.backend.write(&table.queue, &[write]), Err(Error::Invalid { .. })), "{outside:?}");
    }
    let write = Write { buffer: &buffer, span: span(None, 0, Scalar::U64, 0..2), bytes: &[0; 15] };
    assert!(matches!(table.backend.write(&table.queue, &[write]), Err(Error::Invalid { .. })));
    let foreign = Buffer::new(3u32);
    assert!(matches!(table.backend.clear(&table.queue, &foreign), Err(Error::Invalid { .. })));
    let other = table.allocate(2);
    assert!(matches!(table.backend.copy(&table.queue, &buffer, &other), Err(Error::Invalid { .. })));
}

#[test]
fn devices_are_listed_and_opened_by_number() {
    let options = options("");
    let listed = OpenClBackend::list(&options).expect(INSTALL);
    assert!(!listed.is_empty());
    for (adapter, index) in listed.iter().zip(0..) {
        assert_eq!(adapter.info.index, index);
        assert_eq!(adapter.info.backend, "opencl");
        assert!(adapter.capabilities.limits.table_bytes >= 128 << 20);
        assert!(adapter.capabilities.limits.bindings >= 8);
    }
    assert_eq!(backend("").info(), &listed[0].info);
    let error = OpenClBackend::open(99, &options).unwrap_err();
    assert!(matches!(error, Error::NoDevice { index: 99, .. }), "{error}");
    assert!(error.to_string().contains(&listed[0].info.name), "{error}");
    let platforms = OpenClBackend::platforms(&options).expect(INSTALL);
    let devices: Vec<_> = platforms.into_iter().flat_map(|platform| platform.devices).collect();
    assert_eq!(devices, listed);
}
