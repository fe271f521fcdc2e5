//! Queueing networks as a model to study.

use super::{Open, QueueingNetwork, Torus};
use crate::analysis::Sample;
use crate::config::{
    NetworkConfig, OpenConfig, OpenShape, RunOptions, TorusConfig, TorusShape, WarmUpOption, WarmUpRule,
};
use crate::law::{LawName, LawShape};
use crate::measures::{Flow, Measure};
use crate::{Scenario, sequential};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::conduct::{Ending, conduct};
use imminent_study::definition::{Axis, Definition, Spacing};
use imminent_study::journal::Journal;
use imminent_study::{Catalogue, Configuration, DefinitionError, Finished, Means, Planned, Results, Study};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

const NETWORK: &str = "[network]
mean = 1.0
edges = [['door', 'desk'], ['desk', 'out']]
[[network.node]]
name = 'desk'
servers = 1
[[network.source]]
name = 'door'
mean = 2
[run]
horizon = 300.0
warm_up = 50.0
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("desk.toml"), NETWORK).unwrap();
    folder
}

fn definition() -> Definition {
    Definition::new("network").fix("file", "desk.toml")
}

fn plan(definition: &Definition, folder: &Path) -> Result<Planned, DefinitionError> {
    let catalogue = Catalogue::default().with(QueueingNetwork::default());
    catalogue.with(Torus::default()).with(Open::default()).plan(definition, folder)
}

fn carry_out(definition: &Definition, folder: &Path) -> Result<(Study, Results), String> {
    let Planned { model, base, study, .. } = plan(definition, folder).map_err(|error| error.to_string())?;
    assert_eq!(study.description().check(), Ok(()));
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let mut networks = model.open(&base, &device, &Means::default()).unwrap();
    let mut results = Results::new(&study).unwrap();
    let ending = conduct(&study, &mut results, networks.as_mut(), None, &mut |_| ControlFlow::Continue(()));
    ending.map_err(|error| error.to_string())?;
    Ok((study, results))
}

/// Each run is what the sequential engine makes of the configuration with that point's values, alone.
#[test]
fn runs_are_those_of_the_sequential_engine() {
    let folder = folder();
    let definition = definition()
        .repetitions(3)
        .axis(Axis::values("network.source[0].mean", [1.5, 3.0]))
        .axis(Axis::values("network.node[0].servers", [1, 2]))
        .axis(Axis::values("network.node[0].capacity", [2, 10]));
    let (study, results) = carry_out(&definition, folder.path()).unwrap();
    assert_eq!((study.points(), results.done()), (8, 24));
    for run in study.select(0..study.runs()).iter() {
        let value = |key: &str| run.point.value(key).unwrap().to_string();
        let text = NETWORK.replace("mean = 2\n", &format!("mean = {}\n", value("network.source[0].mean"))).replace(
            "servers = 1",
            &format!(
                "servers = {}\ncapacity = {}",
                value("network.node[0].servers"),
                value("network.node[0].capacity")
            ),
        );
        let experiment = NetworkConfig::from_toml(&text, "desk.toml").unwrap().experiment().unwrap();
        let at = |horizon: u64| {
            let scenario = Scenario::new(&experiment.network, experiment.start, horizon, run.seed, 0).unwrap();
            sequential::simulate(&scenario)
        };
        let (warm, end) = (at(50 << 20), at(300 << 20));
        // The desk alone: the door is no station.
        let desk = (0..2).find(|node| experiment.network.station(*node).is_some()).unwrap() as usize;
        let sums = end.statistics[desk].since(&warm.statistics[desk]);
        let basis = crate::measures::Basis::of_network(&experiment.network);
        // What the desk completes leaves, and what comes to it was emitted at the door.
        let left = sums.completed as i64;
        let flow = Some(Flow { emitted: sums.arrivals, left });
        let sample = Sample { sums, basis, span: 250 << 20, flow, spending: None };
        for (place, measure) in Measure::ALL.into_iter().enumerate() {
            assert_eq!(results.value(run.number, place), sample.value(measure), "run {} {measure}", run.number);
        }
        assert_eq!(results.events(run.number), Some(end.events()));
    }
}

/// Models without a file have runs of the sequential engine too.
#[test]
fn tori_and_lines_are_studied_without_a_file() {
    let run = RunOptions { horizon: 200.0, ..RunOptions::default() };
    let torus = TorusShape { width: 3, height: 2, mean: 4.0, ..TorusShape::default() };
    let open = OpenShape { lines: 2, servers: 3, ..OpenShape::default() };
    let torus = TorusConfig { torus, run: run.clone() }.experiment().unwrap();
    let open = OpenConfig { open, run }.experiment().unwrap();
    let of = |name: &str| Definition::new(name).fix("run.horizon", 200.0).repetitions(2);
    let of_torus = of("torus").fix("torus.width", 3).fix("torus.height", 2).fix("torus.mean", 4.0);
    let of_lines = of("open").fix("open.lines", 2).fix("open.servers", 3);
    for (definition, experiment) in [(of_torus, torus), (of_lines, open)] {
        let (study, results) = carry_out(&definition, Path::new("")).unwrap();
        for run in study.select(0..study.runs()).iter() {
            let outcome = sequential::simulate(&experiment.scenario_of(run.seed, 0).unwrap());
            assert_eq!(results.events(run.number), Some(outcome.events()), "run {}", run.number);
        }
    }
}

/// A GraphML file is a configuration with the key of the graph, and what is given replaces its alternatives.
#[test]
fn graphs_and_given_laws_are_configurations() {
    let folder = folder();
    let read = |name: &str| Configuration::read(&QueueingNetwork::default(), Some(&folder.path().join(name))).unwrap();
    fs::write(folder.path().join("net.graphml"), "<graphml/>").unwrap();
    let mut graph = read("net.graphml");
    graph.set_list("network.graph_sources", &["a", "b"]).unwrap();
    graph.set("run.warm_up", &"mser5".into()).unwrap();
    let config: NetworkConfig = graph.parse().unwrap();
    assert_eq!(config.network.graph, Some(folder.path().join("net.graphml")));
    assert_eq!(config.network.graph_sources, ["a", "b"]);
    assert_eq!(config.run.warm_up, Some(WarmUpOption::Rule(WarmUpRule::Mser5)));
    assert!(graph.set_list("network.graph_source", &["a"]).is_err() && graph.set("run.warm_up", &"x".into()).is_err());
    let mut desk = read("desk.toml");
    desk.set("network.service.law", &"erlang".into()).unwrap();
    desk.set("network.service.mean", &3.0.into()).unwrap();
    desk.set("network.service.stages", &2.into()).unwrap();
    desk.set("network.source[0].rate", &0.5.into()).unwrap();
    let config: NetworkConfig = desk.parse().unwrap();
    let law = LawShape { mean: Some(3.0), stages: Some(2), ..LawShape::named(LawName::Erlang) };
    assert_eq!((config.network.mean, config.network.service), (None, Some(law)));
    assert_eq!((config.network.source[0].mean, config.network.source[0].rate), (None, Some(0.5)));
    // A law keeps the mean of the file, unless a parameter that takes its place is given.
    let mut kept = read("desk.toml");
    kept.set("network.service.law", &"erlang".into()).unwrap();
    kept.set("network.service.stages", &2.into()).unwrap();
    kept.set("network.source[0].interarrival.law", &"deterministic".into()).unwrap();
    kept.set("network.source[0].interarrival.value", &3.0.into()).unwrap();
    let config: NetworkConfig = kept.parse().unwrap();
    let law = LawShape { mean: Some(1.0), stages: Some(2), ..LawShape::named(LawName::Erlang) };
    assert_eq!((config.network.mean, config.network.service), (None, Some(law)));
    let law = LawShape { value: Some(3.0), ..LawShape::named(LawName::Deterministic) };
    assert_eq!(config.network.source[0].interarrival, Some(law));
    // Without its kind a law is exponential; files are found from the folder of the file that names them.
    let node = "[[network.node]]\nname = 'a'\nservice = { law = 'empirical', file = 'a.csv', column = 'b' }\n";
    let law = format!("[network]\nservice = {{ mean = 2.0 }}\n{node}");
    fs::write(folder.path().join("law.toml"), law).unwrap();
    let config: NetworkConfig = read("law.toml").parse().unwrap();
    assert_eq!(config.network.service, Some(LawShape::exponential(2.0)));
    let file = config.network.node[0].service.as_ref().and_then(|law| law.file.clone());
    assert_eq!(file, Some(folder.path().join("a.csv")));
}

/// A wrong value is found when a study is planned: beside every other value, or, in a large study, beside the first of
/// them.
#[test]
fn impossible_values_are_found_when_planning() {
    let folder = folder();
    let servers = || Axis::values("network.node[0].servers", [1, 0]);
    let refused = |definition: Definition| plan(&definition, folder.path()).unwrap_err().to_string();
    let named = "network.node[0].servers = 0: ";
    let error = refused(definition().axis(servers()));
    assert!(error.starts_with(&format!("axis[0].values[1]: {named}")), "{error}");
    let error = refused(
        definition()
            .axis(Axis::values("network.node[0].servers", [0, 1]))
            .axis(Axis::values("network.mean", [1.0, 2.0])),
    );
    assert!(error.starts_with(&format!("axis[0].values[0]: {named}")), "{error}");
    let error = refused(definition().axis(Axis::steps("network.node[0].servers", 0.0, 3.0, 1.0)));
    assert!(error.starts_with(&format!("axis[0]: {named}")), "{error}");
    let error = refused(definition().fix("network.mean", -1.0).axis(Axis::values("network.node[0].servers", [1, 2])));
    assert!(
        error.starts_with("axis[0]: point 0 (network.node[0].servers = 1): ") && error.contains("network.mean"),
        "{error}"
    );
    // A default has no effect on a node that has a value of its own at every point.
    let own = || definition().fix("network.node[0].mean", 1.5);
    let error = refused(own().axis(Axis::values("network.mean", [1.0, 2.0])));
    let why = "no station takes it, as each has its own 'mean', 'rate' or 'service'";
    assert_eq!(error, format!("axis[0].parameter: `network.mean` has no effect: {why}; remove it"));
    assert!(plan(&own(), folder.path()).is_ok(), "the default of the file is no slip of the study");
    // Neither is wrong by itself.
    let together =
        definition().axis(Axis::values("run.warm_up", [10.0, 70.0])).axis(Axis::values("run.horizon", [100.0, 60.0]));
    let error = refused(together);
    assert!(error.starts_with("axis[0]: point 3 (run.warm_up = 70, run.horizon = 60): "), "{error}");
    // 10^8 points.
    let many = |name: &str| Axis::spaced(name, 1.5, 2.5, 10_000, Spacing::Linear);
    let large = || definition().axis(many("network.mean")).axis(many("network.source[0].mean"));
    let error = refused(Definition { axis: vec![servers(), many("network.mean")], ..definition() });
    assert!(error.starts_with(&format!("axis[0].values[1]: {named}")), "{error}");
    let study = plan(&large(), folder.path()).unwrap().study;
    assert_eq!((study.points(), study.checks_every_point()), (100_000_000, false));
}

#[test]
fn a_run_of_the_sequential_engine_can_be_interrupted() {
    let folder = folder();
    let text = NETWORK.replace("horizon = 300.0", "horizon = 1000000.0\nengine = 'sequential'");
    fs::write(folder.path().join("long.toml"), text).unwrap();
    let long = Definition::new("network").fix("file", "long.toml");
    let Planned { model, base, study, .. } = plan(&long, folder.path()).unwrap();
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let mut networks = model.open(&base, &device, &Means::default()).unwrap();
    let mut results = Results::new(&study).unwrap();
    let ending = conduct(&study, &mut results, networks.as_mut(), None, &mut |_| ControlFlow::Break(()));
    assert_eq!((ending.unwrap(), results.done()), (Ending::Interrupted, 0));
}

/// Points of one study may have networks of any size, and runs of any length; a file may ask for the sequential engine.
#[test]
fn engines_and_sizes_change_nothing() {
    let folder = folder();
    let text = "[network]\ngenerate = { shape = 'torus', width = 4, height = 4 }\nmean = 1.0\n[run]\nhorizon = 50.0\n";
    fs::write(folder.path().join("exact.toml"), text).unwrap();
    fs::write(folder.path().join("sequential.toml"), format!("{text}engine = 'sequential'\n")).unwrap();
    let values = |file: &str| {
        let definition = Definition::new("network")
            .fix("file", file)
            .repetitions(2)
            .axis(Axis::values("network.generate.width", [2, 6]))
            .axis(Axis::values("run.horizon", [20.0, 40.0]));
        let (_, results) = carry_out(&definition, folder.path()).unwrap();
        (0..8).map(|run| (results.events(run), results.value(run, 0))).collect::<Vec<_>>()
    };
    let exact = values("exact.toml");
    assert_eq!(exact, values("sequential.toml"));
    assert!(exact[0].0 < exact[2].0 && exact[2].0 < exact[6].0, "{exact:?}");
}

/// A run that has ended is in the journal while a much longer one of its batch is under way.
#[test]
fn each_run_is_kept_when_it_ends() {
    let folder = folder();
    let definition = definition().repetitions(3).axis(Axis::values("run.horizon", [1e8, 60.0, 70.0]));
    let Planned { model, base, study, .. } = plan(&definition, folder.path()).unwrap();
    let device = CpuBackend::open(&Options { threads: Some(2), ..Options::default() }).and_then(Device::open).unwrap();
    let mut networks = model.open(&base, &device, &Means::default()).unwrap();
    let path = folder.path().join("runs.journal");
    let mut results = Results::new(&study).unwrap();
    let (mut journal, _) = Journal::open(&path, &study, &mut results).unwrap();
    // Of the long runs one is left: it has one of the two threads, and all others the second.
    for run in [1, 2] {
        results.insert(&Finished { run, events: 0, values: vec![None; Measure::ALL.len()] }).unwrap();
    }
    let ending = conduct(&study, &mut results, networks.as_mut(), Some(&mut journal), &mut |progress| {
        if progress.done == 8 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((ending.unwrap(), results.is_done(0)), (Ending::Interrupted, false));
    drop(journal);
    let mut kept = Results::new(&study).unwrap();
    Journal::open(&path, &study, &mut kept).unwrap();
    assert_eq!(kept.finished().iter().collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8]);
}

#[test]
fn a_changed_file_is_another_model() {
    let folder = folder();
    let before = plan(&definition(), folder.path()).unwrap().study.fingerprint();
    fs::write(folder.path().join("desk.toml"), NETWORK.replace("mean = 1.0", "mean = 1.1")).unwrap();
    let after = plan(&definition(), folder.path()).unwrap().study.fingerprint();
    assert_eq!(after.differences(&before.to_string()), ["model", "files"]);
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    let bad = |definition: Definition| carry_out(&definition, folder.path()).map(|_| ()).unwrap_err();
    for (definition, words) in [
        (Definition::new("network"), vec!["fixed: model 'network' needs `file`"]),
        (Definition::new("netwerk"), vec!["there is no model 'netwerk'; did you mean 'network'?"]),
        (Definition::new("weather"), vec!["there is no model 'weather'; there are: 'network', 'torus', 'open'"]),
        (Definition::new("network").fix("file", 3), vec!["fixed.file: 3 is no name of a file"]),
        (Definition::new("network").fix("file", "no.toml"), vec!["no.toml: cannot be read"]),
        (definition().fix("network.node[3].mean", 1.0), vec!["desk.toml has no `network.node[3]`"]),
        (definition().fix("network.edges", 1.0), vec!["is a list"]),
        (definition().fix("run.seed", 1), vec!["fixed.run.seed: a study says this by `seed`"]),
        (
            definition().axis(Axis::values("run.replications", [1])),
            vec!["axis[0].parameter: a study says this by `repetitions`"],
        ),
        (definition().fix("network.mean", "long"), vec!["fixed.network.mean: long is a text"]),
        (
            definition().axis(Axis::values("network.source[0].mean", [1.0, -1.0])),
            vec!["axis[0].values[1]: network.source[0].mean = -1: ", "network.source[0]"],
        ),
        (
            definition().fix("network.node[0].colour", 1),
            vec!["fixed.network.node[0].colour: ", "no parameter `network.node[0].colour`"],
        ),
        (definition().fix("run.interval", 1.0), vec!["run.interval", "takes none"]),
    ] {
        let error = bad(definition);
        for word in words {
            assert!(error.contains(word), "`{word}` is not in: {error}");
        }
    }
    fs::write(folder.path().join("desk.toml"), format!("{NETWORK}batches = 5\n")).unwrap();
    assert!(bad(definition()).contains("run.batches: studies do not use it"));
    // A run of a study ends alone, and MSER-5 averages over replications.
    fs::write(folder.path().join("desk.toml"), NETWORK.replace("warm_up = 50.0", "warm_up = 'mser5'")).unwrap();
    assert!(bad(definition()).contains("run.warm_up: studies do not use it"));
}
