//! Tests of fluids and packets together.

use super::*;
use crate::fluid::Engine;
use crate::network::{Builder, Discipline, Flow, Flows, Kind, Link, Queue, validation};
use crate::packet::clock::SECOND;
use crate::packet::{Alone, Settings, Simulator};
use crate::units::NEVER;
use crate::{Metric, StepSize, Tcp, Traffic};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};

mod conservation;
mod laws;
mod refusals;
mod schemes;
mod validation_network;

/// Step in nanoseconds: half a millisecond, as in the paper.
const STEP: u64 = 500_000;

fn device() -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).unwrap()).unwrap()
}

/// Returns the validation network with the given number of packet sessions in flow 2.
fn validation_network(packets: u32) -> Traffic {
    let network = validation::network().unwrap();
    Traffic::new(network, validation::flows(packets).unwrap(), Metric::Hops, Tcp::default()).unwrap()
}

fn packets(traffic: &Traffic, seed: u64) -> Simulator {
    Simulator::new(traffic, Settings { seed, ..Settings::default() }).unwrap()
}

fn batches_of(batch: u32) -> Coupling {
    Coupling { scheme: Scheme::Asynchronous { batch }, ..Coupling::default() }
}

fn by_turns() -> Coupling {
    Coupling { scheme: Scheme::LockStep, ..Coupling::default() }
}

/// Returns a step size with the given number of steps per launch.
fn size(traffic: &Traffic, lookahead: u64) -> StepSize {
    let size = traffic.step(STEP, false).unwrap();
    assert!(lookahead <= size.lookahead);
    StepSize { lookahead, ..size }
}

fn hybrid(traffic: &Traffic, seed: u64, lookahead: u64, coupling: Coupling) -> Coupled {
    Coupled::new(&device(), traffic, packets(traffic, seed), size(traffic, lookahead), coupling).unwrap()
}

/// Two nodes joined both ways by links of 8 Mb/s and 10 ms, with flows from one to the other.
fn pipe(capacity: u64, discipline: Discipline, kinds: &[Kind], tcp: Tcp) -> Traffic {
    let mut builder = Builder::new();
    let [from, to] = ["a", "b"].map(|label| builder.node(label));
    let queue = Queue::of_bytes(capacity, discipline);
    builder.both_ways(Link { from, to, delay: 10_000_000, bandwidth: 8_000_000, queue, loss: 0.0 });
    let mut flows = Flows::new();
    for &kind in kinds {
        flows.add(Flow { from, to, kind, start: 0, stop: NEVER });
    }
    Traffic::new(builder.build().unwrap(), flows, Metric::Hops, tcp).unwrap()
}
