//! Experiments by configurations, as programs prepare and run them.

use super::*;
use crate::study::Manet;
use imminent_common::sheet::Value as Cell;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::outcome::Content;
use imminent_study::{Model, Value};
use std::fs;
use std::path::Path;

/// Folder of the examples of configurations.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/manet");

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

type Set<'s> = [(&'s str, Value)];

/// Prepares the experiment of a file and of keys with values. Returns the error as text.
fn prepare(file: Option<&Path>, set: &Set<'_>, given: &OptionValues) -> Result<Box<dyn Experiment>, String> {
    let mut configuration = Configuration::read(&Manet, file).map_err(|error| error.to_string())?;
    for (key, value) in set {
        configuration.set(key, value).map_err(|problem| format!("{key}: {problem}"))?;
    }
    Scenarios.prepare(&mut configuration, given).map_err(|error| error.to_string())
}

/// Runs an experiment where it is to run, until `done` replications have ended.
fn run_until(mut experiment: Box<dyn Experiment>, detail: Detail, done: u64) -> Outcome {
    let device = matches!(experiment.place(), RunsOn::Device(_)).then(cpu);
    experiment.check_memory(device.as_ref(), detail).unwrap();
    let watch = &mut |progress: Progress| match progress.done >= done {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    experiment.run(device.as_ref(), detail, watch).unwrap()
}

/// Returns the outcome of small networks.
fn outcome(set: &Set<'_>) -> Outcome {
    let small = [("network.nodes", 20.into()), ("run.horizon", 5.into()), ("run.replications", 2.into())];
    run_until(prepare(None, &[&small[..], set].concat(), &OptionValues::default()).unwrap(), Detail::Full, u64::MAX)
}

/// On a host, kernels execute networks of 10,000 nodes and more.
#[test]
fn a_device_finds_what_the_sequential_program_finds() {
    let large = |engine: &str| {
        let size = [("network.nodes", 10_000.into()), ("run.horizon", 2.5.into()), ("run.replications", 2.into())];
        let set = [&size[..], &[("run.engine", engine.into())]].concat();
        let experiment = prepare(None, &set, &OptionValues::default()).unwrap();
        assert_eq!(experiment.place() == RunsOn::Host("sequential"), engine == "sequential");
        run_until(experiment, Detail::Printed, u64::MAX)
    };
    let (host, device) = (large("sequential"), large("exact"));
    assert_eq!((&device.digest, &device.values["stats"]), (&host.digest, &host.values["stats"]));
    let ratio = device.values["stats"]["delivery_ratio"]["mean"].as_f64().unwrap();
    assert!((0.01..=1.0).contains(&ratio), "{ratio}");
    assert!(device.values["stats"]["mean_hops"]["ci95"].is_number());
}

#[test]
fn a_clock_changes_the_result() {
    let coarse = outcome(&[("run.engine", "interval".into()), ("run.interval", 0.002.into())]);
    assert_eq!(coarse.values["engine"], "interval");
    assert_ne!(coarse.digest, outcome(&[]).digest);
}

#[test]
fn trajectories_are_positions_at_equal_distances() {
    let given = |seconds: &str| OptionValues::default().with(TRAJECTORIES, seconds);
    let small = [("network.nodes", 7.into()), ("run.horizon", 5.into()), ("run.replications", 2.into())];
    let outcome = run_until(prepare(None, &small, &given("2")).unwrap(), Detail::Data, u64::MAX);
    let table = outcome.tables.iter().find(|table| table.name() == "trajectories").unwrap();
    // At 0, 2 and 4 s.
    assert_eq!(table.rows(), 3 * 7);
    let network = Network { end: 5_000_000, ..Network::scenario(7) };
    let place = sequential::places(&network, 0, &[0, 2_000_000, 4_000_000]).unwrap()[3][2];
    let row = (0..4).map(|column| table.value(2 * 7 + 3, column)).collect::<Vec<_>>();
    let number = |mm: i32| Cell::Number(Some(f64::from(mm) / 1e3));
    assert_eq!(row, [Cell::Number(Some(4.0)), Cell::Number(Some(3.0)), number(place.x), number(place.y)]);
    assert!(outcome.sections.iter().all(|section| !matches!(section.content, Content::Drawing(_))));
    let errors = ["0", "6", "nan", "often"].map(|seconds| prepare(None, &small, &given(seconds)).err().unwrap());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn an_outcome_has_tables_and_a_map_that_plays() {
    let outcome = outcome(&[]);
    assert!(outcome.speed.contains("times real time") && outcome.partial.is_none());
    let tables: Vec<_> = outcome.tables.iter().map(|table| (table.name(), table.rows())).collect();
    assert_eq!(tables, [("replications", 2), ("nodes", 2 * 20), ("flows", 2 * 20)]);
    let map = outcome.sections.iter().find_map(|section| match &section.content {
        Content::Drawing(svg) => Some(svg),
        _ => None,
    });
    let count = |tag: &str| map.unwrap().matches(tag).count();
    let tags = ["<circle", "<line", "<animate"].map(count);
    assert!(tags[0] == 20 && tags[1] > 10 && tags[2] > 10, "{tags:?}");
}

/// Flows with rates of their own are rows of a table for people, of one for programs, and of one for files.
#[test]
fn flows_that_are_listed_have_results() {
    let file = Path::new(EXAMPLES).join("alarms.toml");
    let experiment = prepare(Some(&file), &[("run.replications", 2.into())], &OptionValues::default()).unwrap();
    let outcome = run_until(experiment, Detail::Data, u64::MAX);
    let flows = outcome.values["flows"].as_array().unwrap();
    let created: Vec<_> = flows.iter().map(|flow| flow["created"].as_u64().unwrap()).collect();
    // Five packets a second, from 30 to 50 s, and while cars are there: from 0 to 58 s, and from 6 and 12 s to the end.
    assert_eq!(created, [58, 54, 48, 20].map(|seconds| 2 * 5 * seconds));
    let whole = outcome.values["replications"].as_array().unwrap();
    assert_eq!(created.iter().sum::<u64>(), whole.iter().map(|of| of["created"].as_u64().unwrap()).sum::<u64>());
    let table = outcome.tables.iter().find(|table| table.name() == "flows").unwrap();
    let row: Vec<Cell> = (0..5).map(|column| table.value(7, column)).collect();
    let expected = [Cell::Count(1), Cell::Count(3), Cell::Count(2), Cell::Number(Some(4.0)), Cell::Count(100)];
    assert_eq!((table.rows(), row), (8, expected.to_vec()));
    let name = |name: &str| Cell::Text(name.to_owned());
    assert_eq!([table.value(7, 11), table.value(7, 12)], [name("car.2"), name("car.4")]);
    assert_eq!((&flows[3]["from_name"], &flows[3]["to_name"]), (&"car.2".into(), &"car.4".into()));
    let nodes = outcome.tables.iter().find(|table| table.name() == "nodes").unwrap();
    let last = nodes.columns().len() - 1;
    assert_eq!((nodes.columns()[last].0.as_str(), nodes.value(8, last)), ("name", name("car.3")));
    assert!(outcome.sections.iter().any(|section| section.heading.starts_with("Flows")));
}

/// The hops of a packet follow one another: each begins where and after the one before has arrived.
#[test]
fn routes_lead_from_origins_to_destinations() {
    let small = [("network.nodes", 30.into()), ("run.horizon", 20.into()), ("run.replications", 2.into())];
    let given = OptionValues::default().with(ROUTES, "");
    let outcome = run_until(prepare(None, &small, &given).unwrap(), Detail::Data, u64::MAX);
    let table = outcome.tables.iter().find(|table| table.name() == "routes").unwrap();
    let names: Vec<String> = table.columns().into_iter().map(|(name, _)| name).collect();
    let value = |row: usize, column: &str| match table.value(row, names.iter().position(|name| name == column).unwrap())
    {
        Cell::Count(count) => count as f64,
        Cell::Number(number) => number.unwrap(),
        Cell::Text(text) => panic!("{text}"),
    };
    let mut last = std::collections::HashMap::new();
    let mut delivered = 0;
    for row in 0..table.rows() {
        let [packet, hop, from, to] = ["packet", "hop", "from", "to"].map(|column| value(row, column) as u64);
        let (at, after, arrived) = last.get(&packet).copied().unwrap_or((value(row, "origin") as u64, 0.0, 0));
        assert_eq!((from, hop), (at, arrived + 1), "packet {packet}");
        assert!(value(row, "begin") >= after && value(row, "end") > value(row, "begin"));
        let has_arrived = value(row, "arrived") == 1.0;
        let next = if has_arrived { (to, value(row, "end"), hop) } else { (from, value(row, "end"), arrived) };
        last.insert(packet, next);
        delivered += u64::from(has_arrived && to == value(row, "destination") as u64);
    }
    let first = &outcome.values["replications"][0];
    assert_eq!(first["delivered"], delivered);
    let sent = first["transmissions"].as_u64().unwrap();
    assert!(delivered > 100 && table.rows() as u64 <= sent && table.rows() as u64 + 30 >= sent, "{sent}");
}

/// Packets of AODV are rows among those of the traffic, and are counted in every table.
#[test]
fn routes_and_tables_tell_the_packets_of_aodv() {
    let small = [
        ("network.nodes", 20.into()),
        ("run.horizon", 20.into()),
        ("run.replications", 2.into()),
        ("routing.protocol", "aodv".into()),
    ];
    let given = OptionValues::default().with(ROUTES, "");
    let experiment = prepare(None, &small, &given).unwrap();
    let RunsOn::Device(Some(work)) = experiment.place() else { panic!("it runs on a device that is chosen") };
    assert!(work.seconds_of_gpu().is_infinite());
    // Twenty flows search, in which GPSR would take 4 ms.
    assert!((0.004 * 2.0..0.004 * 2.5).contains(&work.seconds_of_host(1)), "{}", work.seconds_of_host(1));
    let outcome = run_until(experiment, Detail::Full, u64::MAX);
    let table = |name: &str| outcome.tables.iter().find(|table| table.name() == name).unwrap();
    let column = |name: &str, column: &str| -> Vec<Cell> {
        let place = table(name).columns().iter().position(|(name, _)| name == column).unwrap();
        (0..table(name).rows()).map(|row| table(name).value(row, place)).collect()
    };
    let count = |cell: &Cell| if let Cell::Count(count) = cell { *count } else { panic!("{cell:?}") };
    let sum = |name: &str, of: &str| column(name, of).iter().map(count).sum::<u64>();
    let kinds = ["route_requests", "route_replies", "route_errors"].map(|kind| sum("nodes", kind));
    assert!(kinds[0] > kinds[1] && kinds[1] > 20, "{kinds:?}");
    assert_eq!(kinds.iter().sum::<u64>(), sum("replications", "control"));
    assert_eq!(sum("nodes", "control_bytes"), sum("replications", "control_bytes"));
    let told = column("routes", "kind");
    let of_kind = |kind: &str| told.iter().filter(|cell| **cell == Cell::Text(kind.to_owned())).count() as u64;
    let first: u64 = column("nodes", "route_requests")[..20].iter().map(count).sum();
    // What is on the air at the end is no row.
    assert!(of_kind("route request") <= first && of_kind("route request") + 20 >= first);
    assert!(of_kind("data") > of_kind("route reply") && of_kind("route reply") > 10);
    let (flows, to) = (column("routes", "flow"), column("routes", "to"));
    for (row, kind) in told.iter().enumerate() {
        let is_data = *kind == Cell::Text("data".to_owned());
        assert_eq!(flows[row] != Cell::Number(None), is_data);
        assert!(to[row] != Cell::Number(None) || !is_data);
    }
    let load = outcome.values["stats"]["routing_load"]["mean"].as_f64().unwrap();
    assert!((0.1..50.0).contains(&load), "{load}");
    assert!(outcome.facts.iter().any(|(name, value)| name == "routing" && value.starts_with("AODV")));
    let map = outcome.sections.iter().find_map(|section| match &section.content {
        Content::Drawing(svg) => Some(svg),
        _ => None,
    });
    assert!(map.unwrap().contains("#2ca02c") && map.unwrap().contains("circles are broadcasts"));
    // No kernels simulate it, whatever device is there: those of the tests are the host's.
    let (sequential, [engine]) = ("sequential", [("run.engine", "sequential".into())]);
    let again = prepare(None, &[&small[..], &[engine]].concat(), &OptionValues::default()).unwrap();
    assert_eq!(again.place(), RunsOn::Host(sequential));
    assert_eq!(run_until(again, Detail::Printed, u64::MAX).digest, outcome.digest);
}

#[test]
fn intervals_have_the_confidence_that_is_given() {
    let small = [("network.nodes", 20.into()), ("run.replications", 4.into()), ("run.horizon", 20.into())];
    let half = |level: &str| {
        let given = OptionValues::default().with("confidence", level);
        let outcome = run_until(prepare(None, &small, &given).unwrap(), Detail::Printed, u64::MAX);
        let key = format!("ci{}", level.trim_start_matches("0."));
        outcome.values["stats"]["mean_hops"][key].as_f64().unwrap()
    };
    // Student's t of three degrees of freedom: 2.353363 and 3.182446.
    assert!((half("0.95") / half("0.90") - 3.182_446 / 2.353_363).abs() < 1e-5);
    let given = OptionValues::default().with("confidence", "95");
    let told = prepare(None, &small, &given).map(drop).unwrap_err().to_string();
    assert!(told.starts_with("--confidence: a confidence of 95 is not possible"), "{told}");
}

#[test]
fn an_interrupted_run_keeps_its_replications() {
    let run = |replications: i64, done: u64| {
        let set = [("network.nodes", 5.into()), ("run.replications", replications.into())];
        let set = [&set[..], &[("run.horizon", 20.into()), ("run.engine", "sequential".into())]].concat();
        run_until(prepare(None, &set, &OptionValues::default()).unwrap(), Detail::Printed, done)
    };
    let result = run(300_000, 3);
    let kept = result.values["replications"].as_array().unwrap().len();
    assert_eq!(result.partial, Some(format!("{kept} of 300000 replications")));
    let whole = run(kept as i64, u64::MAX);
    assert_eq!((&whole.digest, &whole.values["stats"]), (&result.digest, &result.values["stats"]));
    assert!(kept >= 3 && whole.partial.is_none());
}

/// The work is simulated seconds times nodes, of all replications.
#[test]
fn the_work_grows_with_nodes_seconds_and_replications() {
    let set = [("network.nodes", 20.into()), ("run.horizon", 2.into()), ("run.replications", 3.into())];
    let place = prepare(None, &set, &OptionValues::default()).unwrap().place();
    let RunsOn::Device(Some(work)) = place else { panic!("it runs on {place:?}") };
    assert_eq!((work.unit(), work.amount()), (NODE_SECONDS, 20.0 * 2.0 * 3.0));
    // A GPU takes as long for its steps, however few nodes there are.
    assert!(work.seconds_of_gpu() > 0.01 && work.seconds_of_gpu() > work.seconds_of_host(1));
}

/// The motion of a run, written as a trace, gives the same result.
#[test]
fn traces_are_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.tcl");
    let trace = path.to_str().unwrap();
    let one = [("network.nodes", 20.into()), ("run.horizon", 5.into()), ("run.replications", 1.into())];
    let given = OptionValues::default().with(RECORD, trace);
    let written = run_until(prepare(None, &one, &given).unwrap(), Detail::Printed, u64::MAX);
    let of_trace =
        |more: &Set<'_>| prepare(None, &[&[("network.trace", trace.into())], more].concat(), &OptionValues::default());
    let read = run_until(of_trace(&one).unwrap(), Detail::Printed, u64::MAX);
    assert_eq!(read.digest, written.digest);
    let text = fs::read_to_string(&path).unwrap();
    let refused = |text: &str, more: &Set<'_>, words: &[&str]| {
        fs::write(&path, text).unwrap();
        let told = of_trace(more).map(drop).unwrap_err();
        assert!(words.iter().all(|word| told.contains(word)), "{words:?}: {told}");
    };
    let unplaced = text.replacen("$node_(3) set X_", "$node_(3) set Z_", 1);
    refused(&unplaced, &[], &["node 3", "no initial position", "set X_"]);
    let jump = format!("{text}$ns_ at 0.5 \"$node_(3) set X_ 1.0\"\n");
    refused(&jump, &[], &["node 3", "cannot jump", "line", "setdest"]);
    let far = "$node_(0) set X_ 1\n$node_(0) set Y_ 1\n$node_(1) set X_ 9000\n$node_(1) set Y_ 1\n";
    refused(far, &[("network.width", 50.into())], &["node 1", "outside of the field"]);
    refused("move 3\n", &[], &["line 1", "move 3", "setdest"]);
}

#[test]
fn every_example_can_be_run() {
    let examples = [
        ("table-5-1-50", 8),
        ("table-5-1-200", 5),
        ("request-response", 8),
        ("convoy", 60),
        ("pedestrians", 20),
        ("city", 20),
        ("alarms", 60),
        ("aodv", 10),
    ];
    for (example, horizon) in examples {
        let file = Path::new(EXAMPLES).join(example).with_extension("toml");
        let set = [("run.replications", 1.into()), ("run.horizon", horizon.into())];
        let experiment = prepare(Some(&file), &set, &OptionValues::default()).unwrap();
        let outcome = run_until(experiment, Detail::Printed, u64::MAX);
        assert!(outcome.values["replications"][0]["delivered"].as_u64() > Some(0), "{example}");
    }
}

#[test]
fn impossible_networks_are_refused() {
    let refused = |file: Option<&Path>, set: &Set<'_>, words: &[&str]| {
        let told = prepare(file, set, &OptionValues::default()).map(drop).unwrap_err();
        assert!(words.iter().all(|word| told.contains(word)), "{words:?}: {told}");
    };
    refused(None, &[("network.range", 0.into())], &["network.range: ", "from 0.001"]);
    refused(None, &[("run.engine", "fast".into())], &["exact", "interval", "sequential"]);
    refused(None, &[("run.engine", "interval".into()), ("run.interval", 1.into())], &["run.interval: "]);
    refused(None, &[("run.interval", f64::NAN.into())], &["run.interval", "NaN"]);
    refused(None, &[("run.interval", 0.002.into())], &["run.interval: has no effect", "engine `interval`"]);
    refused(None, &[("run.warm_up", 100.into())], &["run.warm_up", "before the end at 100 s"]);
    let trace = format!("{EXAMPLES}/convoy.tcl");
    let mismatch = [("network.nodes", 9.into()), ("network.trace", trace.as_str().into())];
    refused(None, &mismatch, &["network.nodes", "the trace has"]);
    let convoy = Path::new(EXAMPLES).join("convoy.toml");
    refused(Some(&convoy), &[("traffic.within", 9.into())], &["traffic.within", "`pairs`"]);
    let values = [
        ("traffic.rate", f64::NAN.into()),
        ("traffic.within", (-1).into()),
        ("run.horizon", f64::INFINITY.into()),
        ("run.replications", 0.into()),
    ];
    values.into_iter().for_each(|set: (&str, Value)| refused(None, std::slice::from_ref(&set), &[set.0, "takes"]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.toml");
    fs::write(&path, "[network]\nnodes = 5\n[traffic]\nsenders = 6\n").unwrap();
    refused(Some(&path), &[], &["net.toml", "line 4", "traffic.senders", "5 nodes"]);
}

/// Sizes beyond all memory are refused before anything is allocated.
#[test]
fn networks_that_no_memory_holds_are_refused() {
    for (key, value, option) in [
        ("run.replications", 4_000_000_000_i64, "--replications 4000000000"),
        ("network.nodes", 500_000_000, "--nodes 500000000"),
    ] {
        let experiment = prepare(None, &[(key, value.into())], &OptionValues::default()).unwrap();
        let told = experiment.check_memory(Some(&cpu()), Detail::Printed).unwrap_err().to_string();
        assert!(told.contains(option) && told.contains("give at most"), "{told}");
    }
}

#[test]
fn keys_have_units() {
    assert_eq!(Manet.keys().schema().as_value()["$defs"]["NetworkShape"]["properties"]["range"]["unit"], "m");
}
