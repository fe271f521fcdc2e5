//! The smallest backend: a device whose memory is words in the canonical layout, and whose kernels the IR's interpreter
//! runs. It shows what a backend must implement, and measures how much that is.

mod backend;
mod launch;
mod memory;

use backend::Interpreter;
use imminent_conformance::{Group, Suite};
use imminent_core::Device;

/// Opens the device.
pub(crate) fn device() -> Device {
    Device::open(Interpreter::new()).unwrap()
}

fn passes(groups: &[Group]) {
    let device = device();
    let report = groups.iter().fold(Suite::new(&device), |suite, group| suite.group(*group)).run();
    assert!(report.passed(), "{}", report.to_text());
    for group in groups {
        assert!(report.counts_of(*group).passed > 0, "nothing passed in group {group}");
    }
}

#[test]
fn memory_and_programs_pass() {
    passes(&[Group::Memory, Group::Programs]);
}

mod full {
    use imminent_conformance::Group;

    #[test]
    #[ignore = "long: run ./test --full"]
    fn kernels_pass() {
        super::passes(&[Group::Kernels]);
    }
}
