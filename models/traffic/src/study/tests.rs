//! Network traffic as a model to study.

use super::{NetworkTraffic, measures};
use crate::TrafficConfig;
use crate::simulation::{Kept, Results, Setup};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::conduct::{Ending, conduct};
use imminent_study::definition::{Axis, Definition};
use imminent_study::{Catalogue, Means, Planned};
use std::ops::ControlFlow;
use std::path::Path;

/// Two flows of a constant rate over one link of 10 Mb/s.
const LINE: &str = "[topology]\nbandwidth = 1e7\ndelay = 0.005\nbuffer = 50000\n[[topology.link]]\nfrom = 'a'\nto = 'b'
[[traffic.demand]]\nfrom = 'a'\nto = 'b'\nrate = 1e6\n[[traffic.demand]]\nfrom = 'a'\nto = 'b'\nrate = 3e6\n[run]\nstep = 5e-4\nhorizon = 2.0\nwarm_up = 0.5\n";

fn plan(folder: &Path, definition: Definition) -> Result<Planned, String> {
    std::fs::write(folder.join("line.toml"), LINE).unwrap();
    let catalogue = Catalogue::default().with(NetworkTraffic);
    catalogue.plan(&definition.fix("file", "line.toml"), folder).map_err(|error| error.to_string())
}

fn device() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

/// A study of two scales of the demands is two runs. The loads follow from the demands: 4 and 8 Mb/s of 10.
#[test]
fn a_study_of_two_demands_is_two_runs() {
    let folder = tempfile::tempdir().unwrap();
    let planned = plan(folder.path(), Definition::new("traffic").axis(Axis::values("traffic.scale", [1.0, 2.0])));
    let Planned { model, base, study, .. } = planned.unwrap();
    assert_eq!((study.description().check(), study.points()), (Ok(()), 2));
    let mut results = imminent_study::Results::new(&study).unwrap();
    let mut laboratory = model.open(&base, &device(), &Means::default()).unwrap();
    let ending = conduct(&study, &mut results, laboratory.as_mut(), None, &mut |_| ControlFlow::Continue(()));
    assert_eq!(ending.unwrap(), Ending::Complete);
    for (run, load) in study.select(0..study.runs()).iter().zip([4e6, 8e6]) {
        let mut config = TrafficConfig::from_toml(LINE, "line.toml").unwrap();
        config.traffic.scale = Some(run.point.number_of("traffic.scale").unwrap());
        config.run.seed = run.seed;
        let traffic = config.traffic().unwrap();
        let simulation = Setup::new(&config, &traffic).unwrap().begin(Some(&device())).unwrap();
        let record = simulation.run(Kept::MeansAlone, &mut |_| ControlFlow::Continue(())).unwrap();
        let expected = measures::values(&Results::of(&traffic, &record));
        let of_study: Vec<_> = (0..expected.len()).map(|measure| results.value(run.number, measure)).collect();
        assert_eq!(of_study, expected, "{load}");
        // The rate, what queues drop, and the utilization of the link; there are no packets that could be delayed.
        let [rate, dropped, used] = [0, 1, 3].map(|measure| expected[measure].unwrap());
        assert!((rate / load - 1.0).abs() < 1e-6 && dropped == 0.0, "{expected:?}");
        assert!((used * 1e7 / load - 1.0).abs() < 2e-3 && expected[10].is_none(), "{expected:?}");
    }
}

#[test]
fn impossible_points_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let of = |key: &str, value: f64| {
        plan(folder.path(), Definition::new("traffic").axis(Axis::values(key, [value]))).unwrap_err()
    };
    for (key, value, expected) in [
        ("run.warm_up", 2.0, "a warm-up of 2 s leaves nothing of a run of 2 s"),
        ("run.step", 0.001, "a step of 0.001 s is too long"),
        ("topology.loss", 1.5, "topology.loss"),
        ("topology.link[0].bandwidth", -1.0, "topology.link[0].bandwidth"),
        ("topology.bandwith", 1e7, "did you mean `topology.bandwidth`?"),
        ("topology.least_delay", 0.002, "`topology.least_delay` has no effect: no link takes it"),
        ("run.seed", 3.0, "a study says this by `seed`"),
    ] {
        let error = of(key, value);
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    let batch = plan(folder.path(), Definition::new("traffic").fix("run.batch", 2)).unwrap_err();
    assert!(batch.contains("`run.batch` has no effect: the engine `fluid` does not use it; remove it"), "{batch}");
}

#[test]
fn values_of_an_axis_may_have_units() {
    let folder = tempfile::tempdir().unwrap();
    let definition = Definition::new("traffic").axis(Axis::values("topology.delay", ["20 ms", "0.25 s"]));
    let study = plan(folder.path(), definition.fix("topology.bandwidth", "20 Mbit/s").fix("topology.buffer", "64 kB"))
        .unwrap()
        .study;
    for (run, delay) in study.select(0..study.runs()).iter().zip([0.02, 0.25]) {
        assert_eq!(run.point.number_of("topology.delay"), Ok(delay));
        assert_eq!(run.point.number_of("topology.bandwidth"), Ok(2e7));
        // A capacity may be in packets, too: it stays a text.
        assert_eq!(run.point.text_of("topology.buffer"), Ok("64 kB"));
    }
    let of = |value: &str| Definition::new("traffic").fix("topology.bandwidth", value);
    let error = plan(folder.path(), of("20 ms")).unwrap_err();
    assert!(error.contains("20 ms is a text: `topology.bandwidth` takes numbers"), "{error}");
}
