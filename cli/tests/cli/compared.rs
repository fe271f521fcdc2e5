//! `imminent compare`.

use super::{imminent, json, refused, text};
use std::fs;

const SHOP: &str = "[[network.source]]\nname = 'door'\nmean = 2.0\n[[network.node]]\nname = 'desk'\nmean = 1.5\n[network]\nedges = [['door', 'desk'], ['desk', 'out']]\n[run]\nhorizon = 500\nwarm_up = 50\n";

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
