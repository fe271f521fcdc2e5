//! Configurations that do not mean what their author meant.

use super::network;
use crate::network::Warning;

fn problem(text: &str) -> String {
    network(text).unwrap_err().to_string()
}

#[test]
fn priorities_that_nobody_looks_at_are_warned_of() {
    let shop = |discipline: &str, priorities: [u32; 2]| {
        let [x, y] = priorities;
        let text = format!(
            "[network]\nclasses = ['x', 'y']\nmean = 1\nedges = [['s', 'a'], ['t', 'a'], ['a', 'out']]
             [[network.source]]\nname = 's'\nclass = 'x'\nmean = 4\n[[network.source]]\nname = 't'\nclass = 'y'\nmean = 4
             [[network.node]]\nname = 'a'\ndiscipline = '{discipline}'
             [network.node.class.x]\npriority = {x}\n[network.node.class.y]\npriority = {y}"
        );
        let warnings = network(&text).unwrap().experiment().unwrap().network.warnings();
        warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for discipline in ["fifo", "lifo", "random"] {
        let warnings = shop(discipline, [2, 1]);
        let expected =
            format!("the classes at node 'a' have priorities, which the discipline '{discipline}' ignores: give");
        assert!(warnings.len() == 1 && warnings[0].starts_with(&expected), "{warnings:?}");
        assert!(shop(discipline, [0, 0]).is_empty());
    }
    assert!(shop("priority", [2, 1]).is_empty());
    let alike = shop("priority", [3, 3]);
    assert!(
        alike.len() == 1 && alike[0].starts_with("node 'a' has the discipline 'priority' and the same"),
        "{alike:?}"
    );
    let closed = "[network]\nlinks = [['a', 'b'], ['b', 'c']]\ndiscipline = 'priority'";
    let warnings = network(closed).unwrap().experiment().unwrap().network.warnings();
    assert_eq!(warnings, [Warning::PriorityAlike { node: "a".to_owned(), others: 2 }]);
    assert!(warnings[0].to_string().contains("(and at 2 others)"), "{}", warnings[0]);
}

#[test]
fn a_route_that_is_named_twice_is_refused_with_both_keys() {
    let node = "[[network.node]]\nname = 'a'\n[[network.node]]\nname = 'b'\n";
    let route = |from: &str, to: &str, more: &str| format!("[[network.route]]\nfrom = '{from}'\nto = '{to}'\n{more}\n");
    let cases = [
        (
            format!("{node}{}{}{}", route("a", "b", ""), route("b", "a", ""), route("a", "b", "")),
            "net.toml, line 13: network.route[2]: 'a' already leads to 'b' by network.route[0]: remove one of them",
        ),
        (
            format!("{node}{0}{0}{1}", route("a", "b", "probability = 0.5"), route("b", "a", "")),
            "net.toml, line 9: network.route[1]: 'a' already leads to 'b' by network.route[0]",
        ),
        (
            "[network]\nlinks = [['a', 'b'],\n['b', 'a']]".to_owned(),
            "net.toml, line 3: network.links[1]: 'b' already leads to 'a' by network.links[0]",
        ),
        (
            "[network]\nlinks = [['a', 'b']]\nedges = [['a', 'a'],\n['a', 'b']]".to_owned(),
            "net.toml, line 4: network.edges[1]: 'a' already leads to 'b' by network.links[0]",
        ),
        (
            format!(
                "[network]\nclasses = ['x']\nlinks = [['a', 'b']]\n{}",
                route("a", "b", "becomes = 'x'\nclass = 'x'").repeat(2)
            ),
            "net.toml, line 9: network.route[1]: 'a' already leads to 'b' for class 'x' by network.route[0]",
        ),
    ];
    for (text, expected) in cases {
        let error = problem(&text);
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    // With round-robin routing, a route that is named twice has twice the share. Routes that differ by class are not
    // copies.
    let in_turn = format!("{node}{0}{0}{1}", route("a", "b", ""), route("b", "a", ""))
        .replace("'a'\n[[network.node]]", "'a'\nrouting = 'round-robin'\n[[network.node]]");
    assert_eq!(network(&in_turn).unwrap().experiment().unwrap().network.routes(0, 0).len(), 2);
    let classes = format!(
        "[network]\nclasses = ['x', 'y']\nmean = 1\n{node}tokens = {{ x = 1, y = 1 }}\n{}{}{}{}",
        route("a", "b", "class = 'x'"),
        route("a", "b", "class = 'x'\nbecomes = 'y'"),
        route("a", "b", ""),
        route("b", "a", "")
    );
    assert_eq!(network(&classes).unwrap().experiment().unwrap().network.routes(0, 0).len(), 2);
}

#[test]
fn numbers_of_the_wrong_kind_are_told_what_is_expected() {
    let token = "[[network.node]]\nname = 'a'\ntokens = ";
    let range = "a whole number from 0 to 4294967295";
    for (value, words) in [
        ("-4", vec!["line 3: `tokens = -4`", "integer `-4`", range, "a table of such numbers by the names of classes"]),
        ("4294967296", vec!["line 3", range]),
        ("2.5", vec!["line 3", range]),
        ("'two'", vec!["line 3", range]),
        ("{ a = -1 }", vec!["line 3", "`-1`", range]),
    ] {
        let error = problem(&format!("{token}{value}"));
        assert!(words.iter().all(|word| error.contains(word)), "{error}: {words:?}");
        assert!(!error.contains("untagged") && !error.contains("u32"), "{error}");
    }
    let error = problem("[network]\nlinks = [['a', 'b']]\ntokens = -4");
    assert!(error.contains("line 3") && error.contains(range), "{error}");
}

#[test]
fn more_servers_than_an_engine_has_are_blamed_as_servers() {
    let text = "[network]\nlinks = [['a', 'b']]\n[[network.node]]\nname = 'b'\nservers = 4000000000";
    // The engine of the host, which is taken where none is named, has no limit.
    assert!(network(text).is_ok());
    let error = problem(&format!("{text}\n[run]\nengine = 'exact'"));
    assert!(
        error.starts_with("net.toml, line 5: network.node[0].servers: node 'b' has 4000000000 servers, more than"),
        "{error}"
    );
    assert!(network(&format!("{text}\n[run]\nengine = 'sequential'")).is_ok());
    let error = problem("[network]\nlinks = [['a', 'b']]\nservers = 4000000000\n[run]\nengine = 'exact'");
    assert!(error.starts_with("net.toml, line 3: network.servers: node 'a' has 4000000000 servers"), "{error}");
}

#[test]
fn a_network_in_which_nothing_happens_is_refused() {
    for generated in ["width = 2, height = 2 }", "width = 2, height = 2 }\nservers = 2"] {
        let error = problem(&format!("[network]\ntokens = 0\ngenerate = {{ shape = 'torus', {generated}"));
        assert!(error.contains("the network has no tokens and no source"), "{error}");
    }
}
