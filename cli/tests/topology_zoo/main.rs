//! Real networks: those of the Internet Topology Zoo, where `IMMINENT_TOPOLOGY_ZOO` names the folder that holds them.

#![allow(clippy::expect_used, clippy::unwrap_used)]

mod networks;

use imminent_testkit::needs::{topology_zoo, zoo_file};
use imminent_testkit::tests_that_need;
use networks::{
    the_engines_agree_on_the_five_networks, the_five_networks_are_read_whole,
    the_five_networks_are_strongly_connected_and_have_a_steady_state, the_five_networks_have_delays_of_their_size,
};
use serde_json::Value;
use std::process::Command;

tests_that_need! {
    topology_zoo:
        a_network_runs_as_it_stands,
        the_five_networks_are_read_whole,
        the_engines_agree_on_the_five_networks,
        the_five_networks_are_strongly_connected_and_have_a_steady_state,
        the_five_networks_have_delays_of_their_size;
}

fn a_network_runs_as_it_stands() {
    let output = Command::new(env!("CARGO_BIN_EXE_imminent"))
        .args(["run", "traffic", "--horizon", "0.1", "--backend", "cpu", "--json"])
        .arg(zoo_file("Geant2012"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["size"]["nodes"].as_u64(), report["size"]["links"].as_u64()), (Some(40), Some(122)));
    assert!(report["assumed"].as_array().unwrap().len() >= 4, "{report}");
}
