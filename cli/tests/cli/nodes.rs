//! Results of single nodes, and times from source to exit.

use super::{imminent, json, refused, text};
use serde_json::Value;
use std::fs;

const CALLS: [&str; 10] = [
    "run",
    "network",
    "examples/networks/call-centre.toml",
    "--backend",
    "cpu",
    "--horizon",
    "3000",
    "--warm-up",
    "500",
    "--end-to-end",
];

#[test]
fn each_node_has_its_results_the_busiest_first() {
    let report = json(&[&CALLS[..9], &["--batches", "10", "--json"]].concat());
    let nodes = report["nodes"].as_array().unwrap();
    assert_eq!((nodes.len() as u64, report["node_count"].as_u64()), (5, Some(5)));
    let names: Vec<_> = nodes.iter().map(|node| node["name"].as_str().unwrap()).collect();
    assert_eq!(names[3..], ["private calls", "business calls"]);
    let mean = |node: &Value, name: &str| node["stats"][name]["mean"].as_f64().unwrap();
    assert!(nodes[..3].windows(2).all(|pair| mean(&pair[0], "utilization") >= mean(&pair[1], "utilization")));
    let agents = nodes.iter().find(|node| node["name"] == "agents").unwrap();
    assert!(mean(agents, "loss") > 0.0 && agents["stats"]["sojourn"]["ci95"].is_f64(), "{agents}");
    let lost = agents["lost"].as_f64().unwrap() / agents["arrivals"].as_f64().unwrap();
    assert!((lost - mean(agents, "loss")).abs() < 1e-12);
    // Servers together are busy as long as the average one says.
    let (busy, servers) = nodes[..3].iter().fold((0.0, 0.0), |(busy, all), node| {
        let servers = node["servers"].as_f64().unwrap();
        (busy + servers * mean(node, "utilization"), all + servers)
    });
    assert!((busy / servers / report["stats"]["utilization"]["mean"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    let table = text(&imminent(&CALLS[..9]).stdout);
    let places: Vec<_> = names.iter().map(|name| table.find(&format!("│ {name} ")).unwrap()).collect();
    assert!(places.is_sorted() && table.contains("loss"), "{table}");
    // Of many nodes, some.
    let large = ["run", "torus", "--width", "16", "--height", "16", "--horizon", "100", "--backend", "cpu"];
    let report = json(&[&large[..], &["--json"]].concat());
    assert_eq!((report["nodes"].as_array().unwrap().len(), report["node_count"].as_u64()), (40, Some(256)));
    assert!(text(&imminent(&large).stdout).contains("busiest 10 of 256 nodes"));
}

#[test]
fn times_from_source_to_exit_are_told_by_source_and_class() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let report = json(&[&CALLS[..], &["--replications", "3", "--out", out, "--json"]].concat());
    let passages = report["end_to_end"].as_array().unwrap();
    // All calls, then those of each source, which are those of a class.
    let of: Vec<_> = passages.iter().map(|p| (p["source"].as_str(), p["class"].as_str())).collect();
    let of_sources = [("private calls", "private"), ("business calls", "business")];
    assert_eq!(of, [(None, None), (Some(of_sources[0].0), Some("private")), (Some(of_sources[1].0), Some("business"))]);
    for passage in passages {
        let quantile = |name: &str| passage["quantiles"][name]["value"].as_f64().unwrap();
        let [least, greatest] = ["least", "greatest"].map(|name| passage[name].as_f64().unwrap());
        let order = [least, quantile("p50"), quantile("p90"), quantile("p95"), quantile("p99"), greatest];
        assert!(order.is_sorted() && passage["time"]["ci95"].as_f64() > Some(0.0), "{passage}");
        assert!(passage["quantiles"]["p95"]["ci95"].as_f64() > Some(0.0), "{passage}");
        // Who leaves was in the menu, which takes 0.2 at least.
        assert!(order[0] >= 0.2 && passage["tokens"].as_u64() > Some(1000), "{passage}");
    }
    // No engine makes a difference. Without a named device, an engine that gathers as it runs is taken.
    let again = json(&[&CALLS[..], &["--replications", "3", "--engine", "sequential", "--json"]].concat());
    assert_eq!(again["end_to_end"], report["end_to_end"]);
    let free = [&CALLS[..3], &CALLS[5..], &["--replications", "3", "--explain"]].concat();
    let chosen = json(&[&free[..], &["--json"]].concat());
    assert_eq!((&report["engine"], &chosen["engine"]), (&Value::from("exact"), &Value::from("host")));
    assert_eq!((&chosen["end_to_end"], &chosen["digest"]), (&report["end_to_end"], &report["digest"]));
    assert!(text(&imminent(&free).stderr).contains("the engine `host` runs on the threads of the host"));
    let csv = fs::read_to_string(folder.path().join("end_to_end.csv")).unwrap();
    assert_eq!(
        (csv.lines().count(), csv.starts_with("source,class,tokens,mean,mean_ci95,least,p50,p50_ci95")),
        (4, true),
        "{csv}"
    );
    assert!(text(&imminent(&CALLS).stdout).contains("from source to exit"));
    refused(&["run", "torus", "--end-to-end"], &["--end-to-end", "no source"]);
}

#[cfg(feature = "parquet")]
#[test]
fn the_report_opens_with_the_busiest_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    assert!(imminent(&[&CALLS[..], &["--histogram", "--out", out]].concat()).status.success());
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let elements = |name: &'static str| document.descendants().filter(move |node| node.has_tag_name(name));
    let texts = |name| elements(name).filter_map(|node| node.text()).collect::<Vec<_>>();
    assert_eq!(texts("h2")[..2], ["The whole network", "Nodes, the busiest first"]);
    // The report says where it comes from, and begins with the answer.
    let origin = texts("dd");
    let (year, rest) = origin[2].split_once('-').unwrap();
    assert_eq!(origin[0], CALLS[2]);
    assert!(texts("code")[0].starts_with(&format!("imminent run network {} ", CALLS[2])), "{page}");
    assert!(origin[1].starts_with(concat!("Imminent ", env!("CARGO_PKG_VERSION"))), "{origin:?}");
    assert!(year.parse::<u32>().unwrap() >= 2025 && rest.len() == "01-01 00:00 UTC".len(), "{origin:?}");
    assert_eq!(elements("table").next().unwrap().attribute("class"), Some("summary answer"));
    assert!(texts("td")[0].starts_with("How many tokens are in the network of 5"), "{page}");
    assert!(texts("th").contains(&"loss") && texts("h2").contains(&"From source to exit"));
    // Maps have a name at every node, a square at every source, and a tip at every end that is sent to: four ways in
    // all.
    let names = elements("text").filter(|node| node.attribute("class") == Some("name")).count();
    let tips = elements("polygon").filter(|node| node.attribute("class") == Some("tip")).count();
    assert_eq!(names, 2 * 5);
    let sources = elements("rect").filter(|node| node.attribute("class") == Some("source")).count();
    assert_eq!((tips, sources), (2 * 4, 2 * 2));
    // Numbers have three digits: none in a table is longer than what counts are.
    let long = elements("td").filter_map(|node| node.text()).filter(|text| {
        text.parse::<f64>().is_ok() && text.contains('.') && text.trim_start_matches(['-', '0', '.']).len() > 6
    });
    assert_eq!(long.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn waits_at_stations_and_classes_have_shares_and_quantiles() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let asked = ["--beyond", "1", "--beyond", "2.5", "--quantiles", "--by-class", "--replications", "4"];
    let command = [&CALLS[..9], &asked].concat();
    let report = json(&[&command[..], &["--out", out, "--json"]].concat());
    let rows = report["node_times"].as_array().unwrap();
    // Three stations, two classes at each.
    assert_eq!(rows.len(), 3 + 3 * 2);
    let shares = rows.iter().map(|row| row["waits"]["mean"].as_f64().unwrap()).collect::<Vec<_>>();
    assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
    for row in rows {
        let beyond = row["beyond"].as_array().unwrap();
        let times: Vec<_> = beyond.iter().map(|beyond| beyond["time"].as_f64().unwrap()).collect();
        let share = |of: &Value| of["mean"].as_f64().unwrap();
        let shares = [share(&row["waits"]), share(&beyond[0]["share"]), share(&beyond[1]["share"])];
        assert_eq!(times, [1.0, 2.5]);
        assert!(shares.is_sorted_by(|a, b| a >= b) && row["waits"]["ci95"].is_f64(), "{row}");
        assert!(row["sojourn"]["quantiles"]["p95"]["ci95"].is_f64(), "{row}");
    }
    // Mean waits are those of the same visits; the wait of nine of ten agents' calls is beside them.
    let csv = fs::read_to_string(folder.path().join("node_times.csv")).unwrap();
    let head = "label,class,visits,waits,waits_ci95,waits_beyond_1,waits_beyond_1_ci95,waits_beyond_2.5,";
    assert!(csv.starts_with(head) && csv.lines().count() == 1 + rows.len(), "{csv}");
    let shown = text(&imminent(&command).stdout);
    assert!(shown.contains("waits beyond 2.5 ±") && shown.contains("waiting p95"), "{shown}");
    refused(&[&CALLS[..3], &["--beyond", "-1"]].concat(), &["--beyond", "0 or more"]);
    refused(&[&command[..3], &["--beyond", "20s"]].concat(), &["--beyond 20s: `20s` is no time: times have the unit"]);
    let clustered = ["run", "torus", "--engine", "interval", "--interval", "1"];
    refused(&[&clustered[..], &["--beyond", "1"]].concat(), &["--beyond", "choose another engine"]);
    refused(&["run", "torus", "--width", "64", "--height", "64", "--quantiles"], &["4096", "at most 2048"]);
}

#[test]
fn the_number_of_tokens_has_a_distribution() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let command = [&CALLS[..9], &["--distribution", "--replications", "4"]].concat();
    let report = json(&[&command[..], &["--out", out, "--json"]].concat());
    let all = report["distribution"].as_array().unwrap();
    // The whole network and three stations, the one with the most tokens first; of those present and those that wait.
    assert_eq!(
        (all.len(), &all[0]["name"], &all[2]["name"]),
        (8, &Value::from("whole network"), &Value::from("agents"))
    );
    assert!(
        all.chunks(2).all(|both| (&both[0]["tokens"], &both[1]["tokens"]) == (&"present".into(), &"waiting".into()))
    );
    for of in all {
        let shares = of["shares"].as_array().unwrap();
        let share = |of: &Value| of["share"]["mean"].as_f64().unwrap();
        assert!((shares.iter().map(share).sum::<f64>() - 1.0).abs() < 1e-9, "{of}");
        assert!(shares[0]["share"]["ci95"].is_f64() && shares.last().unwrap()["number"] == of["most"], "{of}");
    }
    // The mean of the distribution is the number that the table of the network has.
    let mean = |of: &Value| of["number"].as_f64().unwrap() * of["share"]["mean"].as_f64().unwrap();
    let number: f64 = all[0]["shares"].as_array().unwrap().iter().map(mean).sum();
    assert!((number - report["system"]["number"]["mean"].as_f64().unwrap()).abs() < 1e-9, "{number}");
    let csv = fs::read_to_string(folder.path().join("distribution.csv")).unwrap();
    assert!(
        csv.starts_with("label,tokens,number,time,share,share_ci95,at_most\n\"whole network\",\"present\",0,"),
        "{csv}"
    );
    let shown = text(&imminent(&command).stdout);
    assert!(shown.contains("share of time at 0"), "{shown}");
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("Share of the time with each number of tokens: agents, waiting."));
}
