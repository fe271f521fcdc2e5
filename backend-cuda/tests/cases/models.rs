//! The queueing networks' engines against the oracles, to the bit.

use super::common::device;
use imminent_queueing::engine::{Schedule, clustered, exact};
use imminent_queueing::{Network, Scenario, Start, interval, sequential};
use std::ops::ControlFlow;

pub(crate) fn tori_give_the_oracles_outcomes() {
    let device = device("");
    for (width, height, tokens) in [(1, 1, 1), (2, 3, 1), (5, 4, 0), (16, 16, 1), (7, 9, 3), (40, 33, 2)] {
        let torus = Network::torus(width, height, 10 << 20, tokens).unwrap();
        for (seed, start) in [(1, Start::One), (2, Start::Stationary)] {
            let scenario = Scenario::new(&torus, start, 100 << 20, seed, 0).unwrap();
            let oracle = sequential::simulate(&scenario).without_most_waiting();
            let ran = exact(&device, &scenario, Schedule::Tiles, &mut |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(ran.outcome.digest(), oracle.digest(), "{width} x {height}");
            let reference = interval::reference::simulate(&scenario, 7).unwrap();
            let ran = clustered(&device, &scenario, 7, &mut |_| ControlFlow::Continue(())).unwrap();
            assert_eq!((&ran.outcome, ran.steps), (&reference.outcome.without_most_waiting(), reference.steps));
        }
    }
}
