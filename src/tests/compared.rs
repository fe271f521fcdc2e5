//! `imminent compare` and `imminent figures`.

use super::{imminent, json, refused, text};
use std::fs;

const SHOP: &str = "[[network.source]]\nname = 'door'\nmean = 2.0\n[[network.node]]\nname = 'desk'\nmean = 1.5\n[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[run]\nhorizon = 500\nwarmup = 50\n";

fn write(folder: &tempfile::TempDir, name: &str, contents: &str) -> String {
    let file = folder.path().join(name);
    fs::write(&file, contents).unwrap();
    file.display().to_string()
}

#[test]
fn networks_are_compared_on_common_random_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let slow = write(&folder, "slow.toml", SHOP);
    let fast = write(&folder, "fast.toml", &SHOP.replace("1.5", "1.4"));
    let compared = json(&["compare", &slow, &fast, &slow, "--reps", "12", "--seed", "4", "--backend", "cpu", "--json"]);
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
    // The oracle says the same, to the bit.
    let oracle =
        json(&["compare", &slow, &fast, &slow, "--reps", "12", "--seed", "4", "--engine", "sequential", "--json"]);
    assert_eq!(compared["comparisons"], oracle["comparisons"]);
    let output = imminent(&["compare", &slow, &fast, "--reps", "12"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("variance ratio") && said.contains("fast.toml"), "{said}");
    let crowded = write(&folder, "crowded.toml", &SHOP.replace("1.5", "2.5"));
    let said = text(&imminent(&["compare", &slow, &crowded, "--reps", "2"]).stdout);
    assert!(
        said.contains("crowded.toml: the network is unstable: node 'desk'") && !said.contains("slow.toml: the"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shop = write(&folder, "shop.toml", SHOP);
    let other = write(&folder, "other.toml", &format!("{SHOP}seed = 9\nreps = 3\n"));
    refused(&["compare", &shop], &["FILE"]);
    refused(&["compare", &shop, &shop], &["--reps"]);
    refused(&["compare", &shop, &other, "--reps", "3"], &["'seed'", "--seed"]);
    refused(&["compare", &shop, &other, "--seed", "3"], &["'reps'", "--reps"]);
    refused(&["compare", &shop, "no-such.toml", "--reps", "3"], &["no-such.toml"]);
    refused(&["compare", &shop, &shop, "--config", &shop], &["--config"]);
}

#[test]
fn the_papers_figures_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("figures");
    let quick =
        ["--services", "20", "--reps", "2", "--intervals", "1", "--sides", "4,8", "--events", "500", "--runs", "1"];
    let command = [&["figures", "--backend", "cpu", "--out", out.to_str().unwrap()], &quick[..]].concat();
    let output = imminent(&command);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("corrected by theory"), "{said}{}", text(&output.stderr));
    let table = fs::read_to_string(out.join("figures.csv")).unwrap();
    let count = |figure: &str| table.lines().filter(|line| line.starts_with(figure)).count();
    // 5-4: two networks; 5-5: two sides, and three mean services at the papers' side; 5-6: both networks of both sides. Exact, and an interval.
    assert_eq!(["5-2,", "5-4,", "5-5,", "5-6,"].map(count), [12, 4, 10, 8], "{table}");
    #[cfg(feature = "report")]
    {
        let page = fs::read_to_string(out.join("figures.html")).unwrap();
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
        let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
        assert_eq!(document.descendants().filter(|node| node.tag_name().name() == "svg").count(), 6);
    }
    refused(&["figures", "5-9"], &["5-9", "5-4"]);
    refused(&["figures", "5-4", "--intervals=-1", "--backend", "cpu"], &["interval"]);
    refused(&["figures", "5-4", "--sides", "1"], &["--sides"]);
}
