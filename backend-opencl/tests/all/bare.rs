//! Compiles a text on the first OpenCL device, with the bare calls of OpenCL.

use crate::common::INSTALL;
use imminent_lowering::c::{COptions, CSource, compiler_options};
use imminent_opencl::{OpenClBackend, Options};
use ocl::core::{Context, ContextProperties, DeviceId, DeviceInfo};
use std::ffi::CString;

pub(crate) struct Bare {
    device: DeviceId,
    context: Context,
    extensions: String,
}

impl Bare {
    /// Opens the first device of the first platform. Its absence is a failure: the tests that compile need one.
    pub(crate) fn open() -> Bare {
        // PoCL finds no devices if two threads query a platform for the first time at once: the backend serialises the
        // queries.
        OpenClBackend::list(&Options::default()).expect(INSTALL);
        let platforms = ocl::core::get_platform_ids().expect("an OpenCL platform, for example PoCL");
        let platform = platforms.first().expect("an OpenCL platform, for example PoCL");
        let device = *ocl::core::get_device_ids(platform, None, None).expect("a device").first().expect("a device");
        let properties = ContextProperties::new().platform(*platform);
        let context = ocl::core::create_context(Some(&properties), &[device], None, None).expect("a context");
        let extensions =
            ocl::core::get_device_info(device, DeviceInfo::Extensions).expect("a list of extensions").to_string();
        Bare { device, context, extensions }
    }

    /// Returns options with everything that the device offers.
    pub(crate) fn options(&self) -> COptions {
        let has = |extension: &str| self.extensions.split_whitespace().any(|e| e == extension);
        let config = ocl::core::get_device_info(self.device, DeviceInfo::SingleFpConfig).expect("its float settings");
        COptions {
            float64: has("cl_khr_fp64"),
            int64_atomics: has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics"),
            correctly_rounded_divide_sqrt: config.to_string().contains("CORRECTLY_ROUNDED"),
            ..COptions::opencl()
        }
    }

    /// Compiles a text; panics with the compiler's output on failure.
    pub(crate) fn compile(&self, source: &CSource, options: &COptions) {
        let flags = format!("-cl-std=CL1.2 {}", compiler_options(options).join(" "));
        let text = CString::new(source.code.as_str()).unwrap();
        let program = ocl::core::create_program_with_source(&self.context, &[text]).unwrap();
        let flags = CString::new(flags).unwrap();
        if let Err(error) = ocl::core::build_program(&program, Some(&[self.device]), &flags, None, None) {
            let numbered: String = source.code.lines().zip(1..).map(|(l, n)| format!("{n:4} {l}\n")).collect();
            panic!("{error}\n{numbered}");
        }
        ocl::core::create_kernel(&program, &source.entry).unwrap();
    }
}
