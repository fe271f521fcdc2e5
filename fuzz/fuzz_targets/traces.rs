//! Files of movements of mobile nodes. What was read can be written and is the same when it is read again.
#![no_main]

use imminent_manet::trace::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(trace) = Trace::of_file(text, None) {
        assert_eq!(Trace::read(&trace.to_string()).as_ref(), Ok(&trace));
    }
});
