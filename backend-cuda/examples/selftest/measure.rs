//! Figures: throughput of transfers compared with plain copies, and the time of a program's step.

use crate::cases::common::{backend, device, has_while_nodes};
use cudarc::driver::result;
use imminent_core::backend::{Allocation, Backend, Read, Span, Write};
use imminent_core::ir::Scalar;
use imminent_core::{Program, Table, Tally};
use imminent_queueing::engine::{Schedule, exact};
use imminent_queueing::{Network, Scenario, Start, calendar};
use imminent_testkit::device::machines::machines::{self, Machine, Rule};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const RULE: Rule = Rule { factor: 3, shift: 7, limit: u32::MAX };

/// Every figure, with the option that selects it alone.
pub(crate) const ALL: [(&str, fn()); 6] = [
    ("--transfers", transfers),
    ("--staging", crate::overlap::staging),
    ("--pipeline", crate::overlap::pipeline),
    ("--steps", steps),
    ("--torus", torus),
    ("--primitives", super::primitives::primitives),
];

/// Returns the median of several runs.
fn median(runs: usize, mut run: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<f64> = (0..runs).map(|_| run().as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

/// Measures columns of several sizes, beside the driver's copies of pageable memory and of page-locked memory.
///
/// The backend is called directly, with bytes in ordinary memory of the host.
fn transfers() {
    let backend = backend("");
    let queue = backend.queue().unwrap();
    for mebibytes in [1usize, 16, 64, 256] {
        let bytes = mebibytes << 20;
        let values: Vec<u64> = (0..bytes as u64 / 8).collect();
        let mut back = vec![0u64; values.len()];
        let slots = values.len() as u32;
        let allocation = Allocation::Tally {
            scalar: Scalar::U64,
            slots,
            native: |slots| Box::new(Tally::new(&vec![0u64; slots as usize])),
        };
        let tally = backend.allocate(&queue, &allocation).unwrap();
        let span = Span::column(None, 0, Scalar::U64, 0..slots);
        let up = median(9, || {
            let clock = Instant::now();
            let bytes = bytemuck::cast_slice(&values);
            backend.write(&queue, &[Write { buffer: &tally, span: span.clone(), bytes }]).unwrap();
            backend.finish(&queue).unwrap();
            clock.elapsed()
        });
        let down = median(9, || {
            let clock = Instant::now();
            let bytes = bytemuck::cast_slice_mut(&mut back);
            backend.read(&queue, &mut [Read { buffer: &tally, span: span.clone(), bytes }]).unwrap();
            clock.elapsed()
        });
        assert!(back == values, "what was written is not what was read");
        // SAFETY: the context is current on this thread; the memory is `bytes` long on both sides, and freed once.
        let (plain_up, plain_down, locked_up, locked_down) = unsafe {
            let pointer = result::malloc_sync(bytes).unwrap();
            let plain_up = median(9, || {
                let clock = Instant::now();
                result::memcpy_htod_sync(pointer, &values).unwrap();
                clock.elapsed()
            });
            let plain_down = median(9, || {
                let clock = Instant::now();
                result::memcpy_dtoh_sync(&mut back, pointer).unwrap();
                clock.elapsed()
            });
            let locked: *mut u64 = result::malloc_host(bytes, 0).unwrap().cast();
            let locked_values = std::slice::from_raw_parts_mut(locked, values.len());
            locked_values.copy_from_slice(&values);
            let locked_up = median(9, || {
                let clock = Instant::now();
                result::memcpy_htod_sync(pointer, locked_values).unwrap();
                clock.elapsed()
            });
            let locked_down = median(9, || {
                let clock = Instant::now();
                result::memcpy_dtoh_sync(locked_values, pointer).unwrap();
                clock.elapsed()
            });
            result::free_host(locked.cast()).unwrap();
            result::free_sync(pointer).unwrap();
            (plain_up, plain_down, locked_up, locked_down)
        };
        let rate = |seconds: f64| bytes as f64 / seconds / 1e9;
        println!(
            "{mebibytes} MiB up: {:.1} GB/s, {:.3} of a plain copy ({:.1}), {:.3} of one from page-locked memory ({:.1}). \
             Down: {:.1} GB/s, {:.3} of a plain copy ({:.1}), {:.3} of one to page-locked memory ({:.1})",
            rate(up),
            plain_up / up,
            rate(plain_up),
            locked_up / up,
            rate(locked_up),
            rate(down),
            plain_down / down,
            rate(plain_down),
            locked_down / down,
            rate(locked_down),
        );
    }
}

/// Measures a step of a program that has one small kernel with a reduction.
fn steps() {
    for loops in ["loops=graph", "loops=conditional"] {
        if loops == "loops=graph" || has_while_nodes() {
            println!("a step of a program with one small kernel, {loops}: {:.3} us", step_us(loops));
        }
    }
}

fn step_us(options: &str) -> f64 {
    const STEPS: u64 = 100_000;
    let device = device(options);
    let machine = Machine { clock: 1, step: 0, past: [0; 3], balance: 0 };
    let mut table = Table::from_rows(&device, &vec![machine; 256]).unwrap();
    let mut program = Program::record(&device, |program| {
        program.loop_until(STEPS, |step| {
            let steps = step.launch::<machines::fails_at_step>((&mut table, &RULE))?;
            Ok(vec![steps.equals(0)])
        })
    })
    .unwrap();
    program.run().unwrap();
    let time = median(5, || {
        let clock = Instant::now();
        program.run().unwrap();
        clock.elapsed()
    });
    time / STEPS as f64 * 1e6
}

/// Measures the exact engine on tori, beside a fast sequential simulator on one core.
fn torus() {
    let device = device("");
    for (side, units) in [(256, 2000), (512, 1000), (1024, 400), (2048, 100)] {
        let network = Network::torus(side, side, 10 << 20, 1).unwrap();
        let scenario = Scenario::new(&network, Start::Stationary, units << 20, 1, 0).unwrap();
        let run = || {
            let clock = Instant::now();
            let ran = exact(&device, &scenario, Schedule::Tiles, &mut |_| ControlFlow::Continue(())).unwrap();
            (ran, clock.elapsed().as_secs_f64())
        };
        drop(run());
        let (ran, whole) = run();
        let seconds = ran.spent.simulation.as_secs_f64();
        let clock = Instant::now();
        let expected = calendar::simulate(&scenario);
        let sequential = clock.elapsed().as_secs_f64();
        let events = ran.outcome.events();
        println!(
            "torus {side} x {side}: {events} events in {} steps, {:.1} M events/s ({:.1} us a step; {:.2} s with set-up and reading); \
             calendar queue on a core {:.1} M events/s; digests {}",
            ran.steps,
            events as f64 / seconds / 1e6,
            seconds / ran.steps as f64 * 1e6,
            whole,
            expected.events() as f64 / sequential / 1e6,
            if ran.outcome.digest() == expected.digest() { "equal" } else { "DIFFER" },
        );
    }
}
