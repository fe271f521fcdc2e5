//! Bare calls of the emulated driver and compiler, without anything of the backend.
#![allow(unreachable_pub)]

pub mod shipped;

use cudarc::driver::sys::{self, CUresult};
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::ptr::null_mut;

/// Returns the folder of the emulation.
pub fn folder() -> PathBuf {
    std::env::var_os("IMMINENT_CUDA_EMULATION").map(PathBuf::from).expect("the tests look for it first")
}

/// Returns machine code of a text, or the error's number and the log.
pub fn compile(text: &str, options: &[&str]) -> Result<Vec<u8>, (c_int, String)> {
    type Program = *mut c_void;
    type Names = *const *const c_char;
    type Create = unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, Names, Names) -> c_int;
    type Compile = unsafe extern "C" fn(Program, c_int, Names) -> c_int;
    type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
    type Fill = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
    let options: Vec<CString> = options.iter().map(|option| CString::new(*option).unwrap()).collect();
    let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
    let text = CString::new(text).unwrap();
    // SAFETY: the types are those of nvrtc.h; texts end with 0 and live to the end; sizes are asked before bytes are
    // filled.
    unsafe {
        let library = Library::new(folder().join("libnvrtc.so.12")).unwrap();
        let mut program = null_mut();
        let create = library.get::<Create>(b"nvrtcCreateProgram").unwrap();
        assert_eq!(create(&mut program, text.as_ptr(), c"test.cu".as_ptr(), 0, null_mut(), null_mut()), 0);
        let compile = library.get::<Compile>(b"nvrtcCompileProgram").unwrap();
        let code = compile(program, c_int::try_from(options.len()).unwrap(), options.as_ptr());
        let bytes = |size: &[u8], fill: &[u8]| {
            let mut length = 0;
            assert_eq!(library.get::<Size>(size).unwrap()(program, &mut length), 0);
            let mut bytes = vec![0_u8; length];
            assert_eq!(library.get::<Fill>(fill).unwrap()(program, bytes.as_mut_ptr().cast()), 0);
            bytes
        };
        if code == 0 {
            return Ok(bytes(b"nvrtcGetCUBINSize", b"nvrtcGetCUBIN"));
        }
        let log = bytes(b"nvrtcGetProgramLogSize", b"nvrtcGetProgramLog");
        Err((code, CStr::from_bytes_until_nul(&log).unwrap().to_string_lossy().into_owned()))
    }
}

/// Panics unless a call succeeded.
pub fn good(code: CUresult) {
    assert_eq!(code, CUresult::CUDA_SUCCESS);
}

/// The first device, with its context current.
pub struct Device {
    pub stream: sys::CUstream,
    pub context: sys::CUcontext,
}

impl Device {
    pub fn open() -> Device {
        let (mut device, mut context) = (0, null_mut());
        // SAFETY: each call writes only to the places that it is given.
        unsafe {
            good(sys::cuInit(0));
            good(sys::cuDeviceGet(&mut device, 0));
            good(sys::cuDevicePrimaryCtxRetain(&mut context, device));
            good(sys::cuCtxSetCurrent(context));
        }
        Device { stream: stream(), context }
    }

    /// Allocates memory of `words` words, in the order of the stream.
    pub fn words(&self, words: usize) -> u64 {
        let mut address = 0;
        // SAFETY: one address is written.
        unsafe { good(sys::cuMemAllocAsync(&mut address, words * 4, self.stream)) };
        address
    }

    /// Returns the function `kernel` of a text, whose first declaration is C's.
    pub fn function(&self, text: &str) -> sys::CUfunction {
        let text = format!("typedef unsigned u32; typedef unsigned long long u64; extern \"C\" {text}");
        let image =
            compile(&text, &["--gpu-architecture=sm_90", "--fmad=false"]).unwrap_or_else(|(_, log)| panic!("{log}"));
        let (mut module, mut function) = (null_mut(), null_mut());
        // SAFETY: the image is the compiler's. The module is never unloaded.
        unsafe {
            good(sys::cuModuleLoadData(&mut module, image.as_ptr().cast()));
            good(sys::cuModuleGetFunction(&mut function, module, c"kernel".as_ptr()));
        }
        function
    }

    /// Runs the kernel `kernel(u32 *data, u32 count)` of a text on one block of `threads` threads.
    pub fn launch(&self, text: &str, threads: u32, data: u64, count: u32) {
        let function = self.function(&format!("__global__ {text}"));
        let mut parameters = [(&raw const data).cast_mut().cast(), (&raw const count).cast_mut().cast()];
        // SAFETY: the kernel takes an address and a word.
        unsafe {
            let to = self.stream;
            good(sys::cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, to, parameters.as_mut_ptr(), null_mut()));
        }
    }

    /// Returns the contents of the device's memory, or the first error of all work before.
    pub fn read(&self, from: u64, words: usize) -> Result<Vec<u32>, CUresult> {
        let mut host = null_mut();
        // SAFETY: the host's memory is as long as the device's and is read when the stream was waited for.
        unsafe {
            good(sys::cuMemHostAlloc(&mut host, words * 4, 0));
            good(sys::cuMemcpyDtoHAsync_v2(host, from, words * 4, self.stream));
            match sys::cuStreamSynchronize(self.stream) {
                CUresult::CUDA_SUCCESS => Ok(std::slice::from_raw_parts(host.cast::<u32>(), words).to_vec()),
                code => Err(code),
            }
        }
    }

    /// Waits for all work and returns its result.
    pub fn wait(&self) -> CUresult {
        // SAFETY: the stream lives.
        unsafe { sys::cuStreamSynchronize(self.stream) }
    }
}

/// Creates another stream of the current context.
pub fn stream() -> sys::CUstream {
    let mut stream = null_mut();
    // SAFETY: one handle is written.
    unsafe { good(sys::cuStreamCreate(&mut stream, 1)) };
    stream
}
