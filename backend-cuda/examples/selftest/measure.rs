//! Figures: what a launch costs beside the same launch by hand, how fast bytes go, how long a step of a program takes.

use crate::cases::common::{backend, device};
use cudarc::driver::{result, sys};
use imminent_core::backend::{Allocation, Backend, Read, Span, Write};
use imminent_core::ir::Scalar;
use imminent_core::{Kernel, Program, Table, Tally};
use imminent_cuda::{OfflineCompiler, Options};
use imminent_models::engine::{Schedule, exact};
use imminent_models::{Network, Scenario, Start, calendar};
use imminent_testkit::device::machines::machines::{self, Machine, Number, Rule};
use std::ffi::{CString, c_void};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const RULE: Rule = Rule { factor: 3, shift: 7, limit: u32::MAX };

pub(crate) fn all() {
    launches();
    transfers();
    steps();
    torus();
}

/// The median of several runs.
fn median(runs: usize, mut run: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<f64> = (0..runs).map(|_| run().as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

/// The same compiled kernel, launched through Imminent and by hand, in turns.
fn launches() {
    const COUNT: usize = 10_000;
    let device = device("");
    let mut table = Table::from_rows(&device, &[Number { value: 1 }; 1000]).unwrap();
    let queue = device.queue();
    queue.launch::<machines::double>((&mut table,)).unwrap();
    queue.wait().unwrap();
    let hand = Hand::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..15 {
        let clock = Instant::now();
        for _ in 0..COUNT {
            queue.launch::<machines::double>((&mut table,)).unwrap();
        }
        queue.wait().unwrap();
        ours.push(clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        for _ in 0..COUNT {
            hand.launch();
        }
        hand.wait();
        theirs.push(clock.elapsed().as_secs_f64());
    }
    ours.sort_by(f64::total_cmp);
    theirs.sort_by(f64::total_cmp);
    let (ours, theirs) = (ours[7] / COUNT as f64 * 1e6, theirs[7] / COUNT as f64 * 1e6);
    println!("launch: {ours:.3} us through Imminent, {theirs:.3} us by hand, ratio {:.3}", ours / theirs);
}

/// A launch written by hand with cudarc: the driver's calls and nothing else.
struct Hand {
    function: sys::CUfunction,
    stream: sys::CUstream,
    state: u64,
    rows: u64,
}

/// Words of the launch block of a kernel with one table: the head, and rows, stride, capacity.
type Block = [u32; 8];

impl Hand {
    fn new() -> Hand {
        let (major, minor) = {
            // SAFETY: the device was opened before, so driver and device are there.
            unsafe {
                let device = result::device::get(0).unwrap();
                let ask = |what| result::device::get_attribute(device, what).unwrap();
                use sys::CUdevice_attribute::{
                    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
                    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
                };
                (ask(MAJOR), ask(MINOR))
            }
        };
        let compiler = OfflineCompiler::new((major * 10 + minor) as u32, &Options::default()).unwrap();
        let kernels = compiler.compile(<machines::double as Kernel>::SOURCE.module).unwrap();
        let kernel = kernels.iter().find(|kernel| kernel.name == "double").unwrap();
        let name = kernel.entry.clone();
        // SAFETY: the context is current on this thread since the device was opened on it; the image is the compiler's; 1024
        // words are room for 1000 rows of one word, and 4096 for the state.
        unsafe {
            let module = result::module::load_data(kernel.image.as_ptr().cast()).unwrap();
            let function = result::module::get_function(module, CString::new(name).unwrap()).unwrap();
            let stream = result::stream::create(result::stream::StreamKind::NonBlocking).unwrap();
            let (state, rows) = (result::malloc_sync(16384).unwrap(), result::malloc_sync(4096).unwrap());
            result::memset_d8_sync(state, 0, 16384).unwrap();
            result::memset_d8_sync(rows, 0, 4096).unwrap();
            Hand { function, stream, state, rows }
        }
    }

    fn launch(&self) {
        let (mut state, mut rows) = (self.state, self.rows);
        let mut block: Block = [1000, 16, 0, 0, 1000, 1024, 0, 0];
        let mut parameters: [*mut c_void; 3] =
            [(&raw mut state).cast(), (&raw mut block).cast(), (&raw mut rows).cast()];
        // SAFETY: these are the kernel's parameters, and the memory is as large as the block says.
        unsafe {
            result::launch_kernel(self.function, (4, 1, 1), (256, 1, 1), 0, self.stream, &mut parameters).unwrap();
        }
    }

    fn wait(&self) {
        // SAFETY: the stream lives.
        unsafe { result::stream::synchronize(self.stream) }.unwrap();
    }
}

/// Columns of several sizes, beside the driver's copies of pageable memory and of page-locked memory.
///
/// The backend is asked directly: bytes from and to ordinary memory of the host.
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
        let span = Span { lane: None, word: 0, scalar: Scalar::U64, rows: 0..slots };
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
            "{mebibytes} MiB up: {:.1} GB/s; plain copy {:.1}, page-locked copy {:.1}. Down: {:.1} GB/s; {:.1}, {:.1}",
            rate(up),
            rate(plain_up),
            rate(locked_up),
            rate(down),
            rate(plain_down),
            rate(locked_down),
        );
    }
}

/// A step of a program that has one small kernel with a reduction.
fn steps() {
    const STEPS: u64 = 100_000;
    let device = device("");
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
    println!("a step of a program with one small kernel: {:.3} us", time / STEPS as f64 * 1e6);
}

/// The exact engine on tori, beside a fast sequential simulator on one core.
fn torus() {
    let device = device("");
    for (side, units) in [(256, 200), (512, 100), (1024, 40), (2048, 10)] {
        let network = Network::torus(side, side, 10 << 20, 1).unwrap();
        let scenario = Scenario::new(&network, Start::One, units << 20, 1, 0).unwrap();
        let run = || {
            let clock = Instant::now();
            let ran = exact(&device, &scenario, Schedule::Sweep, &mut |_| ControlFlow::Continue(())).unwrap();
            (ran, clock.elapsed().as_secs_f64())
        };
        drop(run());
        let (ran, whole) = run();
        let seconds = ran.wall.as_secs_f64();
        let clock = Instant::now();
        let expected = calendar::simulate(&scenario);
        let sequential = clock.elapsed().as_secs_f64();
        let events = ran.outcome.events();
        println!(
            "torus {side} x {side}: {events} events in {} sweeps, {:.1} M events/s ({:.1} us a sweep; {:.2} s with set-up and reading); \
             calendar queue on a core {:.1} M events/s; digests {}",
            ran.sweeps,
            events as f64 / seconds / 1e6,
            seconds / ran.sweeps as f64 * 1e6,
            whole,
            expected.events() as f64 / sequential / 1e6,
            if ran.outcome.digest() == expected.digest() { "equal" } else { "DIFFER" },
        );
    }
}
