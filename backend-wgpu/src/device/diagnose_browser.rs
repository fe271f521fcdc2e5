//! Explanation of the absence of devices in a browser.

use imminent_core::Error;

/// Explains why no device was found.
pub(super) fn no_device() -> Error {
    Error::Unavailable {
        backend: super::BACKEND.to_owned(),
        reason: "the browser offers no WebGPU adapter that can compute".to_owned(),
        tried: "navigator.gpu.requestAdapter()".to_owned(),
        remedy:
            "Open the page over https or from localhost, in a browser with WebGPU (chrome://gpu and about:support say \
            whether it is on)"
                .to_owned(),
    }
}
