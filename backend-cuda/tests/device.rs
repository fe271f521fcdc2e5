//! The cases of `cases`, on the first CUDA device.
//!
//! On a machine without the NVIDIA driver they are ignored, visibly. Whether there is one is found out when the tests are
//! built; `IMMINENT_CUDA_TESTS=on` in the environment of the build overrides that.

use std::sync::Mutex;

mod cases;

/// One case at a time: some fill the device's memory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

macro_rules! tests {
    ($($module:ident: $($case:ident),+;)+) => {$(
        mod $module {
            $(
                #[test]
                #[cfg_attr(not(cuda_driver), ignore = "there was no NVIDIA driver (libcuda.so.1) when this was built")]
                fn $case() {
                    let _alone = crate::ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    crate::cases::$module::$case();
                }
            )+
        }
    )+};
}

cases::for_each_case!(tests);
