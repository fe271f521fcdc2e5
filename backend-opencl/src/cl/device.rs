//! Platforms and devices: their ids and properties.

use super::status::{Failure, code};
use crate::loader::NO_PLATFORM;
use bytemuck::{Pod, Zeroable};
use ocl::ffi::{self, cl_device_id, cl_int, cl_platform_id, cl_uint, size_t};
use std::ffi::c_void;
use std::ptr;

/// A platform: one driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlatformId(cl_platform_id);

/// A device of a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceId(cl_device_id);

// SAFETY: the ids of platforms and of root devices are valid as long as the library is loaded, which is until the
// process ends. All calls on them are safe on any thread.
unsafe impl Send for PlatformId {}
// SAFETY: as above.
unsafe impl Sync for PlatformId {}
// SAFETY: as above.
unsafe impl Send for DeviceId {}
// SAFETY: as above.
unsafe impl Sync for DeviceId {}

/// Queries a list in two calls: first its length, then its items.
fn list<T>(
    call: &'static str,
    none: cl_int,
    fetch: impl Fn(cl_uint, *mut *mut T, *mut cl_uint) -> cl_int,
) -> Result<Vec<*mut T>, Failure> {
    let mut count = 0;
    let status = fetch(0, ptr::null_mut(), &raw mut count);
    if status == none || (status == 0 && count == 0) {
        return Ok(Vec::new());
    }
    Failure::check(call, status)?;
    let mut items = vec![ptr::null_mut(); count as usize];
    let mut found = 0;
    Failure::check(call, fetch(count, items.as_mut_ptr(), &raw mut found))?;
    items.truncate(found as usize);
    items.retain(|item| !item.is_null());
    Ok(items)
}

/// Lists all platforms; none if the loader knows of no driver.
pub(crate) fn platform_ids() -> Result<Vec<PlatformId>, Failure> {
    let ids = list("clGetPlatformIDs", NO_PLATFORM, |room, places, count| {
        // SAFETY: `places` has room for as many ids as the call is told.
        unsafe { ffi::clGetPlatformIDs(room, places, count) }
    })?;
    Ok(ids.into_iter().map(PlatformId).collect())
}

/// Lists all devices of a platform.
pub(crate) fn device_ids(platform: PlatformId) -> Result<Vec<DeviceId>, Failure> {
    const ALL: u64 = 0xFFFF_FFFF;
    let ids = list("clGetDeviceIDs", code::DEVICE_NOT_FOUND, |room, places, count| {
        // SAFETY: the platform is valid, and `places` has room for as many ids as the call is told.
        unsafe { ffi::clGetDeviceIDs(platform.0, ALL, room, places, count) }
    })?;
    Ok(ids.into_iter().map(DeviceId).collect())
}

/// Queries bytes in two calls: first their number, then the bytes.
pub(super) fn bytes(
    call: &'static str,
    fetch: impl Fn(size_t, *mut c_void, *mut size_t) -> cl_int,
) -> Result<Vec<u8>, Failure> {
    let mut size = 0;
    Failure::check(call, fetch(0, ptr::null_mut(), &raw mut size))?;
    let mut bytes = vec![0u8; size];
    if size > 0 {
        Failure::check(call, fetch(size, bytes.as_mut_ptr().cast(), &raw mut size))?;
    }
    Ok(bytes)
}

/// Returns the text up to its first zero.
pub(super) fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).trim().to_owned()
}

impl PlatformId {
    /// Returns a text property of the platform.
    pub(crate) fn text(self, parameter: cl_uint) -> Result<String, Failure> {
        let bytes = bytes("clGetPlatformInfo", |size, place, needed| {
            // SAFETY: the platform is valid, and `place` has room for `size` bytes.
            unsafe { ffi::clGetPlatformInfo(self.0, parameter, size, place, needed) }
        })?;
        Ok(text(&bytes))
    }
}

impl DeviceId {
    pub(crate) fn raw(self) -> cl_device_id {
        self.0
    }

    fn bytes(self, parameter: cl_uint) -> Result<Vec<u8>, Failure> {
        bytes("clGetDeviceInfo", |size, place, needed| {
            // SAFETY: the device is valid, and `place` has room for `size` bytes.
            unsafe { ffi::clGetDeviceInfo(self.0, parameter, size, place, needed) }
        })
    }

    /// Returns a text property of the device.
    pub(crate) fn text(self, parameter: cl_uint) -> Result<String, Failure> {
        self.bytes(parameter).map(|bytes| text(&bytes))
    }

    /// Returns a numeric property of the device.
    pub(crate) fn number<T: Pod + Zeroable>(self, parameter: cl_uint) -> Result<T, Failure> {
        let bytes = self.bytes(parameter)?;
        let mut value = T::zeroed();
        let place = bytemuck::bytes_of_mut(&mut value);
        match bytes.get(..place.len()) {
            Some(bytes) => place.copy_from_slice(bytes),
            None => return Err(Failure { call: "clGetDeviceInfo", status: -30 }),
        }
        Ok(value)
    }
}
