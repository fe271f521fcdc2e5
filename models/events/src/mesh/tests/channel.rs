//! Tests of the factored integer channel against the sum of all waves.

use super::super::fading::waves;
use super::super::{Mesh, mesh};
use super::waves::{gains, theta};
use crate::Start;

fn found(start: &Start<mesh::step>, time: u64, node: usize, link: u32) -> Vec<u32> {
    let (point, phases) = (&start.point, &start.modules[node].phases);
    let first = link * waves::PHASES as u32;
    waves::gains(&point.tables, phases, first, &point.frequencies, time, point.carriers)[..point.carriers as usize]
        .to_vec()
}

#[test]
fn gains_are_those_of_all_waves() {
    for (speed, carrier, seed) in [(1.0, 5.2, 3), (10.0, 5.2, 4), (0.0, 2.4, 5), (300.0, 60.0, 6)] {
        let mesh = Mesh { speed, carrier, nodes: 3, ..Mesh::default() };
        let start = mesh.set_up().unwrap().start(seed);
        for (time, node, link) in [(0, 0, 1), (12_345_678_901, 1, 0), (59_999_999_999, 2, 1)] {
            let first = link * 1600;
            let theta = theta(|word| start.modules[node].phases.get(first + word));
            let exact = gains(&theta, speed, carrier * 1e9, time, 48);
            for (k, (found, exact)) in found(&start, time, node, link).into_iter().zip(exact).enumerate() {
                let found = f64::from(found) / 2_f64.powi(20);
                assert!((found - exact).abs() < 1e-3 * exact.max(1.0), "{speed} {time} {k}: {found} for {exact}");
            }
        }
    }
}

#[test]
fn phases_are_all_there_once_and_links_have_one_channel() {
    let start = Mesh::default().set_up().unwrap().start(9);
    let phases = |node: usize, link: u32| -> Vec<u32> {
        let words = (0..1600).map(|word| start.modules[node].phases.get(link * 1600 + word));
        words.flat_map(|word| [word & 0xffff, word >> 16]).collect()
    };
    // Node 1 is the first other node of node 3, whose link to node 1 is the second.
    assert_eq!(phases(1, 2), phases(3, 1));
    assert_ne!(phases(1, 2), phases(1, 1));
    let mut sorted = phases(4, 0);
    sorted.sort_unstable();
    assert_eq!(sorted, (0..3200).collect::<Vec<_>>());
}

#[test]
fn the_mean_gain_is_that_of_the_taps() {
    // Gains of a link that are far apart in time are nearly independent, with mean 1.006 and a deviation equal to the
    // mean.
    let (mut sum, mut count) = (0.0, 0.0);
    for seed in 0..40 {
        let start = Mesh { nodes: 2, speed: 10.0, ..Mesh::default() }.set_up().unwrap().start(seed);
        for time in 0..25_u64 {
            let gains = found(&start, time * 1_700_000_001, 0, 0);
            sum += gains.iter().map(|gain| f64::from(*gain) / 2_f64.powi(20)).sum::<f64>() / 48.0;
            count += 1.0;
        }
    }
    let mean = sum / count;
    assert!((mean - 1.006).abs() < 0.08, "{mean}");
}
