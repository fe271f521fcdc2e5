//! Lowering of a kernel's flat form to CUDA C++, with the errors that the caller sees.

use imminent_core::{DeviceInfo, Error, Result};
use imminent_ir::flatten::FlatKernel;
use imminent_lowering::LoweringError;
use imminent_lowering::c::{self, COptions, CSource};

/// Returns the text of a flat kernel, and the options of its lowering. If its launch block and arguments take more than
/// `most` bytes, the block lies in memory.
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
pub(super) fn lower(info: &DeviceInfo, options: &COptions, flat: &FlatKernel) -> Result<CSource> {
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
