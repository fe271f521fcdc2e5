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
use crate::capability::{Capabilities, Determinism, DeviceInfo, FloatProbe};
use crate::error::{Error, Result};
use crate::holder::Holder;
use crate::memory::{MemoryStatistics, Plain, Shared, Staging};
use crate::queue::QueueState;
use crate::source::{KernelSource, ModuleSource};
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
    /// Weakest class of floats with which kernels may compute.
    allowed: Determinism,
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
    /// Takes over a backend's device, and creates its queue, without probing its floats: no kernel is launched. For the
    /// author of a backend that has memory and no kernels yet, and for tools that need neither.
    /// [`Device::require`] refuses such a device every promise about floats.
    ///
    /// # Errors
    /// Fails if no queue can be created.
    pub fn unprobed(backend: impl Backend + 'static) -> Result<Device> {
        Device::of(Arc::new(backend))
    }

    /// Takes over a backend's device, and creates its queue.
    pub(crate) fn of(backend: Arc<dyn Backend>) -> Result<Device> {
        let shared = Arc::new(Shared::new(backend));
        let queue = QueueState::new(&shared)?;
        let inner = Inner { queue, shared, capabilities: OnceLock::new(), modules: Mutex::default() };
        Ok(Device { inner: Arc::new(inner), allowed: Determinism::Reproducible })
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
        let (offered, reason) = match &self.capabilities().f32 {
            _ if class == Determinism::Exact => {
                (Determinism::Reproducible, "floats are not exact on any device".into())
            }
            Some(probe) => (probe.class(), probe.defects().join(", ")),
            None => (Determinism::LOOSEST, "its floats were not probed".to_owned()),
        };
        if offered.keeps(class) {
            Ok(())
        } else {
            Err(self.refused("`f32`".to_owned(), class, (offered, reason), format!("Ask for {offered}")))
        }
    }

    /// Returns a handle to the device, and through it to queues, tables and programs, by which kernels may compute with
    /// floats of this class or better. Other handles stay as they are. A device that was just opened allows
    /// [`Determinism::Reproducible`]: on one that rounds in its own way, launches of kernels with floats are refused.
    ///
    /// ```
    /// # use imminent_core::{Determinism, Device, Result};
    /// # fn example(device: &Device) -> Result<()> {
    /// // The kernels of this model tolerate errors of a few units in the last place.
    /// let device = device.allowing(Determinism::LOOSEST);
    /// assert!(device.allowed().keeps(Determinism::LOOSEST));
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn allowing(&self, class: Determinism) -> Device {
        Device { inner: self.inner.clone(), allowed: class }
    }

    /// Returns the weakest class of floats with which kernels may compute through this handle.
    #[must_use]
    pub fn allowed(&self) -> Determinism {
        self.allowed
    }

    /// Checks that the floats with which a kernel computes are of the class allowed, as each launch does.
    ///
    /// # Errors
    /// [`Error::Determinism`] if the device keeps a weaker class.
    pub fn check_floats(&self, kernel: &KernelSource) -> Result<()> {
        let Capabilities { f32: single, f64: double, .. } = self.capabilities();
        let offered = |probe: &Option<FloatProbe>| probe.as_ref().map_or(Determinism::Exact, FloatProbe::class);
        if offered(single).keeps(self.allowed) && offered(double).keeps(self.allowed) {
            return Ok(());
        }
        let used = kernel.module.floats(kernel.index);
        for (probe, _) in [(single, used.single), (double, used.double)].into_iter().filter(|(_, used)| *used) {
            let Some(probe) = probe.as_ref().filter(|probe| !probe.class().keeps(self.allowed)) else { continue };
            let (what, reason) = (format!("kernel `{}`", kernel.name), probe.defects().join(", "));
            let remedy = format!(
                "Allow {} by the device option `floats=bounded` or `Device::allowing`, take another device",
                probe.class()
            );
            return Err(self.refused(what, self.allowed, (probe.class(), reason), remedy));
        }
        Ok(())
    }

    fn refused(
        &self,
        what: String,
        asked: Determinism,
        (offered, reason): (Determinism, String),
        remedy: String,
    ) -> Error {
        let DeviceInfo { backend, name, .. } = self.info().clone();
        Error::Determinism { backend, device: name, what, asked, offered, reason, remedy }
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
