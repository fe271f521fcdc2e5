//! Queues, routes and protocols that packets alone have.

use super::*;

#[test]
fn queues_have_capacities_in_packets_and_codel() {
    let text = "[topology]\nbandwidth = 1e7\ndelay = 0.01\nbuffer = '100 packets'\ndiscipline = 'fq-codel'\ncodel = { interval = '0.2 s', queues = 16 }
        [[topology.link]]\nfrom = 'a'\nto = 'b'
        [[topology.link]]\nfrom = 'b'\nto = 'c'\nbuffer = '7 packets'\ndiscipline = 'codel'\ncodel = { target = '2ms' }
        [[topology.link]]\nfrom = 'c'\nto = 'd'\nbuffer = 9000\ncodel = { quantum = 300 }
        [[traffic.flow]]\nfrom = 'a'\nto = 'd'\necn = true\n[tcp]\npacket = 1500";
    let links = traffic(text).unwrap().network().links().to_vec();
    let of = |link: usize| (links[link].queue.capacity, links[link].queue.packets, links[link].queue.discipline);
    let codel = Codel { target: 5_000_000, interval: 200_000_000 };
    let fair = FqCodel { codel, quantum: None, queues: 16 };
    assert_eq!(of(0), (150_000, Some(100), Discipline::FqCodel(fair)));
    assert_eq!(of(2), (10_500, Some(7), Discipline::Codel(Codel { target: 2_000_000, ..codel })));
    assert_eq!(of(4), (9_000, None, Discipline::FqCodel(FqCodel { quantum: Some(300), ..fair })));
    let on_link = |keys: &str| {
        let head = "[topology]\ndelay = 0.01\nbandwidth = 1e7\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n";
        error(&format!("{head}{keys}\n"))
    };
    for (keys, expected) in [
        (
            "buffer = '0 packets'",
            "traffic.toml, line 7: topology.link[0].buffer: the queue of the link from 'a' to 'b' takes 0",
        ),
        (
            "codel = { target = 0.01 }",
            "traffic.toml, line 7: topology.link[0].codel: the queue is red and has parameters of CoDel",
        ),
        (
            "discipline = 'codel'\ncodel = { target = 1 }",
            "traffic.toml, line 8: topology.link[0].codel.target: 'target' of CoDel is 1 s: it must be above 0 and at most",
        ),
        (
            "discipline = 'codel'\ncodel = { interval = 0 }",
            "traffic.toml, line 8: topology.link[0].codel.interval: 0 s",
        ),
        (
            "discipline = 'codel'\nred = { least = 0.1 }",
            "traffic.toml, line 8: topology.link[0].red: the queue is codel",
        ),
        ("discipline = 'codel'\ncodel = { quanta = 1 }", "traffic.toml, line 8: "),
        (
            "discipline = 'codel'\ncodel = { interval = 0.001 }",
            "traffic.toml, line 8: topology.link[0].codel.interval: 'interval' of CoDel is 0.001 s: it must be at least 'target', 0.005 s if",
        ),
        (
            "discipline = 'codel'\ncodel = { quantum = 300 }",
            "traffic.toml, line 8: topology.link[0].codel.quantum: the queue is codel and has parameters of FqCoDel: give it the discipline 'fq-codel'",
        ),
        (
            "discipline = 'codel'\ncodel = { queues = 7 }",
            "traffic.toml, line 8: topology.link[0].codel.queues: the queue is codel and has parameters of FqCoDel",
        ),
        (
            "buffer = '5e9 packets'",
            "traffic.toml, line 7: `buffer = '5e9 packets'`: '5e9 packets' is not a size: give a whole number of bytes, or a size with its unit, such as '250 kB' or '100 packets', and less than 2^32 packets",
        ),
    ] {
        let error = on_link(keys);
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    for (keys, expected) in [
        ("buffer = '0 packets'", "traffic.toml, line 2: topology.buffer: a queue of 0 packets takes nothing"),
        ("codel = { quantum = 1 }", "traffic.toml, line 2: topology.codel.quantum: 'quantum' of CoDel is 1 bytes"),
        ("codel = { queues = 0 }", "traffic.toml, line 2: topology.codel.queues: 'queues' of CoDel is 0"),
    ] {
        let error = error(&format!("[topology]\n{keys}\ngenerate = 'campus'\n"));
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn parameters_of_disciplines_that_no_queue_has_are_found() {
    let unused = |network: &str| {
        let flow = if network.contains("generate") { "" } else { "[[traffic.flow]]\nfrom = 'a'\nto = 'b'\n" };
        TrafficConfig::from_toml(&format!("[topology]\n{network}\n{flow}"), "t").unwrap().build().unwrap().unused
    };
    let own = |key: &str| format!("no link takes it, as each queue has its own '{key}'");
    let none = |kind: &str| format!("no link takes it, as no queue is {kind}");
    for (keys, of_link, expected) in [
        ("codel.quantum = 300\ndiscipline = 'codel'", "", vec![("codel.quantum", none("fq-codel"))]),
        ("codel = { target = 0.01, queues = 7 }\ndiscipline = 'codel'", "", vec![("codel.queues", none("fq-codel"))]),
        ("codel.queues = 7\ndiscipline = 'drop-tail'", "", vec![("codel", none("codel or fq-codel"))]),
        ("codel.target = 0.01\ndiscipline = 'codel'", "codel.target = 0.002", vec![("codel.target", own("target"))]),
        ("codel.interval = 0.2\ndiscipline = 'codel'", "codel.target = 0.002", vec![]),
        ("codel = { quantum = 300, queues = 7 }", "discipline = 'fq-codel'", vec![]),
        ("red.weight = 0.5\ndiscipline = 'codel'", "", vec![("red", none("red"))]),
    ] {
        let link = "[[topology.link]]\nfrom = 'a'\nto = 'b'\nbandwidth = 1e7\ndelay = 0.01\n";
        assert_eq!(unused(&format!("{keys}\n{link}{of_link}")), expected, "{keys}, {of_link}");
    }
    let campus = |keys: &str| unused(&format!("generate = 'campus'\ncampuses = 1\n{keys}"));
    assert_eq!(campus("discipline = 'codel'\ncodel.quantum = 300"), [("codel.quantum", none("fq-codel"))]);
    assert_eq!(campus("codel.target = 0.01"), [("codel", none("codel or fq-codel"))]);
    assert_eq!(campus("discipline = 'drop-tail'\nred.weight = 0.5"), [("red", none("red"))]);
    assert_eq!(campus("red.weight = 0.5"), []);
}

/// An attribute of an edge in a file is at fault, not the key for edges that have none.
#[test]
fn queues_of_edges_in_files_are_blamed_on_their_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let graph = "<graphml><key id='q' for='edge' attr.name='discipline' attr.type='string'/>
        <key id='b' for='edge' attr.name='buffer' attr.type='string'/>
        <graph edgedefault='undirected'><node id='a'/><node id='b'/><node id='c'/>
        <edge source='a' target='b'><data key='q'>codel</data></edge>
        <edge source='b' target='c'><data key='b'>900</data></edge></graph></graphml>";
    std::fs::write(folder.path().join("net.graphml"), graph).unwrap();
    let file = folder.path().join("t.toml").display().to_string();
    let error = |keys: &str, to: &str| {
        let text = format!(
            "[topology]\nfile = 'net.graphml'\nbandwidth = 1e7\ndelay = 0.01\n{keys}\n[[traffic.flow]]\nfrom = '{to}'\nto = 'b'\n"
        );
        let config = TrafficConfig::from_toml(&text, &file).unwrap();
        let found = config.traffic().and_then(|traffic| config.step(&traffic)).unwrap_err();
        found.located(&text, "t").to_string()
    };
    let codel = "the queue of the link from 'a' to 'b' is codel, and fluids know drop-tail and RED alone: make its flows packets, or give the queue another discipline";
    let small = "the queue of the link from 'c' to 'b' has room for 900 bytes, and a packet has 1000: give it room for several packets";
    assert_eq!(error("", "a"), format!("t, line 2: topology.file: {codel} (attribute 'discipline' of the edge)"));
    assert_eq!(error("discipline = 'codel'", "a"), format!("t, line 5: topology.discipline: {codel}"));
    assert_eq!(error("", "c"), format!("t, line 2: topology.file: {small} (attribute 'buffer' of the edge)"));
    let all = "the queue of the link from 'a' to 'b' has room for 800 bytes";
    assert!(error("buffer = 800", "a").starts_with(&format!("t, line 5: topology.buffer: {all}")));
}

#[test]
fn links_fail_and_sessions_are_spread() {
    let with = |failures: &str, keys: &str| {
        format!(
            "[topology]\ndelay = 0.01\nbandwidth = 1e7\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n[[topology.link]]
            from = 'a'\nto = 'b'\none_way = true\n{failures}
            [traffic]\n{keys}\n[[traffic.flow]]\nfrom = 'a'\nto = 'b'\ntcp = 'cubic'\n"
        )
    };
    let failure = |keys: &str| format!("[[topology.failure]]\nfrom = 'b'\nto = 'a'\n{keys}");
    let plain = traffic(&with("", "")).unwrap();
    assert!(!plain.has_ecmp() && plain.failures().is_empty());
    let both = traffic(&with(&failure("start = '2 s'\nstop = 3.5"), "ecmp = true\nconvergence = '20ms'")).unwrap();
    let second = 1_000_000_000;
    let of = |link| Failure { link, start: 2 * second, stop: 3_500_000_000 };
    assert!(both.has_ecmp());
    assert_eq!(both.failures().all(), [of(0), of(1), of(2)]);
    let times = |built: &Traffic| built.failures().changes().map(|(time, _)| time).collect::<Vec<_>>();
    assert_eq!(times(&both), [2_020_000_000, 3_520_000_000]);
    let forever = traffic(&with(&failure("one_way = true"), "")).unwrap();
    assert_eq!(forever.failures().all(), [Failure { link: 1, start: 0, stop: NEVER }]);
    assert_eq!(times(&forever), [second]);
    for (failures, keys, expected) in [
        (failure("start = 2\nstop = 2"), "", "traffic.toml, line 15: topology.failure[0].stop: a failure from 2 s on"),
        (failure("start = -1"), "", "traffic.toml, line 14: topology.failure[0].start: -1 s is not possible"),
        (failure("").replace("'b'", "'z'"), "", "traffic.toml, line 12: topology.failure[0].from: 'z' is no node"),
        (
            failure("").replace("'a'", "'b'"),
            "",
            "traffic.toml, line 13: topology.failure[0].to: no link leads from 'b' to 'b'",
        ),
        (failure(""), "convergence = -1", "traffic.toml, line 16: traffic.convergence: -1 s is not possible"),
    ] {
        let error = error(&with(&failures, keys));
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
    // Fluids keep to one route.
    for (failures, keys, expected) in [
        (failure(""), "", "traffic.toml, line 11: topology.failure: there are fluids, which keep to one route"),
        (
            String::new(),
            "ecmp = true",
            "traffic.toml, line 13: traffic.ecmp: there are fluids, which keep to one route",
        ),
    ] {
        let text =
            with(&failures, keys) + "packet_sessions = 1\nsessions = 1\n[[traffic.flow]]\nfrom = 'a'\nto = 'b'\n";
        let config = TrafficConfig::from_toml(&text, "traffic.toml").unwrap();
        let error = config.step(&config.traffic().unwrap()).unwrap_err().located(&text, "traffic.toml").to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn fluids_are_refused_by_queues_that_they_do_not_know() {
    let step = |keys: &str, flow: &str| {
        let text = format!(
            "[topology]\ndelay = 0.01\nbandwidth = 1e7\n{keys}\n[[topology.link]]\nfrom = 'a'\nto = 'b'
            [[topology.link]]\nfrom = 'b'\nto = 'c'\ndiscipline = 'codel'
            [[traffic.flow]]\nfrom = 'a'\nto = 'c'\npacket_sessions = 1\n[[traffic.flow]]\nfrom = 'a'\n{flow}\n"
        );
        let config = TrafficConfig::from_toml(&text, "traffic.toml").unwrap();
        let built = config.traffic().unwrap();
        config.step(&built).map(|_| ()).map_err(|error| error.located(&text, "traffic.toml").to_string())
    };
    assert_eq!(step("", "to = 'b'"), Ok(()));
    let error = step("", "to = 'c'").unwrap_err();
    assert!(error.starts_with("traffic.toml, line 11: topology.link[1].discipline: the queue of the link from 'b' to 'c' is codel, and fluids know"), "{error}");
    let error = step("discipline = 'fq-codel'", "to = 'b'").unwrap_err();
    assert!(
        error.starts_with(
            "traffic.toml, line 4: topology.discipline: the queue of the link from 'a' to 'b' is fq-codel"
        ),
        "{error}"
    );
}

#[test]
fn settings_of_packets_are_read_and_blamed() {
    let text = "[topology]\ngenerate = 'validation'\n[traffic]\npacket_sessions = 1\n[packets]\n";
    let simulator = |keys: &str| {
        let text = format!("{text}{keys}");
        let config = TrafficConfig::from_toml(&text, "t")?;
        assert_eq!(TrafficConfig::from_toml(&toml::to_string(&config).unwrap(), "again").unwrap(), config);
        config.simulator(&config.traffic().unwrap()).map_err(|error| error.located(&text, "t"))
    };
    assert_eq!(simulator("").unwrap().settings(), Settings::default());
    let settings = simulator("delayed_ack = 0.2\nleast_timeout = 0.2\nstagger = 0").unwrap().settings();
    assert_eq!(
        (settings.tcp.delayed_ack, settings.tcp.least_timeout, settings.stagger),
        (clock::SECOND / 5, clock::SECOND / 5, 0)
    );
    let said = |keys: &str| simulator(keys).map(|_| ()).unwrap_err().to_string();
    assert_eq!(said("ack = 0"), "t, line 6: packets.ack: 'ack' is 0: give 1 to 2^20 bytes");
    assert!(said("first_timeout = 0").starts_with("t, line 6: packets.first_timeout: 0 s is not possible"));
    assert!(said("stager = 0").starts_with("t, line 6: `stager = 0`: unknown field `stager`"));
}

#[test]
fn variants_of_tcp_are_read_and_blamed() {
    let head = "[topology]\nbandwidth = 1e7\ndelay = 0.01\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n";
    let read = |keys: &str| {
        let text = format!("{head}[[traffic.flow]]\nfrom = 'a'\nto = 'b'\n{keys}");
        let config = TrafficConfig::from_toml(&text, "t")?;
        assert_eq!(TrafficConfig::from_toml(&toml::to_string(&config).unwrap(), "again").unwrap(), config);
        let traffic = config.traffic().map_err(|error| error.located(&text, "t"))?;
        config.simulator(&traffic).map_err(|error| error.located(&text, "t"))?;
        Ok::<_, ConfigError>((traffic.flows().all()[0].kind, traffic.flows().tcp(0)))
    };
    let packets = |packets| Kind::Tcp { fluid: 0, packets };
    // Without keys of TCP a flow is a fluid; with them all its sessions are packets.
    assert_eq!(read("sessions = 3").unwrap(), (Kind::Tcp { fluid: 3, packets: 0 }, OwnTcp::default()));
    let own = OwnTcp { variant: Some(Variant::Cubic), ..OwnTcp::default() };
    assert_eq!(read("sessions = 3\ntcp = 'cubic'").unwrap(), (packets(3), own));
    let keys = "tcp = 'newreno'\nsack = true\ninitial_window = 4\necn = true\nhystart = true\ndelayed_ack = 0.2\nbytes = 70000";
    let (delayed_ack, bytes) = (Some(200_000_000), Some(70_000));
    let (variant, ecn, hystart) = (Some(Variant::NewReno), Some(true), Some(true));
    let own = OwnTcp { variant, sack: Some(true), initial_window: Some(4), ecn, hystart, delayed_ack, bytes };
    assert_eq!(read(keys).unwrap(), (packets(1), own));
    // What holds for all flows is taken by flows of other variants than that of all flows.
    for keys in ["[packets]\nhystart = true", "[packets]\nsack = true", "[packets]\nsack = true\nhystart = true"] {
        read(&format!("tcp = 'cubic'\n{keys}")).unwrap();
    }
    let requests = "kind = 'requests'\nrequest = 100\nanswer = 5000\nthink = 1\n";
    read(&format!("{requests}tcp = 'cubic'")).unwrap();
    for (keys, expected) in [
        (
            "tcp = 'vegas'",
            "line 10: `tcp = 'vegas'`: unknown variant `vegas`, expected one of `reno`, `newreno`, `cubic`",
        ),
        (
            "sessions = 3\npacket_sessions = 2\ntcp = 'cubic'",
            "flow[0].tcp: flow 0, 'tcp': 1 of its sessions are fluids",
        ),
        ("tcp = 'reno'\nhystart = true", "flow[0].hystart: flow 0, 'hystart': Reno has no HyStart++"),
        ("tcp = 'reno'\nsack = true", "flow[0].sack: flow 0, 'sack': Reno has no selective acknowledgements"),
        ("initial_window = 0", "flow[0].initial_window: flow 0, 'initial_window': 0 packets are not possible"),
        ("bytes = 0", "flow[0].bytes: flow 0, 'bytes': 0 bytes are not possible"),
        ("delayed_ack = -1", "flow[0].delayed_ack: -1 s is not possible"),
        ("kind = 'udp'\nrate = 1e6\ntcp = 'cubic'", "flow[0].tcp: a flow of this kind has no such key"),
        ("hystart = true", "flow[0].hystart: flow 0, 'hystart': Reno has no HyStart++: give 'newreno' or 'cubic'"),
        ("sack = true", "flow[0].sack: flow 0, 'sack': Reno has no selective acknowledgements"),
        ("tcp = 'reno'\n[packets]\ntcp = 'cubic'\nsack = true", "packets.sack: 'sack' is true: Reno has no selective"),
        (
            "[packets]\nhystart = true",
            "packets.hystart: 'hystart' is true: Reno has no HyStart++, and no session is of",
        ),
        ("[packets]\nsack = true", "packets.sack: 'sack' is true: Reno has no selective acknowledgements"),
        ("[packets]\ninitial_window = 0", "packets.initial_window: 'initial_window' is 0: give 1 to 2^20 packets"),
    ] {
        let error = read(keys).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\ninstead of\n{expected}");
    }
    let error = read(&format!("{requests}bytes = 5")).unwrap_err().to_string();
    assert!(error.contains("flow[0].bytes: a flow of this kind has no such key"), "{error}");
}
