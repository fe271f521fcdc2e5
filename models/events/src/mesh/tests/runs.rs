//! Tests of whole simulations.

use super::super::{Mesh, MeshStudy, Tally, mesh};
use super::by_hand::simulate;
use crate::{Engine, Execution, Start, sequential};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};

fn tally(start: &Start<mesh::step>, most: u32) -> Tally {
    Tally::of(&sequential(start, most, 0).unwrap().unwrap())
}

/// Returns the times of packets, from each node's first on.
fn made(mesh: &Mesh, start: &Start<mesh::step>) -> Vec<Vec<u64>> {
    let period = 1e9 / mesh.rate;
    start
        .events
        .iter()
        .map(|first| (0..1000).map(|packet| first.time + (f64::from(packet) * period) as u64).collect())
        .collect()
}

#[test]
fn a_mesh_does_what_one_by_hand_does() {
    // A channel that loses about half of the frames, and nodes that have more to send than time allows.
    let half = Mesh { nodes: 3, rate: 20.0, speed: 10.0, snr: 21.0, seconds: 0.4, ..Mesh::default() };
    let short = Mesh {
        nodes: 2,
        rate: 2_000.0,
        snr: 10.0,
        megabits: 12,
        payload: 200,
        seconds: 0.01,
        subcarriers: 24,
        ..half.clone()
    };
    let busy = Mesh { nodes: 2, rate: 5_000.0, seconds: 0.005, ..half.clone() };
    let far = Mesh { snr: 15.0, ..half.clone() };
    let (mut received, mut refused, mut spoilt) = (0, 0, 0);
    for (mesh, seed) in [(half, 5), (short, 6), (busy, 7), (far, 8)] {
        let setup = mesh.set_up().unwrap();
        let start = setup.start(seed);
        let mut found = tally(&start, setup.most());
        let mut expected = simulate(&mesh, seed, &made(&mesh, &start));
        assert!((found.mean_gain().unwrap() - expected.mean_gain().unwrap()).abs() < 1e-3);
        (found.gain, expected.gain) = (0, 0);
        assert_eq!(found, expected);
        assert!(found.heard > 20, "{found:?}");
        (received, refused, spoilt) = (received + found.received, refused + found.refused, spoilt + found.spoilt);
    }
    assert!(received > 20 && refused > 20 && spoilt > 5, "{received} {refused} {spoilt}");
}

#[test]
fn without_noise_everybody_gets_everything() {
    let setup = Mesh { snr: 100.0, rate: 10.0, seconds: 2.0, ..Mesh::default() }.set_up().unwrap();
    let found = tally(&setup.start(3), setup.most());
    assert!((99..=101).contains(&found.sent), "{found:?}");
    assert!(found.acks + 8 >= 4 * found.sent && found.acks <= found.received, "{found:?}");
    assert_eq!((found.refused, found.nacks, found.spoilt), (0, 0, 0));
    assert_eq!((found.delivered, found.heard), (found.received, found.received + found.acks));
    // Transmission plus propagation.
    assert_eq!(found.delay, found.delivered * (350_667 + 100));
}

#[test]
fn a_mesh_in_noise_hears_nothing() {
    let setup = Mesh { snr: -50.0, rate: 10.0, seconds: 1.0, ..Mesh::default() }.set_up().unwrap();
    let found = tally(&setup.start(3), setup.most());
    assert_eq!((found.received, found.acks, found.nacks), (0, 0, 0));
    assert!(found.spoilt > 100 && found.refused >= found.spoilt, "{found:?}");
}

#[test]
fn a_study_is_its_simulations_one_by_one() {
    let mesh = Mesh { seconds: 0.6, snr: 15.0, ..Mesh::default() };
    let mut starts =
        MeshStudy { mesh: mesh.clone(), rates: vec![10.0], speeds: vec![1.0, 10.0], seeds: 2 }.starts().unwrap();
    // A mesh with fewer nodes, whose phases take less memory.
    starts.push(Mesh { nodes: 3, ..mesh.clone() }.set_up().unwrap().start(4));
    let most = mesh.set_up().unwrap().most();
    let device = Device::open(CpuBackend::open(&Options { threads: Some(2), ..Options::default() }).unwrap()).unwrap();
    let expected: Vec<_> = (0..starts.len()).map(|at| sequential(&starts[at], most, at).unwrap()).collect();
    for prepares in [false, true] {
        let mut engine = Engine::on(Execution::Device, &device, starts.clone(), [].into(), most).unwrap();
        engine.set_preparing(prepares).unwrap();
        assert_eq!(engine.run().unwrap(), expected, "frames prepared by groups: {prepares}");
    }
    let mut engine = Engine::on(Execution::Host, &device, starts, [].into(), most).unwrap();
    assert_eq!(engine.run().unwrap(), expected);
}
