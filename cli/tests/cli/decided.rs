//! Costs, variants side by side, `imminent search` and `imminent sensitivity`.

use super::{imminent, json, refused, text};
use serde_json::Value as Json;
use std::fs;

/// A single server: its waits and their derivatives are known.
const QUEUE: &str = "[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[network.costs]\nserver = 2.0\nwaiting = 3.0\n\
[[network.source]]\nname = 'door'\nrate = 0.5\n[[network.node]]\nname = 'desk'\nmean = 1\nservers = 1\n\
[run]\nhorizon = 4000\nwarm_up = 200\nreplications = 20\n";

fn write(folder: &tempfile::TempDir, contents: &str) -> String {
    let file = folder.path().join("queue.toml");
    fs::write(&file, contents).unwrap();
    file.display().to_string()
}

fn covers(estimate: &Json, truth: f64) {
    let [mean, half] = ["mean", "ci95"].map(|key| estimate[key].as_f64().unwrap());
    assert!((mean - truth).abs() < 2.0 * half && half < 0.25 * truth.abs(), "{estimate} {truth}");
}

#[test]
fn a_run_tells_its_costs() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, QUEUE);
    let out = folder.path().join("out").display().to_string();
    let run = ["run", "network", &file, "--backend", "cpu"];
    let report = json(&[&run[..], &["--json", "--out", &out]].concat());
    // Half a token is in service, and half a token waits.
    covers(&report["costs"]["waiting"], 1.5);
    covers(&report["system"]["cost"], 3.5);
    assert_eq!(report["costs"]["servers"]["mean"], 2.0);
    let table = fs::read_to_string(folder.path().join("out/costs.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "cost,each_time_unit,each_time_unit_ci95");
    assert!(lines[1].starts_with("\"servers\",2") && lines[3].starts_with("\"total\",3."), "{table}");
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("<h2>Costs</h2>"));
    let said = text(&imminent(&run).stdout);
    assert!(said.contains("│ cost") && said.contains("servers"), "{said}");
    refused(
        &[&run[..], &["--set", "network.costs.waiting=-1"]].concat(),
        &["network.costs.waiting", "-1 is no amount"],
    );
}

#[test]
fn variants_of_a_file_are_compared_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, QUEUE);
    let out = folder.path().join("out").display().to_string();
    let two = "two:network.node[0].servers=2";
    let slow = "slow:network.node[0].mean=1.2,network.costs.server=1";
    let compare = ["compare", &file, "--variant", two, "--variant", slow, "--backend", "cpu"];
    let compared = json(&[&compare[..], &["--json", "--out", &out]].concat());
    let configurations = compared["configurations"].as_array().unwrap();
    let names: Vec<_> = configurations.iter().map(|of| of["file"].as_str().unwrap()).collect();
    assert_eq!(names, [&*file, "two", "slow"]);
    assert_eq!((&compared["together"], &compared["against"]), (&2.into(), &0.into()));
    let measures = &compared["comparisons"][0]["measures"];
    // A second server costs 2, and saves nearly all waits: M/M/2 has a wait of 1/15.
    covers(&measures["cost"]["second"], 4.0 + 3.0 / 30.0);
    covers(&measures["waiting@desk"]["difference"], 1.0 / 15.0 - 1.0);
    assert_eq!(measures["cost_servers"]["difference"]["mean"], 2.0);
    let width = |kind: &str| measures["sojourn"][kind]["ci95"].as_f64().unwrap();
    // Student's t with 19 degrees of freedom: 2.4334 at 98.75 % and 2.0930 at 97.5 %.
    assert!((width("simultaneous") / width("difference") - 2.433_440 / 2.093_024).abs() < 1e-4, "{measures}");
    assert_eq!(compared["configurations"][2]["set"]["network.costs.server"], "1");
    // What is chosen by its results is compared in all pairs.
    let best = json(&[&compare[..], &["--least", "cost", "--json"]].concat());
    assert_eq!((&best["together"], &best["against"]), (&3.into(), &0.into()));
    let most = json(&[&compare[..], &["--greatest", "cost", "--json"]].concat());
    assert_eq!((&most["against"], &most["comparisons"][0]["first"]), (&1.into(), &"two".into()));
    let said = text(&imminent(&[&compare[..], &["--measures", "cost,waiting@desk"]].concat()).stdout);
    assert!(said.contains("Bonferroni") && said.contains("less ") && said.contains("waiting@desk"), "{said}");
    assert!(!said.contains("system throughput"), "{said}");
    let table = fs::read_to_string(folder.path().join("out/comparison.csv")).unwrap();
    assert!(table.lines().any(|line| line.starts_with("\"two\",\"cost\",")), "{table}");
    assert!(fs::read_to_string(folder.path().join("out/report.html")).unwrap().contains("Side by side"));
    refused(&["compare", &file, "--variant", "two"], &["--variant two: write it as NAME:KEY=VALUE"]);
    refused(&["compare", &file, "--variant", "a:x=1"], &["--variant x=1"]);
    refused(&["compare", &file, &file, "--variant", two], &["it is a variant of one file"]);
    refused(&["compare", &file, "--variant", two, "--variant", two], &["names must differ"]);
    let none = "none:network.node[0].servers=0";
    refused(&["compare", &file, "--variant", none], &["none: network.node[0].servers: 0 servers: give at least 1"]);
    refused(
        &[&compare[..], &["--least", "beauty"]].concat(),
        &["--least beauty: there is no measure 'beauty' in these runs", "'cost'"],
    );
}

/// Two servers: waits cost 3 each, so one server costs 2 + 1.5 at a load of one half, two 4.1 and three 6.01.
#[test]
fn the_cheapest_alternative_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, &QUEUE.replace("4000", "1000"));
    let out = folder.path().join("out").display().to_string();
    let search =
        ["search", &file, "--over", "network.node[0].servers=1..3", "--indifference", "0.3", "--backend", "cpu"];
    let found = json(&[&search[..], &["--json", "--out", &out]].concat());
    assert_eq!(found["chosen"], "network.node[0].servers=1", "{found}");
    assert_eq!(found["alternatives"][2]["result"], "beaten");
    assert!(found["alternatives"][2]["replications"].as_u64().unwrap() <= 24, "{found}");
    // One server keeps calls waiting for a time unit on average; two for a fifteenth.
    let limited = [&search[..], &["--at-most", "waiting@desk=0.5~0.2"]].concat();
    let said = text(&imminent(&limited).stdout);
    assert!(said.contains("chosen: network.node[0].servers=2") && said.contains("fails waiting@desk after"), "{said}");
    assert!(said.contains("Andradóttir and Kim") && said.contains("at least 95 %"), "{said}");
    let none = json(&[&search[..], &["--at-most", "utilization=0.01", "--json"]].concat());
    assert!(none["chosen"].is_null() && none["alternatives"][0]["result"] == "fails", "{none}");
    let most = [&search[..], &["--at-least", "utilization=0.5~0.0001", "--most", "25"]].concat();
    let undecided = imminent(&most);
    assert_eq!(undecided.status.code(), Some(1));
    assert!(text(&undecided.stderr).contains("after 25 replications these are left: "), "{undecided:?}");
    let table = fs::read_to_string(folder.path().join("out/alternatives.csv")).unwrap();
    assert!(table.starts_with("alternative,cost,cost_ci95,replications,result\n"), "{table}");
    // Every replication is that of a run with its number: the mean is that of a run.
    let alone = json(&["run", "network", &file, "--replications", "24", "--backend", "cpu", "--json"]);
    let again = json(&[&search[..], &["--first", "24", "--json"]].concat());
    let [run, searched] = [&alone["system"]["cost"], &again["alternatives"][0]["means"]["cost"]];
    let means = [run, searched].map(|of| of["mean"].as_f64().unwrap());
    assert!((means[0] - means[1]).abs() < 1e-9 || again["alternatives"][0]["replications"] != 24, "{run} {searched}");
    refused(&["search", &file, "--over", "x", "--indifference", "1"], &["--over x: write it as KEY=FROM..TO"]);
    refused(&["search", &file, "--over", "network.node[0].servers=1..3"], &["--indifference"]);
    refused(&[&search[..], &["--first", "3"]].concat(), &["3 first replications tell too little"]);
    refused(&[&search[..], &["--at-most", "x=1"]].concat(), &["--at-most x: there is no such measure"]);
    refused(&[&search[..], &["--warm-up", "mser5"]].concat(), &["--warm-up mser5", "give a time"]);
}

/// The size of a pool is its number of servers and that of a shift: alternatives have both.
#[test]
fn linked_keys_are_searched_over_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let pool = "pool = [{ servers = 1, shifts = { at = [[0, 1], [2000, 1]] } }]";
    let file = write(&folder, &QUEUE.replace("servers = 1\n", &format!("{pool}\n")));
    let [servers, first, second] = ["servers", "shifts.at[0][1]", "shifts.at[1][1]"];
    let keys = [servers, first, second].map(|key| format!("network.node[0].pool[0].{key}"));
    let over = format!("{} & {} & {} - 1=2..3", keys[0], keys[1], keys[2]);
    let found = json(&["search", &file, "--over", &over, "--indifference", "0.3", "--json"]);
    let alternatives = &found["alternatives"];
    assert_eq!(alternatives[1]["name"], format!("{}=3", keys[0]), "{found}");
    let set: Vec<_> = keys.iter().map(|key| alternatives[1]["set"][key].as_str().unwrap()).collect();
    assert_eq!(set, ["3", "3", "2"]);
    // Two servers for one half and one for the other cost less than three and two.
    assert_eq!(found["chosen"], format!("{}=2", keys[0]));
    refused(
        &["search", &file, "--over", "a &=1..2", "--indifference", "1"],
        &["--over a &=1..2: write linked keys as"],
    );
}

/// At a load of one half a share of exp(-1/2) / 2 of the calls waits longer than a time unit, and behind two servers
/// exp(-3/2) / 10.
#[test]
fn shares_of_waits_are_measures() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, QUEUE);
    let two = "two:network.node[0].servers=2";
    let beyond = ["--beyond", "1", "--json"];
    let compared = json(&[&["compare", &file, "--variant", two][..], &beyond].concat());
    let measures = &compared["comparisons"][0]["measures"];
    for name in ["waits_beyond_1", "waits_beyond_1@desk"] {
        covers(&measures[name]["first"], f64::exp(-0.5) / 2.0);
    }
    covers(&measures["waits@desk"]["second"], 0.1);
    covers(&measures["served_within_1@desk"]["first"], 1.0 - f64::exp(-0.5) / 2.0);
    // By the oracle, too.
    let oracle = json(&[&["compare", &file, "--variant", two, "--engine", "sequential"][..], &beyond].concat());
    assert_eq!(oracle["comparisons"], compared["comparisons"]);
    let search = ["search", &file, "--over", "network.node[0].servers=1..3", "--indifference", "0.3", "--beyond", "1"];
    let found = json(&[&search[..], &["--at-most", "waits_beyond_1@desk=0.1~0.05", "--json"]].concat());
    assert_eq!(found["chosen"], "network.node[0].servers=2", "{found}");
    assert_eq!(found["alternatives"][0]["by"], "waits_beyond_1@desk");
}

/// The sojourn of M/M/1 is m / (1 - λm): both derivatives are 4 at λ = 0.5 and m = 1, and quotients over 5 % 4.01.
#[test]
fn derivatives_are_those_of_the_formula() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, QUEUE);
    let out = folder.path().join("out").display().to_string();
    let all = ["--of", "network.source[0].rate", "--of", "network.node[0].mean", "--of", "network.node[0].servers"];
    let command = [&["sensitivity", &file][..], &all, &["--backend", "cpu"]].concat();
    let found = json(&[&command[..], &["--json", "--out", &out]].concat());
    let key = |number: usize| &found["keys"][number];
    let quotient = |high: f64, low: f64, step: f64| (high - low) / step;
    let sojourn = |rate: f64, mean: f64| mean / (1.0 - rate * mean);
    let of = |number: usize| &key(number)["measures"]["sojourn"];
    covers(&of(0)["derivative"], quotient(sojourn(0.525, 1.0), sojourn(0.475, 1.0), 0.05));
    covers(&of(1)["derivative"], quotient(sojourn(0.5, 1.05), sojourn(0.5, 0.95), 0.1));
    covers(&of(1)["elasticity"], quotient(sojourn(0.5, 1.05), sojourn(0.5, 0.95), 0.1) / 2.0);
    assert_eq!((key(1)["low"].as_f64(), key(1)["high"].as_f64()), (Some(0.95), Some(1.05)));
    // No server at all is not possible, so servers are only added.
    assert_eq!((key(2)["low"].as_f64(), key(2)["high"].as_f64()), (Some(1.0), Some(2.0)));
    covers(&of(2)["derivative"], 1.0 + 1.0 / 15.0 - 2.0);
    assert_eq!(found["ranked"]["sojourn"][0], "network.node[0].mean", "{found}");
    assert_eq!(found["ranked"]["sojourn"][2], "network.node[0].servers");
    let said = text(&imminent(&[&command[..], &["--measures", "sojourn,cost"]].concat()).stdout);
    assert!(said.contains("elasticity") && said.contains("network.node[0].mean"), "{said}");
    let table = fs::read_to_string(folder.path().join("out/sensitivity.csv")).unwrap();
    assert!(table.starts_with("measure,key,mean,derivative,derivative_ci95,elasticity,elasticity_ci95\n"), "{table}");
    let of = |key: &str| refusal(&["sensitivity", &file, "--of", key]);
    assert!(of("network.node[0].capacity").contains("gives it no value"), "{}", of("network.node[0].capacity"));
    assert!(of("network.node[0].name").contains("no number"), "{}", of("network.node[0].name"));
    assert!(of("network.node[0].servers=0.5").contains("give a whole step"));
    assert!(of("network.node[0].mean=0").contains("give a step above 0"));
    refused(&[&command[..], &["--step", "2"]].concat(), &["--step 2: give a share"]);
}

/// All rates of a source times a factor f: at f = 1 the rate is 1/2, and the number 1/2 f / (1 - 1/2 f).
#[test]
fn a_factor_of_all_rates_can_be_differentiated_by() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder, &QUEUE.replace("rate = 0.5", "rates = [[0, 0.5], [2500, 0.5]]"));
    let key = "network.source[0].rates";
    let command = ["sensitivity", &file, "--of", key, "--backend", "cpu"];
    let found = json(&[&command[..], &["--json"]].concat());
    let number = |factor: f64| 0.5 * factor / (1.0 - 0.5 * factor);
    covers(&found["keys"][0]["measures"]["system_number"]["derivative"], (number(1.05) - number(0.95)) / 0.1);
    assert_eq!((&found["keys"][0]["is_factor"], &found["keys"][0]["value"]), (&true.into(), &1.0.into()));
    let said = text(&imminent(&command).stdout);
    assert!(said.contains(&format!("note: {key} is a list: its value here is a factor")), "{said}");
    let of = |key: &str| refusal(&["sensitivity", &file, "--of", key]);
    let names = of("network.edges");
    assert!(names.contains("its value is a list of more than numbers, and no number that could be raised"), "{names}");
    assert!(of("network.source[0]").contains("its value is a table, and no number"), "{}", of("network.source[0]"));
}

fn refusal(args: &[&str]) -> String {
    let output = imminent(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    text(&output.stderr)
}
