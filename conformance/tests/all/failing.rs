//! A device whose k-th call fails, for every k: nothing panics, no result is wrong, and the device goes on as before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use imminent_conformance::{Outcome, Suite};
use imminent_core::backend::{
    Allocation, Backend, Buffer, HostMemory, Launch, ModuleHandle, Primitive, QueueHandle, Read, Write,
};
use imminent_core::{Capabilities, Device, DeviceInfo, DeviceKind, Error, ModuleSource, Result};
use imminent_cpu::{CpuBackend, Options};
use imminent_events::phold::{MAX_SCHEDULED, PholdStudy};
use imminent_events::{Engine, sequential};
use imminent_queueing::engine::{Schedule, exact};
use imminent_queueing::{Network, Node, Scenario, Start, sequential as queueing};
use imminent_study::Check;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Name of the device, by which a text tells that it quotes the error.
const NAME: &str = "device that fails";

/// The CPU backend as a device without native rows, one call of which fails. Programs run node by node.
#[derive(Debug)]
struct Failing {
    inner: CpuBackend,
    info: DeviceInfo,
    capabilities: Capabilities,
    next: Arc<Next>,
}

/// The call that fails.
#[derive(Debug, Default)]
struct Next {
    /// Number of the call, counted from the next one; 0 if none fails.
    left: AtomicU64,
    /// Purpose of the call that failed last.
    stage: Mutex<&'static str>,
}

impl Failing {
    /// Opens the device. No call fails before the number is set.
    fn open() -> (Device, Arc<Next>) {
        let inner = CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).unwrap();
        let info = DeviceInfo { name: NAME.to_owned(), kind: DeviceKind::OtherGpu, ..inner.info().clone() };
        let mut capabilities = inner.capabilities().clone();
        (capabilities.native_rows, capabilities.threads) = (false, 0);
        let next = Arc::<Next>::default();
        let device = Device::open(Failing { inner, info, capabilities, next: next.clone() }).unwrap();
        (device, next)
    }

    /// Counts a call; returns `true` if it fails.
    fn fails(&self, stage: &'static str) -> bool {
        let left = &self.next.left;
        let fails = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) == Ok(1);
        if fails {
            *self.next.stage.lock().unwrap() = stage;
        }
        fails
    }

    fn call(&self, stage: &'static str) -> Result<()> {
        if !self.fails(stage) {
            return Ok(());
        }
        let (backend, device) = (self.info.backend.clone(), NAME.to_owned());
        Err(Error::Driver { backend, device, stage: stage.to_owned(), message: "it was made so".to_owned() })
    }

    fn room(&self, what: &'static str) -> Result<()> {
        if !self.fails(what) {
            return Ok(());
        }
        let (backend, device, what) = (self.info.backend.clone(), NAME.to_owned(), what.to_owned());
        Err(Error::OutOfMemory { backend, device, what, requested: 4, limit: None, holders: Vec::new() })
    }
}

impl Backend for Failing {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn queue(&self) -> Result<QueueHandle> {
        self.call("making a queue")?;
        self.inner.queue()
    }

    fn allocate(&self, queue: &QueueHandle, allocation: &Allocation) -> Result<Buffer> {
        self.room("an allocation")?;
        self.inner.allocate(queue, allocation)
    }

    fn grow(&self, queue: &QueueHandle, buffer: &Buffer, capacity: u32) -> Result<Buffer> {
        self.room("more lanes")?;
        self.inner.grow(queue, buffer, capacity)
    }

    fn write(&self, queue: &QueueHandle, writes: &[Write<'_>]) -> Result<()> {
        self.call("writing")?;
        self.inner.write(queue, writes)
    }

    fn read(&self, queue: &QueueHandle, reads: &mut [Read<'_>]) -> Result<()> {
        self.call("reading")?;
        self.inner.read(queue, reads)
    }

    fn host_memory(&self, bytes: usize) -> Result<HostMemory> {
        self.room("host memory")?;
        self.inner.host_memory(bytes)
    }

    fn copy(&self, queue: &QueueHandle, from: &Buffer, to: &Buffer) -> Result<()> {
        self.call("copying")?;
        self.inner.copy(queue, from, to)
    }

    fn clear(&self, queue: &QueueHandle, buffer: &Buffer) -> Result<()> {
        self.call("clearing")?;
        self.inner.clear(queue, buffer)
    }

    fn build(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        self.call("building a module")?;
        self.inner.build(source)
    }

    fn generated(&self, source: &'static ModuleSource, kernel: u32) -> Result<String> {
        self.inner.generated(source, kernel)
    }

    fn launch(&self, queue: &QueueHandle, launch: &Launch) -> Result<()> {
        self.call("launching")?;
        self.inner.launch(queue, launch)
    }

    fn overrides(&self, primitive: &Primitive) -> bool {
        self.inner.overrides(primitive)
    }

    fn primitive(&self, queue: &QueueHandle, primitive: &Primitive) -> Result<()> {
        self.call("a primitive")?;
        self.inner.primitive(queue, primitive)
    }

    fn finish(&self, queue: &QueueHandle) -> Result<()> {
        self.call("waiting")?;
        self.inner.finish(queue)
    }

    fn allocated_bytes(&self) -> u64 {
        self.inner.allocated_bytes()
    }
}

/// Runs a suite of one case with every call failing in turn, until no call is left. The case tells the error, or ends
/// with the right digest where the call could be spared: in a rehearsal of the compiler, or for room beyond the need.
/// After each failure the case passes on the same device, and no memory is lost.
fn every_call_fails(suite: impl Fn(&Device) -> Suite<'_>) {
    let (device, next) = Failing::open();
    let passes = |when: &str| {
        let report = suite(&device).run();
        assert!(report.passed() && report.counts().passed == 1, "{when}: {}", report.to_text());
    };
    passes("before any failure");
    let held = device.backend().allocated_bytes();
    let mut told = 0;
    for call in 1.. {
        next.left.store(call, Ordering::Relaxed);
        let report = suite(&device).run();
        if next.left.swap(0, Ordering::Relaxed) > 0 {
            assert!(report.passed() && told > 10, "{told} of {call} errors told: {}", report.to_text());
            return;
        }
        let call = format!("call {call}, {},", next.stage.lock().unwrap());
        match &report.cases[0].outcome {
            Outcome::Fail { message } if message.contains(NAME) && !message.contains("panicked") => told += 1,
            Outcome::Pass => {}
            other => panic!("{call} failed, and the case ended with {other:?}"),
        }
        passes(&format!("after {call} failed"));
        assert_eq!(device.backend().allocated_bytes(), held, "after {call} failed");
    }
}

/// Runs a case of the suite in this way.
fn every_call_of_case(name: &str) {
    every_call_fails(|device| Suite::new(device).matching(name));
}

/// Runs a network in this way: it ends as its sequential oracle, which uses no device.
fn every_call_of_network(name: &'static str, network: fn() -> Network, horizon: u64) {
    every_call_fails(|device| {
        Suite::new(device).matching(format!("models: {name}")).check(Check::new(name, move |trial| {
            let network = network();
            let scenario = Scenario::new(&network, Start::One, horizon, 3, 0)?;
            let found = exact(trial.device, &scenario, Schedule::Tiles, &mut |_| ControlFlow::Continue(()))?;
            let expected = queueing::simulate(&scenario).without_most_waiting();
            trial.equal("the digest", &found.outcome.digest(), &expected.digest())
        }))
    });
}

#[test]
fn toruses_survive_the_failure_of_every_call() {
    every_call_of_network("torus 3x2 ends as its oracle", || Network::torus(3, 2, 4, 1).unwrap(), 12);
}

#[test]
fn networks_survive_the_failure_of_every_call() {
    every_call_of_network("unequal nodes end as their oracle", unequal, 60);
}

/// A slow node where tokens wait, self-loops, a repeated edge, and a node without a token.
fn unequal() -> Network {
    let node = |mean_service, tokens| Node { label: None, mean_service, tokens };
    let edges = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 1), (2, 0)];
    Network::from_edges(vec![node(20, 3), node(5, 0), node(1, 1)], &edges).unwrap()
}

#[test]
fn fires_survive_the_failure_of_every_call() {
    every_call_of_case("models: fire 24x42: windows and steps");
}

#[test]
fn programs_survive_the_failure_of_every_call() {
    every_call_of_case("programs: nodes after a loop run");
}

#[test]
fn event_models_survive_the_failure_of_every_call() {
    let study =
        PholdStudy { simulations: 2, modules: 7, tokens: 2, lookahead: 5, mean: 9, remote: 60, end: 40, seed: 3 };
    every_call_fails(|device| {
        Suite::new(device).matching("models: PHOLD").check(Check::new("PHOLD ends as on the host", move |trial| {
            let starts = study.starts();
            let found = Engine::new(trial.device, &starts, MAX_SCHEDULED)?.run()?;
            let expected = starts.iter().enumerate().map(|(place, start)| sequential(start, MAX_SCHEDULED, place));
            trial.equal("the ends", &found, &expected.collect::<Result<Vec<_>, _>>()?)
        }))
    });
}
