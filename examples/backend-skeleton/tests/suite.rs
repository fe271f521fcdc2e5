//! Groups of the conformance suite that the backend passes. Add a group when you reach its step.
#![allow(clippy::unwrap_used, clippy::panic)]

use backend_skeleton::Skeleton;
use imminent_conformance::{Group, Suite};
use imminent_core::Device;

fn passes(group: Group) {
    let device = Device::open(Skeleton::open()).unwrap();
    // Histories are the last step.
    let report = Suite::new(&device).group(group).except("histories").run();
    assert!(report.passed() && report.counts().passed > 0, "{}", report.to_text());
}

#[test]
fn memory_passes() {
    passes(Group::Memory);
}

#[test]
fn programs_pass() {
    passes(Group::Programs);
}

#[test]
#[ignore = "long: run ./test --full"]
fn kernels_pass() {
    passes(Group::Kernels);
}
