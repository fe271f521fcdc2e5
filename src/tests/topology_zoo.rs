//! Networks of the Internet Topology Zoo from the command line, as they stand.

#![allow(clippy::unwrap_used)]

use imminent_testkit::needs::{topology_zoo, zoo_file};
use imminent_testkit::tests_that_need;
use serde_json::Value;
use std::process::Command;

tests_that_need! {
    topology_zoo: a_network_runs_as_it_stands;
}

fn a_network_runs_as_it_stands() {
    let output = Command::new(env!("CARGO_BIN_EXE_imminent"))
        .args(["run", "traffic", "--horizon", "0.1", "--backend", "cpu", "--json", "--topology"])
        .arg(zoo_file("Geant2012"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["size"]["nodes"].as_u64(), report["size"]["links"].as_u64()), (Some(40), Some(122)));
    assert!(report["assumed"].as_array().unwrap().len() >= 4, "{report}");
}
