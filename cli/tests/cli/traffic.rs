//! Network traffic from the command line.

use super::{imminent, json, refused, text};
use serde_json::Value;
use std::fs;

pub(super) const VALIDATION: [&str; 8] =
    ["run", "traffic", "--generate", "validation", "--horizon", "4", "--backend", "cpu"];

pub(super) fn validation<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&VALIDATION[..], more].concat()
}

fn close(found: &Value, expected: &Value, share: f64) {
    let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
    assert!((found - expected).abs() <= share * expected.abs(), "{found} instead of {expected}");
}

#[test]
fn a_device_finds_what_the_sequential_engine_finds() {
    let (device, host) = (json(&validation(&["--json"])), json(&validation(&["--json", "--engine", "sequential"])));
    assert_eq!((device["engine"].as_str(), host["engine"].as_str()), (Some("fluid"), Some("sequential")));
    assert_eq!((device["backend"].as_str(), host["backend"].as_str()), (Some("cpu"), Some("none")));
    assert_eq!(device["step"]["lookahead"], 20);
    // However seldom it is looked at.
    let seldom = json(&validation(&["--json", "--sample", "4"]));
    assert_eq!((&seldom["digest"], &seldom["samples"]), (&device["digest"], &Value::from(0)));
    let of = |report: &Value, flow: usize, key: &str| report["flows"][flow][key].clone();
    for flow in 0..3 {
        for key in ["rate", "window", "round_trip"] {
            close(&of(&device, flow, key), &of(&host, flow, key), 0.05);
        }
    }
    // In f64 too. Means are those of the moments at which somebody looked, so they are no closer than that; the models'
    // tests compare step by step.
    let double = json(&validation(&["--json", "--precision", "f64"]));
    for flow in 0..3 {
        for key in ["rate", "window", "round_trip"] {
            close(&of(&double, flow, key), &of(&host, flow, key), 0.05);
        }
    }
    assert_eq!(double["config"]["run"]["precision"], "f64", "{double}");
    assert_ne!(double["flows"], device["flows"]);
    // Flow 3 has not begun.
    assert!(of(&device, 3, "window").is_null() && of(&device, 3, "rate") == 0.0, "{device}");
    // 20 sessions of flow 2 and 10 of flow 0 leave node 2: what goes in is at most what it can carry.
    let busiest = &device["queues"][0];
    assert!(busiest["utilization"].as_f64().unwrap() > 0.5, "{busiest}");
}

#[test]
fn packets_alone_are_counted_exactly() {
    let run = |more: &[&str]| {
        json(&validation(&[&["--packet-sessions", "20", "--engine", "packets", "--json"], more].concat()))
    };
    let report = run(&[]);
    let flow = &report["packets"][0];
    assert!(flow["delivered"].as_u64() > Some(10_000) && flow["delay"]["p99"].as_f64() > Some(0.05), "{flow}");
    assert_eq!(report["flows"][0]["part"], "packets");
    for key in ["sent", "loss", "goodput"] {
        close(&report["packet_total"][key], &flow[key], 1e-9);
    }
    // What came while it was counted, told in two ways.
    close(&report["flows"][0]["rate"], &flow["goodput"], 1e-9);
    assert!(report["warnings"][0].as_str().unwrap().contains("leaves out the fluids of 3 flows"), "{report}");
    // The same bits whenever it is looked at.
    assert_eq!(run(&["--sample", "0.37"])["packets"], report["packets"]);
    let later = run(&["--warm-up", "2", "--sample", "0.5"]);
    assert_eq!((later["warm_up"].as_f64(), later["samples"].as_u64()), (Some(2.0), Some(4)));
    assert!(later["packets"][0]["delivered"].as_u64() < flow["delivered"].as_u64());
    close(&later["flows"][0]["rate"], &later["packets"][0]["goodput"], 1e-9);
}

#[test]
fn fluids_and_packets_share_queues() {
    let run = |more: &[&str]| json(&validation(&[&["--packet-sessions", "10", "--json"], more].concat()));
    let batches = run(&[]);
    assert_eq!((batches["engine"].as_str(), batches["warnings"].as_array().map(Vec::len)), (Some("hybrid"), Some(0)));
    let rows = batches["flows"].as_array().unwrap().iter();
    let parts: Vec<_> = rows.map(|row| (row["flow"].as_u64().unwrap(), row["part"].as_str().unwrap())).collect();
    assert_eq!(parts, [(0, "fluid"), (1, "fluid"), (2, "fluid"), (2, "packets"), (3, "fluid")]);
    close(&batches["flows"][3]["rate"], &batches["packets"][0]["goodput"], 1e-9);
    assert!(batches["spent"]["packets_s"].as_f64() > Some(0.0), "{batches}");
    // The same bits again; and by turns what short batches come close to.
    assert_eq!(run(&["--batch", "3"])["packets"], batches["packets"]);
    let (turns, short) = (run(&["--scheme", "lock-step"]), run(&["--batch", "1"]));
    close(&short["packets"][0]["goodput"], &turns["packets"][0]["goodput"], 0.1);
    close(&short["flows"][0]["rate"], &turns["flows"][0]["rate"], 0.1);
    // The same network from a file, in the paper's longest batches: 20 launches of 20 steps.
    let example =
        ["run", "traffic", "examples/traffic/validation.toml", "--backend", "cpu", "--horizon", "1", "--json"];
    let example = json(&example);
    assert_eq!((example["sample"].as_f64(), example["samples"].as_u64()), (Some(0.2), Some(5)), "{example}");
    // Queues on the way back are of acknowledgements alone, and known too.
    let labels = |report: &Value| report["queues"].to_string();
    assert!(labels(&batches).contains("11 -> 9") && labels(&turns).contains("11 -> 9"), "{turns}");
}

#[test]
fn losses_on_links_are_counted_and_told() {
    let run = |more: &[&str]| json(&validation(&[&["--loss", "0.01", "--json"], more].concat()));
    let told = "22 of 22 links lose 1.00 % of what they send, each packet by itself, after their queues (--loss)";
    let (packets, fluids) = (run(&["--packets"]), run(&["--engine", "sequential"]));
    for report in [&packets, &fluids] {
        assert_eq!(report["assumed"][0].as_str(), Some(told), "{report}");
        // Flows that have begun share no queue that drops: what is lost is lost on links.
        let queue = &report["queues"][0];
        assert_eq!((queue["link_loss"].as_f64(), queue["loss"].as_f64()), (Some(0.01), Some(0.0)), "{queue}");
        let share = queue["lost"].as_f64().unwrap() / queue["carried"].as_f64().unwrap();
        assert!((share - 0.01).abs() < 0.005, "{queue}");
    }
    let (total, flow) = (&packets["packet_total"], &packets["packets"][0]);
    assert!(flow["lost"].as_u64() > Some(10) && flow["dropped"] == 0 && total["lost"].as_u64() > flow["lost"].as_u64());
    let share = |of: &Value| of["lost"].as_f64().unwrap() / of["sent"].as_f64().unwrap();
    assert_eq!(flow["loss"].as_f64(), Some(share(flow)), "{flow}");
    refused(&validation(&["--loss", "1"]), &["--loss 1: ", "a share of 1 cannot be lost", "below 1"]);
    refused(&validation(&["--loss", "-0.1"]), &["--loss -0.1: ", "numbers from 0 to 1"]);
    let output = imminent(&["run", "traffic", "examples/traffic/lossy.toml", "--warm-up", "1", "--horizon", "2"]);
    assert!(output.status.success() && text(&output.stdout).contains("lost on link"), "{}", text(&output.stderr));
}

#[test]
fn the_validation_network_can_be_all_packets() {
    let report = json(&validation(&["--packets", "--json"]));
    assert_eq!((report["engine"].as_str(), report["warnings"].as_array().map(Vec::len)), (Some("packets"), Some(0)));
    let rows = report["flows"].as_array().unwrap().iter();
    let sessions: Vec<_> = rows.map(|row| (row["part"].as_str(), row["sessions"].as_u64())).collect();
    assert_eq!(sessions, [10, 10, 20, 40].map(|sessions| (Some("packets"), Some(sessions))));
    let twice = ["--packets", "--packet-sessions", "3"];
    refused(&validation(&twice), &["--packet-sessions", "makes packets of all sessions"]);
}

#[test]
fn an_example_and_people() {
    let output =
        imminent(&["run", "traffic", "examples/traffic/five-cities.toml", "--horizon", "2", "--engine", "sequential"]);
    let table = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for words in [
        "most loaded links",
        "5 nodes, 12 links, 10 flows",
        "leaves out the packets of 2 flows",
        "simulated seconds a second",
    ] {
        assert!(table.contains(words), "{words}: {table}");
    }
}

#[test]
fn a_graph_alone_is_enough_and_what_is_assumed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.graphml");
    let nodes = "<node id='a'/><node id='b'/><node id='c'/>";
    let edges = "<edge source='a' target='b'/><edge source='b' target='c'><data key='s'>2e7</data></edge>";
    let keys = "<key id='s' for='edge' attr.name='LinkSpeedRaw'/>";
    fs::write(&file, format!("<graphml>{keys}<graph edgedefault='undirected'>{nodes}{edges}</graph></graphml>"))
        .unwrap();
    let path = file.to_str().unwrap();
    let run = |more: &[&str]| {
        json(&[&["run", "traffic", path, "--horizon", "0.5", "--json", "--engine", "sequential"], more].concat())
    };
    let report = run(&[]);
    let assumed = report["assumed"].to_string();
    for words in [
        "1 Gb/s for the 1 of 2 edges without a bandwidth",
        "10 ms for the 2 of 2 edges",
        "100 ms (--buffer",
        "gravity model, 80 %",
        "they are TCP",
    ] {
        assert!(assumed.contains(words), "{words}: {assumed}");
    }
    assert_eq!((report["size"]["flows"].as_u64(), report["flows"][0]["kind"].as_str()), (Some(6), Some("tcp")));
    // Without a horizon it is done within seconds, and says what was simulated.
    let short = json(&["run", "traffic", path, "--warm-up", "2", "--json", "--engine", "sequential"]);
    assert!(short["assumed"].to_string().contains("20 s are simulated after the warm-up (--horizon)"), "{short}");
    assert_eq!(short["simulated_time"].as_f64(), Some(22.0), "{short}");
    let given = run(&["--bandwidth", "1e8", "--delay", "0.02", "--buffer", "90000", "--gravity", "1e6"]);
    assert_eq!((given["assumed"].to_string().as_str(), given["flows"][0]["kind"].as_str()), ("[]", Some("udp")));
}

/// Writes a graph of undirected edges, whose speeds may be given in bits per second, and gives its path.
fn graph_file(folder: &std::path::Path, nodes: usize, edges: &[(usize, usize, Option<f64>)]) -> String {
    let path = folder.join("graph.graphml");
    let nodes: String = (0..nodes).map(|node| format!("<node id='n{node}'/>")).collect();
    let speed = |speed: Option<f64>| speed.map_or_else(String::new, |speed| format!("<data key='s'>{speed}</data>"));
    let edge = |(from, to, of): &(usize, usize, Option<f64>)| {
        format!("<edge source='n{from}' target='n{to}'>{}</edge>", speed(*of))
    };
    let edges: String = edges.iter().map(edge).collect();
    let key = "<key id='s' for='edge' attr.name='LinkSpeedRaw'/>";
    fs::write(&path, format!("<graphml>{key}<graph edgedefault='undirected'>{nodes}{edges}</graph></graphml>"))
        .unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn what_of_a_graph_cannot_take_part_is_left_out_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    // Two parts, a self-loop, and nodes 5 and 6 without edges; links are as slow as a modem.
    let slow = Some(9600.0);
    let path = graph_file(folder.path(), 7, &[(0, 1, slow), (1, 2, slow), (1, 1, None), (3, 4, slow)]);
    let report = json(&["run", "traffic", &path, "--horizon", "0.5", "--backend", "cpu", "--json"]);
    let warnings: Vec<_> = report["warnings"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let expected = [
        "1 self-loop was left out",
        "2 nodes without links take no part",
        "12 pairs of nodes without paths there and back were left out",
    ];
    assert_eq!(warnings, expected);
    assert_eq!((report["size"]["links"].as_u64(), report["size"]["flows"].as_u64()), (Some(6), Some(6 + 2)));
    // 100 ms of 9.6 kb/s are 120 bytes.
    assert_eq!(report["queues"][0]["capacity"].as_u64(), Some(4000), "{report}");
    // They take 3.3 s to leave it, and twice as long over two links.
    for words in ["and 4 packets at least", "fluid waits 8.5 s on its way at most (--waiting)"] {
        assert!(report["assumed"].to_string().contains(words), "{words}: {report}");
    }
    refused(&["run", "traffic", &path, "--buffer-time", "0.1"], &["--buffer-time", "room for 120 bytes", "'n0'"]);
    // A network of queues of the same file is without the same nodes; its loop is a way back.
    let queueing = json(&["run", "network", &path, "--horizon", "50", "--backend", "cpu", "--json"]);
    assert_eq!(queueing["warnings"][0].as_str(), Some("2 nodes without edges take no part"), "{queueing}");
}

#[test]
fn of_many_pairs_some_send_and_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let star: Vec<_> = (1..102).map(|leaf| (0, leaf, None)).collect();
    let path = graph_file(folder.path(), 102, &star);
    let run = |more: &[&str]| {
        json(&[&["run", "traffic", &path, "--horizon", "0.01", "--backend", "cpu", "--json"], more].concat())
    };
    let report = run(&[]);
    let flows = report["size"]["flows"].as_u64().unwrap();
    let told = format!("{} of 10,302 pairs of nodes send, drawn by the seed (--pairs)", indicatif::HumanCount(flows));
    assert!(flows < 10_302 && report["assumed"].to_string().contains(&told), "{}", report["assumed"]);
    let few = run(&["--pairs", "30", "--gravity", "1e9"]);
    assert_eq!(few["size"]["flows"].as_u64(), Some(30));
    assert!(!few["assumed"].to_string().contains("--pairs"), "{few}");
    refused(&["run", "traffic", &path, "--pairs", "0"], &["--pairs 0: ", "whole numbers from 1"]);
    refused(&["run", "traffic", "--generate", "validation", "--pairs", "3"], &["--pairs", "give 'gravity'"]);
}

#[test]
fn units_and_modules_of_sndlib_are_told_and_overload_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.xml");
    let write = |meta: &str, capacity: &str, demand: &str| {
        let nodes = "<nodes coordinatesType='pixel'><node id='A'/><node id='B'/></nodes>";
        let module =
            format!("<additionalModules><addModule><capacity>{capacity}</capacity></addModule></additionalModules>");
        let links = format!("<links><link id='L'><source>A</source><target>B</target>{module}</link></links>");
        let demand = format!("<source>A</source><target>B</target><demandValue>{demand}</demandValue>");
        let text = format!(
            "<network>{meta}<networkStructure>{nodes}{links}</networkStructure><demands><demand id='D'>{demand}</demand></demands></network>"
        );
        fs::write(&file, text).unwrap();
    };
    let path = file.to_str().unwrap();
    let run = |more: &[&str]| {
        json(&[&["run", "traffic", path, "--horizon", "0.2", "--engine", "sequential", "--json"], more].concat())
    };
    write("", "10000", "3000000");
    let assumed = run(&[]);
    for words in [
        "capacities and demands are in 1 Mb/s (--unit)",
        "for the 1 of 1 links without a capacity of their own, that of the smallest module",
    ] {
        assert!(assumed["assumed"].to_string().contains(words), "{words}: {}", assumed["assumed"]);
    }
    let warning = assumed["warnings"][0].as_str().unwrap();
    let expected = "1 of 1 links are offered more than they can send by flows of a rate of their own, A -> B the most: 3 Tb/s of 10 Gb/s";
    assert!(warning.starts_with(expected) && warning.contains("--scale 0.0027"), "{warning}");
    assert_eq!(run(&["--scale", "0.0027"])["warnings"].as_array().map(Vec::len), Some(0));
    // In bits per second by the file, and by the user.
    write("<meta><unit>BITSPERSEC</unit></meta>", "10000000000", "8e9");
    for (report, unit) in [(run(&[]), "file"), (run(&["--unit", "0.1"]), "user")] {
        let bandwidth = if unit == "file" { 10_000_000_000_u64 } else { 1_000_000_000 };
        assert_eq!(report["queues"][0]["bandwidth"].as_u64(), Some(bandwidth));
        assert!(!report["assumed"].to_string().contains("--unit"), "{report}");
        assert_eq!(report["warnings"].as_array().map(Vec::len), Some(0), "{report}");
    }
    write("", "10000000000", "8e9");
    refused(&["run", "traffic", path], &["'capacity' is 10000000000 units of 1000000 bit/s", "--unit"]);
    refused(&["run", "traffic", path, "--unit", "0"], &["--unit", "0 bit/s is not a unit"]);
    refused(&["run", "traffic", path, "--unit", "1", "--pairs", "3"], &["--pairs", "--gravity"]);
}

#[test]
fn campuses_take_the_papers_step_and_say_so() {
    let campus = [
        "run",
        "traffic",
        "--generate",
        "campus",
        "--campuses",
        "1",
        "--horizon",
        "0.02",
        "--backend",
        "cpu",
        "--json",
    ];
    let report = json(&campus);
    assert_eq!(report["step"]["links_below_ten_steps"], 504);
    assert!(report["warnings"][0].as_str().unwrap().contains("504 links have delays below ten steps of 500 µs"));
    assert!(report["assumed"].to_string().contains("500 µs, the paper's"), "{report}");
    assert_eq!((report["flows"].as_array().unwrap().len(), report["totals"][0]["flows"].as_u64()), (20, Some(5040)));
    refused(&[&campus[..], &["--step", "5e-4"]].concat(), &["--step", "too long", "0.0001 s", "--accept-step"]);
    // Packets of many flows are told together.
    let some = ["--engine", "packets", "--packet-share", "0.01"];
    let output = imminent(&[&campus[..10], &some[..]].concat());
    let table = text(&output.stdout);
    assert!(
        output.status.success() && table.contains("flows with packets") && table.contains("tcp packets"),
        "{table}"
    );
    let accepted = json(&[&campus[..], &["--step", "1e-3", "--accept-step"]].concat());
    assert!(accepted["warnings"][0].as_str().unwrap().contains("504 links"), "{accepted}");
}

#[cfg(feature = "parquet")]
#[test]
fn everything_is_written_where_asked() {
    use parquet::record::RowAccessor;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new");
    let args = ["--packet-sessions", "10", "--engine", "packets", "--sample", "0.5", "--out", out.to_str().unwrap()];
    let output = imminent(&validation(&args));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let lines = |name: &str| read(name).lines().count();
    assert_eq!((lines("queues.csv"), lines("flows.csv"), lines("packets.csv")), (1 + 22, 1 + 1, 1 + 1));
    assert_eq!((lines("queue_series.csv"), lines("flow_series.csv")), (1 + 8 * 22, 1 + 8));
    for name in ["queues", "flows", "packets", "delays", "queue_series", "flow_series"] {
        let rows = super::results::rows(&out.join(format!("{name}.parquet")));
        assert_eq!(rows.len() + 1, lines(&format!("{name}.csv")), "{name}");
    }
    // Every packet that came has its delay in a bar, and every bar a width of 3 %.
    let (mut came, delays) = (0, read("delays.csv"));
    for line in delays.lines().skip(1) {
        let cells: Vec<f64> = line.split(',').skip(2).map(|cell| cell.parse().unwrap()).collect();
        assert!(cells[0] < cells[1] && cells[1] < cells[0] * 1.032, "{line}");
        came += cells[2] as u64;
    }
    let packets = read("packets.csv");
    let delivered = packets.lines().next().unwrap().split(',').position(|name| name == "delivered").unwrap();
    let delivered: u64 = packets.lines().nth(1).unwrap().split(',').nth(delivered).unwrap().parse().unwrap();
    assert!(came >= delivered && delivered > 1000, "{came} of {delivered}");
    let csv = read("queue_series.csv");
    for (row, line) in super::results::rows(&out.join("queue_series.parquet")).iter().zip(csv.lines().skip(1)) {
        let cells: Vec<_> = line.split(',').collect();
        assert_eq!(
            (row.get_double(0).unwrap().to_string(), row.get_double(3).unwrap().to_string()),
            (cells[0].to_owned(), cells[3].to_owned())
        );
    }
    let report: Value = serde_json::from_str(&read("result.json")).unwrap();
    assert_eq!(report["model"], "traffic");
    assert!(read("report.html").contains("Windows over time"));
    // Series of few queues where so many are asked for.
    let few = imminent(&validation(&[&args[..], &["--series", "3"]].concat()));
    assert!(few.status.success(), "{}", text(&few.stderr));
    assert_eq!(lines("queue_series.csv"), 1 + 8 * 3);
}

#[test]
fn bare_numbers_of_a_graph_need_a_unit_that_is_likely() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sdn.graphml");
    let keys: String = ["bandwidth", "delay", "link_speed"]
        .iter()
        .map(|name| format!("<key id='{name}' for='edge' attr.name='{name}'/>"))
        .collect();
    let data = "<data key='bandwidth'>100</data><data key='delay'>5</data><data key='link_speed'>1</data>";
    let edge = format!("<node id='a'/><node id='b'/><edge source='a' target='b'>{data}</edge>");
    fs::write(&file, format!("<graphml>{keys}<graph edgedefault='undirected'>{edge}</graph></graphml>")).unwrap();
    let path = file.to_str().unwrap();
    let run = ["run", "traffic", path, "--engine", "sequential", "--horizon", "0.1", "--json"];
    refused(
        &run,
        &["'bandwidth' of the edge from 'a' to 'b' is '100'", "by --unit ('unit' in [topology]), such as Mbps"],
    );
    refused(&[&run[..], &["--unit", "Mbps"]].concat(), &["'delay' of the edge from 'a' to 'b' is '5'", "--delay-unit"]);
    refused(&[&run[..], &["--unit", "Mparsec"]].concat(), &["--unit", "give bps, kbps, Mbps"]);
    let report = json(&[&run[..], &["--unit", "Mbps", "--delay-unit", "ms"]].concat());
    assert_eq!(report["queues"][0]["bandwidth"].as_u64(), Some(100_000_000), "{report}");
    assert!(report["warnings"].to_string().contains("the attribute 'link_speed' of 1 edge was not read"), "{report}");
    assert!(!report["assumed"].to_string().contains("bare numbers"), "{report}");
}

#[test]
fn packets_take_a_variant_of_tcp() {
    let run = |more: &[&str]| json(&[&["run", "traffic", "examples/traffic/variants.toml", "--json"], more].concat());
    let report = run(&[]);
    let labels: Vec<_> = report["packets"].as_array().unwrap().iter().map(|row| row["label"].clone()).collect();
    assert_eq!(labels, ["old", "new", "page"]);
    // 500 packets at 20 Mb/s take 0.2 s at least; nothing else is a transfer.
    let done = &report["packets"][2]["completion"];
    assert!(done["transfers"] == 1 && (0.2..3.0).contains(&done["mean"].as_f64().unwrap()), "{done}");
    assert_eq!(report["packet_total"]["mean_transfer"], done["mean"]);
    assert!(report["packets"][0].get("completion").is_none(), "{report}");
    // The flows of a generator take the variant that an option gives.
    let validation = |tcp: &str| json(&validation(&["--packets", "--json", "--tcp", tcp]));
    let [reno, newreno, cubic] = ["reno", "newreno", "cubic"].map(validation);
    assert_eq!(reno["digest"], json(&self::validation(&["--packets", "--json"]))["digest"]);
    assert!(reno["digest"] != newreno["digest"] && newreno["digest"] != cubic["digest"]);
    let goodput = |report: &Value| report["packet_total"]["goodput"].as_f64().unwrap();
    assert!(goodput(&cubic) > goodput(&reno), "{} {}", goodput(&cubic), goodput(&reno));
    let output = imminent(&["run", "traffic", "examples/traffic/variants.toml"]);
    assert!(text(&output.stdout).contains("transfers of flow"), "{}", text(&output.stdout));
    assert_ne!(
        cubic["digest"],
        json(&self::validation(&["--packets", "--json", "--tcp", "cubic", "--hystart"]))["digest"]
    );
    refused(&self::validation(&["--packets", "--hystart"]), &["--hystart", "Reno has no HyStart++"]);
    refused(&self::validation(&["--packets", "--sack"]), &["--sack", "Reno has no selective acknowledgements"]);
}

#[test]
fn queues_have_disciplines_and_marks() {
    let run = |more: &[&str]| json(&[&["run", "traffic", "examples/traffic/queues.toml", "--json"], more].concat());
    let fair = run(&[]);
    let (download, call) = (&fair["packets"][0], &fair["packets"][1]);
    assert!(download["marked"].as_u64() > Some(50) && download["dropped"] == 0, "{download}");
    assert_eq!(fair["packet_total"]["marked"], download["marked"]);
    let greatest = |report: &Value| report["packets"][1]["delay"]["greatest"].as_f64().unwrap();
    assert!(call["loss"] == 0.0 && greatest(&fair) < 0.02, "{call}");
    // Behind a queue of packets alone the call waits for the downloads.
    let tail = run(&["--discipline", "drop-tail", "--buffer", "500 packets"]);
    assert!(greatest(&tail) > 0.3, "{}", tail["packets"][1]);
    assert!(tail["packets"][0]["marked"] == 0 && tail["packets"][0]["dropped"].as_u64() > Some(0), "{tail}");
    let unmarked = run(&["--discipline", "codel", "--set", "traffic.flow[0].ecn=false"]);
    assert!(unmarked["packets"][0]["dropped"].as_u64() > Some(50), "{}", unmarked["packets"][0]);
    let warnings = tail["warnings"].to_string();
    assert!(
        warnings.contains("codel: has no effect: no link takes it, as no queue is codel or fq-codel"),
        "{warnings}"
    );
    assert!(warnings.contains("traffic.flow[0].ecn: has no effect: every queue is drop-tail"), "{warnings}");
    let queues = ["run", "traffic", "examples/traffic/queues.toml"];
    refused(
        &[&queues[..], &["--discipline", "codel", "--quantum", "500"]].concat(),
        &["--quantum", "no queue is fq-codel"],
    );
    refused(&[&queues[..], &["--discipline", "drop-tail", "--ecn"]].concat(), &["--ecn", "every queue is drop-tail"]);
    refused(&validation(&["--discipline", "codel"]), &["--discipline", "validation"]);
    let fluids = ["run", "traffic", "--generate", "campus", "--campuses", "1", "--discipline", "codel"];
    refused(&fluids, &["--discipline", "is codel, and fluids know drop-tail and RED alone"]);
}

#[test]
fn links_fail_and_routes_follow() {
    let run = |more: &[&str]| json(&[&["run", "traffic", "examples/traffic/failure.toml", "--json"], more].concat());
    let goodput = |report: &Value| report["packets"][0]["goodput"].as_f64().unwrap() / 1e6;
    let report = run(&[]);
    assert!(report["packets"][0]["failed"].as_u64() > Some(10), "{}", report["packets"][0]);
    assert_eq!(report["packet_total"]["failed"], report["packets"][0]["failed"]);
    // Two paths of 20 Mb/s for 40 s, and one for 20 s.
    assert!((30.0..100.0 / 3.0).contains(&goodput(&report)), "{}", report["packets"][0]);
    let late = run(&["--convergence", "10 s"]);
    assert!(goodput(&late) < goodput(&report), "{} {}", goodput(&late), goodput(&report));
    let alone = run(&["--ecmp=false"]);
    assert!((15.0..20.0).contains(&goodput(&alone)), "{}", alone["packets"][0]);
    // A size has a unit of its own, and the only flow is CUBIC's, though that is not the variant of all flows.
    assert_eq!(run(&["--buffer", "1e2 packets"])["digest"], report["digest"]);
    assert_ne!(run(&["--hystart"])["digest"], report["digest"]);
    let early = run(&["--horizon", "20"]);
    assert!(early["warnings"].to_string().contains("the run ends at 20 s, before any link fails"), "{early}");
    let told = imminent(&["run", "traffic", "examples/traffic/failure.toml"]);
    assert!(text(&told.stdout).contains("┆ failed ┆"), "{}", text(&told.stdout));
    let failure = ["run", "traffic", "examples/traffic/failure.toml"];
    refused(&[&failure[..], &["--buffer", "much"]].concat(), &["--buffer much", "such as '250 kB' or '100 packets'"]);
    refused(
        &[&failure[..], &["--buffer", "0"]].concat(),
        &["--buffer 0", "or a size such as '250 kB' or '100 packets'"],
    );
    refused(&["run", "traffic", "--generate", "campus", "--campuses", "1", "--ecmp"], &["--ecmp", "there are fluids"]);
    refused(&validation(&["--packets", "--convergence", "1"]), &["--convergence", "no link fails"]);
}

#[test]
fn replications_give_intervals_of_flows() {
    let run = ["run", "traffic", "examples/traffic/eight-round-trips.toml", "--horizon", "20", "--tcp", "cubic"];
    let with = |more: &[&str]| json(&[&run[..], &["--json", "--stagger", "0.5"], more].concat());
    let all = with(&["--replications", "3"]);
    let each: Vec<Value> = ["1", "2", "3"].map(|seed| with(&["--seed", seed])).to_vec();
    let goodput = |report: &Value, flow: usize| report["packets"][flow]["goodput"].as_f64().unwrap();
    for flow in 0..8 {
        let values: Vec<f64> = each.iter().map(|one| goodput(one, flow)).collect();
        let mean = values.iter().sum::<f64>() / 3.0;
        let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
        // Student's t for 95 % and two degrees of freedom.
        let half = 4.302_653 * deviation / 3_f64.sqrt();
        let row = &all["packets"][flow];
        assert!((goodput(&all, flow) / mean - 1.0).abs() < 1e-9, "{row}");
        assert!((row["goodput_ci95"].as_f64().unwrap() / half - 1.0).abs() < 1e-5, "{row} instead of {half}");
        assert!(row["mean_delay_ci95"].is_number() && all["flows"][flow]["rate_ci95"].is_number(), "{row}");
    }
    assert!(all["packet_total"]["goodput_ci95"].as_f64() > Some(0.0), "{}", all["packet_total"]);
    // A loss is of the packets of all replications.
    let sum = |key: &str| each.iter().map(|one| one["packets"][0][key].as_f64().unwrap()).sum::<f64>();
    let (found, expected) = (&all["packets"][0]["loss"], sum("dropped") / sum("sent"));
    assert!((found.as_f64().unwrap() / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
    assert!(each[0]["packets"][0].get("goodput_ci95").is_none(), "{}", each[0]["packets"][0]);
    let output = imminent(&[&run[..], &["--replications", "2"]].concat());
    let told = text(&output.stdout);
    assert!(told.contains("means of flow, 95 %") && told.contains("means over 2 replications"), "{told}");
    refused(&validation(&["--engine", "sequential", "--replications", "2"]), &["--replications", "sequential"]);
    refused(&[&run[..], &["--replications", "0"]].concat(), &["--replications"]);
}

/// Behind drop-tail the papers' Reno leaves an eighth of the link unused, and CUBIC nearly nothing.
#[test]
fn flows_of_unequal_round_trips_fill_a_link_by_cubic() {
    let used = |tcp: &str| {
        let report = json(&["run", "traffic", "examples/traffic/eight-round-trips.toml", "--tcp", tcp, "--json"]);
        report["packet_total"]["goodput"].as_f64().unwrap() / 20e6
    };
    let [reno, newreno, cubic] = ["reno", "newreno", "cubic"].map(used);
    assert!(reno < 0.9 && newreno > 0.97 && cubic > 0.99, "{reno} {newreno} {cubic}");
}

#[test]
fn values_have_units_and_graphs_of_repetita_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).display().to_string()
    };
    let instance = "NODES 3\nlabel x y\nA 0.0 0.0\nB 0.0 0.0\nC 0.0 0.0\n\nEDGES 4\nlabel src dest weight bw delay\n\
                    e0 0 1 1 10000 20\ne1 1 0 1 10000 20\ne2 1 2 1 10000 20\ne3 2 1 1 10000 20\n";
    let graph = file("three.graph", instance);
    let run = |more: &[&str]| json(&[&["run", "traffic", &graph, "--delay-unit", "ms", "--json"], more].concat());
    let report = run(&["--horizon", "500 ms", "--gravity", "4 Mbit/s", "--engine", "sequential"]);
    assert_eq!((report["simulated_time"].as_f64(), report["size"]["links"].as_u64()), (Some(0.5), Some(4)));
    assert_eq!(report["queues"][0]["bandwidth"].as_u64(), Some(10_000_000), "{report}");
    assert_eq!(report["config"]["traffic"]["gravity"].as_f64(), Some(4e6), "{report}");
    refused(&["run", "traffic", &graph], &["'delay' of the edge from '0' to '1' is '20'", "--delay-unit"]);
    refused(&["run", "traffic", &graph, "--horizon", "5 parsecs"], &["--horizon", "numbers from"]);
    // One direction of each pair of edges is enough if edges are two-way.
    let half =
        instance.replace("EDGES 4", "EDGES 2").replace("e1 1 0 1 10000 20\n", "").replace("e3 2 1 1 10000 20\n", "");
    let half = file("half.graph", &half);
    let of_half = |edges: &str| {
        json(&[
            "run",
            "traffic",
            &half,
            "--delay-unit",
            "ms",
            "--edges",
            edges,
            "--gravity",
            "4e6",
            "--engine",
            "sequential",
            "--horizon",
            "500ms",
            "--json",
        ])
    };
    assert_eq!(of_half("two-way")["digest"], report["digest"]);
    let map = file("1221.r0.cch", "1 @San+Jose,+CA + bb (1) &1 -> <2> {-5} =sj1.example.net! r0\n");
    refused(&["run", "traffic", &map], &["a map of Rocketfuel has neither bandwidths nor delays"]);
}
