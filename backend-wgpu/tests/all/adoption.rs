//! Buffers and devices that another user of wgpu made.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::device;
use imminent_core::{Device, Error, Table};
use imminent_testkit::device::machines::machines::{self, Number, NumberColumns as _};
use imminent_wgpu::{AdoptWgpu, Options, WgpuBackend};

const ROWS: u32 = 1000;

fn numbers() -> Vec<Number> {
    (0..ROWS).map(|value| Number { value }).collect()
}

/// Makes a foreign buffer that holds the numbers in the canonical layout, and other bytes behind them.
fn buffer_of_anothers(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::Buffer {
    let bytes = <Device as AdoptWgpu>::adopted_bytes::<Number>(ROWS, 0);
    assert_eq!(bytes, 1024 * 4);
    let usage = <Device as AdoptWgpu>::adopted_usage();
    let size = bytes + 64;
    let buffer = device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    let words: Vec<u32> = (0..1040).map(|row| if row < ROWS { row } else { u32::from(row >= 1024) }).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    queue.write_buffer(&buffer, 0, &bytes);
    buffer
}

/// Reads a buffer as another library would.
fn read(device: &wgpu::Device, queue: &wgpu::Queue, buffer: &wgpu::Buffer) -> Vec<u32> {
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let size = buffer.size();
    let landing = device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &landing, 0, size);
    queue.submit([encoder.finish()]);
    landing.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let view = landing.slice(..).get_mapped_range().unwrap();
    view.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn check_a_table_of_anothers(device: &Device) {
    let (raw, queue) = (device.wgpu_device().unwrap(), device.wgpu_queue().unwrap());
    let buffer = buffer_of_anothers(&raw, &queue);
    let before = device.memory();
    let mut table: Table<Number> = device.adopt_table(buffer.clone(), ROWS as usize, 0).unwrap();
    assert_eq!(device.memory().current, before.current, "it is another's memory");
    device.queue().launch::<machines::double>((&mut table,)).unwrap();
    device.queue().wait().unwrap();
    let mut own = Table::from_rows(device, &numbers()).unwrap();
    device.queue().launch::<machines::double>((&mut own,)).unwrap();
    let expected = own.value().read().unwrap();
    let words = read(&raw, &queue, &buffer);
    assert_eq!(words[..ROWS as usize], expected[..]);
    assert_eq!((words[ROWS as usize], words[1024]), (0, 1), "what is behind the rows is left alone");
    assert_eq!(table.value().read().unwrap(), expected);
    // Copies and reads of the other library come in the order of the submissions.
    own.copy_from(&table).unwrap();
    queue.write_buffer(&buffer, 0, &7_u32.to_le_bytes());
    assert_eq!(table.value().read().unwrap()[0], 7);
    drop(table);
    assert_eq!(read(&raw, &queue, &buffer)[..2], [7, expected[1]]);
}

#[test]
fn a_table_of_anothers_works_beside_ones_own() {
    check_a_table_of_anothers(&device(""));
}

#[test]
fn a_device_of_anothers_runs_kernels_on_its_buffers() {
    let opened = device("");
    let (raw, queue) = (opened.wgpu_device().unwrap(), opened.wgpu_queue().unwrap());
    let adopted = Device::open(WgpuBackend::adopt(raw, queue, &Options::default()).unwrap()).unwrap();
    assert_eq!(adopted.info().name, opened.info().name);
    assert_eq!(adopted.capabilities(), opened.capabilities());
    check_a_table_of_anothers(&adopted);
}

#[test]
fn buffers_that_do_not_fit_are_refused() {
    let device = device("");
    let raw = device.wgpu_device().unwrap();
    let make = |size, usage| {
        raw.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let usage = <Device as AdoptWgpu>::adopted_usage();
    let short = device.adopt_table::<Number>(make(1024 * 4 - 4, usage), ROWS as usize, 0).unwrap_err();
    assert!(matches!(&short, Error::Invalid { .. }) && short.to_string().contains("4092"), "{short}");
    let other = device.adopt_table::<Number>(make(1 << 20, wgpu::BufferUsages::UNIFORM), 3, 0).unwrap_err();
    assert!(other.to_string().contains("STORAGE"), "{other}");
    let small = crate::common::device("max-binding-bytes=40000");
    let raw = small.wgpu_device().unwrap();
    let long =
        raw.create_buffer(&wgpu::BufferDescriptor { label: None, size: 80_000, usage, mapped_at_creation: false });
    assert!(matches!(
        small.adopt_table::<Number>(long, 3, 0),
        Err(Error::Limit { requested: 80_000, limit: 40_000, .. })
    ));
}

#[test]
fn a_buffer_of_another_device_is_an_error_when_it_is_used() {
    let (one, two) = (device(""), device(""));
    let buffer = buffer_of_anothers(&two.wgpu_device().unwrap(), &two.wgpu_queue().unwrap());
    let mut table: Table<Number> = one.adopt_table(buffer, ROWS as usize, 0).unwrap();
    let launched = one.queue().launch::<machines::double>((&mut table,));
    let waited = one.queue().wait();
    assert!(matches!(launched.map(drop).and(waited), Err(Error::Driver { .. })));
}
