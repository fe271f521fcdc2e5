//! Devices: a backend with its modules and its queue.

use crate::backend::{Backend, ModuleHandle};
use crate::capability::{Capabilities, Determinism, DeviceInfo};
use crate::error::{Error, Result};
use crate::kernel::{Kernel, ModuleSource};
use crate::queue::{Queue, QueueState};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A device that is ready to run kernels. Cloning gives another handle to the same device.
#[derive(Clone, Debug)]
pub struct Device {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    backend: Box<dyn Backend>,
    queue: Arc<QueueState>,
    capabilities: OnceLock<Capabilities>,
    modules: Mutex<HashMap<usize, ModuleHandle>>,
}

impl Device {
    /// Takes over a backend's device, makes its queue, and probes what its floats do.
    ///
    /// # Errors
    /// When no queue can be made, or the probe kernels do not run.
    pub fn open(backend: impl Backend + 'static) -> Result<Device> {
        let queue = Arc::new(QueueState::new(backend.queue()?));
        let inner =
            Inner { backend: Box::new(backend), queue, capabilities: OnceLock::new(), modules: Mutex::default() };
        let device = Device { inner: Arc::new(inner) };
        let probed = crate::probe::run(&device)?;
        let _ = device.inner.capabilities.set(probed);
        Ok(device)
    }

    /// Name, driver and kind of the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.inner.backend.info()
    }

    /// What the device can do, float probes included.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities.get().unwrap_or_else(|| self.inner.backend.capabilities())
    }

    /// The device's queue.
    #[must_use]
    pub fn queue(&self) -> Queue {
        Queue::new(self.clone(), self.inner.queue.clone())
    }

    /// The backend.
    #[must_use]
    pub fn backend(&self) -> &dyn Backend {
        self.inner.backend.as_ref()
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
        self.inner.backend.generated(K::SOURCE.module, K::SOURCE.index)
    }

    pub(crate) fn module(&self, source: &'static ModuleSource) -> Result<ModuleHandle> {
        let key = std::ptr::from_ref(source) as usize;
        let mut modules = self.inner.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(&key) {
            return Ok(module.clone());
        }
        source.ir().map_err(|e| Error::Module { module: source.name().to_owned(), reason: e.to_string() })?;
        let module = self.inner.backend.build(source)?;
        modules.insert(key, module.clone());
        Ok(module)
    }
}
