//! Primitives pass on the reference backend, for any number of threads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_conformance::{Group, Suite};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_testkit::needs::patterns;

fn passes(options: &Options) {
    let device = Device::open(CpuBackend::open(options).unwrap()).unwrap();
    let suite = Suite::new(&device).group(Group::Primitives);
    let report = patterns().into_iter().fold(suite, Suite::matching).run();
    println!("{}", report.to_text());
    assert!(report.passed(), "{}", report.to_text());
}

#[test]
fn four_threads_pass() {
    passes(&Options { threads: Some(4), ..Options::default() });
}

#[test]
fn portable_forms_pass() {
    passes(&Options { threads: Some(2), portable_primitives: true, ..Options::default() });
}

mod full {
    #[test]
    #[ignore = "long: run ./test --full"]
    fn one_thread_passes() {
        super::passes(&super::Options { threads: Some(1), ..super::Options::default() });
    }
}
