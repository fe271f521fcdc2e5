//! `imminent compare`.

use super::{imminent, json, refused, text};
use std::fs;

const SHOP: &str = "[[network.source]]\nname = 'door'\nmean = 2.0\n[[network.node]]\nname = 'desk'\nmean = 1.5\n[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[run]\nhorizon = 500\nwarm_up = 50\n";

fn write(folder: &tempfile::TempDir, name: &str, contents: &str) -> String {
    let file = folder.path().join(name);
    fs::write(&file, contents).unwrap();
    file.display().to_string()
}

/// Student's quantiles of four degrees of freedom are 2.776445 at 97.5 % and 2.131847 at 95 %.
#[test]
fn the_confidence_of_intervals_is_an_option_and_part_of_their_names() {
    let files = ["examples/networks/hospital.toml"; 2];
    let options = ["--replications", "5", "--horizon", "500", "--backend", "cpu", "--json"];
    let lower = ["--confidence", "0.9"];
    let shorter = |usual: &serde_json::Value, lower: &serde_json::Value| {
        assert!(lower.get("ci95").is_none() && usual["ci95"].is_f64(), "{lower} {usual}");
        let ratio = lower["ci90"].as_f64().unwrap() / usual["ci95"].as_f64().unwrap();
        assert!((ratio - 2.131_847 / 2.776_445).abs() < 1e-6, "{lower} {usual}");
    };
    let run = |more: &[&str]| json(&[&["run", "network", files[0], "--histogram"], &options[..], more].concat());
    let (usual, low) = (run(&[]), run(&lower));
    for (first, second) in [("stats", "sojourn"), ("system", "response")] {
        shorter(&usual[first][second], &low[first][second]);
    }
    let node = |report: &serde_json::Value| report["nodes"][0]["stats"]["sojourn"].clone();
    shorter(&node(&usual), &node(&low));
    let quantile = |report: &serde_json::Value| report["times"]["sojourn"]["quantiles"]["p90"].clone();
    assert!(quantile(&low)["ci90"].is_f64() && quantile(&low).get("ci95").is_none());
    assert_eq!((&low["analysis"]["confidence"], &usual["digest"]), (&0.9.into(), &low["digest"]));
    let compare = |more: &[&str]| json(&[&["compare"], &files[..], &options, more].concat());
    let difference = |compared: serde_json::Value| compared["comparisons"][0]["measures"]["sojourn"]["first"].clone();
    shorter(&difference(compare(&[])), &difference(compare(&lower)));
    refused(&["run", "torus", "--confidence", "95"], &["confidence", "from 0.5 to 0.999999"]);
}

#[test]
fn networks_are_compared_on_common_random_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let slow = write(&folder, "slow.toml", SHOP);
    let fast = write(&folder, "fast.toml", &SHOP.replace("1.5", "1.4"));
    let compared =
        json(&["compare", &slow, &fast, &slow, "--replications", "12", "--seed", "4", "--backend", "cpu", "--json"]);
    let sojourn = &compared["comparisons"][0]["measures"]["sojourn"];
    let [difference, half] = ["mean", "ci95"].map(|key| sojourn["difference"][key].as_f64().unwrap());
    // A faster desk is faster on any luck, and pairs show it by far.
    assert!(difference < 0.0 && half < -difference, "{compared}");
    assert!(sojourn["correlation"].as_f64().unwrap() > 0.9, "{compared}");
    assert!(sojourn["variance_ratio"].as_f64().unwrap() > 5.0, "{compared}");
    // With itself a network has the same luck throughout.
    let itself = &compared["comparisons"][1]["measures"]["sojourn"]["difference"];
    assert_eq!((itself["mean"].as_f64(), itself["ci95"].as_f64()), (Some(0.0), Some(0.0)));
    let digests = [0, 1, 2].map(|number| compared["configurations"][number]["digest"].clone());
    assert!(digests[0] == digests[2] && digests[0] != digests[1], "{compared}");
    // Statistics are those of a run: ratios of sums, not means of the ratios of replications.
    let run = json(&["run", "network", &slow, "--replications", "12", "--seed", "4", "--backend", "cpu", "--json"]);
    assert_eq!(compared["configurations"][0]["stats"], run["stats"]);
    assert_eq!(compared["configurations"][0]["digest"], run["digest"]);
    // The oracle says the same, to the bit.
    let oracle = json(&[
        "compare",
        &slow,
        &fast,
        &slow,
        "--replications",
        "12",
        "--seed",
        "4",
        "--engine",
        "sequential",
        "--json",
    ]);
    assert_eq!(compared["comparisons"], oracle["comparisons"]);
    let output = imminent(&["compare", &slow, &fast, "--replications", "12"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("variance ratio") && said.contains("fast.toml"), "{said}");
    let crowded = write(&folder, "crowded.toml", &SHOP.replace("1.5", "2.5"));
    let said = text(&imminent(&["compare", &slow, &crowded, "--replications", "2"]).stdout);
    assert!(
        said.contains("crowded.toml: the network is unstable: node 'desk'") && !said.contains("slow.toml: the"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shop = write(&folder, "shop.toml", SHOP);
    let other = write(&folder, "other.toml", &format!("{SHOP}seed = 9\nreplications = 3\n"));
    refused(&["compare", &shop], &["FILE"]);
    refused(&["compare", &shop, &shop], &["--replications"]);
    refused(&["compare", &shop, &other, "--replications", "3"], &["'seed'", "--seed"]);
    refused(&["compare", &shop, &other, "--seed", "3"], &["'replications'", "--replications"]);
    refused(&["compare", &shop, "no-such.toml", "--replications", "3"], &["no-such.toml"]);
    refused(&["compare", &shop, &shop, "--config", &shop], &["--config"]);
}

/// Seed and number of replications are those of the files, which have to agree.
#[test]
fn files_have_the_seed_and_the_replications_of_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let torus = "[torus]\nwidth = 4\nheight = 4\n[run]\nhorizon = 20\nreplications = 5\nseed = 9\n";
    let (first, second) =
        (write(&folder, "one.toml", torus), write(&folder, "two.toml", &torus.replace("= 20", "= 30")));
    let run = ["compare", "--model", "torus", &first, &second, "--backend", "cpu"];
    let compared = json(&[&run[..], &["--json"]].concat());
    assert_eq!((&compared["replications"], &compared["seed"]), (&5.into(), &9.into()), "{compared}");
    let other = write(&folder, "other.toml", &torus.replace("seed = 9", "seed = 8"));
    let differ = ["compare", "--model", "torus", &first, &other, "--backend", "cpu", "--json"];
    refused(&differ, &["one.toml and", "other.toml have different values of 'seed': give one for both by --seed"]);
    assert_eq!(json(&[&differ[..], &["--seed", "3"]].concat())["seed"], 3);
}

/// Two flows of constant rates on a link of 10 Mb/s, which carries 4 or 8 Mb/s of them.
#[cfg(feature = "models")]
#[test]
fn configurations_of_any_model_are_compared_by_its_measures() {
    let folder = tempfile::tempdir().unwrap();
    let line = "[topology]\nbandwidth = 1e7\ndelay = 0.005\nbuffer = 50000\n[[topology.link]]\nfrom = 'a'\nto = 'b'
[[traffic.demand]]\nfrom = 'a'\nto = 'b'\nrate = 4e6\n[run]\nengine = 'sequential'\nstep = 5e-4\nhorizon = 0.5\n";
    let (once, twice) =
        (write(&folder, "once.toml", line), write(&folder, "twice.toml", &line.replace("rate = 4e6", "rate = 8e6")));
    let run = ["compare", "--model", "traffic", &once, &twice, &once, "--replications", "2", "--backend", "cpu"];
    let compared = json(&[&run[..], &["--json"]].concat());
    let of = |number: usize, measure: &str| &compared["comparisons"][number]["measures"][measure]["difference"];
    let rate = of(0, "rate")["mean"].as_f64().unwrap();
    assert!((rate - 4e6).abs() < 1.0 && of(0, "rate")["ci95"].as_f64() == Some(0.0), "{compared}");
    // Without packets there is no delay of them to compare.
    assert!(of(1, "rate")["mean"] == 0.0 && of(1, "packet_delay")["mean"].is_null(), "{compared}");
    assert_eq!(compared["configurations"][1]["stats"]["rate"]["mean"].as_f64().map(f64::round), Some(8e6));
    refused(&[&run[..], &["--until-count", "5"]].concat(), &["unexpected argument '--until-count'"]);
    // A model without a section of runs.
    let fires = ["compare", "--model", "fire", "--replications", "2", "--backend", "cpu", "--json"];
    let grid = |name: &str, rows: u32| {
        write(&folder, name, &format!("width = 5\nheight = {rows}\nhorizon = 1000\nignite = [[1, 1]]\n"))
    };
    let output = imminent(&[&fires[..], &[&grid("small.toml", 4), &grid("large.toml", 9)]].concat());
    let compared: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // In the end all cells have burnt, 20 and 45.
    assert_eq!(compared["comparisons"][0]["measures"]["cells_burnt"]["difference"]["mean"], 25.0, "{compared}");
    // Ctrl-C is watched for once.
    assert_eq!(text(&output.stderr), "");
    refused(&[&run[..], &["--set", "packets.ack=60"]].concat(), &["--set packets.ack=60", "has no effect"]);
    let alone = ["run", "traffic", &once, "--set"];
    refused(&[&alone[..], &["packets.ack=60"]].concat(), &["--set packets.ack=60: has no effect", "`sequential`"]);
    refused(&[&alone[..], &["packets={ack=60}"]].concat(), &["--set packets={ack=60}: has no effect"]);
    refused(&[&alone[..], &["packets={ack=0}"]].concat(), &["`packets.ack`: 0 is not possible"]);
    refused(&[&run[..], &["--set", "traffic.scael=2"]].concat(), &["traffic.scael", "traffic.scale"]);
    refused(&["compare", "--model", "trafic", &once, &twice], &["trafic", "did you mean `traffic`?"]);
}
