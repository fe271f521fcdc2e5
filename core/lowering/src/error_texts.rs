//! Snapshot of all error texts of this crate.

use super::LoweringError;
use imminent_ir::Scalar;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    error_texts!(texts, LoweringError {
        Unsupported => [LoweringError::Unsupported {
            kernel: "serve".into(),
            scalar: Scalar::F64,
            file: "src/shop.rs".into(),
            line: 99,
            offer: "have",
            advice: "use `f32`, or fixed-point numbers in a `u64`, or run this kernel on the CPU",
        }],
        WideTally => [LoweringError::WideTally { kernel: "serve".into(), file: "src/shop.rs".into(), line: 99 }],
        Options => [LoweringError::Options {
            kernel: "serve".into(),
            language: "WGSL",
            what: "the workgroup size is not a power of two from 1 to 256",
        }],
        IllFormed => [LoweringError::IllFormed {
            kernel: "serve".into(),
            place: "`next` (src/shop.rs:99)".into(),
            what: "a local is used before it is declared",
        }],
    });
    insta::assert_snapshot!("errors", texts);
}
