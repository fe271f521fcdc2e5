//! Compiled code in the device's context.

use crate::device::{Compilation, Context};
use crate::driver::Primary;
use crate::nvrtc::{self, Compiler};
use crate::shipped;
use cudarc::driver::sys::{self, CUresult};
use imminent_core::{Error, Result};
use imminent_device::kernel_cache::Key;
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

impl Text<'_> {
    /// Returns the key by which the compiled text is kept on the disk.
    fn key(&self, context: &Context, compiler: &Compiler) -> Result<Key> {
        Ok(context.cache.key(&Compilation {
            text: self.code,
            architecture: &compiler.architecture().map_err(|message| self.rejected(context, message))?,
            options: &nvrtc::options(context.lines),
            compiler: compiler.version(),
        }))
    }

    fn rejected(&self, context: &Context, message: String) -> Error {
        Error::Compile {
            backend: context.primary.info.backend.clone(),
            device: context.primary.info.name.clone(),
            kernel: self.kernel.to_owned(),
            location: self.location.to_owned(),
            message,
        }
    }
}

impl Function {
    /// Returns the function of a text: as it was shipped, from the disk if it was compiled before, otherwise compiled
    /// now.
    pub(crate) fn new(context: &Context, text: Text<'_>) -> Result<Function> {
        if let Some(folder) = &context.record {
            shipped::record(folder, text.kernel, text.code)?;
        }
        if let Some(function) = Function::shipped(context, text)? {
            return Ok(function);
        }
        let compiler = context.compiler.get()?;
        match Function::cached(context, compiler, text)? {
            Some(function) => Ok(function),
            None => Function::compiled(context, compiler, text),
        }
    }

    /// Returns the function of a text if that takes no compilation.
    pub(crate) fn kept(context: &Context, text: Text<'_>) -> Result<Option<Function>> {
        match (Function::shipped(context, text)?, context.compiler.loaded()) {
            (None, Some(compiler)) => Function::cached(context, compiler, text),
            (shipped, _) => Ok(shipped),
        }
    }

    fn shipped(context: &Context, text: Text<'_>) -> Result<Option<Function>> {
        let Some(image) = context.shipped.load(shipped::key(context.capability, text.code)) else { return Ok(None) };
        match Function::load(context, &image, text.entry) {
            // The driver is older than the compiler of this kernel.
            Err(Error::Driver { .. }) => Ok(None),
            other => other.map(Some),
        }
    }

    fn cached(context: &Context, compiler: &Compiler, text: Text<'_>) -> Result<Option<Function>> {
        let (cache, key) = (&context.cache.kept, text.key(context, compiler)?);
        let Some(image) = cache.load(key) else { return Ok(None) };
        match Function::load(context, &image, text.entry) {
            Err(Error::Driver { .. }) => {
                cache.forget(key);
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    fn compiled(context: &Context, compiler: &Compiler, text: Text<'_>) -> Result<Function> {
        let rejected = |message: String| text.rejected(context, message);
        let image = compiler.compile(text.kernel, text.code, &nvrtc::options(context.lines)).map_err(rejected)?;
        let function = Function::load(context, &image.bytes, text.entry).map_err(|error| match error {
            Error::Driver { message, .. } => rejected(message),
            other => other,
        })?;
        context.cache.kept.store(text.key(context, compiler)?, &image.bytes);
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
