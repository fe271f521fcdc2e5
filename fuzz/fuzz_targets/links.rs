//! Networks of links: SNDlib, and GraphML.
#![no_main]

use imminent_traffic::network::files::{Gaps, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = parse(text, "given.xml", &Gaps { bandwidth: Some(1_000_000), delay: Some(1000), ..Gaps::default() });
});
