//! Result codes of the driver: their texts, and the codes of a lost device.

use cudarc::driver::sys::{self, CUresult};
use std::ffi::CStr;

/// Meaning of a result code for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Memory is exhausted.
    OutOfMemory,
    /// The context cannot be used any more: every later call gives this error.
    Lost,
    /// Any other error.
    Other,
}

/// Returns the meaning of a result code.
pub(crate) fn meaning(code: CUresult) -> Meaning {
    use CUresult::*;
    match code {
        CUDA_ERROR_OUT_OF_MEMORY => Meaning::OutOfMemory,
        CUDA_ERROR_DEINITIALIZED
        | CUDA_ERROR_DEVICE_UNAVAILABLE
        | CUDA_ERROR_ECC_UNCORRECTABLE
        | CUDA_ERROR_NVLINK_UNCORRECTABLE
        | CUDA_ERROR_ILLEGAL_ADDRESS
        | CUDA_ERROR_LAUNCH_TIMEOUT
        | CUDA_ERROR_CONTEXT_IS_DESTROYED
        | CUDA_ERROR_ASSERT
        | CUDA_ERROR_HARDWARE_STACK_ERROR
        | CUDA_ERROR_ILLEGAL_INSTRUCTION
        | CUDA_ERROR_MISALIGNED_ADDRESS
        | CUDA_ERROR_INVALID_ADDRESS_SPACE
        | CUDA_ERROR_INVALID_PC
        | CUDA_ERROR_LAUNCH_FAILED
        | CUDA_ERROR_UNKNOWN => Meaning::Lost,
        _ => Meaning::Other,
    }
}

/// Returns the driver's name and text for a code. The driver library has been loaded.
pub(crate) fn words(code: CUresult) -> String {
    // SAFETY: both functions write a pointer to a static string, or null for a code that they do not know.
    let (name, text) = unsafe { (string(code, sys::cuGetErrorName), string(code, sys::cuGetErrorString)) };
    match (name, text) {
        (Some(name), Some(text)) => format!("{text} ({name})"),
        _ => format!("error {}", code as u32),
    }
}

/// # Safety
/// `ask` writes null or a static string that ends with 0.
unsafe fn string(code: CUresult, ask: unsafe fn(CUresult, *mut *const std::ffi::c_char) -> CUresult) -> Option<String> {
    let mut text = std::ptr::null();
    // SAFETY: one pointer is written, if anything.
    let asked = unsafe { ask(code, &mut text) };
    if asked != CUresult::CUDA_SUCCESS || text.is_null() {
        return None;
    }
    // SAFETY: not null, and the caller guarantees its validity.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_stick_to_the_context_mean_a_lost_device() {
        assert_eq!(meaning(CUresult::CUDA_ERROR_ILLEGAL_ADDRESS), Meaning::Lost);
        assert_eq!(meaning(CUresult::CUDA_ERROR_LAUNCH_FAILED), Meaning::Lost);
        assert_eq!(meaning(CUresult::CUDA_ERROR_ECC_UNCORRECTABLE), Meaning::Lost);
        assert_eq!(meaning(CUresult::CUDA_ERROR_OUT_OF_MEMORY), Meaning::OutOfMemory);
        assert_eq!(meaning(CUresult::CUDA_ERROR_INVALID_VALUE), Meaning::Other);
        assert_eq!(meaning(CUresult::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES), Meaning::Other);
    }
}
