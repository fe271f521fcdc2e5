//! The suite passes on the reference backend, for any number of threads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_conformance::{Group, Mode, Suite};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};

fn host(threads: usize) -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(threads), ..Options::default() }).unwrap()).unwrap()
}

fn passes(threads: usize, groups: &[Group]) {
    let device = host(threads);
    let report = groups.iter().copied().fold(Suite::new(&device), Suite::group).run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.to_text());
    for &group in groups {
        assert!(report.counts_of(group).passed > 0, "nothing passed in group {group}");
    }
}

/// Primitives have tests of their own.
#[test]
fn three_threads_pass() {
    let groups: Vec<_> = Group::ALL.into_iter().filter(|group| *group != Group::Primitives).collect();
    passes(3, &groups);
}

mod full {
    #[test]
    #[ignore = "long: run ./test --full"]
    fn one_thread_passes() {
        super::passes(1, &super::Group::ALL);
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
