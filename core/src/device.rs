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

/// Part of a device that its queues and host memory need. It outlives them.
#[derive(Debug)]
pub(crate) struct Shared {
    // Host memory is dropped before the backend that it belongs to.
    pub(crate) staging: StagingPool,
    pub(crate) accounts: Accounts,
    pub(crate) backend: Arc<dyn Backend>,
    queues: AtomicU64,
    /// `true` once there has been more than one queue.
    several: AtomicBool,
    ledger: Mutex<()>,
    /// Number of times that a memory received another buffer.
    moves: AtomicU64,
    /// The queues that cache launches.
    keepers: Mutex<Vec<Weak<QueueState>>>,
}

impl Shared {
    /// Returns a number for a new queue.
    pub(crate) fn next_queue(&self) -> u64 {
        self.queues.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns `true` once there has been more than one queue.
    pub(crate) fn has_several_queues(&self) -> bool {
        self.several.load(Ordering::Acquire)
    }

    /// Returns the number of times that a memory received another buffer. A memory moves at the turn of an operation
    /// that writes it.
    pub(crate) fn moved(&self) -> u64 {
        self.moves.load(Ordering::Acquire)
    }

    /// Records that a memory has received another buffer.
    pub(crate) fn moves(&self) {
        self.moves.fetch_add(1, Ordering::AcqRel);
    }

    /// Registers a queue that caches launches.
    pub(crate) fn keeps(&self, queue: &Arc<QueueState>) {
        let mut keepers = self.keepers.lock().unwrap_or_else(PoisonError::into_inner);
        keepers.retain(|keeper| keeper.strong_count() > 0);
        keepers.push(Arc::downgrade(queue));
    }

    /// Makes all queues drop the cached launches that use the memory at an address.
    pub(crate) fn forget(&self, address: usize) {
        // A queue whose last reference is held here must be dropped outside the lock.
        let keepers: Vec<Arc<QueueState>> = {
            let keepers = self.keepers.lock().unwrap_or_else(PoisonError::into_inner);
            keepers.iter().filter_map(Weak::upgrade).collect()
        };
        keepers.iter().for_each(|queue| queue.forget(address));
    }

    /// Locks the record of memory uses by operations of all queues; `None` while there is only one queue.
    pub(crate) fn ledger(&self) -> Option<MutexGuard<'_, ()>> {
        self.several.load(Ordering::Acquire).then(|| self.ledger.lock().unwrap_or_else(PoisonError::into_inner))
    }
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
    /// Takes over a backend's device, creates its queue, and probes its floats.
    ///
    /// # Errors
    /// Fails if no queue can be created, or the probe kernels do not run.
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

    /// Returns name, driver and kind of the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.inner.shared.backend.info()
    }

    /// Returns the capabilities of the device, including float probes.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities.get().unwrap_or_else(|| self.inner.shared.backend.capabilities())
    }

    /// Returns the device's own queue: it clears new tables, and reads and writes whole tables and scalars.
    #[must_use]
    pub fn queue(&self) -> Queue {
        Queue::new(self.clone(), self.inner.queue.clone())
    }

    /// Creates another queue, whose work may run in parallel with that of the others. It begins after everything that
    /// is now on the device's own queue. Create it before you start a long program there.
    ///
    /// Work of several queues on the same table, tally or scalar is ordered automatically. An operation comes after
    /// those put earlier on other queues, if one of them writes memory that the other uses.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn new_queue(&self) -> Result<Queue> {
        self.further(QueueState::new(&self.inner.shared)?)
    }

    fn further(&self, queue: Arc<QueueState>) -> Result<Queue> {
        self.inner.shared.several.store(true, Ordering::Release);
        // Waits for work put on the device's queue before uses were recorded.
        queue.wait_for(&self.inner.queue, &*self.inner.queue.mark()?)?;
        Ok(Queue::new(self.clone(), queue))
    }

    /// Creates a queue around a handle that a backend made, for instance from another library's stream. Backends with
    /// such queues have an extension trait of `Device`, which calls this.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn adopt_queue(&self, handle: QueueHandle) -> Result<Queue> {
        self.further(QueueState::with(&self.inner.shared, handle))
    }

    /// Returns host memory for `length` values, for transfers of the device. New memory is zeroed; memory from the pool
    /// keeps its old contents.
    ///
    /// # Errors
    /// [`Error::Limit`], or [`Error::OutOfMemory`] if the host has too little memory.
    pub fn staging<T: Plain>(&self, length: usize) -> Result<Staging<T>> {
        Staging::new(self, length)
    }

    /// Returns statistics of the device's memory in use.
    #[must_use]
    pub fn memory(&self) -> MemoryStatistics {
        self.inner.shared.accounts.statistics(self.backend())
    }

    /// Returns the tables and tallies that take the most memory, grouped by name, at most `most` groups.
    #[must_use]
    pub fn holders(&self, most: usize) -> Vec<Holder> {
        self.inner.shared.accounts.largest(most)
    }

    /// Limits the bytes that tables, tallies and results may take together; `None` leaves only the device's limit.
    /// Memory already in use stays.
    pub fn set_memory_limit(&self, bytes: Option<u64>) {
        self.inner.shared.accounts.set_limit(bytes);
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    /// Returns the backend.
    #[must_use]
    pub fn backend(&self) -> &dyn Backend {
        self.inner.shared.backend.as_ref()
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

    /// Returns the code that the device's backend generates for a kernel.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::Module`], [`Error::Unsupported`].
    pub fn generated<K: Kernel>(&self) -> Result<String> {
        self.inner.shared.backend.generated(K::SOURCE.module, K::SOURCE.index)
    }

    pub(crate) fn module(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        let mut modules = self.inner.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(position) = modules.iter().position(|(known, _)| std::ptr::eq(*known, source)) {
            // Moves the module to the front: the module of a loop's kernels is found at once from now on.
            modules.swap(0, position);
            return Ok(modules[0].1.clone());
        }
        source.ir().map_err(|e| Error::Module { module: source.name().to_owned(), reason: e.to_string() })?;
        let module = self.inner.shared.backend.build(source)?;
        modules.push((source, module.clone()));
        Ok(module)
    }
}
