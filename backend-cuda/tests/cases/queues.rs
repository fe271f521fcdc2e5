//! Several queues of one device, and several devices.

use super::common::backend;
use imminent_core::backend::{Allocation, Backend, Read, Span, Write};
use imminent_core::ir::Scalar;
use imminent_core::native::ErasedTally;
use imminent_core::{Device, Error, Table, Tally};
use imminent_cuda::{CudaBackend, Options};

fn native(slots: u32) -> Box<dyn ErasedTally> {
    Box::new(Tally::new(&vec![0u32; slots as usize]))
}

/// Memory passes between two queues without the host waiting: a queue that is told to wait works after the other.
pub(crate) fn two_queues_see_each_other_s_work_on_the_same_memory() {
    const SLOTS: u32 = 1 << 20;
    let backend = backend("");
    let queues = [backend.queue().unwrap(), backend.queue().unwrap()];
    let tally =
        |queue| backend.allocate(queue, &Allocation::Tally { scalar: Scalar::U32, slots: SLOTS, native }).unwrap();
    let (a, b) = (tally(&queues[0]), tally(&queues[1]));
    let span = Span::column(None, 0, Scalar::U32, 0..SLOTS);
    let after = |queue, other| backend.wait_for(queue, &*backend.signal(other).unwrap()).unwrap();
    for round in 0..20u8 {
        let bytes = vec![round + 1; SLOTS as usize * 4];
        backend.write(&queues[0], &[Write { buffer: &a, span: span.clone(), bytes: &bytes }]).unwrap();
        after(&queues[1], &queues[0]);
        backend.copy(&queues[1], &a, &b).unwrap();
        after(&queues[0], &queues[1]);
        backend.clear(&queues[0], &a).unwrap();
        let mut seen = vec![0; bytes.len()];
        backend.read(&queues[1], &mut [Read { buffer: &b, span: span.clone(), bytes: &mut seen }]).unwrap();
        assert!(seen == bytes, "round {round}");
    }
}

/// Two devices opened on one piece of hardware are still two devices.
pub(crate) fn what_belongs_to_another_device_is_refused() {
    let (one, other) = (backend(""), backend(""));
    let (queue, foreign) = (one.queue().unwrap(), other.queue().unwrap());
    let allocation = Allocation::Tally { scalar: Scalar::U32, slots: 3, native };
    let buffer = one.allocate(&queue, &allocation).unwrap();
    assert!(matches!(one.clear(&foreign, &buffer), Err(Error::Invalid { .. })));
    assert!(matches!(other.clear(&foreign, &buffer), Err(Error::Invalid { .. })));
    one.clear(&queue, &buffer).unwrap();
}

pub(crate) fn every_device_of_the_machine_computes() {
    let count = CudaBackend::list(&Options::default()).unwrap().len() as u32;
    let devices: Vec<Device> =
        (0..count).map(|index| Device::open(CudaBackend::open(index, &Options::default()).unwrap()).unwrap()).collect();
    // All in parallel, then again on the first while the others are open.
    let tables: Vec<Table<u64>> =
        devices.iter().zip(1..).map(|(device, n)| Table::from_rows(device, &vec![n; 1000]).unwrap()).collect();
    for (table, n) in tables.iter().zip(1..) {
        assert_eq!(table.read().unwrap(), vec![n; 1000]);
    }
}

pub(crate) fn devices_are_listed_and_opened_by_number() {
    let listed = CudaBackend::list(&Options::default()).expect("an NVIDIA driver and device");
    assert!(!listed.is_empty());
    for (adapter, index) in listed.iter().zip(0..) {
        assert_eq!(adapter.info.index, index);
        assert_eq!(adapter.info.backend, "cuda");
        assert!(adapter.capabilities.limits.table_bytes >= 128 << 20);
    }
    assert_eq!(backend("").info(), &listed[0].info);
    let error = CudaBackend::open(99, &Options::default()).unwrap_err();
    assert!(matches!(error, Error::NoDevice { index: 99, .. }), "{error}");
    assert!(error.to_string().contains(&listed[0].info.name), "{error}");
}
