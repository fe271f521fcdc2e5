//! Selection of a device.

use imminent_core::{Determinism, Error, Result};
use std::num::NonZero;
use std::sync::LazyLock;
use std::thread;

/// Selection of a device, and options for opening it. The default selects the fastest device of all backends.
///
/// ```
/// use imminent::DeviceSelection;
///
/// # fn main() -> imminent::Result<()> {
/// let two_threads = DeviceSelection::backend("cpu").device(0).option("threads", "2");
/// let device = imminent::open(&two_threads)?;
/// assert_eq!(device.info().backend, "cpu");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DeviceSelection {
    /// Name of the backend; the fastest device of all backends if `None`.
    pub backend: Option<String>,
    /// Index among the backend's devices; its fastest device if `None`.
    pub index: Option<u32>,
    /// Options of the backend, as key and value. Beside these, [`open`](crate::open) obeys `floats` on every backend:
    /// `exact`, `reproducible`, `bounded` or a number of units in the last place.
    pub options: Vec<(String, String)>,
}

/// Number of processors of this process at its first look: to look reads the files of its control group.
static PROCESSORS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));

/// Option that allows a class of floats.
const FLOATS: &str = "floats";

impl DeviceSelection {
    /// Selects the fastest device of a backend, without options.
    #[must_use]
    pub fn backend(name: impl Into<String>) -> DeviceSelection {
        DeviceSelection { backend: Some(name.into()), ..DeviceSelection::default() }
    }

    /// Selects the device with this index among the backend's devices.
    #[must_use]
    pub fn device(mut self, index: u32) -> DeviceSelection {
        self.index = Some(index);
        self
    }

    /// Adds an option of the backend. A later value overrides an earlier one of the same key.
    #[must_use]
    pub fn option(mut self, key: impl Into<String>, value: impl Into<String>) -> DeviceSelection {
        self.options.push((key.into(), value.into()));
        self
    }

    /// Allows kernels to compute with floats of this class or better, as
    /// [`Device::allowing`](crate::Device::allowing) does. Without it, a device that rounds in its own way refuses
    /// kernels with floats.
    ///
    /// ```
    /// use imminent::{Determinism, DeviceSelection};
    ///
    /// # fn main() -> imminent::Result<()> {
    /// let device = imminent::open(&DeviceSelection::default().allowing(Determinism::LOOSEST))?;
    /// assert_eq!(device.allowed(), Determinism::LOOSEST);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn allowing(self, class: Determinism) -> DeviceSelection {
        let value = match class {
            Determinism::Exact => "exact".to_owned(),
            Determinism::Reproducible => "reproducible".to_owned(),
            Determinism::Bounded { ulp } => ulp.to_string(),
        };
        self.option(FLOATS, value)
    }

    /// Returns the number of threads that the options give the host, one for each processor without.
    #[must_use]
    pub fn threads(&self) -> usize {
        let given = self.options.iter().rfind(|(key, _)| key == "threads").and_then(|(_, value)| value.parse().ok());
        given.filter(|threads| *threads > 0).unwrap_or_else(|| *PROCESSORS)
    }

    /// Returns the class of floats that the options allow.
    pub(crate) fn floats(&self) -> Result<Determinism> {
        match self.options.iter().rfind(|(key, _)| key == FLOATS).map(|(_, value)| value.as_str()) {
            None | Some("reproducible") => Ok(Determinism::Reproducible),
            Some("exact") => Ok(Determinism::Exact),
            Some("bounded") => Ok(Determinism::LOOSEST),
            Some(other) => match other.parse() {
                Ok(ulp) => Ok(Determinism::Bounded { ulp }),
                Err(_) => {
                    let takes =
                        "it takes exact (no floats), reproducible, bounded, or a number of units in the last place";
                    Err(Error::invalid(format!("device option `floats={other}`"), takes))
                }
            },
        }
    }

    /// Returns the options for the backend itself.
    pub(crate) fn of_backend(&self) -> Vec<(String, String)> {
        self.options.iter().filter(|(key, _)| key != FLOATS).cloned().collect()
    }
}
