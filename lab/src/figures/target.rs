//! Targets: the devices and hosts on which simulations run.

use imminent::models::study::figures::{Place, Usual};
use imminent_console::Failure;
use imminent_console::selection::{DeviceArgs, backend, every_device};
use std::fmt;
use std::thread::available_parallelism;

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

impl Target {
    /// Parses an option: `host`, `cpu`, `cpu:THREADS`, another backend, or one with the number of a device.
    pub(super) fn parse(text: &str) -> Result<Target, String> {
        let (name, number) = match text.split_once(':') {
            None => (text, None),
            Some((name, number)) => {
                let parsed = number.parse();
                (
                    name,
                    Some(parsed.map_err(|_| format!("`{number}` is no number: write cpu:THREADS or BACKEND:DEVICE"))?),
                )
            }
        };
        match (name, number) {
            ("host", None) => Ok(Target::Host),
            ("host", Some(_)) => Err("host is one thread: write cpu:THREADS for more".to_owned()),
            ("cpu", Some(0)) => Err("a CPU without threads computes nothing: give 1 or more".to_owned()),
            ("cpu", threads) => Ok(Target::Cpu(threads)),
            _ => Ok(Target::Device(backend(name)?, number)),
        }
    }

    /// Returns the targets for which a publication asks, as far as the machine has them.
    pub(super) fn of(usual: Usual) -> Vec<Target> {
        match usual {
            Usual::Host => vec![Target::Host],
            Usual::Threads(threads) if threads > all_threads() => vec![],
            Usual::Threads(threads) => vec![Target::Cpu(Some(threads))],
            Usual::AllThreads => vec![Target::Cpu(None)],
            Usual::Devices => Target::apart(),
            Usual::Chosen => vec![Target::Device("auto".to_owned(), None)],
        }
    }

    /// Opens the target as a place of figures.
    pub(super) fn open(self) -> Result<Place, Failure> {
        let name = self.to_string();
        let (backend, device, threads) = match self {
            Target::Host => return Ok(Place { name, device: None, threads: None, is_beside: false }),
            Target::Cpu(threads) => ("cpu".to_owned(), None, threads),
            Target::Device(backend, device) => (backend, device, None),
        };
        let device_options = threads.map(|threads| ("threads".to_owned(), threads.to_string())).into_iter().collect();
        let (device, _) = DeviceArgs { backend, device, device_options, opened: None }.open()?;
        let backend = &device.info().backend;
        let name = if name == "auto" { backend.clone() } else { name };
        let threads = (backend == "cpu").then(|| threads.unwrap_or_else(all_threads));
        Ok(Place { name, device: Some(device), threads, is_beside: false })
    }

    /// Returns a device of every backend that has one, except the CPU's.
    fn apart() -> Vec<Target> {
        let mut places = vec![];
        for info in every_device().into_iter().filter(|info| info.backend != "cpu") {
            let place = Target::Device(info.backend, None);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }
}

fn all_threads() -> u32 {
    available_parallelism().ok().and_then(|threads| u32::try_from(threads.get()).ok()).unwrap_or(1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_they_are_read() {
        for text in ["host", "cpu", "cpu:2", "auto"] {
            assert_eq!(Target::parse(text).unwrap().to_string(), text);
        }
        for (text, told) in
            [("gpu", "gpu"), ("cpu:0", "without threads"), ("cuda:x", "no number"), ("host:2", "one thread")]
        {
            assert!(Target::parse(text).unwrap_err().contains(told), "{text}");
        }
    }
}
