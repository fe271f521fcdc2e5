//! Tests of the rows of queues: loads by hand, and what no link can do.

use super::super::recorder::Kept;
use super::super::setup::Setup;
use super::*;
use crate::TrafficConfig;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::ops::ControlFlow;

/// Every engine, with the keys of `[run]` that choose it.
const ENGINES: [&str; 6] = [
    "engine = 'fluid'",
    "engine = 'sequential'",
    "engine = 'packets'",
    "scheme = 'lock-step'",
    "scheme = 'asynchronous'\nbatch = 1",
    "scheme = 'asynchronous'\nbatch = 7",
];

/// Runs flows over links of a bandwidth from a to b to c, and returns the rows of their queues.
fn rows(bandwidth: f64, flows: &str, run: &str) -> Vec<QueueRow> {
    let links = "[[topology.link]]\nfrom = 'a'\nto = 'b'\n[[topology.link]]\nfrom = 'b'\nto = 'c'\nloss = 0.1\n";
    let topology = format!("[topology]\nbandwidth = {bandwidth}\ndelay = 0.005\nbuffer_time = 0.05\n{links}");
    let text = format!("{topology}{flows}[run]\nstep = 5e-4\nsample = 0.1\n{run}\n");
    let config = TrafficConfig::from_toml(&text, "t").unwrap();
    let traffic = config.traffic().unwrap();
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let simulation = Setup::new(&config, &traffic).unwrap().begin(Some(&device)).unwrap();
    let record = simulation.run(Kept::MeansAlone, &mut |_| ControlFlow::Continue(())).unwrap();
    Results::of(&traffic, &record).queues
}

fn flow(kind: &str, to: &str, keys: &str) -> String {
    format!("[[traffic.flow]]\nkind = '{kind}'\nfrom = 'a'\nto = '{to}'\n{keys}\n")
}

/// 30 Mb/s of fluid and 25 Mb/s of packets use 55 % of a link of 100 Mb/s, by whatever scheme; each part alone its own.
#[test]
fn fluids_and_packets_load_a_link_with_their_sum() {
    let flows = flow("udp", "b", "rate = 30e6") + &flow("udp", "b", "rate = 25e6\npackets = true");
    for (engine, load) in ENGINES.into_iter().zip([30e6, 30e6, 25e6, 55e6, 55e6, 55e6]) {
        let queues = rows(100e6, &flows, &format!("horizon = 4\n{engine}"));
        let row = &queues[0];
        for (found, expected) in [(row.offered, load), (row.carried, load), (row.utilization, load / 100e6)] {
            assert!((found / expected - 1.0).abs() < 2e-3, "{engine}: {found} instead of {expected}, {row:?}");
        }
        assert!(row.loss == 0.0 && row.carried <= row.offered, "{engine}: {row:?}");
    }
}

/// An overloaded link carries what it can, and drops the rest.
#[test]
fn a_link_carries_at_most_its_bandwidth() {
    let flows = flow("udp", "b", "rate = 15e6") + &flow("udp", "b", "rate = 10e6\npackets = true");
    for (engine, offered) in ENGINES.into_iter().zip([15e6, 15e6, 10e6, 25e6, 25e6, 25e6]) {
        let bandwidth = 8e6;
        let queues = rows(bandwidth, &flows, &format!("horizon = 4\nwarm_up = 1\n{engine}"));
        let row = &queues[0];
        assert!((row.offered / offered - 1.0).abs() < 1e-3, "{engine}: {row:?}");
        assert!((0.998..=1.0).contains(&(row.carried / bandwidth)) && row.utilization > 0.998, "{engine}: {row:?}");
        assert!((row.loss - (1.0 - bandwidth / offered)).abs() < 0.01, "{engine}: {row:?}");
    }
}

#[test]
fn nothing_carries_more_than_it_is_offered() {
    let flows = [
        flow("tcp", "c", "sessions = 6\npacket_sessions = 3"),
        flow("udp", "c", "rate = 2e6\nstop = 0.7"),
        flow("poisson", "b", "rate = 3e6\nstart = 0.4"),
    ];
    for (engine, warm_up) in ENGINES.into_iter().flat_map(|engine| [(engine, 0.0), (engine, 0.6)]) {
        for row in rows(8e6, &flows.concat(), &format!("horizon = 1.5\nwarm_up = {warm_up}\n{engine}")) {
            let accepted = row.offered * (1.0 - row.loss);
            assert!(row.carried <= accepted * (1.0 + 1e-12) && row.carried <= 8e6, "{engine}, {warm_up}: {row:?}");
            assert!(row.carried <= row.utilization * 8e6 + 1e-6 && row.utilization <= 1.0, "{engine}: {row:?}");
            assert!(row.lost <= row.carried && (0.0..=1.0).contains(&row.loss), "{engine}: {row:?}");
        }
    }
}
