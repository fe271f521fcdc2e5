//! Queueing networks in files of JSIMgraph.
#![no_main]

use imminent_queueing::jsimg::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = parse(text, "given.jsimg");
});
