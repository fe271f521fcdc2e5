//! What must hold on every device, and the cases of `cases`, on the first CUDA device.
//!
//! Without an NVIDIA driver they run on the emulation of one that `./test` builds (`tests/host-driver`), and without that they are
//! ignored, visibly. Which of them there is, is found out when the tests are
//! built; `IMMINENT_CUDA_TESTS=on` in the environment of the build overrides that.

use std::sync::Mutex;

mod cases;

/// One case at a time: some fill the device's memory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

macro_rules! test {
    ($case:ident: $run:expr) => {
        #[test]
        #[cfg_attr(not(cuda_driver), ignore = "there was no CUDA driver, nor its emulation, when this was built")]
        fn $case() {
            let _alone = crate::ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            $run
        }
    };
}

macro_rules! own {
    ($($module:ident: $($case:ident),+;)+) => {
        $(mod $module { $(test!($case: crate::cases::$module::$case());)+ })+
    };
}

macro_rules! devices {
    ($($module:ident: $($case:ident),+;)+) => {$(
        mod $module {
            use crate::cases::{common::device, ways};
            $(test!($case: for options in ways(stringify!($module)) {
                imminent_testkit::device::$module::$case(&device(options));
            });)+
        }
    )+};
}

macro_rules! backends {
    ($($module:ident: $($case:ident),+;)+) => {$(
        mod $module {
            use crate::cases::{common::backend, ways};
            $(test!($case: for options in ways(stringify!($module)) {
                imminent_testkit::device::$module::$case(&backend(options));
            });)+
        }
    )+};
}

cases::for_each_case!(own);
imminent_testkit::device_cases!(devices);
imminent_testkit::backend_cases!(backends);
