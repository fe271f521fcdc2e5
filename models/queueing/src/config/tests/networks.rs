//! Configurations of networks of every kind.

use super::network;
use crate::config::{ConfigError, NetworkConfig};
use crate::law::Law;
use crate::network::{Discipline, Network, NetworkError, Overflow, Role, Route, Routing, Station, Warning};
use proptest::prelude::*;

const HOSPITAL: &str = "
[network]
classes = ['urgent', 'mild']

[[network.source]]
name = 'door'
class = 'urgent'
mean = 12

[[network.source]]
name = 'gate'
class = 'mild'
interarrival = { law = 'erlang', stages = 3, mean = 5.0 }

[[network.node]]
name = 'triage'
servers = 2
discipline = 'priority'
capacity = 30
overflow = 'block'
mean = 4.0
position = [7.4, 46.9]
tokens = { mild = 3 }
[network.node.class.mild]
priority = 1
service = { law = 'log-normal', mean = 6, cv = 0.8 }

[[network.node]]
name = 'ward'
servers = 8
routing = 'round-robin'
service = { law = 'weibull', mean = 40, shape = 1.5 }

[[network.route]]
from = 'door'
to = 'triage'
[[network.route]]
from = 'gate'
to = 'triage'
[[network.route]]
from = 'triage'
class = 'urgent'
to = 'ward'
probability = 0.75
[[network.route]]
from = 'triage'
class = 'urgent'
to = 'triage'
becomes = 'mild'
probability = 0.25
[[network.route]]
from = 'triage'
to = 'out'
[[network.route]]
from = 'ward'
to = 'out'
[[network.route]]
from = 'ward'
to = 'triage'
";

fn built(text: &str) -> Result<Network, ConfigError> {
    NetworkConfig::from_toml(text, "net.toml")?.network.network().map_err(|error| error.located(text, "net.toml"))
}

#[test]
fn a_hospital_can_be_written_down() {
    let network = built(HOSPITAL).unwrap();
    let labels: Vec<_> = (0..4).map(|node| network.label(node)).collect();
    assert_eq!(labels, ["triage", "ward", "door", "gate"]);
    assert_eq!((network.classes(), network.class_name(0)), (2, "urgent".to_owned()));
    let triage =
        Station { servers: 2, discipline: Discipline::Priority, capacity: Some(30), overflow: Overflow::Block };
    assert_eq!((network.station(0), network.role(2)), (Some(triage), Role::Source));
    let law = |node, class| network.service(node, class).map(|law| network.laws()[law as usize].clone());
    assert_eq!((law(2, 0), law(2, 1)), (Some(Law::Exponential { mean: 12.0 }), None));
    assert_eq!(law(3, 1), Some(Law::Erlang { stages: 3, mean: 5.0 }));
    assert_eq!(
        (law(0, 0), law(0, 1)),
        (Some(Law::Exponential { mean: 4.0 }), Some(Law::LogNormal { mean: 6.0, cv: 0.8 }))
    );
    assert_eq!((network.priority(0, 0), network.priority(0, 1), network.tokens(0, 1)), (0, 1, 3));
    assert_eq!((network.routing(1), network.position(0)), (Routing::RoundRobin, Some((7.4, 46.9))));
    let routes: Vec<Route> = network.routes(0, 0).iter().collect();
    let first = Route { to: Some(1), class: 0, threshold: Some(3 << 30) };
    assert_eq!(routes, [first, Route { to: Some(0), class: 1, threshold: Some(u32::MAX) }]);
    assert_eq!(network.routes(0, 1).iter().collect::<Vec<_>>(), [Route { to: None, class: 1, threshold: None }]);
}

#[test]
fn what_is_read_can_be_written_and_read_again() {
    let texts = [
        HOSPITAL,
        "[network]\nmean = 2.5\nlinks = [['a', 'b']]\nservers = 2",
        "[network]\ngenerate = { shape = 'torus', width = 3, height = 2 }",
        "[network]\ngenerate = { shape = 'feed-forward', layers = 2, width = 3, degree = 2, mean = 9, seed = 4 }",
        "[network]\nedges = [['in', 'a'], ['a', 'out']]\nmean = 1\n[[network.source]]\nname = 'in'\ninterarrival = { law = 'uniform', low = 1, high = 9 }",
    ];
    for text in texts {
        let config = NetworkConfig::from_toml(text, "net.toml").unwrap();
        let written = toml::to_string(&config).unwrap();
        let again = NetworkConfig::from_toml(&written, "net.toml").unwrap();
        assert_eq!(again, config, "{written}");
        assert_eq!(again.network.network().unwrap(), config.network.network().unwrap());
        let json = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<NetworkConfig>(&json).unwrap(), config, "{json}");
    }
}

#[test]
fn rules_make_networks() {
    let torus =
        built("[network]\nmean = 5\ntokens = 2\ngenerate = { shape = 'torus', width = 4, height = 3 }").unwrap();
    assert_eq!(torus, Network::torus(4, 3, 5 << 20, 2).unwrap());
    let open = built("[network]\nmean = 5\ngenerate = { shape = 'open', lines = 3, servers = 4, mean = 9.5 }").unwrap();
    assert_eq!((open.len(), open.total_tokens(), open.is_open()), (15, 0, true));
    assert_eq!(open.laws(), [Law::Exponential { mean: 5.0 }, Law::Exponential { mean: 9.5 }]);
    let complete = built("[network]\nservers = 2\ngenerate = { shape = 'complete', nodes = 4 }").unwrap();
    assert_eq!((complete.len(), complete.total_tokens(), complete.station(3).unwrap().servers), (4, 4, 2));
}

#[test]
fn laws_come_from_files_beside_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("times.csv"), "day,service\n1,2.5\n2,4\n").unwrap();
    let file = folder.path().join("net.toml");
    let text = "[network]\nmean = 1\nlinks = [['a', 'b']]\n[[network.node]]\nname = 'b'\nservice = { law = 'empirical', file = 'times.csv', column = 'service' }";
    std::fs::write(&file, text).unwrap();
    let network = NetworkConfig::from_file(&file).unwrap().network.network().unwrap();
    assert_eq!(network.laws()[0], Law::Empirical { values: vec![2.5, 4.0] });
    let text = text.replace("'service' }", "'length' }");
    let config = NetworkConfig::from_toml(&text, &file.display().to_string()).unwrap();
    let error = config.network.network().unwrap_err().located(&text, "net.toml").to_string();
    assert!(error.starts_with("net.toml, line 6: network.node[0].service: "), "{error}");
    assert!(
        error
            .ends_with("times.csv: no column 'length': the first line names 2 others; give the name of a column in it"),
        "{error}"
    );
}

/// Replaces the first line of the hospital that contains `old`; returns its number and the new text.
fn spoilt(old: &str, new: &str) -> (usize, String) {
    let at = HOSPITAL.lines().position(|line| line.contains(old)).unwrap();
    let lines = HOSPITAL.lines().enumerate().map(|(number, line)| if number == at { new } else { line });
    let text = lines.collect::<Vec<_>>().join("\n");
    (at + 1, built(&text).unwrap_err().to_string())
}

#[test]
fn what_is_wrong_with_a_hospital_is_said_with_its_line_and_key() {
    let cases = [
        ("servers = 2", "servers = 0", "network.node[0].servers: 0 servers: give at least 1"),
        ("capacity = 30", "capacity = 1", "network.node[0].capacity: room for 1 tokens and 2 servers"),
        ("mean = 4.0", "mean = -4.0", "network.node[0].mean: 'mean' of a law 'exponential' is -4"),
        (
            "mean = 12",
            "interarrival = { law = 'exponential', rate = -1 }",
            "network.source[0].interarrival: 'rate' is -1",
        ),
        ("mean = 12", "mean = 12\ninterarrival = { law = 'exponential', mean = 1 }", "network.source[0].mean: both"),
        (
            "class = 'mild'",
            "class = 'mid'",
            "network.source[1].class: no class is called 'mid', only 'urgent', 'mild': add",
        ),
        ("name = 'gate'", "name = 'door'", "network.source[1].name: a second node has the name 'door'"),
        ("name = 'ward'", "name = 'out'", "network.node[1].name: 'out' is the outside"),
        ("to = 'ward'", "to = 'word'", "network.route[2].to: no node is called 'word': add a [[network.node]]"),
        ("becomes = 'mild'", "becomes = 'm'", "network.route[3].becomes: no class is called 'm'"),
        (
            "probability = 0.75",
            "probability = 0.5",
            "network.route[2].probability: the probabilities of class 'urgent' at node 'triage' add up to 0.75: make",
        ),
        ("probability = 0.75", "probability = 75", "network.route[2].probability: 75 is no probability of a route"),
        ("to = 'out'", "to = 'gate'", "network.route[4].to: node 'gate' is a source: tokens cannot go there"),
        (
            "tokens = { mild = 3 }",
            "tokens = { mild = 31 }",
            "network.node[0].tokens: node 'triage' starts with 31 tokens and has room for 30",
        ),
        ("tokens = { mild = 3 }", "tokens = { mad = 3 }", "network.node[0].tokens: no class is called 'mad'"),
        (
            "[network.node.class.mild]",
            "[network.node.class.mad]",
            "network.node[0].class.mad: no class is called 'mad'",
        ),
    ];
    for (old, new, expected) in cases {
        let (line, error) = spoilt(old, new);
        // A key that a replacement adds may be a line further down, or reported on the line that encloses it.
        let lines = [line, line + 1].map(|line| format!("net.toml, line {line}: {expected}"));
        assert!(lines.iter().any(|start| error.starts_with(start)), "{error}\ninstead of\n{}", lines[0]);
    }
}

#[test]
fn what_is_wrong_with_a_small_network_is_said_too() {
    let source = "[[network.source]]\nname = 's'\nmean = 1\n";
    let cases = [
        ("[network]\nservers = 0\nlinks = [['a', 'b']]", "net.toml, line 2: network.servers: 0 servers"),
        ("[network]\noverflow = 'block'", "net.toml, line 2: network.overflow: nothing overflows without a limit"),
        ("[network]\nlinks = [['a', 'out']]", "net.toml, line 2: network.links[0]: nothing comes back from 'out'"),
        (
            "[network]\nlinks = [['a', 'b']]\ntokens = 0",
            "net.toml, line 3: network.tokens: the network has no tokens and no source",
        ),
        (
            "[network]\nlinks = [['a', 'b'],\n['c', 'd']]\ntokens = 0\n[[network.node]]\nname = 'a'\ntokens = 1",
            "net.toml, line 3: network.links[1]: no token can ever come to node 'c'",
        ),
        (
            "[network]\ngenerate = { shape = 'open', lines = 2, servers = 2 }",
            "net.toml, line 2: network.generate: no time between arrivals",
        ),
        (
            "[network]\n\ngenerate = { shape = 'open', lines = 0, servers = 2, mean = 1 }",
            "net.toml, line 3: network.generate: 'lines' of the",
        ),
        ("[network]\nclasses = ['a', 'a']", "net.toml, line 2: network.classes[1]: a second class has the name 'a'"),
        (
            "[network]\nservice = { law = 'gamma', mean = 1 }",
            "net.toml, line 2: network.service: a law 'gamma' needs 'shape' and 'mean'",
        ),
    ];
    for (text, expected) in cases {
        let error = built(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    // Open networks have no built-in defaults.
    let error = built(&format!("[network]\nedges = [['s', 'a'], ['a', 'out']]\n{source}")).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "net.toml, line 2: network.edges[0]: tokens of class 'token' can come to node 'a', which has no"
        ),
        "{error}"
    );
    for (text, line, key) in [
        ("[network]\n[[network.node]]\nname = 'a'\nsevers = 2", "line 4", "severs"),
        ("[network]\n[[network.node]]\nname = 'a'\ndiscipline = 'first'", "line 4", "first"),
        ("[network]\ngenerate = { shape = 'torus', width = 3, hight = 2 }", "line 2", "hight"),
        ("[network]\nservice = { law = 'gama', mean = 3 }", "line 2", "gama"),
        ("[[network.route]]\nfrom = 'a'\nto = 'b'\nprobabilty = 2", "line 4", "probabilty"),
        ("[[network.route]]\nfrom = 'a'", "line 1", "to"),
    ] {
        let error = network(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("net.toml, {line}: ")) && error.contains(key), "{error}");
    }
}

proptest! {
    /// Probabilities that add up to one within 1e-6 are accepted, with a warning above 1e-9. Others are refused, and
    /// the error names their sum.
    #[test]
    fn a_row_that_does_not_add_up_is_refused_with_its_sum(shares in prop::collection::vec(1..1000_u32, 1..6), factor in prop_oneof![Just(1.0), 0.5..0.999_f64, 0.999_998..1.0_f64]) {
        let total: u32 = shares.iter().sum();
        let mut text = "[[network.node]]\nname = 'a'\n".to_owned();
        let mut sum = 0.0;
        for (number, share) in shares.iter().enumerate() {
            let probability = f64::from(*share) / f64::from(total) * factor;
            sum += probability;
            text += &format!("[[network.route]]\nfrom = 'a'\nto = 'b{number}'\nprobability = {probability:?}\n");
        }
        for number in 0..shares.len() {
            text += &format!("[[network.node]]\nname = 'b{number}'\n[[network.route]]\nfrom = 'b{number}'\nto = 'a'\n");
        }
        match built(&text) {
            Ok(network) => {
                prop_assert!((sum - 1.0).abs() <= 1e-6 + 1e-12);
                let scaled = network.warnings().iter().any(|warning| matches!(warning, Warning::Scaled { .. }));
                prop_assert_eq!(scaled, (sum - 1.0).abs() > 1e-9);
            }
            Err(error) => {
                prop_assert!((sum - 1.0).abs() > 1e-6);
                let expected = NetworkError::Probabilities { label: "a".to_owned(), class: "token".to_owned(), sum };
                prop_assert_eq!(error.to_string(), format!("net.toml, line 6: network.route[0].probability: {expected}"));
            }
        }
    }
}
