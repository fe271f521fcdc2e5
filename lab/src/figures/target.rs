//! Targets: the devices and hosts on which simulations run.

use imminent::Device;
use imminent_console::Failure;
use imminent_console::selection::{DeviceArgs, every_device};
use std::fmt;

/// Device or host on which a simulation is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Host: one thing after the other on one core.
    Host,
    /// CPU backend with a number of threads; with all threads if there is no number.
    Cpu(Option<u32>),
    /// Device of another backend, by its number.
    Device(String, Option<u32>),
}

/// A target that was opened.
pub(super) struct Opened {
    pub(super) place: Target,
    /// Name of the device.
    pub(super) device: String,
    opened: Option<Device>,
}

impl Target {
    /// Parses an option: `host`, `cpu`, `cpu:THREADS`, another backend, or one with the number of a device.
    pub(super) fn parse(text: &str) -> Result<Target, String> {
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
            ("host", None) => Ok(Target::Host),
            ("host", Some(_)) => Err("host is one thread: write cpu:THREADS for more".to_owned()),
            ("cpu", Some(0)) => Err("a CPU without threads computes nothing: give 1 or more".to_owned()),
            ("cpu", threads) => Ok(Target::Cpu(threads)),
            ("wgpu" | "opencl" | "cuda", device) => Ok(Target::Device(name.to_owned(), device)),
            _ => Err(format!(
                "`{name}` is no place: write host, cpu, cpu:THREADS, wgpu, opencl or cuda, or BACKEND:DEVICE"
            )),
        }
    }

    /// Returns a device of every backend that has one, except the CPU's.
    pub(super) fn apart() -> Vec<Target> {
        let mut places = vec![];
        for info in every_device().into_iter().filter(|info| info.backend != "cpu") {
            let place = Target::Device(info.backend, None);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Opens the requested places, or the usual ones if there are none.
    pub(super) fn open_all(asked: &[Target], usual: impl FnOnce() -> Vec<Target>) -> Result<Vec<Opened>, Failure> {
        let asked = if asked.is_empty() { usual() } else { asked.to_vec() };
        asked.into_iter().map(Target::open).collect()
    }

    /// Returns `true` if the device is not the host's processor.
    pub(super) fn is_apart(&self) -> bool {
        matches!(self, Target::Device(..))
    }

    pub(super) fn open(self) -> Result<Opened, Failure> {
        let (backend, device, device_options) = match &self {
            Target::Host => {
                return Ok(Opened { place: self, device: "one after the other".to_owned(), opened: None });
            }
            Target::Cpu(threads) => {
                let threads = threads.map(|threads| ("threads".to_owned(), threads.to_string()));
                ("cpu", None, threads.into_iter().collect())
            }
            Target::Device(backend, device) => (backend.as_str(), *device, Vec::new()),
        };
        let (opened, _) = DeviceArgs { backend: backend.to_owned(), device, device_options, opened: None }.open()?;
        Ok(Opened { device: opened.info().name.clone(), opened: Some(opened), place: self })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Host => f.write_str("host"),
            Target::Cpu(None) => f.write_str("cpu"),
            Target::Cpu(Some(threads)) => write!(f, "cpu:{threads}"),
            Target::Device(backend, None) => f.write_str(backend),
            Target::Device(backend, Some(device)) => write!(f, "{backend}:{device}"),
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
            assert_eq!(Target::parse(text).unwrap().to_string(), text);
        }
        for (text, told) in
            [("gpu", "no place"), ("cpu:0", "without threads"), ("cuda:x", "no number"), ("host:2", "one thread")]
        {
            assert!(Target::parse(text).unwrap_err().contains(told), "{text}");
        }
    }
}
