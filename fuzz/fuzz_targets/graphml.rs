//! Queueing networks in GraphML.
#![no_main]

use imminent_queueing::graphml::{Defaults, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = parse(text, "given.graphml", &Defaults::default());
});
