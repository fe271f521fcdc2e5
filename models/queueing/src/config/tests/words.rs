//! Errors in the words of a network's author.

use super::network;

/// Returns the problem of keys of a station, which stand in line 11.
fn told(keys: &str) -> String {
    let text = format!(
        "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n\n[[network.source]]\nname = 'door'\nmean = 10\n\n\
         [[network.node]]\nname = 'desk'\nmean = 8\n{keys}"
    );
    let problem = network(&text).unwrap_err().to_string();
    let line = format!("`{}`: ", keys.lines().last().unwrap_or_default());
    problem.replace(&line, "").replace("net.toml, line 11: ", "")
}

#[test]
fn a_value_of_the_wrong_kind_is_answered_with_what_to_write() {
    let cases = [
        ("patience = 4", "give a law, such as { mean = 4 } or { law = \"log-normal\", mean = 4, cv = 0.9 }"),
        ("service = 'gamma'", "give a law, such as"),
        ("breakdowns = 3", "give a table of two laws, such as { up = { mean = 500 }, down = { mean = 20 } }"),
        ("breakdowns = { up = { mean = 3 }, down = 4 }", "give a law, such as"),
        (
            "breakdowns = { up = { mean = 3 } }",
            "the key `down` is missing (law of the time until it works again): add it",
        ),
        ("shifts = 3", "give a table of shifts, such as { at = [[480, 3], [1020, 0]], period = 1440 }"),
        ("shifts = { period = 5 }", "the key `at` is missing (times, in time units from the start of the run, and the"),
        ("shifts = { at = [[480]] }", "give pairs of a time and a number of servers from then on, such as [[480, 3],"),
        ("shifts = { at = [480, 3] }", "give pairs of a time and a number of servers from then on"),
        ("shifts = { at = [] }", "the list is empty: give it an entry, or remove the key"),
        ("bulk = 3", "give a table, such as { least = 2, most = 5, wait = 10 }"),
        ("bulk = {}", "the key `most` is missing (largest number of tokens of a batch): add it"),
        ("polling = 'gated'", "give a table, such as { visits = \"gated\""),
        ("pool = [3]", "give pools as tables, such as"),
        ("pool = [{}]", "the key `servers` is missing (number of servers): add it"),
        ("costs = 3", "give a table of costs, such as"),
        ("class = { token = 3 }", "give the properties of a class as a table"),
        ("balking = []", "the list is empty: give it an entry, or remove the key"),
        ("speeds = []", "the list is empty"),
        ("overflow = 3", "expected a word in quotes"),
        ("position = 3", "invalid type: integer `3`, expected a list of 2 values in brackets"),
    ];
    for (keys, expected) in cases {
        let told = told(keys);
        assert!(told.starts_with(expected), "{keys}: {told}");
    }
}

#[test]
fn properties_that_do_nothing_are_refused() {
    let cases = [
        ("retry = { mean = 3 }", "network.node[0].retry: every token finds room without a limit, so none tries again"),
        ("join = 'all'", "network.node[0].join: node 'desk': it joins parts of forked tokens and no node before it"),
    ];
    for (keys, expected) in cases {
        let told = told(keys);
        assert!(told.starts_with(expected), "{keys}: {told}");
    }
}

#[test]
fn mistakes_in_a_pool_are_at_its_key() {
    let first = "[[network.node.pool]]\nservers = 2\n\n[[network.node.pool]]\nservers = 2\n";
    let cases = [
        ("shifts = { at = [[0, 5]] }", "shifts: node 'desk': pool 2 of its servers: more servers are on duty than"),
        ("shifts = { at = [[0, 0]] }", "shifts: node 'desk': pool 2 of its servers: the servers on duty are 0 at all"),
        ("speed = -1.0", "speed: node 'desk': pool 2 of its servers: speed of servers: -1 is not possible"),
    ];
    for (key, expected) in cases {
        let told = told(&format!("{first}{key}"));
        assert_eq!(told.find(expected), Some("net.toml, line 16: network.node[0].pool[1].".len()), "{told}");
    }
}

#[test]
fn passed_nodes_without_a_way_out_are_refused_with_their_key() {
    let text = "[network]\nedges = [['door', 'a'], ['a', 'b'], ['b', 'a']]\n[[network.source]]\nname = 'door'\nmean = 9\n\
                [[network.node]]\nname = 'a'\npass = true\n[[network.node]]\nname = 'b'\npass = true\n";
    let error = network(text).unwrap_err().to_string();
    let expected =
        "net.toml, line 8: network.node[0].pass: tokens go round over nodes that they only pass, 'a', 'b', and";
    assert!(error.starts_with(expected), "{error}");
}
