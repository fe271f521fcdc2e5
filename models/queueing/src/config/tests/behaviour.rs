//! Keys for what nodes have beyond servers, a line and routes by chance, and their mistakes.

use super::network;
use crate::config::Engine;
use crate::network::{Choices, Discipline, Routing, Station};

/// A source, a station with these keys, and the way out.
fn text(source: &str, desk: &str) -> String {
    format!(
        "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\n{source}\n\
         [[network.node]]\nname = 'desk'\n{desk}"
    )
}

fn problem(text: &str) -> String {
    let config = network(text);
    let error =
        config.and_then(|config| config.experiment().map_err(|error| error.located(text, "net.toml"))).unwrap_err();
    error.to_string()
}

#[test]
fn the_engine_follows_from_the_network() {
    let engine = |text: &str| Engine::Auto.of(&network(text).unwrap().experiment().unwrap().network);
    assert_eq!(engine(&text("rate = 0.5", "mean = 1.0")), Engine::Exact);
    for keys in [
        "mean = 1.0\nservers = 'infinite'",
        "mean = 1.0\ndiscipline = 'lifo-preemptive'",
        "mean = 1.0\npatience = { mean = 2.0 }",
        "mean = 1.0\ncapacity = 3\noverflow = 'block'",
        "mean = 1.0\nrouting = 'power-of-two'",
    ] {
        assert_eq!(engine(&text("rate = 0.5", keys)), Engine::Host, "{keys}");
    }
    let shifts = text("rate = 0.5", "mean = 1.0\nshifts = { at = [[0, 1]] }");
    let error = problem(&format!("{shifts}\n[run]\nengine = 'exact'"));
    assert!(
        error.starts_with("net.toml, line 11: run.engine: node 'desk' has shifts, which the engine `exact`"),
        "{error}"
    );
    let error = problem(&format!("{shifts}\n[run]\nengine = 'sequential'"));
    assert!(error.contains("node 'desk' has shifts, which this engine does not carry out"), "{error}");
}

#[test]
fn names_of_disciplines_and_routings_are_those_of_files() {
    for discipline in Discipline::ALL {
        let text = text("rate = 0.5", &format!("mean = 1.0\ndiscipline = '{discipline}'"));
        let network = network(&text).unwrap().experiment().unwrap().network;
        assert_eq!(network.station(0).map(|station| station.discipline), Some(discipline));
    }
    for routing in
        [Routing::RoundRobin, Routing::ShortestQueue, Routing::PowerOf(Choices::TWO), Routing::LeastWork, Routing::Fork]
    {
        let text = text(&format!("rate = 0.5\nrouting = '{}'", routing.name()), "mean = 1.0\nservers = 'infinite'");
        let network = network(&text).unwrap().experiment().unwrap().network;
        assert_eq!(
            (network.routing(1), network.station(0).map(|desk| desk.servers)),
            (routing, Some(Station::INFINITE))
        );
    }
}

#[test]
fn mistakes_name_file_line_and_key() {
    let of_desk = [
        (
            "shifts = { at = [[0, 2]] }\nservers = 1",
            "net.toml, line 9: network.node[0].shifts: node 'desk': more servers are on duty than there are, 2 of 1",
        ),
        (
            "shifts = { at = [[0, 0], [8, 0]] }",
            "net.toml, line 9: network.node[0].shifts: node 'desk': the servers on duty are 0 at all times",
        ),
        (
            "shifts = { at = [[8, 1], [3, 0]] }",
            "net.toml, line 9: network.node[0].shifts: node 'desk': shifts: time 3 comes after 8",
        ),
        (
            "shifts = { at = [[8, 1]], period = 6 }",
            "net.toml, line 9: network.node[0].shifts: node 'desk': shifts: they begin again after 6",
        ),
        (
            "impatient_to = 'out'",
            "net.toml, line 9: network.node[0].impatient_to: nobody becomes impatient without a law",
        ),
        ("patience = { mean = -1.0 }", "net.toml, line 9: network.node[0].patience: "),
        (
            "patience = { mean = 1.0 }\nimpatient_to = 'bar'",
            "net.toml, line 10: network.node[0].impatient_to: no node is called 'bar'",
        ),
        (
            "balking = [1.0, 2.0]",
            "net.toml, line 9: network.node[0].balking: node 'desk': probability to join: 2 is not possible",
        ),
        ("speeds = [1.0, 0.0]", "net.toml, line 9: network.node[0].speeds: node 'desk': speeds: 0 is not possible"),
        ("join = 0", "net.toml, line 9: network.node[0].join: node 'desk': parts to wait for: 0 is not possible"),
        (
            "bulk = { most = 0 }",
            "net.toml, line 9: network.node[0].bulk: node 'desk': largest number of a served batch: 0",
        ),
        (
            "bulk = { least = 3, most = 2 }",
            "net.toml, line 9: network.node[0].bulk: node 'desk': least number of a served batch: 3 is not possible",
        ),
        (
            "bulk = { least = 3, most = 4 }\ncapacity = 2",
            "network.node[0].bulk: node 'desk': least number of a served batch: 3 is not possible: give 1 to the capacity",
        ),
        (
            "bulk = { most = 4 }\ndiscipline = 'lifo-preemptive'",
            "node 'desk': service in batches and a discipline that interrupts services cannot be together at one station",
        ),
        (
            "polling = { visits = 0 }",
            "net.toml, line 9: network.node[0].polling: node 'desk': services of a visit to a queue: 0 is not possible",
        ),
        ("polling = { order = ['vip'] }", "net.toml, line 9: network.node[0].polling.order: no class is called 'vip'"),
        (
            "polling = {}\nservers = 2",
            "node 'desk': a server that goes from queue to queue and more than one server cannot be together",
        ),
        (
            "polling = {}\nbulk = { most = 2 }",
            "node 'desk': a server that goes from queue to queue and service in batches cannot be together",
        ),
        (
            "[network.node.class.token]\nswitch = { mean = 1.0 }",
            "net.toml, line 10: network.node[0].class.token.switch: no server comes to the queue of a class",
        ),
        (
            "discipline = 'generalized-sharing'\nservers = 2",
            "network.node[0].discipline: node 'desk': generalized sharing and more than one server cannot be together",
        ),
        ("pass = true", "net.toml, line 9: network.node[0].pass: tokens only pass this node"),
        (
            "retry = { mean = 1.0 }\ncapacity = 1\noverflow = 'block'",
            "net.toml, line 9: network.node[0].retry: node 'desk': tokens that find no room try again, and would wait",
        ),
        (
            "servers = 2\n[[network.node.pool]]\nservers = 1",
            "net.toml, line 9: network.node[0].servers: the servers are those of the pools",
        ),
        (
            "[[network.node.pool]]\nservers = 1\nclasses = ['vip']",
            "net.toml, line 11: network.node[0].pool[0].classes: no class is called 'vip'",
        ),
        (
            "[network.node.class.token]\nweight = 2",
            "node 'desk': weights of classes and a discipline that shares no servers cannot be together",
        ),
    ];
    for (keys, expected) in of_desk {
        let error = problem(&text("rate = 0.5", &format!("mean = 1.0\n{keys}")));
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    let of_source = [
        ("rates = [[0, 0.0]]", "net.toml, line 5: network.source[0].rates: no rate is above 0"),
        (
            "rates = [[5, 1.0], [5, 2.0]]",
            "net.toml, line 5: network.source[0].rates: node 'door': rates: time 5 comes after 5",
        ),
        ("rate = 1.0\nrates = [[0, 1.0]]", "network.source[0]: the times between arrivals are given twice"),
        ("rate = 1.0\nfrom = 5\nuntil = 5", "net.toml, line 7: network.source[0].until: it is not after 'from'"),
        (
            "rate = 1.0\nperiod = 5",
            "net.toml, line 6: network.source[0].period: nothing begins again without rates by time",
        ),
        (
            "rate = 1.0\nbatch = [[1, 0.5], [2, 0.2]]",
            "net.toml, line 6: network.source[0].batch: node 'door': the probabilities of batches add up to 0.7",
        ),
        (
            "rate = 1.0\nbatch = 0",
            "net.toml, line 6: network.source[0].batch: node 'door': size of a batch: 0 is not possible",
        ),
        ("rate = 1.0\nlimit = 0", "net.toml, line 6: network.source[0].limit: "),
        (
            "markovian = { d0 = [[-1.0, 2.0], [0.0, -1.0]], d1 = [[1.0, 0.0], [0.0, 1.0]] }",
            "net.toml, line 5: network.source[0].markovian: node 'door': the Markovian arrival process: row 1 adds up to 2",
        ),
        (
            "markovian = { d0 = [[-1.0]], d1 = [[0.0]] }",
            "net.toml, line 5: network.source[0].markovian: no transition of 'd1' has a rate",
        ),
    ];
    for (keys, expected) in of_source {
        let error = problem(&text(keys, "mean = 1.0"));
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    let fork = text("rate = 1.0\nbatch = 2", "mean = 1.0\ncapacity = 1\noverflow = 'block'");
    let error = problem(&fork);
    assert!(error.contains("node 'door' sends batches of tokens to node 'desk', which makes tokens wait"), "{error}");
    let bulk = "[network]\nmean = 1.0\nedges = [['door', 'desk'], ['desk', 'hall'], ['hall', 'out']]\n[[network.source]]\nname = 'door'\n\
                rate = 1.0\n[[network.node]]\nname = 'desk'\nbulk = { most = 3 }\n[[network.node]]\nname = 'hall'\ncapacity = 1\noverflow = 'block'";
    let error = problem(bulk);
    assert!(error.contains("node 'desk' sends tokens that were served together to node 'hall'"), "{error}");
    let queues = "[network]\nclasses = ['a', 'b']\nmean = 1.0\nedges = [['door', 'desk'], ['desk', 'out']]\n[[network.source]]\nname = 'door'\n\
                  class = 'b'\nrate = 1.0\n[[network.node]]\nname = 'desk'\npolling = { order = ['a'] }";
    let error = problem(queues);
    let expected =
        "net.toml, line 11: network.node[0].polling: node 'desk': the server never comes to the queue of class 'b'";
    assert!(error.starts_with(expected), "{error}");
    let region =
        format!("{}\n[[network.region]]\nnodes = ['desk', 'hall']\ncapacity = 3", text("rate = 1.0", "mean = 1.0"));
    let error = problem(&region);
    assert!(error.starts_with("net.toml, line 10: network.region[0].nodes: no node is called 'hall'"), "{error}");
    let of_region = [
        ("capacity = 0", "net.toml, line 9: network.region: a region of 1 nodes with room for 0 tokens"),
        ("classes = { token = 0 }", "net.toml, line 9: network.region: a region of 1 nodes with room for 0 tokens"),
        ("classes = { vip = 2 }", "net.toml, line 11: network.region[0].classes: no class is called 'vip'"),
        ("overflow = 'block'", "net.toml, line 9: network.region[0]: a region without limits does nothing"),
    ];
    for (keys, expected) in of_region {
        let region = format!("{}\n[[network.region]]\nnodes = ['desk']\n{keys}", text("rate = 1.0", "mean = 1.0"));
        let error = problem(&region);
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    let fork = text("rate = 1.0\nrouting = 'fork'", "mean = 1.0")
        + "\n[[network.node]]\nname = 'hall'\nmean = 1.0\n\
        [[network.route]]\nfrom = 'door'\nto = 'hall'\n[[network.route]]\nfrom = 'hall'\nto = 'out'\n\
        [[network.region]]\nnodes = ['desk']\nclasses = { token = 2 }";
    let error = problem(&fork);
    assert!(error.contains("network.region: node 'door' forks tokens, and a region limits single classes"), "{error}");
}

#[test]
fn mistakes_in_tables_of_arrivals_name_line_and_column() {
    let of_file = [
        ("", "net.toml, line 5: network.source[0].replay: calls.csv: none of the 0 headings is 'time'"),
        ("time,kind\n", "calls.csv: no rows after the headings"),
        ("time,kind\n1,token\n2\n", "calls.csv, line 3: no row of a CSV file"),
        ("time,kind\n1,token\nsoon,token\n", "calls.csv, line 3, column 'time': no time"),
        ("time,kind\n-1,token\n", "calls.csv, line 2, column 'time': a time before the start of the run"),
        ("time,kind\n1,token\n\n0.5,token\n", "calls.csv, line 4, column 'time': a time before that of the row above"),
        ("time,kind\n1,vip\n", "calls.csv, line 2, column 'kind': no class of the network"),
        ("time\n1\n", "none of the 1 headings is 'kind'"),
    ];
    let keys = "replay = { file = 'calls.csv', class = 'kind' }";
    for (contents, expected) in of_file {
        imminent_common::input::give(std::path::Path::new("calls.csv"), contents.as_bytes().to_vec());
        let error = problem(&text(keys, "mean = 1.0"));
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    let of_columns = [
        ("time,n,take\n1,0,1\n", "numbers.csv, line 2, column 'n': no number of tokens"),
        ("time,n,take\n1,1.5,1\n", "numbers.csv, line 2, column 'n': no number of tokens"),
        ("time,n,take\n1,1,\n2,1,-1\n", "numbers.csv, line 3, column 'take': no length of a service"),
        ("time,n,take\n1e300,1,\n", "numbers.csv, line 2, column 'time': no time"),
    ];
    let keys = "replay = { file = 'numbers.csv', number = 'n', services = { desk = 'take' } }";
    for (contents, expected) in of_columns {
        imminent_common::input::give(std::path::Path::new("numbers.csv"), contents.as_bytes().to_vec());
        let error = problem(&text(keys, "mean = 1.0"));
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    imminent_common::input::give(std::path::Path::new("good.csv"), b"time\n1\n1\n".to_vec());
    let of_keys = [
        ("replay = { file = 'none.csv' }", "mean = 1.0", "network.source[0].replay: none.csv: cannot be read"),
        ("replay = { file = 'good.csv' }\nrate = 1.0", "mean = 1.0", "network.source[0].rate: the arrivals are those"),
        (
            "replay = { file = 'good.csv', services = { hall = 'time' } }",
            "mean = 1.0",
            "network.source[0].replay.services: no node is called 'hall'",
        ),
        (
            "replay = { file = 'good.csv' }",
            "mean = 1.0\ncapacity = 1\noverflow = 'block'",
            "node 'door' sends batches of tokens to node 'desk', which makes tokens wait",
        ),
    ];
    for (keys, desk, expected) in of_keys {
        let error = problem(&text(keys, desk));
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn mistakes_in_conditions_of_routes_name_them() {
    let text = |route: &str| {
        format!(
            "[network]\nmean = 1.0\nedges = [['desk', 'out'], ['hall', 'out']]\n[[network.source]]\nname = 'door'\nrate = 1.0\n\
             [[network.node]]\nname = 'desk'\n[[network.node]]\nname = 'hall'\n[[network.route]]\nfrom = 'door'\nto = 'desk'\n{route}"
        )
    };
    let of_route = [
        (
            "when = [{ node = 'ward', below = 3 }]",
            "net.toml, line 14: network.route[0].when[0].node: no node is called 'ward'",
        ),
        ("when = [{ node = 'desk' }]", "network.route[0].when[0]: nothing is said of the number of tokens"),
        (
            "when = [{ node = 'desk', from = 1, weights = [1] }]",
            "network.route[0].when[0]: 'weights' and 'from' or 'below'",
        ),
        (
            "when = [{ node = 'desk', below = 3 }]",
            "net.toml, line 14: network.route[0].when: the routes of class 'token' at node 'door': none is open with 3 tokens at 'desk'",
        ),
        (
            "when = [{ node = 'desk', from = 3, below = 2 }]",
            "network.route[0].when: the routes of class 'token' at node 'door': the numbers of a condition do not rise",
        ),
        ("when = [{ node = 'desk', weights = [1, -1] }]", "a weight is not within 0 to 1000"),
        ("when = [{ node = 'door', below = 3 }]", "a condition counts tokens at 'door', which is no station"),
    ];
    for (route, expected) in of_route {
        let error = problem(&text(route));
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    let in_turn =
        text("when = [{ node = 'desk', below = 3 }]").replace("rate = 1.0", "rate = 1.0\nrouting = 'round-robin'");
    let error = problem(&in_turn);
    assert!(error.contains("they have conditions, and the node chooses by 'round-robin'"), "{error}");
    let other = "[[network.route]]\nfrom = 'door'\nto = 'hall'\nwhen = [{ node = 'desk', from = 3 }]";
    let network = network(&text(&format!("when = [{{ node = 'desk', below = 3 }}]\n{other}"))).unwrap();
    assert_eq!(Engine::Auto.of(&network.experiment().unwrap().network), Engine::Host);
}

#[test]
fn mistakes_in_resources_name_them() {
    let text = |keys: [&str; 2], resources: &str| {
        format!(
            "[network]\nmean = 1.0\nedges = [['door', 'desk'], ['desk', 'hall'], ['hall', 'out']]\n{resources}\n\
             [[network.source]]\nname = 'door'\nrate = 1.0\n[[network.node]]\nname = 'desk'\n{}\n[[network.node]]\nname = 'hall'\n{}",
            keys[0], keys[1]
        )
    };
    let two = "[[network.resource]]\nname = 'bed'\nunits = 2\n[[network.resource]]\nname = 'nurse'\nunits = 1";
    let seize = "seize = ['bed', 'nurse']";
    let cases = [
        (["seize = ['cot']", ""], "network.node[0].seize: no resource is called 'cot'"),
        (["seize = ['bed']", ""], "network.resource: the resources of the network: no station seizes 'nurse'"),
        ([seize, "routing = 'fork'"], "node 'hall' has forks, beside which they are not simulated"),
        ([seize, "capacity = 1\noverflow = 'block'"], "node 'hall' has tokens that wait in the servers they come from"),
        ([seize, "bulk = { least = 2, most = 2 }"], "node 'hall' has batches that wait for others"),
        (["seize = ['bed', 'nurse']\ndiscipline = 'random'", ""], "node 'desk' seizes some and has random order"),
        (
            ["seize = ['bed', 'nurse']\ndiscipline = 'lifo-preemptive'", ""],
            "node 'desk' seizes some and has a discipline that interrupts services",
        ),
    ];
    for (keys, expected) in cases {
        let error = problem(&text(keys, two));
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    let none = "[[network.resource]]\nname = 'bed'\nunits = 0";
    let error = problem(&text(["seize = ['bed']", ""], none));
    assert!(error.starts_with("net.toml, line 4: network.resource: "), "{error}");
    assert!(error.contains("'bed' has no units: give at least 1"), "{error}");
    // One order of all resources excludes circles; the other way round they are refused.
    assert!(network(&text(["seize = ['bed']", "seize = ['nurse']"], two)).is_ok());
    let back = text(["seize = ['bed']", "seize = ['nurse']\nrelease = ['bed']"], two);
    assert!(network(&back.replace("['hall', 'out']", "['hall', 'out'], ['hall', 'desk']")).is_err());
    let error = problem(&back.replace("['hall', 'out']", "['hall', 'out'], ['hall', 'desk']"));
    let expected = "tokens that hold one of 'bed', 'nurse' wait for the next, and those of the last for the first";
    assert!(error.contains(expected), "{error}");
    let together = text([seize, "release = ['bed', 'nurse']"], two);
    assert!(network(&together.replace("['hall', 'out']", "['hall', 'out'], ['hall', 'desk']")).is_ok());
}

#[test]
fn a_region_has_room_for_a_batch_and_tells_who_waits_outside() {
    let region = |least: u32, more: &str| {
        let bulk = format!("mean = 1.0\nbulk = {{ least = {least}, most = 9{more} }}\n");
        let region = "[[network.region]]\nnodes = ['desk']\ncapacity = 3\noverflow = 'block'\n";
        text("rate = 0.5", &format!("{bulk}{region}"))
    };
    let error = problem(&region(5, ""));
    let expected = "net.toml, line 9: network.node[0].bulk: node 'desk' waits for 5 tokens to serve them together, and its region has room for 3";
    assert!(error.starts_with(expected), "{error}");
    for text in [region(3, ""), region(5, ", wait = 2")] {
        let warnings = network(&text).unwrap().experiment().unwrap().network.warnings();
        assert!(
            warnings.iter().any(|warning| warning.to_string().contains("wait outside of the region of node 'desk'"))
        );
    }
}
