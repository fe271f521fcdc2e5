//! Devices: a backend with its modules and its queue.

use crate::backend::{Backend, ModuleHandle, QueueHandle};
use crate::capability::{Capabilities, Determinism, DeviceInfo};
use crate::error::{Error, Result};
use crate::holder::Holder;
use crate::kernel::{Kernel, ModuleSource};
use crate::memory::{Accounts, MemoryStatistics, Plain, Staging, StagingPool};
use crate::queue::{Queue, QueueState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// A device that is ready to run kernels. Cloning gives another handle to the same device.
#[derive(Clone, Debug)]
pub struct Device {
    inner: Arc<Inner>,
}

/// What a device's queues and host memory need of it. It outlives them.
#[derive(Debug)]
pub(crate) struct Shared {
    // Host memory goes before the backend that it belongs to.
    pub(crate) staging: StagingPool,
    pub(crate) accounts: Accounts,
    pub(crate) backend: Arc<dyn Backend>,
    queues: AtomicU64,
    /// Whether there is, or was, more than one queue.
    several: AtomicBool,
    ledger: Mutex<()>,
    /// How often a memory has got another buffer.
    moves: AtomicU64,
    /// The queues, which keep launches.
    keepers: Mutex<Vec<Weak<QueueState>>>,
}

impl Shared {
    /// A number for a new queue.
    pub(crate) fn next_queue(&self) -> u64 {
        self.queues.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether there is, or was, more than one queue.
    pub(crate) fn has_several_queues(&self) -> bool {
        self.several.load(Ordering::Acquire)
    }

    /// How often a memory has got another buffer. A memory moves when an operation that writes it has its turn.
    pub(crate) fn moved(&self) -> u64 {
        self.moves.load(Ordering::Acquire)
    }

    /// Notes that a memory has got another buffer.
    pub(crate) fn moves(&self) {
        self.moves.fetch_add(1, Ordering::AcqRel);
    }

    /// Notes a queue, which keeps launches.
    pub(crate) fn keeps(&self, queue: &Arc<QueueState>) {
        let mut keepers = self.keepers.lock().unwrap_or_else(PoisonError::into_inner);
        keepers.retain(|keeper| keeper.strong_count() > 0);
        keepers.push(Arc::downgrade(queue));
    }

    /// Makes all queues forget the launches that use the memory at an address.
    pub(crate) fn forget(&self, address: usize) {
        // A queue that is held here for the last time ends outside the lock.
        let keepers: Vec<Arc<QueueState>> = {
            let keepers = self.keepers.lock().unwrap_or_else(PoisonError::into_inner);
            keepers.iter().filter_map(Weak::upgrade).collect()
        };
        keepers.iter().for_each(|queue| queue.forget(address));
    }

    /// The right to note uses of memory by operations of all queues; nothing while there is one queue only.
    pub(crate) fn ledger(&self) -> Option<MutexGuard<'_, ()>> {
        self.several.load(Ordering::Acquire).then(|| self.ledger.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[derive(Debug)]
struct Inner {
    // Queues wait for their work before what they use goes.
    queue: Arc<QueueState>,
    shared: Arc<Shared>,
    capabilities: OnceLock<Capabilities>,
    /// Modules that were built. A program has few, and every launch looks here: a short list is faster than a hash.
    modules: Mutex<Vec<(&'static ModuleSource, ModuleHandle)>>,
}

impl Device {
    /// Takes over a backend's device, makes its queue, and probes what its floats do.
    ///
    /// # Errors
    /// When no queue can be made, or the probe kernels do not run.
    pub fn open(backend: impl Backend + 'static) -> Result<Device> {
        let shared = Arc::new(Shared {
            staging: StagingPool::default(),
            accounts: Accounts::default(),
            backend: Arc::new(backend),
            queues: AtomicU64::new(1),
            several: AtomicBool::new(false),
            ledger: Mutex::default(),
            moves: AtomicU64::new(0),
            keepers: Mutex::default(),
        });
        shared.accounts.set_limit(shared.backend.memory_limit());
        let queue = QueueState::new(&shared)?;
        let inner = Inner { queue, shared, capabilities: OnceLock::new(), modules: Mutex::default() };
        let device = Device { inner: Arc::new(inner) };
        let probed = crate::probe::run(&device)?;
        let _ = device.inner.capabilities.set(probed);
        Ok(device)
    }

    /// Name, driver and kind of the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.inner.shared.backend.info()
    }

    /// What the device can do, float probes included.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities.get().unwrap_or_else(|| self.inner.shared.backend.capabilities())
    }

    /// The device's own queue: it clears new tables, and reads and writes whole tables and scalars.
    #[must_use]
    pub fn queue(&self) -> Queue {
        Queue::new(self.clone(), self.inner.queue.clone())
    }

    /// A further queue, whose work may run beside that of the others. It begins after everything that is on the device's own
    /// queue now; make it before you start a long program there.
    ///
    /// Work of several queues on the same table, tally or scalar is ordered by itself: an operation comes after those that
    /// were put on other queues before it, if one of them writes what the other uses.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn new_queue(&self) -> Result<Queue> {
        self.further(QueueState::new(&self.inner.shared)?)
    }

    fn further(&self, queue: Arc<QueueState>) -> Result<Queue> {
        self.inner.shared.several.store(true, Ordering::Release);
        // What was put on the device's queue before uses were noted.
        queue.wait_for(&self.inner.queue, &*self.inner.queue.mark()?)?;
        Ok(Queue::new(self.clone(), queue))
    }

    /// A queue whose handle a backend has made by itself, for instance around another library's stream. Backends with such
    /// queues have a trait for devices, which calls this.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn adopt_queue(&self, handle: QueueHandle) -> Result<Queue> {
        self.further(QueueState::with(&self.inner.shared, handle))
    }

    /// Host memory for `length` values, for transfers of the device. The first values are zero; memory that comes from the pool
    /// holds what was left there.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::OutOfMemory`] when the host has no room.
    pub fn staging<T: Plain>(&self, length: usize) -> Result<Staging<T>> {
        Staging::new(self, length)
    }

    /// How much of the device's memory is in use.
    #[must_use]
    pub fn memory(&self) -> MemoryStatistics {
        self.inner.shared.accounts.statistics(self.backend())
    }

    /// The tables and tallies that take the most memory, like with like, at most `most` kinds of them.
    #[must_use]
    pub fn holders(&self, most: usize) -> Vec<Holder> {
        self.inner.shared.accounts.largest(most)
    }

    /// Limits the bytes that tables, tallies and results may take together; `None` for no limit but the device's. What is in
    /// use already stays.
    pub fn set_memory_limit(&self, bytes: Option<u64>) {
        self.inner.shared.accounts.set_limit(bytes);
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    /// The backend.
    #[must_use]
    pub fn backend(&self) -> &dyn Backend {
        self.inner.shared.backend.as_ref()
    }

    /// Whether two handles name the same device.
    #[must_use]
    pub fn same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Makes sure that the device can promise a determinism class for `f32`.
    ///
    /// # Errors
    /// [`Error::Determinism`] with what the probe found, when it cannot.
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

    /// The code that the device's backend generates for a kernel.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::Module`], [`Error::Unsupported`].
    pub fn generated<K: Kernel>(&self) -> Result<String> {
        self.inner.shared.backend.generated(K::SOURCE.module, K::SOURCE.index)
    }

    pub(crate) fn module(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        let mut modules = self.inner.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(position) = modules.iter().position(|(known, _)| std::ptr::eq(*known, source)) {
            // The module of a loop's kernels is found at once from now on.
            modules.swap(0, position);
            return Ok(modules[0].1.clone());
        }
        source.ir().map_err(|e| Error::Module { module: source.name().to_owned(), reason: e.to_string() })?;
        let module = self.inner.shared.backend.build(source)?;
        modules.push((source, module.clone()));
        Ok(module)
    }
}
