//! Measures the cost on the host of launches, steps of programs and small transfers.
//!
//! `cargo bench -p imminent-wgpu`. The tables have one row, so the measured time is overhead around the kernel:
//! encoding, submission, the driver, and the way back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use divan::{Bencher, counter::ItemsCount};
use imminent_core::{Device, Program, Table};
use imminent_testkit::device::machines::machines::{self, Machine, Number, Rule};
use imminent_wgpu::{Options, WgpuBackend};

const RULE: Rule = Rule { factor: 3, shift: 7, limit: u32::MAX };
const MACHINE: Machine = Machine { clock: 1, step: 0, past: [0; 3], balance: 0 };

fn main() {
    divan::main();
}

fn device() -> Device {
    Device::open(WgpuBackend::open(0, &Options::default()).unwrap()).unwrap()
}

/// Launches without a result, then a wait.
#[divan::bench(args = [1, 100, 10_000])]
fn launches(bencher: Bencher<'_, '_>, count: usize) {
    let device = device();
    let mut table = Table::from_rows(&device, &[Number { value: 1 }]).unwrap();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for _ in 0..count {
            device.queue().launch::<machines::double>((&mut table,)).unwrap();
        }
        device.queue().wait().unwrap();
    });
}

/// Measures the host's part of launches without a result: waiting for the device is outside the measured time.
#[divan::bench]
fn one_launch_on_the_host(bencher: Bencher<'_, '_>) {
    let device = device();
    let mut table = Table::from_rows(&device, &[Number { value: 1 }]).unwrap();
    bencher.bench_local(|| device.queue().launch::<machines::double>((&mut table,)).unwrap());
}

/// Launches with parameters, a reduction and fault sites.
#[divan::bench(args = [100])]
fn launches_with_a_result(bencher: Bencher<'_, '_>, count: usize) {
    let device = device();
    let mut table = Table::from_rows(&device, &[MACHINE]).unwrap();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for _ in 0..count {
            drop(device.queue().launch::<machines::fails_at_step>((&mut table, &RULE)).unwrap());
        }
        device.queue().wait().unwrap();
    });
}

/// Steps of a loop whose end is decided on the device.
#[divan::bench(args = [100, 10_000])]
fn steps_of_a_loop(bencher: Bencher<'_, '_>, count: usize) {
    let device = device();
    let mut table = Table::from_rows(&device, &[MACHINE]).unwrap();
    let mut program = Program::record(&device, |program| {
        program.loop_until(count as u64, |step| {
            let steps = step.launch::<machines::collatz>((&mut table,))?;
            Ok(vec![steps.above(1 << 40)])
        })
    })
    .unwrap();
    bencher.counter(ItemsCount::new(count)).bench_local(|| program.run().unwrap());
}

/// One row written and read.
#[divan::bench]
fn round_trip(bencher: Bencher<'_, '_>) {
    let device = device();
    let mut table = Table::from_rows(&device, &[MACHINE]).unwrap();
    bencher.bench_local(|| {
        table.write(&[MACHINE]).unwrap();
        table.read().unwrap()
    });
}
