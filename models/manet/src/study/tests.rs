//! Mobile ad hoc networks as a model to study.

use super::Manet;
use crate::config::ManetConfig;
use crate::{Arrivals, Summary, sequential};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::conduct::{Ending, Progress, conduct};
use imminent_study::definition::{Axis, Definition};
use imminent_study::laboratory::Laboratory;
use imminent_study::{Catalogue, Means, Planned, Results};
use std::ops::ControlFlow;
use std::path::Path;

fn plan(definition: &Definition) -> Result<Planned, String> {
    let catalogue = Catalogue::default().with(Manet);
    catalogue.plan(definition, Path::new("")).map_err(|error| error.to_string())
}

fn laboratory(planned: &Planned) -> Box<dyn Laboratory + Send> {
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    planned.model.open(&planned.base, &device, &Means::default()).unwrap()
}

/// Every run is the sequential simulation of its network.
#[test]
fn runs_are_sequential_simulations() {
    let definition = Definition::new("manet").fix("run.horizon", 4.0).fix("network.nodes", 20).repetitions(2);
    // Part of a list, a key that no option has, and words.
    let definition = definition
        .fix("network.speed[1]", 30.0)
        .fix("traffic.senders", 7)
        .fix("traffic.arrivals", "poisson")
        .axis(Axis::values("network.range", [200.0, 300.0]));
    let planned = plan(&definition).unwrap();
    let study = &planned.study;
    assert_eq!(study.description().check(), Ok(()));
    let (mut results, mut runs) = (Results::new(study).unwrap(), laboratory(&planned));
    let ending = conduct(study, &mut results, runs.as_mut(), None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(ending, Ending::Complete);
    assert_eq!((study.points(), results.done()), (2, 4));
    for run in study.select(0..study.runs()).iter() {
        let mut config = ManetConfig::default();
        config.network.nodes = Some(20);
        config.network.range = run.point.number_of("network.range").unwrap();
        config.network.speed[1] = 30.0;
        config.traffic.senders = Some(7);
        config.traffic.arrivals = Arrivals::Poisson;
        config.run.horizon = 4.0;
        config.run.seed = run.seed;
        let network = config.build().unwrap();
        let statistics = sequential::statistics(&network, 0).unwrap();
        let (expected, delays) = (Summary::of(&statistics.nodes), statistics.delays);
        assert_eq!(results.value(run.number, 0), Some(expected.delivery_ratio()), "run {}", run.number);
        let p95 = delays.quantile(0.95).map(|micros| micros / 1e6);
        assert_eq!(results.value(run.number, 3), p95, "run {}", run.number);
        assert_eq!(results.value(run.number, 5), Some(expected.mean_hops()), "run {}", run.number);
    }
}

/// A run is finished when it ends, although another one beside it has hardly begun.
#[test]
fn a_short_run_is_finished_beside_an_endless_one() {
    let definition = Definition::new("manet").fix("network.nodes", 10);
    let planned = plan(&definition.axis(Axis::values("run.horizon", [4.0, 900_000.0]))).unwrap();
    let (mut results, mut runs) = (Results::new(&planned.study).unwrap(), laboratory(&planned));
    let mut watch = |progress: Progress| match progress.done {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let ending = conduct(&planned.study, &mut results, runs.as_mut(), None, &mut watch).unwrap();
    assert_eq!((ending, results.done()), (Ending::Interrupted, 1));
    assert!(results.value(0, 0).is_some());
}

/// The predicted time of a study is that of all its points, in whatever order they are.
#[test]
fn the_work_of_both_protocols_is_predicted() {
    let of = |protocols: &[&'static str]| {
        let definition = Definition::new("manet").fix("network.nodes", 32).fix("run.horizon", 10.0).repetitions(3);
        let planned = plan(&definition.axis(Axis::values("routing.protocol", protocols.iter().copied()))).unwrap();
        planned.work().unwrap()
    };
    let [gpsr, aodv] = [of(&["gpsr"]), of(&["aodv"])];
    // Each of 32 flows searches, which takes three times as long as all else.
    assert!((gpsr.seconds_of_host(1) - 32.0 * 10.0 * 3.0 / 0.2e6).abs() < 1e-9, "{gpsr:?}");
    assert!((aodv.seconds_of_host(1) / gpsr.seconds_of_host(1) - 3.0).abs() < 1e-9, "{aodv:?}");
    for both in [of(&["gpsr", "aodv"]), of(&["aodv", "gpsr"])] {
        assert!((both.seconds_of_host(1) / gpsr.seconds_of_host(1) - 4.0).abs() < 1e-9, "{both:?}");
        let on_gpu = gpsr.seconds_of_gpu() + aodv.seconds_of_gpu();
        assert!((both.seconds_of_gpu() / on_gpu - 1.0).abs() < 1e-6, "{both:?} beside {gpsr:?} and {aodv:?}");
    }
}

/// Both protocols are points of one study, and only AODV sends packets of its own.
#[test]
fn protocols_are_compared_in_one_study() {
    let definition = Definition::new("manet").fix("network.nodes", 20).fix("run.horizon", 10.0).repetitions(2);
    let planned = plan(&definition.axis(Axis::values("routing.protocol", ["gpsr", "aodv"]))).unwrap();
    let (mut results, mut runs) = (Results::new(&planned.study).unwrap(), laboratory(&planned));
    let ending =
        conduct(&planned.study, &mut results, runs.as_mut(), None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((ending, results.done()), (Ending::Complete, 4));
    let measures = &planned.study.description().measures;
    let place = |name: &str| measures.iter().position(|measure| measure.name == name).unwrap();
    for run in planned.study.select(0..4).iter() {
        let mut config = ManetConfig::default();
        config.network.nodes = Some(20);
        config.run.horizon = 10.0;
        config.run.seed = run.seed;
        let is_aodv = run.point.text_of("routing.protocol").unwrap() == "aodv";
        if is_aodv {
            config.routing.protocol = crate::config::ProtocolName::Aodv;
        }
        let expected = Summary::of(&sequential::simulate(&config.build().unwrap(), 0).unwrap());
        assert_eq!(results.value(run.number, place("routing_load")), Some(expected.routing_load()));
        assert_eq!(results.value(run.number, place("control")), Some(expected.control() as f64));
        assert_eq!(expected.control() > 0, is_aodv);
    }
    // Parameters of AODV that change nothing are refused, as are beacons with AODV.
    let none = Definition::new("manet").axis(Axis::values("aodv.net_diameter", [10, 20]));
    assert!(plan(&none).unwrap_err().contains("`routing.protocol` is not `aodv`"));
    let beacons = Definition::new("manet").fix("routing.protocol", "aodv");
    let beacons = plan(&beacons.axis(Axis::values("beacons.timeout", [3.0, 4.0]))).unwrap_err();
    assert!(beacons.contains("AODV sends no beacons"), "{beacons}");
}

#[test]
fn impossible_points_are_told() {
    let of = |definition: Definition| plan(&definition).unwrap_err();
    let slow = of(Definition::new("manet").fix("network.speed[1]", 0.0).fix("network.pause[1]", 0.0));
    assert!(slow.contains("static mobility"), "{slow}");
    let long = of(Definition::new("manet").fix("run.engine", "interval").fix("run.interval", 0.1));
    assert!(long.contains("run.interval"), "{long}");
    let old = of(Definition::new("manet").fix("speed_most", 0.0));
    assert_eq!(old, "fixed.speed_most: `speed_most` is called `network.speed[1]` now");
    let unknown = of(Definition::new("manet").fix("network.rage", 200.0));
    assert!(unknown.contains("no parameter `network.rage`; did you mean `network.range`?"), "{unknown}");
    let whole = of(Definition::new("manet").axis(Axis::values("network.speed", [1.0])));
    assert!(whole.contains("is a list"), "{whole}");
    let outside = of(Definition::new("manet").axis(Axis::values("network.speed[2]", [1.0])));
    assert!(outside.contains("network.speed[2]"), "{outside}");
}
