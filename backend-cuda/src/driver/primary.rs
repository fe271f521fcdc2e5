//! Primary context of a device, and the conversion of its results to errors.

use super::codes::{self, Meaning};
use super::library::Driver;
use cudarc::driver::sys::{self, CUdevice_attribute, CUresult};
use imminent_core::{DeviceInfo, DeviceKind, Error, Result};
use std::sync::OnceLock;

/// The primary context of a device, retained while this lives.
///
/// Every call into the driver goes through [`Primary::enter`], which makes the context current on the thread.
#[derive(Debug)]
pub(crate) struct Primary {
    pub(crate) info: DeviceInfo,
    device: sys::CUdevice,
    context: sys::CUcontext,
    /// Error through which the device was lost, if it was.
    lost: OnceLock<String>,
}

// SAFETY: a context handle may be used from any thread; each thread makes it current first (`enter`). The driver's
// functions lock internally.
unsafe impl Send for Primary {}
// SAFETY: as above; `lost` is synchronised.
unsafe impl Sync for Primary {}

/// Returns the number of devices.
pub(crate) fn count() -> Result<u32> {
    Driver::get()?;
    let mut count = 0;
    // SAFETY: one integer is written; the driver has been started.
    let code = unsafe { sys::cuDeviceGetCount(&mut count) };
    plain("counting devices", code)?;
    Ok(u32::try_from(count).unwrap_or(0))
}

/// Returns a device's name, driver and kind, without opening it.
pub(crate) fn describe(index: u32) -> Result<(sys::CUdevice, DeviceInfo)> {
    let driver = Driver::get()?;
    let device = device(index)?;
    let mut name = [0u8; 256];
    // SAFETY: at most 256 bytes are written, the terminating 0 among them.
    let code = unsafe { sys::cuDeviceGetName(name.as_mut_ptr().cast(), 256, device) };
    plain("asking for the device's name", code)?;
    let length = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    let integrated = attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_INTEGRATED)? != 0;
    let info = DeviceInfo {
        backend: "cuda".to_owned(),
        name: String::from_utf8_lossy(&name[..length]).into_owned(),
        driver: driver.name(),
        kind: match (driver.emulated, integrated) {
            (true, _) => DeviceKind::CpuDevice,
            (false, true) => DeviceKind::IntegratedGpu,
            (false, false) => DeviceKind::DiscreteGpu,
        },
        index,
    };
    Ok((device, info))
}

fn device(index: u32) -> Result<sys::CUdevice> {
    let mut device = 0;
    // SAFETY: one integer is written; the driver has been started.
    let code = unsafe { sys::cuDeviceGet(&mut device, i32::try_from(index).unwrap_or(i32::MAX)) };
    plain("looking for the device", code)?;
    Ok(device)
}

/// Returns an attribute of a device.
pub(crate) fn attribute(device: sys::CUdevice, attribute: CUdevice_attribute) -> Result<u32> {
    let mut value = 0;
    // SAFETY: one integer is written; the device is one that the driver gave.
    let code = unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) };
    plain("asking what the device can do", code)?;
    Ok(u32::try_from(value).unwrap_or(0))
}

/// Returns the bytes of a device's memory.
pub(crate) fn memory_bytes(device: sys::CUdevice) -> Result<u64> {
    let mut bytes = 0;
    // SAFETY: one number is written; the device is one that the driver gave.
    let code = unsafe { sys::cuDeviceTotalMem_v2(&mut bytes, device) };
    plain("asking for the device's memory", code)?;
    Ok(bytes as u64)
}

/// Returns the compute capability: 90 for 9.0.
pub(crate) fn capability(device: sys::CUdevice) -> Result<u32> {
    let major = attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    Ok(major * 10 + attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?)
}

/// Converts a result code before a device is open.
fn plain(stage: &str, code: CUresult) -> Result<()> {
    if code == CUresult::CUDA_SUCCESS {
        return Ok(());
    }
    Err(Error::Driver {
        backend: "cuda".to_owned(),
        device: "not opened yet".to_owned(),
        stage: stage.to_owned(),
        message: codes::words(code),
    })
}

impl Primary {
    /// Retains the primary context of a device.
    pub(crate) fn open(index: u32) -> Result<(Primary, sys::CUdevice)> {
        let (device, info) = describe(index)?;
        let mut context = std::ptr::null_mut();
        // SAFETY: one pointer is written; the device is one that the driver gave. Released in `drop`.
        let code = unsafe { sys::cuDevicePrimaryCtxRetain(&mut context, device) };
        let primary = Primary { info, device, context, lost: OnceLock::new() };
        if code != CUresult::CUDA_SUCCESS {
            let error = primary.error("opening the device", code);
            // A context that was not retained must not be released.
            std::mem::forget(primary);
            return Err(error);
        }
        Ok((primary, device))
    }

    /// Makes the context current on this thread. This is cheap, so every entry into the backend does it.
    pub(crate) fn enter(&self) -> Result<()> {
        if let Some(reason) = self.lost.get() {
            return Err(self.lost_error("an earlier call", reason.clone()));
        }
        // SAFETY: the context is retained.
        let code = unsafe { sys::cuCtxSetCurrent(self.context) };
        self.check("choosing the device", code)
    }

    /// Returns the context handle, for calls that take it.
    pub(crate) fn raw(&self) -> sys::CUcontext {
        self.context
    }

    /// Turns a result code into a result.
    #[inline]
    pub(crate) fn check(&self, stage: &str, code: CUresult) -> Result<()> {
        if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(self.error(stage, code)) }
    }

    #[cold]
    fn error(&self, stage: &str, code: CUresult) -> Error {
        match codes::meaning(code) {
            Meaning::Lost => {
                let reason = self.lost.get_or_init(|| codes::words(code)).clone();
                self.lost_error(stage, reason)
            }
            Meaning::OutOfMemory => self.out_of_memory(&format!("what {stage} takes"), 0, None),
            Meaning::Other => self.driver(stage, codes::words(code)),
        }
    }

    fn lost_error(&self, stage: &str, reason: String) -> Error {
        let info = &self.info;
        Error::DeviceLost { backend: info.backend.clone(), device: info.name.clone(), stage: stage.to_owned(), reason }
    }

    /// Creates an [`Error::Driver`].
    pub(crate) fn driver(&self, stage: &str, message: String) -> Error {
        let info = &self.info;
        Error::Driver { backend: info.backend.clone(), device: info.name.clone(), stage: stage.to_owned(), message }
    }

    /// Creates an [`Error::OutOfMemory`].
    pub(crate) fn out_of_memory(&self, what: &str, requested: u64, limit: Option<u64>) -> Error {
        Error::OutOfMemory {
            backend: self.info.backend.clone(),
            device: self.info.name.clone(),
            what: what.to_owned(),
            requested,
            limit,
            holders: Vec::new(),
        }
    }

    /// Waits for all work on the device. For teardown, so its result is ignored.
    pub(crate) fn quiesce(&self) {
        if self.enter().is_ok() {
            // SAFETY: the context is current.
            let _ = unsafe { sys::cuCtxSynchronize() };
        }
    }

    /// Returns the bytes that are free on the device.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        self.enter().ok()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: two numbers are written; the context is current.
        let code = unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) };
        (code == CUresult::CUDA_SUCCESS).then_some(free as u64)
    }
}

impl Drop for Primary {
    fn drop(&mut self) {
        // SAFETY: retained once in `open`. Everything that used the context holds a reference to this, and has been
        // dropped.
        unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}
