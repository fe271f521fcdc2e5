//! State shared by everything on one opened device.

use super::library::{self, Driver};
use super::primary::{self, Primary};
use crate::cache::DiskCache;
use crate::module::SharedKernels;
use crate::nvrtc::{Compiler, places};
use crate::options::{Loops, Options, Workgroup};
use cudarc::driver::sys::{self, CUdevice_attribute, CUmemPool_attribute};
use imminent_core::pool::PoolStatistics;
use imminent_core::{Capabilities, DeviceInfo, Error, Int64, Limits, Result};
use imminent_lowering::c::COptions;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// An opened device: its context, its compiler, its sizes, and the kernels that every queue needs.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) primary: Arc<Primary>,
    pub(crate) compiler: Compiler,
    pub(crate) cache: DiskCache,
    /// Options of the lowering of kernels.
    pub(crate) lowering: COptions,
    /// `true` if the block size is chosen kernel by kernel.
    pub(crate) choose_workgroup: bool,
    /// `true` if loops of programs run in WHILE nodes.
    pub(crate) loops_in_nodes: bool,
    pub(crate) sizes: Sizes,
    pub(crate) allocated: Arc<AtomicU64>,
    pub(crate) shared: SharedKernels,
    pool: sys::CUmemoryPool,
}

// SAFETY: the pool handle may be used from any thread; the driver locks internally. Everything else is already `Send`.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// Sizes of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Bytes of memory.
    pub(crate) memory: u64,
    /// Largest number of bytes of one launch's parameters.
    pub(crate) parameters: u32,
    /// Number of multiprocessors.
    pub(crate) multiprocessors: u32,
}

/// Largest number of pointers that one launch can pass beside the state and the launch block.
pub(crate) const MOST_POINTERS: usize = 60;
/// Rows of the largest launch: the row numbers of the last block, and a table's rows with padding, fit 32 bits.
pub(crate) const MOST_ROWS: u32 = u32::MAX - 1023;

/// Largest number of blocks of a grid in one dimension.
pub(crate) const MOST_BLOCKS: u32 = i32::MAX.cast_unsigned();

/// A device that can be opened, and its capabilities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    Capabilities {
        int64: Int64::Native,
        tally_min_max_64: true,
        faults: options.faults,
        long_loops: true,
        float64: options.float64,
        native_rows: false,
        threads: 0,
        f32: None,
        f64: None,
        limits: Limits {
            table_bytes: memory,
            column_bytes: memory,
            rows: MOST_ROWS,
            bindings: MOST_POINTERS as u32 - 1,
            memory_bytes: Some(memory),
        },
    }
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
    let loops_in_nodes = match options.loops {
        Loops::Auto | Loops::Graph => false,
        Loops::Conditional if driver.conditional => true,
        Loops::Conditional => {
            return Err(Error::Unsupported {
                backend: primary.info.backend.clone(),
                device: primary.info.name.clone(),
                what: "the option loops=conditional".to_owned(),
                reason: format!(
                    "its driver runs CUDA {} and WHILE nodes came with 12.3",
                    library::text(driver.version)
                ),
                remedy: "Use a newer driver, or loops=graph, whose results are the same".to_owned(),
            });
        }
    };
    // A driver that is named provides its compiler, if one lies beside it.
    let beside = library::named().and_then(|driver| places::folder_with_library(driver.parent()?));
    let asked = options.nvrtc.as_deref().or(beside.as_deref());
    let compiler = Compiler::find(asked, capability, Some(driver.major()))?;
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
        compiler,
        lowering,
        choose_workgroup: options.workgroup == Workgroup::Auto,
        loops_in_nodes,
        sizes: Sizes { memory, parameters, multiprocessors },
        allocated: Arc::default(),
        shared: SharedKernels::default(),
        pool,
    };
    Ok((context, capabilities(memory, options)))
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

impl Context {
    /// Creates an [`Error::Driver`].
    pub(crate) fn driver(&self, stage: &str, message: &str) -> Error {
        self.primary.driver(stage, message.to_owned())
    }

    /// Returns the memory that the device's pool holds and the part in use, by all users of the pool in this process.
    pub(crate) fn pool_statistics(&self) -> Result<PoolStatistics> {
        self.primary.enter()?;
        let ask = |attribute| {
            let mut bytes = 0_u64;
            // SAFETY: each of the attributes below is a 64-bit number, which is written; the pool is the device's own.
            let code = unsafe { sys::cuMemPoolGetAttribute(self.pool, attribute, (&raw mut bytes).cast()) };
            self.primary.check("asking for the size of the memory pool", code).map(|()| bytes)
        };
        Ok(PoolStatistics {
            held: ask(CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?,
            held_peak: ask(CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)?,
            used: ask(CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?,
            used_peak: ask(CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH)?,
        })
    }

    /// Waits for all work and gives unused memory back to the driver.
    pub(crate) fn make_room(&self) -> Result<()> {
        self.primary.enter()?;
        // SAFETY: the context is current.
        let code = unsafe { sys::cuCtxSynchronize() };
        self.primary.check("making room", code)?;
        // SAFETY: the pool is the device's own, which lives as long as the context.
        let code = unsafe { sys::cuMemPoolTrimTo(self.pool, 0) };
        self.primary.check("making room", code)
    }
}
