//! Lowering of a kernel's flat form to CUDA C++, with the errors that the caller sees.

use imminent_core::{DeviceInfo, Error, ModuleSource, Result};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Module, flatten};
use imminent_lowering::LoweringError;
use imminent_lowering::c::{self, COptions, CSource};

/// A kernel, its text, and the options under which it was lowered.
pub(crate) struct Prepared {
    pub(crate) flat: FlatKernel,
    pub(crate) source: CSource,
    pub(crate) options: COptions,
}

/// Flattens and lowers the kernel at a position. If its launch block and arguments take more than `most` bytes, the
/// block lies in memory.
pub(crate) fn prepare(
    info: &DeviceInfo,
    options: &COptions,
    most: u32,
    module: &Module,
    position: usize,
) -> Result<Prepared> {
    let Some(kernel) = module.kernels.get(position) else {
        return Err(no_kernel(&module.name, u32::try_from(position).unwrap_or(u32::MAX)));
    };
    let flat = flatten(module, kernel)
        .map_err(|error| Error::Module { module: module.name.clone(), reason: error.to_string() })?;
    let (source, options) = fitting(info, options.clone(), most, &flat)?;
    Ok(Prepared { flat, source, options })
}

/// Returns the text of a flat kernel whose parameters take at most `most` bytes, and the options of its lowering.
pub(crate) fn fitting(
    info: &DeviceInfo,
    mut options: COptions,
    most: u32,
    flat: &FlatKernel,
) -> Result<(CSource, COptions)> {
    let mut source = lower(info, &options, flat)?;
    let bytes = source.parameters.len() as u64 * 8 + u64::from(source.launch.words) * 4;
    if bytes > u64::from(most) {
        options.launch_in_buffer = true;
        source = lower(info, &options, flat)?;
    }
    Ok((source, options))
}

/// Returns the text of a flat kernel.
pub(crate) fn lower(info: &DeviceInfo, options: &COptions, flat: &FlatKernel) -> Result<CSource> {
    c::lower(flat, options).map_err(|error| match error {
        LoweringError::Unsupported { ref kernel, scalar, ref file, line, advice, .. } => Error::Unsupported {
            backend: info.backend.clone(),
            device: info.name.clone(),
            what: format!("kernel `{kernel}`"),
            reason: format!("it uses `{scalar}` at {file}:{line}, which the device was opened without"),
            remedy: format!("Open the device without the option float64=off; or {advice}"),
        },
        other => Error::Module { module: flat.module.clone(), reason: other.to_string() },
    })
}

/// Returns the IR of a module.
pub(crate) fn decoded(source: &'static ModuleSource) -> Result<&'static Module> {
    source.ir().map_err(|error| Error::Module { module: source.name().to_owned(), reason: error.to_string() })
}

/// Returns the error for a kernel that does not exist.
pub(super) fn no_kernel(module: &str, position: u32) -> Error {
    Error::Module { module: module.to_owned(), reason: format!("it has no kernel at position {position}") }
}

/// Returns the position of a kernel's body.
pub(crate) fn location(flat: &FlatKernel) -> String {
    flat.entry().map_or_else(|| flat.file.clone(), |function| format!("{}:{}", function.file, function.line))
}
