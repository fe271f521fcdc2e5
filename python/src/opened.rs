//! Devices, which stay open between runs: to open one takes up to half a second.

use crate::errors::Trouble;
use imminent::{Backends, Device, DeviceSelection, Work};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::type_hint_identifier;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Backends of this process.
pub(crate) static BACKENDS: LazyLock<Backends> = LazyLock::new(Backends::standard);

/// Devices that are open, by their selections.
static OPEN: Mutex<Vec<(DeviceSelection, Device)>> = Mutex::new(Vec::new());

/// Process that first used the package; 0 before.
static USER: AtomicU32 = AtomicU32::new(0);

/// Refuses the fork of a process that had used the package.
pub(crate) fn refuse_fork() -> Result<(), Trouble> {
    let own = process::id();
    match USER.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
        Err(user) if user != own => Err(Trouble::Forked),
        _ => Ok(()),
    }
}

/// Device as Python selects it, in an object that is read by its attributes.
#[derive(Debug)]
pub(crate) struct Selected {
    /// Name of a backend, with the number of a device if it is not the fastest, or `auto`.
    device: String,
    /// Options of the backend.
    options: Vec<(String, String)>,
}

impl<'py> FromPyObject<'_, 'py> for Selected {
    type Error = PyErr;

    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("imminent._given", "Selected");

    fn extract(selected: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self { device: selected.getattr("device")?.extract()?, options: selected.getattr("options")?.extract()? })
    }
}

impl Selected {
    fn selection(&self) -> Result<DeviceSelection, Trouble> {
        let mut selection = DeviceSelection::default();
        selection.options.clone_from(&self.options);
        let (backend, number) = match self.device.split_once(':') {
            Some((backend, number)) => {
                let number = number.parse().map_err(|_| {
                    Trouble::device(format!("device `{}`: write it as `opencl` or `opencl:1`", self.device))
                });
                (backend, Some(number?))
            }
            None => (self.device.as_str(), None),
        };
        selection.index = number;
        selection.backend = (backend != "auto").then(|| backend.to_owned());
        Ok(selection)
    }

    /// Returns the device for some work of a model, and the reason for its choice.
    pub(crate) fn open(&self, model: &str, work: Option<Work>) -> Result<(Device, String), Trouble> {
        let mut selection = self.selection()?;
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if selection.backend.is_none()
            && let Some(work) = work
        {
            let predicted = BACKENDS.predict(model, work, selection.threads());
            if let Some(why) = predicted.host_before_all() {
                // The host is cheap to open, but not to open a thousand times.
                selection.backend = Some("cpu".to_owned());
                return opened(&mut open, selection, &why);
            }
        }
        let is_free = selection.backend.is_none();
        if let Some((_, device)) = open.iter().find(|(known, _)| *known == selection) {
            return Ok((device.clone(), "it was open".to_owned()));
        }
        let (device, why) = BACKENDS.open_for(&selection, model, work).map_err(|error| Trouble::not_opened(&error))?;
        // The host is chosen for this work alone.
        if !(is_free && device.info().backend == "cpu") {
            open.push((selection, device.clone()));
        }
        Ok((device, why))
    }
}

/// Returns the device of a selection, and the reason for its choice.
fn opened(
    open: &mut Vec<(DeviceSelection, Device)>,
    selection: DeviceSelection,
    why: &str,
) -> Result<(Device, String), Trouble> {
    if let Some((_, device)) = open.iter().find(|(known, _)| *known == selection) {
        return Ok((device.clone(), why.to_owned()));
    }
    let device = BACKENDS.open(&selection).map_err(|error| Trouble::not_opened(&error))?;
    open.push((selection, device.clone()));
    Ok((device, why.to_owned()))
}
