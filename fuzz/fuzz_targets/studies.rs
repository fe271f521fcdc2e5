//! Definitions of studies, in TOML, and their plans.
#![no_main]

use imminent_fuzz::description;
use imminent_study::Definition;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(definition) = Definition::from_toml(text, "given.toml") {
        if let Ok(study) = definition.plan(description()) {
            let _ = study.point(study.points().wrapping_sub(1));
            let _ = study.fingerprint();
        }
    }
});
