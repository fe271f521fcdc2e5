//! The suite passes on the reference backend, for any number of threads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_conformance::{Group, Mode, Suite};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};

fn host(threads: usize) -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(threads), ..Options::default() }).unwrap()).unwrap()
}

fn passes(threads: usize) {
    let device = host(threads);
    let report = Suite::new(&device).run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.to_text());
    for group in Group::ALL {
        assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
    }
}

#[test]
fn three_threads_pass() {
    passes(3);
}

mod full {
    #[test]
    #[ignore = "long: run ./test --full"]
    fn one_thread_passes() {
        super::passes(1);
    }
}

#[test]
#[ignore = "takes minutes without optimization: cargo test --release -p imminent-conformance --test all -- --ignored a_full_run"]
fn a_full_run_passes() {
    let device = host(2);
    let report = Suite::new(&device).mode(Mode::Full).seed(1).run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.to_text());
}
