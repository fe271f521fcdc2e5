//! Columns and lanes as bytes, by the backend's own calls.

use imminent_core::Error;
use imminent_core::backend::{Allocation, Backend, Buffer, QueueHandle, Read, Span, Write};
use imminent_core::ir::{Column, Layout, Scalar, Scalars};
use imminent_core::native::{ErasedTable, NativeTable};

/// Returns the layout of a row of five fixed words and lanes of three.
fn layout() -> &'static Layout {
    crate::layouts::row(&[Scalar::U64, Scalar::U32, Scalar::I64], &[Scalar::U64, Scalar::U32])
}

fn native(rows: u32, capacity: u32) -> Box<dyn ErasedTable> {
    Box::new(NativeTable::<u32>::zeroed(rows, capacity))
}

/// A table of [`layout`] with all its columns, as bytes.
struct Columns<'d> {
    backend: &'d dyn Backend,
    queue: QueueHandle,
    rows: u32,
}

impl<'d> Columns<'d> {
    fn new(backend: &'d dyn Backend, rows: u32) -> Columns<'d> {
        Columns { queue: backend.queue().unwrap(), backend, rows }
    }

    fn allocate(&self, capacity: u32) -> Buffer {
        self.backend
            .allocate(&self.queue, &Allocation::Table { layout: layout(), rows: self.rows, capacity, native })
            .unwrap()
    }

    fn spans(&self, capacity: u32) -> Vec<Span> {
        let span = |column: &Column, lane| Span::column(lane, column.word, column.scalar, 0..self.rows);
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

pub fn columns_and_lanes_do_not_overlap(backend: &dyn Backend) {
    columns_and_lanes_do_not_overlap_with(backend, &[1, 62, 63, 64, 65]);
}

/// Checks that columns and lanes do not overlap, for tables of these lengths.
pub fn columns_and_lanes_do_not_overlap_with(backend: &dyn Backend, lengths: &[u32]) {
    for rows in lengths {
        let table = Columns::new(backend, *rows);
        let buffer = table.allocate(4);
        let spans = table.spans(4);
        let bytes = table.pattern(&spans);
        table.write(&buffer, &spans, &bytes);
        assert_eq!(table.read(&buffer, &spans), bytes, "{rows}");
    }
}

pub fn part_of_a_column_can_be_written_and_read(backend: &dyn Backend) {
    let table = Columns::new(backend, 63);
    let buffer = table.allocate(1);
    let whole = Span::column(None, 3, Scalar::I64, 0..63);
    let part = Span { rows: 5..9, ..whole.clone() };
    table.write(&buffer, std::slice::from_ref(&part), &[vec![9; 32]]);
    let mut expected = vec![0; 63 * 8];
    expected[40..72].fill(9);
    assert_eq!(table.read(&buffer, &[whole, part]), vec![expected, vec![9; 32]]);
}

pub fn a_table_grows_without_losing_anything(backend: &dyn Backend) {
    a_table_grows_without_losing_anything_with(backend, &[1, 63, 64]);
}

/// Checks that tables of these lengths keep their data when they grow.
pub fn a_table_grows_without_losing_anything_with(backend: &dyn Backend, lengths: &[u32]) {
    for rows in lengths {
        let table = Columns::new(backend, *rows);
        let small = table.allocate(1);
        let spans = table.spans(1);
        let bytes = table.pattern(&spans);
        table.write(&small, &spans, &bytes);
        let large = table.backend.grow(&table.queue, &small, 5).unwrap();
        assert_eq!(table.read(&large, &spans), bytes);
        let added = &table.spans(5)[spans.len()..];
        assert!(table.read(&large, added).iter().flatten().all(|byte| *byte == 0));
        assert_eq!(table.read(&small, &spans), bytes);
        assert!(table.backend.grow(&table.queue, &large, 2).is_err());
    }
}

pub fn a_result_is_zero_even_where_its_memory_was_used_before(backend: &dyn Backend) {
    let queue = backend.queue().unwrap();
    let span = Span::column(None, 0, Scalar::U64, 0..1);
    for value in [[7; 8], [9; 8]] {
        let result = backend.allocate(&queue, &Allocation::Result { scalars: Scalars::new(&[Scalar::U64]) }).unwrap();
        let mut bytes = [0xaa; 8];
        backend.read(&queue, &mut [Read { buffer: &result, span: span.clone(), bytes: &mut bytes }]).unwrap();
        assert_eq!(bytes, [0; 8]);
        backend.write(&queue, &[Write { buffer: &result, span: span.clone(), bytes: &value }]).unwrap();
        backend.read(&queue, &mut [Read { buffer: &result, span: span.clone(), bytes: &mut bytes }]).unwrap();
        assert_eq!(bytes, value);
    }
}

pub fn spans_and_lengths_that_do_not_fit_are_typed_errors(backend: &dyn Backend) {
    let table = Columns::new(backend, 10);
    let buffer = table.allocate(1);
    let span = |lane, word, scalar, rows| Span::column(lane, word, scalar, rows);
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

pub fn released_memory_is_counted_off(backend: &dyn Backend) {
    let queue = backend.queue().unwrap();
    let result = || {
        backend.allocate(&queue, &Allocation::Result { scalars: Scalars::new(&[Scalar::U64, Scalar::U32]) }).unwrap()
    };
    // The first result may create a pool, which remains.
    drop(result());
    let before = backend.allocated_bytes();
    for _ in 0..3 {
        let table = Allocation::Table { layout: layout(), rows: 1000, capacity: 0, native };
        let table = backend.allocate(&queue, &table).unwrap();
        assert_eq!(backend.allocated_bytes(), before + 1024 * 5 * 4);
        let result = result();
        assert!(backend.allocated_bytes() >= before + 1024 * 5 * 4);
        drop((table, result));
        assert_eq!(backend.allocated_bytes(), before);
    }
}
