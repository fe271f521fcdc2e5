//! A machine without a CUDA driver: a typed error that lists the libraries looked for.

#![allow(clippy::unwrap_used)]

mod needs;

use imminent_core::Error;
use imminent_cuda::{CudaBackend, Options};
use imminent_testkit::process::{inside, send_text, texts_inside};
use imminent_testkit::tests_that_need;

tests_that_need! {
    needs::no_system_driver: without_a_driver_the_error_lists_what_was_tried;
}

fn without_a_driver_the_error_lists_what_was_tried() {
    if inside() {
        let error = CudaBackend::open(0, &Options::default()).map(drop).unwrap_err();
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        return send_text(error);
    }
    let texts = texts_inside("without_a_driver_the_error_lists_what_was_tried", &[("IMMINENT_CUDA_LIBRARY", "")]);
    assert!(texts[0].contains("libcuda.so.1") && texts[0].contains("LD_LIBRARY_PATH"), "{texts:?}");
}
