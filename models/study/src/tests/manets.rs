//! Mobile ad hoc networks as a model to study.

use crate::catalogue::{self, Means, Source};
use crate::conduct::{Ending, Progress, conduct};
use crate::definition::{Axis, Definition};
use crate::{Results, Study};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_manet::config::ManetConfig;
use imminent_manet::{Summary, sequential};
use std::ops::ControlFlow;
use std::path::Path;

fn plan(definition: &Definition) -> Result<Study, String> {
    let model = catalogue::model(definition).unwrap();
    model.plan(&Source { definition, folder: Path::new("") }).map_err(|error| error.to_string())
}

/// Every run is the sequential simulation of its network.
#[test]
fn runs_are_sequential_simulations() {
    let definition = Definition::new("manet").fix("duration", 4.0).fix("nodes", 20).repetitions(2);
    let definition = definition.axis(Axis::values("range", [200.0, 300.0]));
    let study = plan(&definition).unwrap();
    assert_eq!(study.description().check(), Ok(()));
    let mut results = Results::new(&study).unwrap();
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let source = Source { definition: &definition, folder: Path::new("") };
    let mut runs = (catalogue::model(&definition).unwrap().open)(&source, &device, &Means::default()).unwrap();
    let ending = conduct(&study, &mut results, runs.as_mut(), None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(ending, Ending::Complete);
    assert_eq!((study.points(), results.done()), (2, 4));
    for run in study.select(0..study.runs()).iter() {
        let mut config = ManetConfig::default();
        config.network.nodes = Some(20);
        config.network.range = run.point.number_of("range").unwrap();
        config.run.duration = 4.0;
        config.run.seed = run.seed;
        let expected = Summary::of(&sequential::simulate(&config.build().unwrap(), 0).unwrap());
        assert_eq!(results.value(run.number, 0), Some(expected.delivery_ratio()), "run {}", run.number);
        assert_eq!(results.value(run.number, 2), Some(expected.mean_hops()), "run {}", run.number);
    }
}

/// A run is finished when it ends, although another one beside it has hardly begun.
#[test]
fn a_short_run_is_finished_beside_an_endless_one() {
    let definition = Definition::new("manet").fix("nodes", 10).axis(Axis::values("duration", [4.0, 900_000.0]));
    let (study, source) = (plan(&definition).unwrap(), Source { definition: &definition, folder: Path::new("") });
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let mut runs = (catalogue::model(&definition).unwrap().open)(&source, &device, &Means::default()).unwrap();
    let mut results = Results::new(&study).unwrap();
    let mut watch = |progress: Progress| match progress.done {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let ending = conduct(&study, &mut results, runs.as_mut(), None, &mut watch).unwrap();
    assert_eq!((ending, results.done()), (Ending::Interrupted, 1));
    assert!(results.value(0, 0).is_some());
}

#[test]
fn impossible_points_are_told() {
    let of = |definition: Definition| plan(&definition).unwrap_err();
    let slow = of(Definition::new("manet").fix("speed_most", 0.0).fix("pause_most", 0.0));
    assert!(slow.contains("static mobility"), "{slow}");
    let long = of(Definition::new("manet").fix("interval", 0.1));
    assert!(long.contains("run.interval"), "{long}");
}
