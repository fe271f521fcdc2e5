//! Places where simulations run.

use imminent::Device;
use imminent_console::Failure;
use imminent_console::selection::{DeviceArgs, every_device};
use std::fmt;

/// Place where a simulation is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Host: one thing after the other on one core.
    Host,
    /// CPU backend with a number of threads; with all threads if there is no number.
    Cpu(Option<u32>),
    /// Device of another backend, by its number.
    Device(String, Option<u32>),
}

/// A place that was opened.
pub(super) struct Opened {
    pub(super) place: Place,
    /// Name of the device.
    pub(super) device: String,
    opened: Option<Device>,
}

impl Place {
    /// Parses an option: `host`, `cpu`, `cpu:THREADS`, another backend, or one with the number of a device.
    pub(super) fn parse(text: &str) -> Result<Place, String> {
        let (name, number) = match text.split_once(':') {
            None => (text, None),
            Some((name, number)) => {
                let number = number.parse().map_err(|_| {
                    format!(
                        "`{number}` is no number: write host, cpu, cpu:THREADS, wgpu, opencl or cuda, or BACKEND:DEVICE"
                    )
                })?;
                (name, Some(number))
            }
        };
        match (name, number) {
            ("host", None) => Ok(Place::Host),
            ("host", Some(_)) => Err("host is one thread: write cpu:THREADS for more".to_owned()),
            ("cpu", Some(0)) => Err("a CPU without threads computes nothing: give 1 or more".to_owned()),
            ("cpu", threads) => Ok(Place::Cpu(threads)),
            ("wgpu" | "opencl" | "cuda", device) => Ok(Place::Device(name.to_owned(), device)),
            _ => Err(format!(
                "`{name}` is no place: write host, cpu, cpu:THREADS, wgpu, opencl or cuda, or BACKEND:DEVICE"
            )),
        }
    }

    /// Returns a device of every backend that has one, except the CPU's.
    pub(super) fn apart() -> Vec<Place> {
        let mut places = vec![];
        for info in every_device().into_iter().filter(|info| info.backend != "cpu") {
            let place = Place::Device(info.backend, None);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Opens the requested places, or the usual ones if there are none.
    pub(super) fn open_all(asked: &[Place], usual: impl FnOnce() -> Vec<Place>) -> Result<Vec<Opened>, Failure> {
        let asked = if asked.is_empty() { usual() } else { asked.to_vec() };
        asked.into_iter().map(Place::open).collect()
    }

    /// Returns `true` if the device is not the host's processor.
    pub(super) fn is_apart(&self) -> bool {
        matches!(self, Place::Device(..))
    }

    pub(super) fn open(self) -> Result<Opened, Failure> {
        let (backend, device, device_options) = match &self {
            Place::Host => {
                return Ok(Opened { place: self, device: "one after the other".to_owned(), opened: None });
            }
            Place::Cpu(threads) => {
                let threads = threads.map(|threads| ("threads".to_owned(), threads.to_string()));
                ("cpu", None, threads.into_iter().collect())
            }
            Place::Device(backend, device) => (backend.as_str(), *device, Vec::new()),
        };
        let (opened, _) = DeviceArgs { backend: backend.to_owned(), device, device_options, opened: None }.open()?;
        Ok(Opened { device: opened.info().name.clone(), opened: Some(opened), place: self })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Host => f.write_str("host"),
            Place::Cpu(None) => f.write_str("cpu"),
            Place::Cpu(Some(threads)) => write!(f, "cpu:{threads}"),
            Place::Device(backend, None) => f.write_str(backend),
            Place::Device(backend, Some(device)) => write!(f, "{backend}:{device}"),
        }
    }
}

impl Opened {
    /// Returns the device; `None` for the host.
    pub(super) fn device(&self) -> Option<&Device> {
        self.opened.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_they_are_read() {
        for text in ["host", "cpu", "cpu:2", "cuda", "opencl:1", "wgpu"] {
            assert_eq!(Place::parse(text).unwrap().to_string(), text);
        }
        for (text, told) in
            [("gpu", "no place"), ("cpu:0", "without threads"), ("cuda:x", "no number"), ("host:2", "one thread")]
        {
            assert!(Place::parse(text).unwrap_err().contains(told), "{text}");
        }
    }
}
