//! Sorts whose results overwrite keys and payloads: allowed by the trait, but not by the methods of a queue.

use super::common::backend;
use imminent_core::backend::{Allocation, Backend, Buffer, Primitive, QueueHandle, Read, Span, View, Write};
use imminent_core::ir::{Column, Layout, Scalar};
use imminent_core::native::NativeTable;

fn layout(scalar: Scalar) -> &'static Layout {
    let column = Column { name: "value".to_owned(), scalar, word: 0, lane: false };
    let fixed_words = scalar.words();
    Box::leak(Box::new(Layout {
        name: "Value".to_owned(),
        fixed_words,
        lane_words: 0,
        packed: false,
        columns: vec![column],
    }))
}

fn view(buffer: &Buffer, scalar: Scalar, rows: u32) -> View {
    View { buffer: buffer.clone(), span: Span::column(None, 0, scalar, 0..rows) }
}

fn column(backend: &dyn Backend, queue: &QueueHandle, scalar: Scalar, words: &[u32]) -> View {
    let rows = words.len() as u32 / scalar.words();
    let native = |rows, capacity| Box::new(NativeTable::<u64>::zeroed(rows, capacity)) as Box<_>;
    let buffer =
        backend.allocate(queue, &Allocation::Table { layout: layout(scalar), rows, capacity: 0, native }).unwrap();
    let view = view(&buffer, scalar, rows);
    let write = Write { buffer: &buffer, span: view.span.clone(), bytes: bytemuck::cast_slice(words) };
    backend.write(queue, &[write]).unwrap();
    view
}

fn read(backend: &dyn Backend, queue: &QueueHandle, view: &View) -> Vec<u32> {
    let mut words = vec![0; view.span.bytes() / 4];
    let bytes = bytemuck::cast_slice_mut(&mut words);
    backend.read(queue, &mut [Read { buffer: &view.buffer, span: view.span.clone(), bytes }]).unwrap();
    words
}

/// With one byte that differs there would be one pass, from the column into itself.
pub(crate) fn a_sort_may_be_in_place() {
    let backend = backend("");
    let queue = backend.queue().unwrap();
    for rows in [100, 8192, 8193, 40_000_u32] {
        for mask in [0, 0xff, 0xff00, 0xff00_ff00_u32] {
            let keys: Vec<u32> = (0..rows).map(|row| row.wrapping_mul(0x9e37_79b9) & mask).collect();
            let mut order: Vec<u32> = (0..rows).collect();
            order.sort_by_key(|row| keys[*row as usize]);
            let expected: Vec<u32> = order.iter().map(|row| keys[*row as usize]).collect();
            for scalar in [Scalar::U32, Scalar::U64] {
                // Of two words the lower is the row, the upper another value.
                let payload: Vec<u32> = match scalar.words() {
                    1 => (0..rows).collect(),
                    _ => (0..rows).flat_map(|row| [row, !row]).collect(),
                };
                let key_view = column(&backend, &queue, Scalar::U32, &keys);
                let values = column(&backend, &queue, scalar, &payload);
                let sort = Primitive::Sort {
                    keys: key_view.clone(),
                    values: Some(values.clone()),
                    sorted_keys: Some(key_view.clone()),
                    sorted_values: values.clone(),
                };
                assert!(backend.overrides(&sort));
                backend.primitive(&queue, &sort).unwrap();
                assert_eq!(read(&backend, &queue, &key_view), expected, "{rows} rows, {mask:#x}");
                let moved: Vec<u32> = match scalar.words() {
                    1 => order.clone(),
                    _ => order.iter().flat_map(|row| [*row, !*row]).collect(),
                };
                assert_eq!(read(&backend, &queue, &values), moved, "payload of {rows} rows, {mask:#x}");
            }
        }
    }
}
