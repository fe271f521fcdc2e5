//! Keys of a configuration with every kind of value.

use super::*;
use std::path::Path;

#[derive(Serialize, serde::Deserialize, JsonSchema)]
struct Config {
    /// Unit.
    #[schemars(extend("texts" = "a unit such as 'ms'"))]
    unit: Option<Unit>,
    /// Nodes and
    /// their field.
    network: Network,
    /// Speeds.
    #[schemars(extend("unit" = "m/s"))]
    speed: [f64; 2],
    /// Seed.
    seed: Option<u64>,
    /// Names.
    names: Vec<String>,
    /// Points.
    points: Vec<Network>,
    /// Pairs.
    pairs: Vec<(u32, f64)>,
    /// Files.
    #[schemars(extend("format" = "path"))]
    files: Vec<String>,
}

#[derive(Serialize, serde::Deserialize, JsonSchema)]
struct Network {
    /// Number of nodes.
    #[schemars(range(min = 2, max = 9))]
    nodes: u32,
    /// Motion.
    mobility: Mobility,
    /// Trace.
    #[schemars(extend("format" = "path"))]
    trace: Option<String>,
}

#[derive(Serialize, serde::Deserialize, JsonSchema)]
#[serde(untagged)]
enum Unit {
    Size(f64),
    Name(String),
}

#[derive(Serialize, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Mobility {
    /// Random waypoints.
    Waypoints,
    /// None.
    Static,
}

impl Default for Config {
    fn default() -> Self {
        let network = Network { nodes: 5, mobility: Mobility::Static, trace: None };
        Config {
            unit: None,
            network,
            speed: [0.0, 20.0],
            seed: None,
            names: vec![],
            points: vec![],
            pairs: vec![],
            files: vec![],
        }
    }
}

/// Flows of ad hoc networks name nodes by their numbers, or by their names in a trace.
#[test]
fn keys_may_take_numbers_and_names() {
    #[derive(serde::Deserialize, Serialize, JsonSchema)]
    #[serde(untagged)]
    enum Node {
        Number(u32),
        Name(String),
    }
    #[derive(Default, serde::Deserialize, Serialize, JsonSchema)]
    #[serde(default)]
    struct Own {
        node: Option<Node>,
    }
    let key = Keys::of::<Own>().key("node").unwrap();
    assert_eq!(key.read("7"), Ok(Value::Integer(7)));
    assert_eq!(key.read("car.7"), Ok(Value::Text("car.7".to_owned())));
    for wrong in ["-1", "4294967296"] {
        assert_eq!(key.read(wrong).unwrap_err(), "whole numbers from 0 to 4294967295, or a name", "{wrong}");
    }
}

/// Studies print seeds of 64 bits, and TOML has whole numbers of 63 bits and a sign.
#[test]
fn seeds_have_64_bits() {
    let seed = Keys::of::<Config>().key("seed").unwrap();
    for number in [0, 1, i64::MAX as u64, i64::MAX as u64 + 1, 11_709_048_377_654_454_515, u64::MAX] {
        let mut table = imminent_common::toml_text::Table::new();
        table.insert("seed", crate::key::to_toml(&seed.read(&number.to_string()).unwrap()));
        #[derive(serde::Deserialize)]
        struct Own {
            seed: Option<u64>,
        }
        assert_eq!(crate::key::parse::<Own>(&table).unwrap().seed, Some(number));
    }
    for wrong in ["-1", "18446744073709551616", "1.5", "x"] {
        assert_eq!(seed.read(wrong).unwrap_err(), "whole numbers from 0 to 18446744073709551615", "{wrong}");
    }
}

#[test]
fn keys_are_described_by_their_types() {
    let keys = Keys::of::<Config>();
    let key = |name: &str| keys.key(name).unwrap();
    let nodes = key("network.nodes");
    assert_eq!(nodes.domain, Some(Domain::Integer { least: 2, greatest: 9 }));
    assert_eq!((nodes.default, nodes.about.as_str()), (Some(Value::Integer(5)), "Number of nodes."));
    let words = ["waypoints", "static"].map(str::to_owned).to_vec();
    let mobility = key("network.mobility");
    assert_eq!(mobility.domain, Some(Domain::Text { choices: words }));
    assert_eq!(mobility.default, Some(Value::Text("static".to_owned())));
    let fast = key("speed[1]");
    assert_eq!((fast.unit.as_str(), fast.about.as_str(), fast.default), ("m/s", "Speeds.", Some(Value::Number(20.0))));
    let either = Domain::NumberOrName {
        least: f64::NEG_INFINITY,
        greatest: f64::INFINITY,
        names: vec![],
        texts: Some("a unit such as 'ms'".into()),
    };
    assert_eq!(either.expectation(), "numbers, or a unit such as 'ms'");
    assert_eq!(key("unit").domain, Some(either));
    assert_eq!(key("seed").domain, Some(Domain::Seed));
    assert!(key("network.trace").is_path && !key("names[3]").is_path);
    assert_eq!(key("points[7].nodes").domain, Some(Domain::Integer { least: 2, greatest: 9 }));
    assert!(["network.node", "speeds", "speed[2]", "speed.x", "names.x"].iter().all(|name| keys.key(name).is_none()));
    let text = |list: &str, text: &str| keys.element(list).unwrap().parse(text);
    assert_eq!(text("names", "a,b"), Ok(Tree::Text("a,b".into())));
    assert_eq!(text("pairs", " 3, 2.5"), Ok(Tree::List(vec![Tree::Integer(3), Tree::Float(2.5)])));
    assert_eq!(text("pairs", "3").unwrap_err(), "is not 2 values with commas between them");
    assert!(text("pairs", "-1,2").unwrap_err().contains("-1 is not possible"));
    assert!(["points", "speed", "seed", "pair"].iter().all(|name| keys.element(name).is_none()));
    let all: Vec<_> = keys.all().into_iter().map(|key| key.name).collect();
    // Keys have the order of the type, which programs show.
    let network = ["network.nodes", "network.mobility", "network.trace"];
    let lists = ["speed[0]", "speed[1]", "seed", "names", "points", "pairs", "files"];
    assert_eq!(all, [&["unit"], &network[..], &lists].concat());
}

#[test]
fn numbers_outside_of_their_range_are_found() {
    let keys = Keys::of::<Config>();
    let found = |text: &str| keys.out_of_range(&read(text));
    let told = |key: &str, value: &str, range: &str| {
        Some((key.to_owned(), format!("{value} is not possible: give whole numbers from {range}")))
    };
    assert_eq!(found("speed = [-1.0, 2.0]\nunit = 'm'\n[network]\nnodes = 2\nmobility = 'static'"), None);
    assert_eq!(found("[network]\nnodes = 10"), told("network.nodes", "10", "2 to 9"));
    assert_eq!(found("points = [{ nodes = 2 }, { nodes = 1 }]"), told("points[1].nodes", "1", "2 to 9"));
    assert_eq!(found("seed = -1"), told("seed", "-1", "0 to 18446744073709551615"));
}

#[test]
fn keys_beside_one_that_there_is_not_are_in_its_section() {
    let keys = Keys::of::<Config>();
    assert_eq!(keys.beside("points[3].node")[0], "points[3].nodes");
    assert_eq!(keys.beside("network.node")[0], "network.nodes");
    assert!(keys.beside("sped").contains(&"names".to_owned()));
}

#[test]
fn names_of_files_start_from_the_folder() {
    let text = "names = ['a']\nfiles = ['b.csv', '']\n[network]\ntrace = 'c.tcl'\n[[points]]\ntrace = '/d.tcl'";
    let mut table = read(text);
    Keys::of::<Config>().move_files(&mut table, Path::new("fires"));
    let moved =
        "names = ['a']\nfiles = ['fires/b.csv', '']\n[network]\ntrace = 'fires/c.tcl'\n[[points]]\ntrace = '/d.tcl'";
    assert_eq!(table, read(moved));
}

fn read(text: &str) -> Table {
    Document::new(text, "read.toml").into_table().unwrap()
}
