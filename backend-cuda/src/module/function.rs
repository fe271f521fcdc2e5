//! Compiled code in the device's context.

use crate::device::{Compilation, Context};
use crate::driver::Primary;
use crate::nvrtc;
use crate::shipped;
use cudarc::driver::sys::{self, CUresult};
use imminent_core::{Error, Result};
use std::ffi::CString;
use std::sync::Arc;

/// A function of a loaded module, ready to be launched.
#[derive(Debug)]
pub(crate) struct Function {
    raw: sys::CUfunction,
    module: sys::CUmodule,
    primary: Arc<Primary>,
}

// SAFETY: handles of the driver may be used from any thread whose current context is theirs; every entry into the
// backend makes it current.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

/// A text to compile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// Name of the kernel, for error texts.
    pub(crate) kernel: &'a str,
    /// Line where the kernel begins.
    pub(crate) location: &'a str,
    pub(crate) code: &'a str,
    /// Symbol of the function.
    pub(crate) entry: &'a str,
}

impl Function {
    /// Returns the function of a text: as it was shipped, from the disk if it was compiled before, otherwise compiled
    /// now.
    pub(crate) fn new(context: &Context, text: Text<'_>) -> Result<Function> {
        if let Some(folder) = &context.record {
            shipped::record(folder, text.kernel, text.code)?;
        }
        if let Some(image) = context.shipped.load(shipped::key(context.capability, text.code)) {
            match Function::load(context, &image, text.entry) {
                // The driver is older than the compiler of this kernel.
                Err(Error::Driver { .. }) => {}
                other => return other,
            }
        }
        Function::compiled(context, text)
    }

    fn compiled(context: &Context, text: Text<'_>) -> Result<Function> {
        let rejected = |message: String| Error::Compile {
            backend: context.primary.info.backend.clone(),
            device: context.primary.info.name.clone(),
            kernel: text.kernel.to_owned(),
            location: text.location.to_owned(),
            message,
        };
        let compiler = context.compiler.get()?;
        let architecture = compiler.architecture().map_err(rejected)?;
        let options = nvrtc::options(context.lines);
        let key = context.cache.key(&Compilation {
            text: text.code,
            architecture: &architecture,
            options: &options,
            compiler: compiler.version(),
        });
        let cache = &context.cache.kept;
        if let Some(image) = cache.load(key) {
            match Function::load(context, &image, text.entry) {
                Err(Error::Driver { .. }) => cache.forget(key),
                other => return other,
            }
        }
        let image = compiler.compile(text.kernel, text.code, &options).map_err(rejected)?;
        let function = Function::load(context, &image.bytes, text.entry).map_err(|error| match error {
            Error::Driver { message, .. } => rejected(message),
            other => other,
        })?;
        cache.store(key, &image.bytes);
        Ok(function)
    }

    fn load(context: &Context, image: &[u8], entry: &str) -> Result<Function> {
        let primary = &context.primary;
        primary.enter()?;
        // The driver reads PTX up to a 0 and machine code up to the length that its header states; a 0 at the end of
        // either is harmless. Machine code is read in words.
        let mut words = vec![0u64; image.len() / 8 + 1];
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..image.len()].copy_from_slice(image);
        let name = CString::new(entry).map_err(|_| context.driver("loading a kernel", "its name holds a zero byte"))?;
        let mut module = std::ptr::null_mut();
        // SAFETY: the image is NVRTC's output for this function's text: from memory, or from a file with a matching
        // checksum. One pointer is written; the context is current.
        let code = unsafe { sys::cuModuleLoadData(&mut module, words.as_ptr().cast()) };
        if code == CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION {
            return Err(context.driver("loading a kernel", &context.compiler.get()?.remedy_for_ptx()));
        }
        primary.check("loading a kernel", code)?;
        let mut function = Function { raw: std::ptr::null_mut(), module, primary: primary.clone() };
        // SAFETY: one pointer is written; the module was loaded just now and the name ends with 0.
        let code = unsafe { sys::cuModuleGetFunction(&mut function.raw, module, name.as_ptr()) };
        primary.check("looking up a kernel", code)?;
        Ok(function)
    }

    /// Returns the driver's handle, valid while this lives.
    #[inline]
    pub(crate) fn raw(&self) -> sys::CUfunction {
        self.raw
    }

    /// Returns `true` if the function was loaded for this device.
    #[inline]
    pub(crate) fn belongs_to(&self, primary: &Arc<Primary>) -> bool {
        Arc::ptr_eq(&self.primary, primary)
    }

    /// Returns the number of blocks of `threads` threads resident on a multiprocessor.
    pub(crate) fn resident_blocks(&self, threads: u32) -> Result<u32> {
        let mut blocks = 0;
        let size = i32::try_from(threads).unwrap_or(i32::MAX);
        // SAFETY: one integer is written; the function is loaded and its context is current.
        let code = unsafe { sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, self.raw, size, 0) };
        self.primary.check("asking how many blocks fit", code)?;
        Ok(u32::try_from(blocks).unwrap_or(0))
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        // A launch may still be in progress: the module must not be unloaded before it is done.
        self.primary.quiesce();
        if self.primary.enter().is_ok() {
            // SAFETY: loaded once, unloaded once, with nothing of it running.
            let _: CUresult = unsafe { sys::cuModuleUnload(self.module) };
        }
    }
}
