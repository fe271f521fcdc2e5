mod packets;

use super::*;
use crate::network::{Buffer, Codel, Discipline, Failure, FqCodel, Kind, OwnTcp, Red, Variant};
use crate::packet::{Alone, Settings, clock};
use crate::scenario::Metric;
use crate::units::NEVER;
use std::io::Write as _;

fn traffic(text: &str) -> Result<Traffic, ConfigError> {
    let config = TrafficConfig::from_toml(text, "traffic.toml")?;
    assert_eq!(TrafficConfig::from_toml(&toml::to_string(&config).unwrap(), "again").unwrap(), config);
    config.traffic().map_err(|error| error.located(text, "traffic.toml"))
}

fn error(text: &str) -> String {
    traffic(text).unwrap_err().to_string()
}

const LINE: &str = "[topology]\nbandwidth = 1e7\ndelay = 0.01\nbuffer = 50000\ndiscipline = 'drop-tail'
    [[topology.link]]\nfrom = 'a'\nto = 'b'\n[[topology.link]]\nfrom = 'b'\nto = 'c'\nbandwidth = 2e6\nbuffer = 9000\n";

#[test]
fn the_papers_networks_need_one_key() {
    let text = "[topology]\ngenerate = 'validation'\n[traffic]\npacket_sessions = 10\n[run]\nstep = 5e-4";
    let validation = traffic(text).unwrap();
    assert_eq!((validation.network().nodes(), validation.flows().all().len()), (12, 4));
    assert_eq!(validation.flows().all()[2].kind, Kind::Tcp { fluid: 10, packets: 10 });
    let step = TrafficConfig::from_toml(text, "t").unwrap().step(&validation).unwrap();
    assert_eq!((step.step, step.lookahead), (500_000, 20));
    let campus =
        traffic("[topology]\ngenerate = 'campus'\ncampuses = 2\nbuffer_time = 0.2\n[traffic]\npacket_share = 1")
            .unwrap();
    assert_eq!((campus.network().nodes(), campus.flows().all().len()), (2 * 538, 2 * 5040));
    assert!(campus.flows().all().iter().all(|flow| flow.kind.fluid().is_none()));
    let lan = campus.network().links().iter().find(|link| link.bandwidth == 10_000_000).unwrap();
    assert_eq!(lan.queue.capacity, 250_000);
}

#[test]
fn the_step_follows_from_the_delays_unless_it_is_given() {
    let step = |text: &str| {
        let config = TrafficConfig::from_toml(text, "t").unwrap();
        config.step(&config.traffic().unwrap()).map_err(|error| error.located(text, "t").to_string())
    };
    let campus = "[topology]\ngenerate = 'campus'\ncampuses = 1\n[run]\n";
    assert_eq!(step(campus).unwrap().step, 100_000);
    assert_eq!(step("[topology]\ngenerate = 'validation'").unwrap().step, 500_000);
    let long = step(&format!("{campus}step = 5e-4")).unwrap_err();
    assert!(
        long.starts_with("t, line 5: run.step: a step of 0.0005 s is too long")
            && long.contains("'accept_step = true'"),
        "{long}"
    );
    let accepted = step(&format!("{campus}step = 5e-4\naccept_step = true")).unwrap();
    assert_eq!((accepted.step, accepted.links_below_ten_steps), (500_000, 504));
    assert!(step(&format!("{campus}step = -1.0")).unwrap_err().starts_with("t, line 5: run.step: -1 s is not a time"));
}

#[test]
fn networks_and_flows_one_by_one() {
    let flows = "[traffic]\nrouting = 'delay'\n[[traffic.flow]]\nname = 'bulk'\nfrom = 'a'\nto = 'c'\nsessions = 4\npacket_sessions = 1\nstart = 2\nstop = 3.5
        [[traffic.flow]]\nfrom = 'c'\nto = 'a'\nkind = 'udp'\nrate = 1e6\npackets = true
        [[traffic.flow]]\nfrom = 'a'\nto = 'b'\nkind = 'on-off'\nrate = 64e3\non = 1.0\noff = 0
        [[traffic.flow]]\nfrom = 'a'\nto = 'b'\nkind = 'requests'\nsessions = 9\nrequest = 300\nanswer = 20000\nthink = 0.5
        [[traffic.demand]]\nfrom = 'b'\nto = 'c'\nrate = 5e5";
    let traffic = traffic(&format!("{LINE}{flows}")).unwrap();
    let network = traffic.network();
    assert_eq!((network.nodes(), network.links().len(), traffic.metric()), (3, 4, Metric::Delay));
    let (first, last) = (network.links()[0], network.links()[3]);
    assert_eq!((first.bandwidth, first.delay, first.queue.capacity), (10_000_000, 10_000_000, 50_000));
    assert_eq!((last.bandwidth, last.queue.capacity, last.queue.discipline), (2_000_000, 9_000, Discipline::DropTail));
    let kinds: Vec<_> = traffic.flows().all().iter().map(|flow| flow.kind).collect();
    let expected = [
        Kind::Tcp { fluid: 3, packets: 1 },
        Kind::Udp { rate: 1_000_000, packets: true },
        Kind::OnOff { rate: 64_000, on: 1_000_000_000, off: 0 },
        Kind::Requests { clients: 9, request: 300, answer: 20_000, think: 500_000_000 },
        Kind::Udp { rate: 500_000, packets: false },
    ];
    assert_eq!(kinds, expected);
    let bulk = traffic.flows().all()[0];
    assert_eq!((bulk.start, bulk.stop, traffic.flows().label(0)), (2_000_000_000, 3_500_000_000, "bulk".to_owned()));
    assert_eq!(traffic.routes().links(1), [3, 1]);
}

#[test]
fn links_have_losses_and_disciplines_of_their_own() {
    let text = "[topology]\nbandwidth = 1e7\ndelay = 0.01\nbuffer = 50000\nloss = 0.02\ndiscipline = 'drop-tail'\nred = { weight = 0.5 }
        [[topology.link]]\nfrom = 'a'\nto = 'b'
        [[topology.link]]\nfrom = 'b'\nto = 'c'\nloss = 0\ndiscipline = 'red'\nred = { most = 0.9 }
        [[traffic.flow]]\nfrom = 'a'\nto = 'c'";
    let traffic = traffic(text).unwrap();
    let links = traffic.network().links();
    let of = |link: usize| (links[link].loss, links[link].queue.discipline);
    let red = Discipline::Red(Red { weight: 0.5, most: 0.9, ..Red::default() });
    assert_eq!(
        [0, 1, 2, 3].map(of),
        [(0.02, Discipline::DropTail), (0.02, Discipline::DropTail), (0.0, red), (0.0, red)]
    );
    for (keys, expected) in [
        (
            "loss = 1.0",
            "traffic.toml, line 6: topology.link[0].loss: a share of 1 cannot be lost: give at least 0 and below 1",
        ),
        ("loss = -0.5", "traffic.toml, line 6: topology.link[0].loss: a share of -0.5"),
        (
            "discipline = 'drop-tail'\nred = { weight = 0.1 }",
            "traffic.toml, line 7: topology.link[0].red: the queue is drop-tail",
        ),
        ("red = { most = 0.01 }", "traffic.toml, line 6: topology.link[0].red.most: 'most' of RED is 0.01"),
        ("discipline = 'blue'", "traffic.toml, line 6: `discipline = 'blue'`: unknown variant"),
    ] {
        let text =
            format!("[topology]\ndelay = 0.01\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n{keys}\nbandwidth = 1e7\n");
        let error = error(&text);
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    for of in ["generate = 'validation'\nloss = 1.5", "generate = 'campus'\nloss = 1.5"] {
        let error = error(&format!("[topology]\n{of}"));
        assert!(error.starts_with("traffic.toml, line 3: topology.loss: a share of 1.5 cannot be lost"), "{error}");
    }
}

#[test]
fn generated_networks_lose_and_have_all_their_sessions_as_packets() {
    let lossy = traffic("[topology]\ngenerate = 'validation'\nloss = 0.25\n[traffic]\npackets = true").unwrap();
    assert!(lossy.network().links().iter().all(|link| link.loss == 0.25));
    let sessions: Vec<_> = lossy.flows().all().iter().map(|flow| flow.kind).collect();
    assert_eq!(sessions, [10, 10, 20, 40].map(|packets| Kind::Tcp { fluid: 0, packets }));
    let campus = traffic("[topology]\ngenerate = 'campus'\ncampuses = 1\n[traffic]\npackets = true").unwrap();
    assert!(campus.flows().all().iter().all(|flow| flow.kind.fluid().is_none()));
    for (network, key) in [("validation", "packet_sessions"), ("campus", "packet_share")] {
        let error = error(&format!("[topology]\ngenerate = '{network}'\n[traffic]\npackets = true\n{key} = 1"));
        let expected = format!("traffic.toml, line 5: traffic.{key}: 'packets = true' makes packets of all sessions");
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn demands_come_from_gravity_from_a_matrix_and_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let matrix = folder.path().join("matrix.csv");
    let write = |text: &str| std::fs::File::create(&matrix).unwrap().write_all(text.as_bytes()).unwrap();
    let run = |keys: &str| {
        let text = format!("{LINE}[traffic]\n{keys}");
        let file = folder.path().join("net.toml").display().to_string();
        let config = TrafficConfig::from_toml(&text, &file)?;
        config.traffic().map(|traffic| traffic.flows().all().to_vec()).map_err(|error| error.located(&text, "net.toml"))
    };
    write("from, to, rate\na, c, 4e6\nc, a, 0\nb, b, 7\n");
    let flows = run("matrix = 'matrix.csv'\ndemanded = 'tcp'\nsession_rate = 1e6\nscale = 0.5").unwrap();
    assert_eq!(
        flows.iter().map(|flow| (flow.from, flow.to, flow.kind)).collect::<Vec<_>>(),
        [(0, 2, Kind::Tcp { fluid: 2, packets: 0 })]
    );
    assert_eq!(run("gravity = 1e6").unwrap().len(), 6);
    let said = |keys: &str| run(keys).unwrap_err().to_string();
    for (text, expected) in [
        (
            "from,to,rate\na,z,1\n",
            "matrix.csv, line 2: 'z' is no node of the network: name one that is, for instance 'a'",
        ),
        ("from,to,rate\na,b,1\na,b,-1\n", "matrix.csv, line 3: a rate of -1 bit/s is not possible"),
        ("from,to\na,b\n", "matrix.csv, line 2: "),
        ("from,to,rate\na,b,1,2\n", "matrix.csv, line 2: "),
        ("from,to,rate\na,b,x\n", "matrix.csv, line 2: "),
        ("", "matrix.csv: it has no demands: give rows of from, to and rate"),
        ("from,to,rate\n", "matrix.csv: it has no demands: give rows of from, to and rate"),
    ] {
        write(text);
        let error = said("matrix = 'matrix.csv'");
        assert!(error.starts_with("traffic.matrix: ") && error.contains(expected), "{error}");
    }
    assert!(said("matrix = 'none.csv'").contains("none.csv: cannot be read"));
}

#[test]
fn what_is_left_out_is_counted() {
    let build = |text: &str| TrafficConfig::from_toml(text, "t").unwrap().build().unwrap();
    let parts = "[[topology.link]]\nfrom = 'd'\nto = 'e'\n[[topology.node]]\nname = 'f'\n";
    let apart = build(&format!("{LINE}{parts}[traffic]\ngravity = 1e6"));
    // Six pairs among a, b and c, two between d and e; twelve between the two parts.
    assert_eq!((apart.traffic.flows().all().len(), apart.pairs), (8, Some(8)));
    assert_eq!((apart.left_out, apart.traffic.network().isolated()), (LeftOut { pairs: 12, ..LeftOut::default() }, 1));
    let some = build(&format!("{LINE}{parts}[traffic]\ngravity = 1e6\npairs = 3"));
    assert_eq!((some.traffic.flows().all().len(), some.pairs), (3, Some(8)));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("matrix.csv"), "from,to,rate\na,a,5\nb,b,0\na,b,1\n").unwrap();
    let file = folder.path().join("net.toml").display().to_string();
    let config = TrafficConfig::from_toml(&format!("{LINE}[traffic]\nmatrix = 'matrix.csv'"), &file).unwrap();
    assert_eq!(config.build().unwrap().left_out, LeftOut { demands: 1, ..LeftOut::default() });
}

#[test]
fn a_queue_below_one_packet_is_blamed_on_its_room() {
    let line = |keys: &str, of_link: &str| {
        format!(
            "[topology]\nbandwidth = 9600\ndelay = 0.01\n{keys}\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n{of_link}\n[[traffic.flow]]\nfrom = 'a'\nto = 'b'\npacket_sessions = 1\n"
        )
    };
    for (keys, of_link, expected) in [
        (
            "buffer_time = 0.1",
            "",
            "traffic.toml, line 4: topology.buffer_time: the queue of the link from 'a' to 'b' has room for 120 bytes, and a packet has 1000",
        ),
        ("buffer = 999", "", "traffic.toml, line 4: topology.buffer: the queue"),
        ("", "buffer = 999", "traffic.toml, line 8: topology.link[0].buffer: the queue"),
        (
            "buffer_time = 0.1\nleast_buffer = 500",
            "",
            "traffic.toml, line 4: topology.buffer_time: the queue of the link from 'a' to 'b' has room for 500 bytes",
        ),
    ] {
        let error = error(&line(keys, of_link));
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    let least = traffic(&line("buffer_time = 0.1\nleast_buffer = 4000", "")).unwrap();
    assert_eq!(least.network().links()[0].queue.capacity, 4000);
    let stray = error(&line("least_buffer = 4000", ""));
    assert!(stray.starts_with("traffic.toml, line 4: topology.least_buffer: "), "{stray}");
}

#[test]
fn a_link_without_delay_is_blamed_on_what_gives_the_delay() {
    let step = |text: &str| {
        let config = TrafficConfig::from_toml(text, "t").unwrap();
        config.step(&config.traffic().unwrap()).unwrap_err().located(text, "t").to_string()
    };
    let flow = "[[traffic.flow]]\nfrom = 'a'\nto = 'b'\n";
    let link = "[[topology.link]]\nfrom = 'a'\nto = 'b'\nbandwidth = 1e6\n";
    let none = "the link from 'a' to 'b' has a delay of 0 s, and fluids need a step of at most the smallest delay: give every link a delay above 0";
    for (text, key) in [
        (format!("{link}delay = 0\n{flow}"), "t, line 5: topology.link[0].delay: "),
        (format!("[topology]\ndelay = 0\n{link}{flow}"), "t, line 2: topology.delay: "),
        (
            format!(
                "[topology]\nleast_delay = 0\n[[topology.node]]\nname = 'a'\nlongitude = 1\nlatitude = 2\n[[topology.node]]\nname = 'b'\nlongitude = 1\nlatitude = 2\n{link}{flow}"
            ),
            "t, line 2: topology.least_delay: ",
        ),
    ] {
        let error = step(&text);
        assert!(error.starts_with(&format!("{key}{none}")), "{error}");
    }
    let tiny = step(&format!("{link}delay = 0.01\n{flow}[run]\nstep = 1e-12"));
    assert_eq!(
        tiny,
        "t, line 10: run.step: 1e-12 s is less than the nanosecond in which time is counted: give at least 1e-9"
    );
}

#[test]
fn files_are_found_beside_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let graph = "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>";
    std::fs::write(folder.path().join("net.graphml"), graph).unwrap();
    let file = folder.path().join("traffic.toml");
    std::fs::write(&file, "[topology]\nfile = 'net.graphml'\nbandwidth = 1e9\ndelay = 0.01").unwrap();
    assert_eq!(TrafficConfig::from_file(&file).unwrap().traffic().unwrap().network().links().len(), 2);
    let bare = TrafficConfig::from_file(&folder.path().join("net.graphml")).unwrap().traffic().unwrap_err().to_string();
    assert!(bare.starts_with("topology.file: ") && bare.contains("has no 'bandwidth' or 'LinkSpeedRaw'"), "{bare}");
    let missing = TrafficConfig::from_file(&folder.path().join("none.toml")).unwrap_err().to_string();
    assert!(missing.contains("none.toml: cannot be read"), "{missing}");
}

#[test]
fn mistakes_name_file_line_and_key() {
    let flow = |keys: &str| format!("{LINE}[[traffic.flow]]\nfrom = 'a'\nto = 'c'\n{keys}");
    let cases = [
        (
            "[topology]\ngenerat = 'campus'".to_owned(),
            "traffic.toml, line 2: `generat = 'campus'`: unknown field `generat`",
        ),
        (String::new(), "traffic.toml: topology: nothing says what the network is"),
        (format!("{LINE}[topology.red]\nweigth = 1.0"), "traffic.toml, line 15: "),
        (
            "[topology]\ngenerate = 'campus'\nfile = 'x'".to_owned(),
            "traffic.toml, line 1: topology: the network is said twice",
        ),
        (
            "[topology]\ngenerate = 'campus'\ncampuses = 0".to_owned(),
            "traffic.toml, line 3: topology.campuses: 0 campuses",
        ),
        (
            "[topology]\ngenerate = 'validation'\ncampuses = 3".to_owned(),
            "traffic.toml, line 3: topology.campuses: campuses are those of one generator",
        ),
        (
            "[topology]\ngenerate = 'campus'\nbuffer = 0".to_owned(),
            "traffic.toml, line 3: topology.buffer: a queue of 0 bytes",
        ),
        (
            "[topology]\ngenerate = 'campus'\nbuffer = 1\nbuffer_time = 1.0".to_owned(),
            "traffic.toml, line 4: topology.buffer_time: a queue takes",
        ),
        (
            "[topology]\ngenerate = 'campus'\nred = { weight = 2.0 }".to_owned(),
            "traffic.toml, line 3: topology.red.weight: 'weight' of RED is 2",
        ),
        (
            "[topology]\ngenerate = 'campus'\n[traffic]\npacket_share = 2.0".to_owned(),
            "traffic.toml, line 4: traffic.packet_share: a share",
        ),
        (
            "[topology]\ngenerate = 'campus'\n[traffic]\npacket_sessions = 2".to_owned(),
            "traffic.toml, line 4: traffic.packet_sessions: only 'generate = \"validation\"'",
        ),
        (
            "[[topology.link]]\nfrom = 'a'\nto = 'b'\nbandwidth = 0\ndelay = 1".to_owned(),
            "traffic.toml, line 4: topology.link[0].bandwidth: 0 bit/s is not possible",
        ),
        (
            "[[topology.link]]\nfrom = 'a'\nto = 'b'\nbandwidth = 1".to_owned(),
            "traffic.toml, line 1: topology.link[0]: it has no 'delay'",
        ),
        (
            "[topology]\ndelay = 1\nbandwidth = 1\n[[topology.link]]\nfrom = 'a'\nto = 'b'\nbuffer = 0".to_owned(),
            "traffic.toml, line 7: topology.link[0].buffer: the queue of the link",
        ),
        (
            flow("kind = 'tcp'\nrate = 1.0"),
            "traffic.toml, line 18: traffic.flow[0].rate: a flow of this kind has no such key",
        ),
        (flow("kind = 'udp'"), "traffic.toml, line 17: traffic.flow[0].kind: a flow of this kind needs 'rate'"),
        (flow("sessions = 0"), "traffic.toml, line 14: traffic.flow[0].kind: flow 0: it has no sessions"),
        (
            flow("sessions = 1\npacket_sessions = 2"),
            "traffic.toml, line 18: traffic.flow[0].packet_sessions: 2 of 1 sessions",
        ),
        (
            flow("name = 'late'\nstart = 2\nstop = 1"),
            "traffic.toml, line 19: traffic.flow[0].stop: flow late starts at 2 s",
        ),
        (flow("stop = -1"), "traffic.toml, line 17: traffic.flow[0].stop: -1 s is not possible"),
        (flow("[tcp]\npacket = 0"), "traffic.toml, line 18: tcp.packet: 'packet' of TCP is 0"),
        (
            flow("[tcp]\npacket = 10000"),
            "traffic.toml, line 18: tcp.packet: the queue of the link from 'b' to 'c' has room for 9000 bytes",
        ),
        (
            flow("[[traffic.demand]]\nfrom = 'a'\nto = 'q'\nrate = 1"),
            "traffic.toml, line 19: traffic.demand[0].to: 'q' is no node",
        ),
        (flow("[traffic]\npairs = 5"), "traffic.toml, line 18: traffic.pairs: the gravity model alone draws pairs"),
        (flow("[traffic]\ngravity = 1e6\npairs = 0"), "traffic.toml, line 19: traffic.pairs: 0 pairs send nothing"),
        (flow("[traffic]\ndemanded = 'tcp'"), "traffic.toml, line 18: traffic.demanded: it takes 'session_rate'"),
    ];
    for (text, expected) in cases {
        let error = error(&text);
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}\nfor\n{text}");
    }
    let apart = "[topology]\ndelay = 1\nbandwidth = 1\n[[topology.link]]\nfrom = 'a'\nto = 'b'\none_way = true\n[[traffic.flow]]\nfrom = 'b'\nto = 'a'";
    assert!(error(apart).contains("traffic: no path of links leads from 'b' to 'a'"));
    let config = TrafficConfig::from_toml("[run]\nhorizon = 0", "t").unwrap();
    assert!(config.horizon().unwrap_err().to_string().starts_with("run.horizon: 0 s is not possible"));
}

#[test]
fn the_example_is_a_network_of_five_cities() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/traffic/five-cities.toml");
    let config = TrafficConfig::from_file(&path).unwrap();
    let traffic = config.traffic().unwrap();
    assert_eq!(
        (traffic.network().nodes(), traffic.network().links().len(), traffic.flows().all().len()),
        (5, 12, 2 + 8)
    );
    // Bern to Wien by Stuttgart: 240 and 530 km, about 3.9 ms.
    assert_eq!(traffic.routes().links(2).len(), 2);
    let delay = traffic.routes().delay(traffic.network(), 2);
    assert!((3_700_000..4_100_000).contains(&delay), "{delay}");
    assert_eq!(traffic.flows().all()[2].kind, Kind::Udp { rate: 48_000_000, packets: false });
    assert_eq!(config.step(&traffic).unwrap().step, 100_000);
    // The packets of the flows: the download's two sessions, and the clients.
    let mut simulator = config.simulator(&traffic).unwrap();
    simulator.run_until(clock::picoseconds(config.horizon().unwrap()), &mut Alone);
    let report = simulator.report();
    assert_eq!(report.flows.iter().map(|flow| flow.label.as_str()).collect::<Vec<_>>(), ["download", "browsing"]);
    assert!(report.flows[0].goodput > 1e6 && report.flows[1].answers > 30, "{report:?}");
}

#[test]
fn values_that_are_nonsense_or_unused_are_refused_on_every_network() {
    // Configurations with NaN are not equal to themselves.
    let error =
        |text: &str| TrafficConfig::from_toml(text, "t").and_then(|config| config.traffic()).unwrap_err().to_string();
    for network in ["generate = 'validation'", "generate = 'campus'\ncampuses = 1"] {
        for (key, value) in [
            ("bandwidth", "nan"),
            ("bandwidth", "1e9"),
            ("delay", "-1.0"),
            ("delay", "0.01"),
            ("least_delay", "inf"),
            ("least_delay", "0.1"),
            ("buffer_time", "-1.0"),
            ("buffer_time", "nan"),
            ("unit", "nan"),
            ("unit", "'Mbps'"),
            ("delay_unit", "'ms'"),
            ("delay_unit", "-1.0"),
        ] {
            let text = error(&format!("[topology]\n{network}\n{key} = {value}"));
            assert!(text.contains(&format!("topology.{key}: ")), "{key} = {value}: {text}");
        }
        for (key, value) in
            [("scale", "nan"), ("scale", "-1.0"), ("scale", "inf"), ("scale", "2.0"), ("gravity", "nan")]
        {
            let text = error(&format!("[topology]\n{network}\n[traffic]\n{key} = {value}"));
            assert!(text.contains(&format!("traffic.{key}: ")), "{key} = {value}: {text}");
        }
    }
    for (key, value) in [("buffer", "70000"), ("buffer_time", "0.1"), ("discipline", "'drop-tail'")] {
        let text = error(&format!("[topology]\ngenerate = 'validation'\n{key} = {value}"));
        assert!(text.contains(&format!("topology.{key}: the queues of ")), "{text}");
    }
    // Values of other engines are checked too.
    let config = |keys: &str| {
        let text = format!("[topology]\ngenerate = 'validation'\n[traffic]\npackets = true\n{keys}");
        let config = TrafficConfig::from_toml(&text, "t").unwrap();
        config.engine(&config.traffic().unwrap()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(config(""), Ok(()));
    for keys in ["[run]\nstep = nan", "[run]\nwaiting = -1.0", "[run]\nbatch = 0", "[packets]\nstagger = -1.0"] {
        let key = keys[1..].split(" =").next().unwrap().replace("]\n", ".");
        let error = config(keys).unwrap_err();
        assert!(error.starts_with(&format!("{key}: ")), "{error}");
    }
    assert!(error("[topology]\nunit = 'parsec'\nfile = 'x'").contains("is not a unit of bandwidths"));
}

#[test]
fn keys_of_other_engines_are_listed() {
    let keys = "step = 1e-3\naccept_step = true\nwaiting = 1.0\nprecision = 'f64'\nscheme = 'lock-step'\nbatch = 2\nrules = { recovery = 'sack' }";
    let run =
        TrafficConfig::from_toml(&format!("[topology]\ngenerate = 'validation'\n[run]\n{keys}"), "t").unwrap().run;
    let all = ["step", "accept_step", "rules", "waiting", "precision", "scheme", "batch"];
    assert_eq!(run.unused_by(Engine::Packets), all);
    assert_eq!(run.unused_by(Engine::Sequential), all[3..]);
    assert_eq!(run.unused_by(Engine::Fluid), all[5..]);
    assert!(run.unused_by(Engine::Hybrid).is_empty() && RunShape::default().unused_by(Engine::Packets).is_empty());
}

/// A value for links without their own changes nothing where every link has its own.
#[test]
fn values_that_no_link_takes_are_found() {
    let build = |key: &str, own: &str| {
        let link = format!("[[topology.link]]\nfrom = 'a'\nto = 'b'\nbandwidth = 1e7\ndelay = 0.01\n{own}\n");
        let flow = "[[traffic.flow]]\nfrom = 'a'\nto = 'b'\n";
        let text = format!("[topology]\n{key}\n{link}{flow}");
        TrafficConfig::from_toml(&text, "t").unwrap().build().unwrap().unused
    };
    for (key, with, without) in [
        ("bandwidth = 1e6", "", None),
        ("delay = 0.02", "", None),
        ("least_delay = 1e-3", "", None),
        ("buffer = 60000", "buffer = 50000", Some("")),
        ("buffer_time = 0.1", "buffer = 50000", Some("")),
        ("loss = 0.1", "loss = 0", Some("")),
        ("discipline = 'drop-tail'", "discipline = 'red'", Some("")),
        ("red.weight = 0.5", "discipline = 'drop-tail'", Some("discipline = 'red'\nred.most = 0.9")),
    ] {
        let name = key.split([' ', '.']).next().unwrap();
        let unused = build(key, with);
        assert!(
            matches!(&unused[..], [(key, why)] if *key == name && why.starts_with("no link takes it, as ")),
            "{unused:?}"
        );
        if let Some(without) = without {
            assert_eq!(build(key, without), [], "{key}");
        }
    }
    let text = format!("{LINE}[traffic]\npackets = true\n[[traffic.flow]]\nfrom = 'a'\nto = 'b'\n");
    assert!(error(&text).contains("traffic.packets: there are no demands that it could change"), "{}", error(&text));
}

#[test]
fn rates_and_times_may_have_units() {
    let with = |bandwidth: &str, delay: &str, rate: &str, stop: &str, horizon: &str| {
        format!(
            "[topology]\nbandwidth = {bandwidth}\n[[topology.link]]\nfrom = 'a'\nto = 'b'\ndelay = {delay}
            [[traffic.flow]]\nfrom = 'a'\nto = 'b'\nkind = 'udp'\nrate = {rate}\nstop = {stop}
            [[traffic.demand]]\nfrom = 'a'\nto = 'b'\nrate = {rate}\n[run]\nhorizon = {horizon}\n"
        )
    };
    let read = |text: &str| TrafficConfig::from_toml(text, "t").map_err(|error| error.to_string());
    let units = read(&with("'100 Mbit'", "'5ms'", "\"2 Mb/s\"", "\"1500 ms\"", "'10 s'")).unwrap();
    assert_eq!(units, read(&with("1e8", "0.005", "2000000", "1.5", "10")).unwrap());
    assert_eq!(TrafficConfig::from_toml(&toml::to_string(&units).unwrap(), "again").unwrap(), units);
    let room = |buffer: &str| {
        let text = with("1e8", "0.005", "1e6", "2", "5").replace("delay =", &format!("buffer = {buffer}\ndelay ="));
        read(&text).map(|config| config.topology.link[0].buffer)
    };
    for (given, expected) in [("'250 kB'", 250_000), ("250000", 250_000), ("'1 MiB'", 1 << 20), ("7e3", 7_000)] {
        assert_eq!(room(given), Ok(Some(Buffer::Bytes(expected))));
    }
    for given in ["'100 packets'", "'100p'", "'100 packet'"] {
        assert_eq!(room(given), Ok(Some(Buffer::Packets(100))));
    }
    for buffer in ["'0.5 B'", "'much'", "'-1 kB'", "'1.5 packets'", "-1"] {
        assert!(room(buffer).unwrap_err().contains("is not a size: give a whole number of bytes"), "{buffer}");
    }
    for (text, expected) in [
        (
            with("'fast'", "1", "1", "1", "1"),
            "'fast' is not a rate: give a number of bits per second, or one with its unit",
        ),
        (
            with("1", "'5 m'", "1", "1", "1"),
            "'5 m' is not a time: give a number of seconds, or one with its unit, such as '5ms'",
        ),
        (with("true", "1", "1", "1", "1"), "a number, or a text of a number and its unit"),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.starts_with("t, line ") && error.contains(expected), "{error}");
    }
}
