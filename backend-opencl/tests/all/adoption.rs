//! Memory and queues that another user of OpenCL made.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_core::{Device, Error, Table};
use imminent_opencl::{AdoptOpenCl, OpenClBackend, Options};
use imminent_testkit::device::machines::machines::{self, Number, NumberColumns as _};
use ocl::ffi;
use std::ptr;

fn device() -> Device {
    let backend = OpenClBackend::open(0, &Options::default());
    Device::open(backend.unwrap_or_else(|e| panic!("apt install ocl-icd-libopencl1 pocl-opencl-icd: {e}"))).unwrap()
}

const ROWS: u32 = 1000;

#[test]
fn a_table_and_a_queue_of_anothers_work_beside_ones_own() {
    let device = device();
    let bytes = <Device as AdoptOpenCl>::adopted_bytes::<Number>(ROWS, 0);
    assert_eq!(bytes, 1024 * 4);
    let (context, id) = (device.cl_context().unwrap(), device.cl_device().unwrap());
    let mut status = 0;
    // SAFETY: context and device are valid, and the status has a place.
    let (memory, queue) = unsafe {
        let memory = ffi::clCreateBuffer(context.cast(), 1, bytes as usize, ptr::null_mut(), &raw mut status);
        (memory, ffi::clCreateCommandQueue(context.cast(), id.cast(), 0, &raw mut status))
    };
    assert_eq!(status, 0);
    let words: Vec<u32> = (0..1024).map(|row| if row < ROWS { row } else { 0 }).collect();
    // SAFETY: the words are as long as the memory, and the call waits.
    let written = unsafe {
        ffi::clEnqueueWriteBuffer(
            queue,
            memory,
            1,
            0,
            bytes as usize,
            words.as_ptr().cast(),
            0,
            ptr::null(),
            ptr::null_mut(),
        )
    };
    assert_eq!(written, 0);
    let before = device.memory();
    // SAFETY: memory and queue are of the device's context; the write is done.
    let (mut table, own) = unsafe {
        let table: Table<Number> = device.adopt_table(memory.cast(), ROWS as usize, 0).unwrap();
        (table, device.adopt_command_queue(queue.cast()).unwrap())
    };
    assert_eq!(device.memory().current, before.current, "it is another's memory");
    own.launch::<machines::double>((&mut table,)).unwrap();
    own.wait().unwrap();
    let mut back = vec![0_u32; ROWS as usize];
    // SAFETY: the place has room for this many bytes, the call waits, and the handles are released once; Imminent has
    // its own references.
    unsafe {
        let read = ffi::clEnqueueReadBuffer(
            queue,
            memory,
            1,
            0,
            ROWS as usize * 4,
            back.as_mut_ptr().cast(),
            0,
            ptr::null(),
            ptr::null_mut(),
        );
        assert_eq!(read, 0);
        ffi::clReleaseMemObject(memory);
        ffi::clReleaseCommandQueue(queue);
    }
    assert_eq!(table.value().read().unwrap(), back);
    let mut own_table =
        Table::from_rows(&device, &(0..ROWS).map(|value| Number { value }).collect::<Vec<_>>()).unwrap();
    device.queue().launch::<machines::double>((&mut own_table,)).unwrap();
    assert_eq!(own_table.value().read().unwrap(), back, "an own table of the same rows");
}

#[test]
fn null_handles_and_devices_of_other_backends_are_refused() {
    let device = device();
    // SAFETY: null is refused before it is used.
    let refusals = unsafe {
        [
            device.adopt_table::<Number>(ptr::null_mut(), 3, 0).map(drop),
            device.adopt_command_queue(ptr::null_mut()).map(drop),
        ]
    };
    for refusal in refusals {
        assert!(matches!(refusal, Err(Error::Invalid { .. })), "{refusal:?}");
    }
}
