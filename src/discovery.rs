//! Finding devices and choosing among them.

use crate::any_backend::{AnyBackend, OpenDevice};
use crate::backends::{BackendProvider, Backends};
use crate::prediction::Prediction;
use crate::selection::DeviceSelection;
use imminent_core::{Device, DeviceInfo, Error, Result, Work, host_memory};
use std::cmp::Reverse;

/// Name of the backend of the host.
const HOST: &str = "cpu";

/// A backend and its devices.
#[derive(Debug)]
#[non_exhaustive]
pub struct BackendDevices {
    /// Name of the backend.
    pub backend: String,
    /// Devices of the backend, or the reason why it has none.
    pub devices: Result<Vec<DeviceInfo>>,
}

/// Lists the devices of every backend of this package, compiled in or not.
#[must_use]
pub fn devices() -> Vec<BackendDevices> {
    Backends::of_process().devices()
}

/// Lists the devices of one backend of this package.
#[must_use]
pub fn devices_of(backend: &str) -> BackendDevices {
    Backends::of_process().devices_of(backend)
}

/// Chooses a device. The text gives the reason for the choice.
///
/// Without an index in the selection the order is: a discrete GPU, an integrated one, any other GPU, the host, and last
/// a GPU interface that runs on the CPU, which is slower than the host's native code. Without a backend, devices of all
/// backends are considered.
///
/// # Errors
/// [`Error::NoDevice`], [`Error::Unavailable`] for a backend that is not compiled in or finds no driver,
/// [`Error::Invalid`] for an unknown backend and for options that the backend does not have.
pub fn select(selection: &DeviceSelection) -> Result<(AnyBackend, String)> {
    select_for(selection, "", None)
}

/// Chooses a device as [`select`] does, for a simulation of a model with this work. Without a backend in the selection,
/// the host simulates what it is [predicted](Prediction) to simulate sooner than a GPU. If no GPU can be faster, no
/// driver is loaded.
///
/// # Errors
/// As for [`select`].
pub fn select_for(selection: &DeviceSelection, model: &str, work: Option<Work>) -> Result<(AnyBackend, String)> {
    Backends::of_process().select_for(selection, model, work)
}

/// Opens a device.
///
/// # Errors
/// Errors of [`select`] and of [`Device::open`].
pub fn open(selection: &DeviceSelection) -> Result<Device> {
    Backends::of_process().open(selection)
}

/// Opens a device for a simulation of a model with this work. The text gives the reason for the choice.
///
/// # Errors
/// Errors of [`select_for`] and of [`Device::open`].
pub fn open_for(selection: &DeviceSelection, model: &str, work: Option<Work>) -> Result<(Device, String)> {
    Backends::of_process().open_for(selection, model, work)
}

impl Backends {
    /// Lists the devices of every backend, compiled in or not.
    #[must_use]
    pub fn devices(&self) -> Vec<BackendDevices> {
        self.iter()
            .map(|backend| BackendDevices { backend: backend.name().to_owned(), devices: list(backend) })
            .collect()
    }

    /// Lists the devices of one backend. An unknown name is a reason to have none.
    #[must_use]
    pub fn devices_of(&self, backend: &str) -> BackendDevices {
        BackendDevices { backend: backend.to_owned(), devices: self.get(backend).and_then(list) }
    }

    /// Chooses a device of these backends, as [`select`](crate::select) does.
    ///
    /// # Errors
    /// As for [`select`](crate::select).
    pub fn select(&self, selection: &DeviceSelection) -> Result<(AnyBackend, String)> {
        self.select_for(selection, "", None)
    }

    /// Chooses a device of these backends, as [`select_for`](crate::select_for) does.
    ///
    /// # Errors
    /// As for [`select`](crate::select).
    pub fn select_for(
        &self,
        selection: &DeviceSelection,
        model: &str,
        work: Option<Work>,
    ) -> Result<(AnyBackend, String)> {
        let prediction = work.map(|work| self.predict(model, work, selection.threads()));
        let options = selection.of_backend();
        let candidates = match (selection.backend.as_deref(), selection.index) {
            (Some(name), Some(index)) => {
                let backend = self.get(name)?;
                has_room_for_drivers(backend)?;
                return Ok((backend.open(index, &options)?, format!("{name} {index} was selected")));
            }
            (None, Some(index)) => {
                let reason = format!("index {index} is given without a backend: give both");
                return Err(Error::invalid("device", reason));
            }
            (Some(name), None) => list(self.get(name)?)?,
            (None, None) => match prediction.as_ref().and_then(Prediction::host_before_all) {
                Some(why) => return Ok((self.get(HOST)?.open(0, &options)?, why)),
                None => self.iter().flat_map(|backend| list(backend).unwrap_or_default()).collect(),
            },
        };
        let Some((info, why)) = self.fastest(candidates) else { return Err(self.none(selection)) };
        if selection.backend.is_none()
            && let Some(why) = prediction.and_then(|predicted| predicted.host_before(&info.backend, info.kind))
        {
            return Ok((self.get(HOST)?.open(0, &options)?, why));
        }
        Ok((self.get(&info.backend)?.open(info.index, &options)?, why))
    }

    /// Returns the error of backends without a device.
    fn none(&self, selection: &DeviceSelection) -> Error {
        match &selection.backend {
            Some(name) => Error::NoDevice { backend: name.clone(), index: 0, available: "no device".to_owned() },
            None => Error::Unavailable {
                backend: "auto".to_owned(),
                reason: "no backend is compiled in, or none has a device".to_owned(),
                tried: self.names().collect::<Vec<_>>().join(", "),
                remedy: "Build with a backend's feature, for instance `--features cpu`".to_owned(),
            },
        }
    }

    /// Opens a device of these backends.
    ///
    /// # Errors
    /// As for [`open`](crate::open).
    pub fn open(&self, selection: &DeviceSelection) -> Result<Device> {
        self.open_for(selection, "", None).map(|(device, _)| device)
    }

    /// Opens a device of these backends for a simulation with this work, as [`open_for`](crate::open_for) does.
    ///
    /// # Errors
    /// As for [`open_for`](crate::open_for).
    pub fn open_for(&self, selection: &DeviceSelection, model: &str, work: Option<Work>) -> Result<(Device, String)> {
        let class = selection.floats()?;
        let (backend, why) = self.select_for(selection, model, work)?;
        Ok((backend.open_device()?.allowing(class), why))
    }

    /// Predicts how long a simulation of a model with this work takes on a host with some threads and on a GPU. Loads
    /// no driver.
    #[must_use]
    pub fn predict(&self, model: &str, work: Work, threads: usize) -> Prediction {
        let has_host = self.get(HOST).is_ok_and(BackendProvider::is_compiled_in);
        let gpus = self.iter().filter(|backend| backend.is_compiled_in() && backend.loads_drivers());
        Prediction::new((model, work), threads, has_host, gpus)
    }

    /// Notes that kernels of a model have run on a device, so that predictions of later processes take them for
    /// compiled.
    pub fn note_run(&self, device: &DeviceInfo, model: &str) {
        if let Ok(backend) = self.get(&device.backend) {
            backend.note_run(model);
        }
    }

    /// Returns the fastest device, and the reason. Of one kind it is the first of the last backend.
    fn fastest(&self, candidates: Vec<DeviceInfo>) -> Option<(DeviceInfo, String)> {
        let count = candidates.len();
        let order = |info: &DeviceInfo| self.names().position(|name| name == info.backend);
        let info = candidates.into_iter().min_by_key(|info| (info.kind, Reverse(order(info)), info.index))?;
        let why = match count {
            1 => format!("{} is the only device", info.name),
            _ => format!("{} is the fastest kind ({}) of {count} devices", info.name, info.kind),
        };
        Some((info, why))
    }
}

/// Lists the devices of a backend, under its name in the set.
fn list(backend: &dyn BackendProvider) -> Result<Vec<DeviceInfo>> {
    has_room_for_drivers(backend)?;
    let mut devices = backend.devices()?;
    devices.iter_mut().for_each(|info| backend.name().clone_into(&mut info.backend));
    Ok(devices)
}

/// Addresses that drivers with a compiler map, in bytes. PoCL 3.1 and Mesa 22.3 with LLVM 15 together take 0.8 GB.
const OF_DRIVERS: u64 = 1 << 30;

/// Addresses that drivers map for each processor, in bytes: the stack of a thread, and an area of its allocator.
const OF_THREAD: u64 = 80 << 20;

/// Refuses to load drivers where a limit of the process leaves too few addresses: libraries of drivers end the process
/// when an allocation or a thread is refused.
fn has_room_for_drivers(backend: &dyn BackendProvider) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let needed = OF_DRIVERS + threads * OF_THREAD;
    match host_memory::available_to_process() {
        Some(rest) if rest < needed && backend.loads_drivers() => {
            let megabytes = |bytes| bytes / 1_000_000;
            Err(Error::Unavailable {
                backend: backend.name().to_owned(),
                reason: format!("the limit of this process leaves {} MB of addresses", megabytes(rest)),
                tried: format!("no driver, which may map {} MB", megabytes(needed)),
                remedy: "Raise the limit (`ulimit -v`, `ulimit -d`), or use the backend `cpu`".to_owned(),
            })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_core::{DeviceKind, WorkUnit};

    const EVENTS: WorkUnit = WorkUnit::new("events", 10e6);
    const STEPS: WorkUnit = WorkUnit::new("steps of cells", 700e6);

    fn device(backend: &str, kind: DeviceKind, index: u32) -> DeviceInfo {
        let (name, driver) = (format!("{kind} {index}"), "none".to_owned());
        DeviceInfo { backend: backend.to_owned(), name, driver, kind, index }
    }

    #[test]
    fn a_backend_s_fastest_device_comes_before_its_first() {
        use DeviceKind::{CpuDevice, DiscreteGpu, IntegratedGpu};
        let opencl = |kind, index| device("opencl", kind, index);
        let all = vec![opencl(CpuDevice, 0), opencl(IntegratedGpu, 1), opencl(DiscreteGpu, 2), opencl(DiscreteGpu, 3)];
        assert_eq!(Backends::standard().fastest(all).unwrap().0.index, 2);
        assert!(Backends::standard().fastest(Vec::new()).is_none());
    }

    #[test]
    fn without_work_a_gpu_comes_before_the_host_and_software_last() {
        let mut all = vec![
            device("cpu", DeviceKind::Host, 0),
            device("wgpu", DeviceKind::CpuDevice, 0),
            device("opencl", DeviceKind::DiscreteGpu, 0),
            device("cuda", DeviceKind::DiscreteGpu, 0),
        ];
        let fastest = |all: &[DeviceInfo]| Backends::standard().fastest(all.to_vec()).unwrap().0.backend;
        assert_eq!(fastest(&all), "cuda");
        all.truncate(2);
        assert_eq!(fastest(&all), "cpu");
    }

    /// NSFNET with 1,000 replications has 160,000 events, which a host simulates in 0.026 s; a torus of 2048 x 2048
    /// nodes has 89.7 million, which take a host seconds.
    #[test]
    fn small_work_goes_to_the_host_without_drivers() {
        let host = |unit, amount| {
            let work = Work::new(unit, amount);
            Backends::standard().predict("no such model", work, 2).host_before_all().is_some()
        };
        let has_gpus = cfg!(any(feature = "wgpu", feature = "opencl", feature = "cuda"));
        assert_eq!(host(EVENTS, 160_000.0), cfg!(feature = "cpu") && has_gpus);
        assert!(!host(EVENTS, 89.7e6));
        // 50 simulated hours of flood on 1024 x 1024 cells take one thread 260 s, CUDA 1.6 s.
        assert!(!host(STEPS, 180_000.0 * 1024.0 * 1024.0));
    }
}
