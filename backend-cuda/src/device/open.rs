//! Listing and opening of devices.

use super::cache::DiskCache;
use super::compiler::{DeviceCompiler, Wanted};
use super::context::{Context, MAX_POINTERS, MAX_ROWS, Sizes};
use crate::driver::library::{self, Driver};
use crate::driver::primary::{self, Primary};
use crate::nvrtc::places;
use crate::options::{Loops, Options, Workgroup};
use crate::shipped;
use cudarc::driver::sys::{self, CUdevice_attribute, CUmemPool_attribute};
use imminent_core::{Capabilities, DeviceInfo, Error, Limits, Result};
use imminent_device::kernel_cache::Shipped;
use imminent_lowering::c::COptions;
use serde::Serialize;
use std::sync::Arc;

/// A device that can be opened, and its capabilities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Adapter {
    /// Name, driver and kind.
    pub info: DeviceInfo,
    /// Capabilities of the device. Float probes are omitted: they need the device to run.
    pub capabilities: Capabilities,
    /// Compute capability: 90 for 9.0.
    pub compute_capability: u32,
}

/// Lists every device.
pub(crate) fn adapters(options: &Options) -> Result<Vec<Adapter>> {
    options.check()?;
    let one = |index| {
        let (device, info) = primary::describe(index)?;
        let capabilities = capabilities(primary::memory_bytes(device)?, options);
        Ok(Adapter { info, capabilities, compute_capability: primary::capability(device)? })
    };
    let found: Vec<Adapter> = (0..primary::count()?).map(one).collect::<Result<_>>()?;
    if found.is_empty() {
        return Err(Error::Unavailable {
            backend: "cuda".to_owned(),
            reason: "the NVIDIA driver finds no device".to_owned(),
            tried: "every device that the driver counts".to_owned(),
            remedy: "Check nvidia-smi, and that CUDA_VISIBLE_DEVICES does not hide the devices".to_owned(),
        });
    }
    Ok(found)
}

fn capabilities(memory: u64, options: &Options) -> Capabilities {
    let mut capabilities = Capabilities::new(Limits::new(memory, MAX_ROWS, MAX_POINTERS as u32 - 1));
    capabilities.limits.memory_bytes = Some(memory);
    capabilities.tally_min_max_64 = true;
    capabilities.float64 = options.float64;
    capabilities.loops_in_groups = matches!(options.loops, Loops::Auto | Loops::Resident);
    capabilities.faults = options.faults;
    capabilities
}

/// Opens a device.
pub(crate) fn open(index: u32, options: &Options) -> Result<(Context, Capabilities)> {
    options.check()?;
    let driver = Driver::get()?;
    let count = primary::count()?;
    if index >= count {
        let names: Vec<String> =
            (0..count).map(|index| primary::describe(index).map(|(_, info)| info.name)).collect::<Result<_>>()?;
        let available = if names.is_empty() { "none".to_owned() } else { format!("{count} ({})", names.join(", ")) };
        return Err(Error::NoDevice { backend: "cuda".to_owned(), index, available });
    }
    let (primary, device) = Primary::open(index)?;
    let capability = primary::capability(device)?;
    if primary::attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? == 0 {
        return Err(Error::Unsupported {
            backend: primary.info.backend.clone(),
            device: primary.info.name.clone(),
            what: "Imminent".to_owned(),
            reason: "its driver has no memory pools".to_owned(),
            remedy: "Use a driver without that restriction (a virtual GPU may have it), or another backend".to_owned(),
        });
    }
    // A driver that is named provides its compiler, if one lies beside it.
    let beside = library::named().and_then(|driver| places::folder_with_library(driver.parent()?));
    let path = options.nvrtc.clone().or(beside);
    // A compiler that is named shall be used.
    let shipped = if options.nvrtc.is_some() { Shipped::default() } else { shipped::find(capability)? };
    let later = shipped.folder().is_some();
    let compiler = DeviceCompiler::new(Wanted { path, capability, driver: driver.numbers(), later })?;
    let loops_in_nodes = options.loops == Loops::Conditional;
    if let Some(reason) = lacks_nodes(&driver, compiler.version()).filter(|_| loops_in_nodes) {
        return Err(Error::Unsupported {
            backend: primary.info.backend.clone(),
            device: primary.info.name.clone(),
            what: "the option loops=conditional".to_owned(),
            reason,
            remedy: "Use a newer one, or loops=graph, whose results are the same".to_owned(),
        });
    }
    let memory = primary::memory_bytes(device)?;
    let pool = pool(&primary, device)?;
    let workgroup_size = match options.workgroup {
        Workgroup::Auto => 256,
        Workgroup::Threads(threads) => threads,
    };
    let lowering = COptions {
        float64: options.float64,
        workgroup_size,
        faults: options.faults,
        line_directives: true,
        ..COptions::cuda()
    };
    let parameters = if driver.version >= 12_010 { compiler.parameter_bytes() } else { 4096 };
    let multiprocessors = primary::attribute(device, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    let context = Context {
        primary: Arc::new(primary),
        cache: DiskCache::new(&options.cache, driver.version)?,
        shipped,
        record: options.record.clone(),
        lines: options.lines,
        capability,
        compiler,
        lowering,
        choose_workgroup: options.workgroup == Workgroup::Auto,
        loops_in_nodes,
        loops: options.loops,
        sizes: Sizes { memory, parameters, multiprocessors },
        allocated: Arc::default(),
        pool,
    };
    Ok((context, capabilities(memory, options)))
}

/// Returns the reason why loops cannot be WHILE nodes, if there is one. `compiler` is NVRTC's version.
fn lacks_nodes(driver: &Driver, compiler: (u32, u32)) -> Option<String> {
    if !driver.conditional {
        return Some(format!("its driver runs CUDA {} and WHILE nodes came with 12.3", library::text(driver.version)));
    }
    let (major, minor) = compiler;
    (compiler < (12, 3)).then(|| format!("NVRTC has version {major}.{minor} and WHILE nodes came with 12.3"))
}

/// Returns the device's memory pool, set to keep freed memory: the next allocation then costs no system call.
fn pool(primary: &Primary, device: sys::CUdevice) -> Result<sys::CUmemoryPool> {
    primary.enter()?;
    let mut pool = std::ptr::null_mut();
    // SAFETY: one pointer is written; the device is one that the driver gave.
    let code = unsafe { sys::cuDeviceGetDefaultMemPool(&mut pool, device) };
    primary.check("looking for the memory pool", code)?;
    let mut keep = u64::MAX;
    let threshold = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: the attribute's value is a 64-bit number, which is read.
    let code = unsafe { sys::cuMemPoolSetAttribute(pool, threshold, (&raw mut keep).cast()) };
    primary.check("setting up the memory pool", code)?;
    Ok(pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function that controls nodes is unresolved in NVRTC 11.8, 12.0, 12.1 and 12.2; 12.3 compiles it.
    #[test]
    fn loops_are_nodes_if_driver_and_compiler_know_them() {
        let driver = |conditional| Driver { version: 12_080, emulated: false, conditional };
        let reason = |compiler| lacks_nodes(&driver(true), compiler);
        assert!(reason((12, 2)).is_some_and(|reason| reason.contains("NVRTC has version 12.2")));
        assert_eq!((reason((12, 3)), reason((13, 0))), (None, None));
        assert!(lacks_nodes(&driver(false), (13, 0)).is_some_and(|reason| reason.contains("CUDA 12.8")));
    }
}
