//! Devices and their queues: the handles that users hold, the memory that a device's own queue fills and reads, and
//! work in progress.
//!
//! Memory is bytes here: its rows have no types.

mod event;
mod queue;
mod storage;
mod submission;

pub use event::Event;
pub use queue::Queue;
pub(crate) use storage::Storage;
pub use submission::Submission;

use crate::backend::{Backend, ModuleHandle};
use crate::capability::{Capabilities, Determinism, DeviceInfo};
use crate::error::{Error, Result};
use crate::holder::Holder;
use crate::memory::{MemoryStatistics, Plain, Shared, Staging};
use crate::queue::QueueState;
use crate::source::ModuleSource;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A device that is ready to run kernels. Cloning gives another handle to the same device.
///
/// ```
/// use imminent_core::{Backend, Device, Result, Table};
///
/// /// Sums on the device of a backend: `CpuBackend::open(&options)?` makes one.
/// fn sum_on(backend: impl Backend + 'static) -> Result<()> {
///     let device = Device::open(backend)?;
///     println!("{}, driver {}", device.info().name, device.info().driver);
///     let values = Table::from_rows(&device, &[1_u64, 2, 3])?;
///     assert_eq!(device.queue().sum(&values)?.read()?, 6);
///     assert!(device.memory().current >= 24); // bytes
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Device {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    // Stands before `shared`: a queue waits for its work before the memory that it uses is dropped.
    queue: Arc<QueueState>,
    shared: Arc<Shared>,
    capabilities: OnceLock<Capabilities>,
    /// Modules built so far. A program has few, and every launch searches here: a short list is faster than a hash
    /// table.
    modules: Mutex<Vec<(&'static ModuleSource, ModuleHandle)>>,
}

impl Device {
    /// Takes over a backend's device, whose floats were not probed yet, and creates its queue.
    pub(crate) fn unprobed(backend: impl Backend + 'static) -> Result<Device> {
        let shared = Arc::new(Shared::new(Arc::new(backend)));
        let queue = QueueState::new(&shared)?;
        let inner = Inner { queue, shared, capabilities: OnceLock::new(), modules: Mutex::default() };
        Ok(Device { inner: Arc::new(inner) })
    }

    /// Sets the capabilities, with the results of the probes of floats.
    pub(crate) fn set_probed(&self, capabilities: Capabilities) {
        let _ = self.inner.capabilities.set(capabilities);
    }

    /// Returns name, driver and kind of the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.shared().backend.info()
    }

    /// Returns the capabilities of the device, including float probes.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities.get().unwrap_or_else(|| self.shared().backend.capabilities())
    }

    /// Returns host memory for `length` values, for transfers of the device. New memory is zeroed; memory from the pool
    /// keeps its old contents.
    ///
    /// # Errors
    /// [`Error::Limit`], or [`Error::OutOfMemory`] if the host has too little memory.
    pub fn staging<T: Plain>(&self, length: usize) -> Result<Staging<T>> {
        Staging::new(self.shared(), length)
    }

    /// Returns statistics of the device's memory in use.
    #[must_use]
    pub fn memory(&self) -> MemoryStatistics {
        self.shared().accounts.statistics(self.backend())
    }

    /// Returns the tables and tallies that take the most memory, grouped by name, at most `most` groups.
    #[must_use]
    pub fn holders(&self, most: usize) -> Vec<Holder> {
        self.shared().accounts.largest(most)
    }

    /// Limits the bytes that tables, tallies and results may take together; `None` leaves only the device's limit.
    /// Memory already in use stays.
    pub fn set_memory_limit(&self, bytes: Option<u64>) {
        self.shared().accounts.set_limit(bytes);
    }

    /// Returns the state of the device's own queue.
    pub(super) fn own_queue(&self) -> &Arc<QueueState> {
        &self.inner.queue
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    /// Returns the backend.
    #[must_use]
    pub fn backend(&self) -> &dyn Backend {
        self.shared().backend.as_ref()
    }

    /// Returns `true` if two handles name the same device.
    #[must_use]
    pub fn same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Checks that the device can promise a determinism class for `f32`.
    ///
    /// # Errors
    /// [`Error::Determinism`], with the result of the probe, if it cannot.
    pub fn require(&self, class: Determinism) -> Result<()> {
        let Some(probe) = &self.capabilities().f32 else { return Ok(()) };
        let offered = probe.class();
        let enough = match class {
            Determinism::Exact => false,
            Determinism::Reproducible => offered == Determinism::Reproducible,
            Determinism::Bounded { ulp } => match offered {
                Determinism::Bounded { ulp: offered } => offered <= ulp,
                _ => true,
            },
        };
        if enough {
            return Ok(());
        }
        let reason = if class == Determinism::Exact {
            "floats are not exact on any device".to_owned()
        } else {
            probe.defects().join(", ")
        };
        let info = self.info();
        Err(Error::Determinism {
            backend: info.backend.clone(),
            device: info.name.clone(),
            asked: class,
            offered,
            reason,
        })
    }

    /// Prepares a kernel module ahead of its first launch.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::Module`].
    pub fn prepare(&self, source: &'static ModuleSource) -> Result<()> {
        self.module(source).map(drop)
    }

    /// Returns the device's form of a module, which is built when it is first asked for.
    pub(crate) fn module(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        let mut modules = self.inner.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(position) = modules.iter().position(|(known, _)| std::ptr::eq(*known, source)) {
            // Moves the module to the front: the module of a loop's kernels is found at once from now on.
            modules.swap(0, position);
            return Ok(modules[0].1.clone());
        }
        source.ir().map_err(|e| Error::Module { module: source.name().to_owned(), reason: e.to_string() })?;
        let module = self.shared().backend.build(source)?;
        modules.push((source, module.clone()));
        Ok(module)
    }
}
