//! Cost of launches and of steps of programs.
//!
//! `cargo bench -p imminent-opencl`. The table is small, so the time is that of the machinery around a kernel.
//! `by_hand` is the comparison with a launch by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use divan::{Bencher, counter::ItemsCount};
use imminent_core::{Device, Program, Table};
use imminent_opencl::{OpenClBackend, Options};
use imminent_testkit::device::machines::machines::{self, Machine, Number, Rule};

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

/// Measures launches with parameters, a reduction and fault sites.
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

/// Measures steps of a program: a launch and the kernel that ends the step.
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
