//! Provider of the devices of one backend.

use crate::any_backend::AnyBackend;
use imminent_core::{DeviceInfo, Result};
use std::fmt::Debug;

/// Lists and opens the devices of one backend, in a set of [`Backends`](crate::Backends).
///
/// A backend of one's own, here one that forwards to the CPU's, is opened like the others:
///
/// ```
/// use imminent::{AnyBackend, BackendProvider, Backends, DeviceInfo, DeviceKind, DeviceSelection, Result, cpu};
///
/// #[derive(Debug)]
/// struct Mine;
///
/// impl BackendProvider for Mine {
///     fn name(&self) -> &str {
///         "mine"
///     }
///
///     fn devices(&self) -> Result<Vec<DeviceInfo>> {
///         let (backend, name, driver) = ("mine".to_owned(), "threads".to_owned(), "none".to_owned());
///         Ok(vec![DeviceInfo { backend, name, driver, kind: DeviceKind::Host, index: 0 }])
///     }
///
///     fn open(&self, _index: u32, _options: &[(String, String)]) -> Result<AnyBackend> {
///         Ok(AnyBackend::other(cpu::CpuBackend::open(&cpu::Options::default())?))
///     }
/// }
///
/// # fn main() -> Result<()> {
/// let backends = Backends::standard().with(Mine);
/// assert_eq!(backends.names().last(), Some("mine"));
/// let device = backends.open(&DeviceSelection::backend("mine"))?;
/// # Ok(()) }
/// ```
pub trait BackendProvider: Debug + Send + Sync {
    /// Returns the name: the value of `--backend`, and of [`DeviceInfo::backend`]. Letters are lower-case; `auto` is
    /// not a name.
    fn name(&self) -> &str;

    /// Lists the devices. Their indices count from 0.
    ///
    /// # Errors
    /// [`Error::Unavailable`](crate::Error::Unavailable) if a driver is missing.
    fn devices(&self) -> Result<Vec<DeviceInfo>>;

    /// Opens a device by its index, with options as key and value.
    ///
    /// # Errors
    /// [`Error::NoDevice`](crate::Error::NoDevice) for an index that no device has,
    /// [`Error::Invalid`](crate::Error::Invalid) for an unknown option or value, and errors of the driver.
    fn open(&self, index: u32, options: &[(String, String)]) -> Result<AnyBackend>;

    /// Returns `true` if looking for devices loads libraries that could end the process. They are then loaded only
    /// where the process may map enough memory, and `imminent devices` searches in another process.
    fn loads_drivers(&self) -> bool {
        true
    }

    /// Returns `true` if kernels of a model are probably compiled, so that a run of it need not wait for that. Loads no
    /// driver.
    fn are_compiled(&self, _model: &str) -> bool {
        true
    }

    /// Notes that kernels of a model have run on a device, for [`are_compiled`](Self::are_compiled) in later processes.
    fn note_run(&self, _model: &str) {}

    /// Returns `false` for a backend of this package that was left out of the build.
    fn is_compiled_in(&self) -> bool {
        true
    }
}
