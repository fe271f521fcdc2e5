//! Rule files of cell spaces. A file may include itself.
#![no_main]

use imminent_cell::rules::Model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Model::parse("given.ma", text, &|_| Ok(text.to_owned()));
});
