//! Finding devices and choosing among them.

use crate::any_backend::{AnyBackend, OpenDevice};
use crate::work::Work;
use imminent_core::{Determinism, Device, DeviceInfo, DeviceKind, Error, Result, host_memory};
use serde::Serialize;
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// A backend by name. Backends that are not compiled in are named too, so that an error can say how to get them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BackendName {
    /// Native code over a thread pool.
    Cpu,
    /// WebGPU.
    Wgpu,
    /// OpenCL.
    OpenCl,
    /// CUDA.
    Cuda,
}

/// Every backend. Among devices of one kind `auto` prefers the later backend.
pub const BACKENDS: [BackendName; 4] = [BackendName::Cpu, BackendName::Wgpu, BackendName::OpenCl, BackendName::Cuda];

impl BackendName {
    /// Returns the name, as used by the command line and the features.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BackendName::Cpu => "cpu",
            BackendName::Wgpu => "wgpu",
            BackendName::OpenCl => "opencl",
            BackendName::Cuda => "cuda",
        }
    }

    /// Returns `true` if the backend is compiled in.
    #[must_use]
    pub const fn compiled_in(self) -> bool {
        match self {
            BackendName::Cpu => cfg!(feature = "cpu"),
            BackendName::Wgpu => cfg!(feature = "wgpu"),
            BackendName::OpenCl => cfg!(feature = "opencl"),
            BackendName::Cuda => cfg!(feature = "cuda"),
        }
    }
}

impl fmt::Display for BackendName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for BackendName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        BACKENDS.into_iter().find(|backend| backend.name() == name).ok_or_else(|| {
            let known: Vec<&str> = BACKENDS.iter().map(|backend| backend.name()).collect();
            Error::invalid(
                format!("backend `{name}`"),
                format!("there is none of that name: give one of {}", known.join(", ")),
            )
        })
    }
}

/// A backend and its devices.
#[derive(Debug)]
pub struct Found {
    /// The backend.
    pub backend: BackendName,
    /// Devices of the backend, or the reason why it has none.
    pub devices: Result<Vec<DeviceInfo>>,
}

/// Selection of a device, and options for opening it.
///
/// ```
/// use imminent::{BackendName, DeviceSelection};
///
/// # fn main() -> imminent::Result<()> {
/// let two_threads = DeviceSelection {
///     backend: Some(BackendName::Cpu),
///     index: Some(0),
///     options: vec![("threads".to_owned(), "2".to_owned())],
/// };
/// let device = imminent::open(&two_threads)?;
/// assert_eq!(device.info().backend, "cpu");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct DeviceSelection {
    /// The backend; the fastest device of all backends if `None`.
    pub backend: Option<BackendName>,
    /// Index among the backend's devices; its fastest device if `None`.
    pub index: Option<u32>,
    /// Options of the backend, as key and value. Beside these, [`open`] obeys `floats` on every backend:
    /// `exact`, `reproducible`, `bounded` or a number of units in the last place.
    pub options: Vec<(String, String)>,
}

/// Option that allows a class of floats.
const FLOATS: &str = "floats";

impl DeviceSelection {
    /// Selects the fastest device of a backend, without options.
    #[must_use]
    pub fn of(backend: BackendName) -> DeviceSelection {
        DeviceSelection { backend: Some(backend), ..DeviceSelection::default() }
    }

    /// Allows kernels to compute with floats of this class or better, as [`Device::allowing`] does. Without it, a
    /// device that rounds in its own way refuses kernels with floats.
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
    pub fn allowing(mut self, class: Determinism) -> DeviceSelection {
        let value = match class {
            Determinism::Exact => "exact".to_owned(),
            Determinism::Reproducible => "reproducible".to_owned(),
            Determinism::Bounded { ulp } => ulp.to_string(),
        };
        self.options.push((FLOATS.to_owned(), value));
        self
    }

    /// Returns the class of floats that the options allow.
    fn floats(&self) -> Result<Determinism> {
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
}

/// Lists the devices of every backend, compiled in or not.
#[must_use]
pub fn devices() -> Vec<Found> {
    BACKENDS.into_iter().map(devices_of).collect()
}

/// Lists the devices of one backend.
#[must_use]
pub fn devices_of(backend: BackendName) -> Found {
    Found { backend, devices: list(backend) }
}

/// Chooses a device. The text gives the reason for the choice.
///
/// Without an index in the selection the order is: a discrete GPU, an integrated one, any other GPU, the host, and last
/// a GPU interface that runs on the CPU, which is slower than the host's native code. Without a backend, devices of all
/// backends are considered.
///
/// # Errors
/// [`Error::NoDevice`], [`Error::Unavailable`] for a backend that is not compiled in or finds no driver,
/// [`Error::Invalid`] for options that the backend does not have.
pub fn select(selection: &DeviceSelection) -> Result<(AnyBackend, String)> {
    select_for(selection, None)
}

/// Chooses a device as [`select`] does, for a simulation with this work. Without a backend in the selection, small work
/// runs on the host, and no driver is loaded: a GPU would take longer to compile its kernels.
///
/// # Errors
/// As for [`select`].
pub fn select_for(selection: &DeviceSelection, work: Option<Work>) -> Result<(AnyBackend, String)> {
    let candidates = match (selection.backend, selection.index) {
        (Some(backend), Some(index)) => {
            has_room_for_drivers(backend)?;
            let opened = open_backend(backend, index, &selection.options)?;
            return Ok((opened, format!("{backend} {index} was selected")));
        }
        (None, Some(index)) => {
            let reason = format!("index {index} is given without a backend: give both");
            return Err(Error::invalid("device", reason));
        }
        (Some(backend), None) => list(backend)?.into_iter().map(|info| (backend, info)).collect(),
        (None, None) => {
            if let Some(chosen) = host_for(selection, work)? {
                return Ok(chosen);
            }
            devices()
                .into_iter()
                .flat_map(|found| found.devices.unwrap_or_default().into_iter().map(move |info| (found.backend, info)))
                .collect()
        }
    };
    let Some((backend, info, why)) = fastest(candidates) else {
        return Err(Error::Unavailable {
            backend: "auto".to_owned(),
            reason: "no backend is compiled in, or none has a device".to_owned(),
            tried: BACKENDS.map(|backend| backend.name()).join(", "),
            remedy: "Build with a backend's feature, for instance `--features cpu`".to_owned(),
        });
    };
    Ok((open_backend(backend, info.index, &selection.options)?, why))
}

/// Opens the host for small work, if its backend is compiled in.
fn host_for(selection: &DeviceSelection, work: Option<Work>) -> Result<Option<(AnyBackend, String)>> {
    let Some(work) = work.filter(|work| work.is_small() && BackendName::Cpu.compiled_in()) else { return Ok(None) };
    let host = open_backend(BackendName::Cpu, 0, &selection.options)?;
    let why = format!("about {:.0} {} are too few for the start of a GPU", work.amount(), work.kind().name());
    Ok(Some((host, why)))
}

/// Returns the fastest device, and the reason.
fn fastest(mut candidates: Vec<(BackendName, DeviceInfo)>) -> Option<(BackendName, DeviceInfo, String)> {
    candidates.sort_by_key(|(backend, info)| (rank(info.kind), Reverse(*backend as u8), info.index));
    let count = candidates.len();
    let (backend, info) = candidates.into_iter().next()?;
    let why = match count {
        1 => format!("{} is the only device", info.name),
        _ => format!("{} is the fastest kind ({}) of {count} devices", info.name, kind_name(info.kind)),
    };
    Some((backend, info, why))
}

/// Addresses that drivers with a compiler map, in bytes. PoCL 3.1 and Mesa 22.3 with LLVM 15 together take 0.8 GB.
const OF_DRIVERS: u64 = 1 << 30;

/// Addresses that drivers map for each processor, in bytes: the stack of a thread, and an area of its allocator.
const OF_THREAD: u64 = 80 << 20;

/// Refuses to load drivers where a limit of the process leaves too few addresses: libraries of drivers end the process
/// when an allocation or a thread is refused.
fn has_room_for_drivers(backend: BackendName) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let needed = OF_DRIVERS + threads * OF_THREAD;
    match host_memory::available_to_process() {
        Some(rest) if rest < needed && backend != BackendName::Cpu && backend.compiled_in() => {
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

/// Opens a device.
///
/// # Errors
/// Errors of [`select`] and of [`Device::open`].
pub fn open(selection: &DeviceSelection) -> Result<Device> {
    open_for(selection, None).map(|(device, _)| device)
}

/// Opens a device for a simulation with this work. The text gives the reason for the choice.
///
/// # Errors
/// Errors of [`select_for`] and of [`Device::open`].
pub fn open_for(selection: &DeviceSelection, work: Option<Work>) -> Result<(Device, String)> {
    let class = selection.floats()?;
    let (backend, why) = select_for(selection, work)?;
    Ok((backend.open_device()?.allowing(class), why))
}

fn rank(kind: DeviceKind) -> u8 {
    match kind {
        DeviceKind::DiscreteGpu => 1,
        DeviceKind::IntegratedGpu => 2,
        DeviceKind::OtherGpu => 3,
        DeviceKind::Host => 4,
        DeviceKind::CpuDevice => 5,
    }
}

fn kind_name(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::DiscreteGpu => "discrete GPU",
        DeviceKind::IntegratedGpu => "integrated GPU",
        DeviceKind::OtherGpu => "GPU",
        DeviceKind::CpuDevice => "GPU interface on the CPU",
        DeviceKind::Host => "host",
    }
}

/// Returns the error of a backend that this build lacks.
#[doc(hidden)]
#[must_use]
pub fn not_compiled_in(backend: BackendName) -> Error {
    Error::Unavailable {
        backend: backend.name().to_owned(),
        reason: "it is not compiled in".to_owned(),
        tried: "nothing".to_owned(),
        remedy: format!("Build with `--features {backend}`, or `--features full` for every backend"),
    }
}

/// Lists the devices of a backend whose adapters describe themselves.
#[allow(unused_macros, reason = "which backends are there depends on the features")]
macro_rules! list_devices {
    ($backend:ty, $options:ty) => {
        <$backend>::list(&<$options>::default())
            .map(|adapters| adapters.into_iter().map(|adapter| adapter.info).collect())
    };
}

/// Opens a device of a backend whose options are set one by one.
#[allow(unused_macros, reason = "which backends are there depends on the features")]
macro_rules! open_device {
    ($backend:ty, $options:ty, $index:expr, $pairs:expr) => {{
        let mut chosen = <$options>::default();
        for (key, value) in $pairs {
            chosen.set(key, value)?;
        }
        Ok(<$backend>::open($index, &chosen)?.into())
    }};
}

fn list(backend: BackendName) -> Result<Vec<DeviceInfo>> {
    has_room_for_drivers(backend)?;
    match backend {
        #[cfg(feature = "cpu")]
        BackendName::Cpu => {
            let host = imminent_cpu::CpuBackend::open(&imminent_cpu::Options::default())?;
            Ok(vec![host.device_info().clone()])
        }
        #[cfg(feature = "wgpu")]
        BackendName::Wgpu => list_devices!(imminent_wgpu::WgpuBackend, imminent_wgpu::Options),
        #[cfg(feature = "opencl")]
        BackendName::OpenCl => list_devices!(imminent_opencl::OpenClBackend, imminent_opencl::Options),
        #[cfg(feature = "cuda")]
        BackendName::Cuda => list_devices!(imminent_cuda::CudaBackend, imminent_cuda::Options),
        #[allow(unreachable_patterns, reason = "which backends are left depends on the features")]
        other => Err(not_compiled_in(other)),
    }
}

fn open_backend(backend: BackendName, index: u32, options: &[(String, String)]) -> Result<AnyBackend> {
    #[allow(unused_variables, reason = "without a backend there is nothing to give them to")]
    let options = options.iter().filter(|(key, _)| key != FLOATS).map(|(key, value)| (key.as_str(), value.as_str()));
    match backend {
        #[cfg(feature = "cpu")]
        BackendName::Cpu if index > 0 => {
            Err(Error::NoDevice { backend: "cpu".to_owned(), index, available: "1 device, the host".to_owned() })
        }
        #[cfg(feature = "cpu")]
        BackendName::Cpu => Ok(imminent_cpu::CpuBackend::open(&imminent_cpu::Options::parse(options)?)?.into()),
        #[cfg(feature = "wgpu")]
        BackendName::Wgpu => open_device!(imminent_wgpu::WgpuBackend, imminent_wgpu::Options, index, options),
        #[cfg(feature = "opencl")]
        BackendName::OpenCl => open_device!(imminent_opencl::OpenClBackend, imminent_opencl::Options, index, options),
        #[cfg(feature = "cuda")]
        BackendName::Cuda => open_device!(imminent_cuda::CudaBackend, imminent_cuda::Options, index, options),
        #[allow(unreachable_patterns, reason = "which backends are left depends on the features")]
        other => Err(not_compiled_in(other)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::work::WorkKind;

    fn device(backend: BackendName, kind: DeviceKind, index: u32) -> (BackendName, DeviceInfo) {
        let (name, driver) = (format!("{} {index}", kind_name(kind)), "none".to_owned());
        (backend, DeviceInfo { backend: backend.name().to_owned(), name, driver, kind, index })
    }

    #[test]
    fn a_backend_s_fastest_device_comes_before_its_first() {
        use DeviceKind::{CpuDevice, DiscreteGpu, IntegratedGpu};
        let opencl = |kind, index| device(BackendName::OpenCl, kind, index);
        let all = vec![opencl(CpuDevice, 0), opencl(IntegratedGpu, 1), opencl(DiscreteGpu, 2), opencl(DiscreteGpu, 3)];
        assert_eq!(fastest(all).unwrap().1.index, 2);
        assert!(fastest(Vec::new()).is_none());
    }

    #[test]
    fn without_work_a_gpu_comes_before_the_host_and_software_last() {
        let mut all = vec![
            device(BackendName::Cpu, DeviceKind::Host, 0),
            device(BackendName::Wgpu, DeviceKind::CpuDevice, 0),
            device(BackendName::Cuda, DeviceKind::DiscreteGpu, 0),
        ];
        assert_eq!(fastest(all.clone()).unwrap().0, BackendName::Cuda);
        all.truncate(2);
        assert_eq!(fastest(all).unwrap().0, BackendName::Cpu);
    }

    /// NSFNET with 1,000 replications has 160,000 events, which a host simulates in 0.026 s; a torus of 2048 x 2048
    /// nodes has 89.7 million, which take a host seconds.
    #[test]
    fn small_work_goes_to_the_host_without_drivers() {
        let of = |kind, amount| host_for(&DeviceSelection::default(), Some(Work::new(kind, amount))).unwrap();
        let host = of(WorkKind::QueueingEvents, 160_000.0);
        assert_eq!(host.is_some(), BackendName::Cpu.compiled_in());
        assert!(host.is_none_or(|(_, why)| why.contains("160000 events")));
        assert!(of(WorkKind::QueueingEvents, 89.7e6).is_none());
        // 50 simulated hours of flood on 1024 x 1024 cells take one thread 260 s, CUDA 1.6 s.
        assert!(of(WorkKind::FloodSteps, 180_000.0 * 1024.0 * 1024.0).is_none());
        assert!(host_for(&DeviceSelection::default(), None).unwrap().is_none());
    }
}
