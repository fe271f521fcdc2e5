//! State shared by everything on one opened device.

use super::cache::DiskCache;
use super::compiler::DeviceCompiler;
use crate::driver::Primary;
use crate::options::Loops;
use cudarc::driver::sys::{self, CUmemPool_attribute};
use imminent_core::backend::PoolStatistics;
use imminent_core::{Error, Result};
use imminent_device::kernel_cache::Shipped;
use imminent_lowering::c::COptions;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// An opened device: its context, its compiler and its sizes.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) primary: Arc<Primary>,
    pub(crate) compiler: DeviceCompiler,
    pub(crate) cache: DiskCache,
    /// Kernels that were shipped for such devices.
    pub(crate) shipped: Shipped,
    /// Folder in which texts of kernels are recorded.
    pub(crate) record: Option<PathBuf>,
    /// `true` if kernels carry the Rust lines of their instructions, for profilers.
    pub(crate) lines: bool,
    /// Compute capability, as 75, 80, 90.
    pub(crate) capability: u32,
    /// Options of the lowering of kernels.
    pub(crate) lowering: COptions,
    /// `true` if the block size is chosen kernel by kernel.
    pub(crate) choose_workgroup: bool,
    /// `true` if loops of programs run in WHILE nodes.
    pub(crate) loops_in_nodes: bool,
    /// The option for loops of programs.
    pub(crate) loops: Loops,
    pub(crate) sizes: Sizes,
    pub(crate) allocated: Arc<AtomicU64>,
    pub(super) pool: sys::CUmemoryPool,
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
pub(crate) const MAX_POINTERS: usize = 60;
/// Rows of the largest launch: the row numbers of the last block, and a table's rows with padding, fit 32 bits.
pub(crate) const MAX_ROWS: u32 = u32::MAX - 1023;

/// Largest number of blocks of a grid in one dimension.
pub(crate) const MAX_BLOCKS: u32 = i32::MAX.cast_unsigned();

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
