//! What a launch costs, through Imminent and by hand with `ocl-core`, in one process on one device.
//!
//! `cargo bench -p imminent-opencl`. The table is small, so that the time is that of the machinery around a kernel. Both ways
//! do the same: set the kernel's arguments, enqueue it, and after so many launches wait.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use divan::{Bencher, counter::ItemsCount};
use imminent_core::{Device, Program, Table};
use imminent_opencl::{OpenClBackend, Options};
use imminent_testkit::device::machines::machines::{self, Machine, Number, Rule};
use ocl_core as core;
use std::ffi::CString;

const ROWS: usize = 256;
const RULE: Rule = Rule { factor: 3, shift: 7, limit: u32::MAX };

fn main() {
    divan::main();
}

fn device() -> Device {
    Device::open(OpenClBackend::open(0, &Options::default()).unwrap()).unwrap()
}

#[divan::bench(args = [1, 1000])]
fn launches(bencher: Bencher<'_, '_>, count: usize) {
    let device = device();
    let mut table = Table::from_rows(&device, &vec![Number { value: 1 }; ROWS]).unwrap();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for _ in 0..count {
            device.queue().launch::<machines::double>((&mut table,)).unwrap();
        }
        device.queue().wait().unwrap();
    });
}

/// The kernel as a C programmer writes it.
const BY_HAND: &str = "
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void twice(__global uint *value, uint rows) {
    const uint row = get_global_id(0);
    if (row < rows) {
        value[row] = 2 * value[row] + row;
    }
}
";

#[divan::bench(args = [1, 1000])]
fn launches_by_hand(bencher: Bencher<'_, '_>, count: usize) {
    // The first device, as above; this also loads the library.
    let listed = OpenClBackend::list(&Options::default()).unwrap();
    let platforms = core::get_platform_ids().unwrap();
    let devices = platforms.iter().flat_map(|platform| core::get_device_ids(platform, None, None).unwrap_or_default());
    let device = devices
        .into_iter()
        .find(|device| {
            core::get_device_info(device, core::DeviceInfo::Name)
                .is_ok_and(|name| name.to_string() == listed[0].info.name)
        })
        .unwrap();
    let context = core::create_context(None, &[device], None, None).unwrap();
    let queue = core::create_command_queue(&context, device, None).unwrap();
    let program = core::create_program_with_source(&context, &[CString::new(BY_HAND).unwrap()]).unwrap();
    core::build_program(&program, Some(&[device]), &CString::default(), None, None).unwrap();
    let kernel = core::create_kernel(&program, "twice").unwrap();
    // SAFETY: memory of the device's own, of the size that the kernel is told; its contents do not matter.
    let buffer = unsafe { core::create_buffer::<_, u32>(&context, core::MemFlags::new().read_write(), ROWS, None) };
    let buffer = buffer.unwrap();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for _ in 0..count {
            core::set_kernel_arg(&kernel, 0, core::ArgVal::mem(&buffer)).unwrap();
            core::set_kernel_arg(&kernel, 1, core::ArgVal::scalar(&(ROWS as u32))).unwrap();
            // SAFETY: both arguments are set, and the kernel stays below `rows`.
            unsafe {
                core::enqueue_kernel(&queue, &kernel, 1, None, &[ROWS, 1, 1], Some([256, 1, 1]), None::<()>, None::<()>)
            }
            .unwrap();
        }
        core::finish(&queue).unwrap();
    });
}

/// Launches with parameters, a reduction and fault sites.
#[divan::bench(args = [100])]
fn launches_with_a_result(bencher: Bencher<'_, '_>, count: usize) {
    let device = device();
    let machine = Machine { clock: 1, step: 0, past: [0; 3], balance: 0 };
    let mut table = Table::from_rows(&device, &[machine]).unwrap();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for _ in 0..count {
            drop(device.queue().launch::<machines::fails_at_step>((&mut table, &RULE)).unwrap());
        }
        device.queue().wait().unwrap();
    });
}

/// Steps of a program: a launch and the kernel that ends the step.
#[divan::bench]
fn steps_of_a_program(bencher: Bencher<'_, '_>) {
    const STEPS: u32 = 1000;
    let device = device();
    let mut table = Table::from_rows(&device, &vec![Number { value: 1 }; ROWS]).unwrap();
    let mut program = Program::record(&device, |program| {
        program.repeat(STEPS, |step| step.launch::<machines::double>((&mut table,)).map(drop))
    })
    .unwrap();
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| program.run().unwrap());
}
