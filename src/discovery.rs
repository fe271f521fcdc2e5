//! Finding devices and choosing among them.

use crate::any_backend::{AnyBackend, OpenDevice};
use imminent_core::{Determinism, Device, DeviceInfo, DeviceKind, Error, Result};
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

/// Chooses a device as [`select`] does, for a simulation of about this many events. Without a backend in the selection,
/// a small simulation runs on the host: a GPU would take longer to compile its kernels.
///
/// # Errors
/// As for [`select`].
pub fn select_for(selection: &DeviceSelection, events: Option<u64>) -> Result<(AnyBackend, String)> {
    let candidates = match (selection.backend, selection.index) {
        (Some(backend), Some(index)) => {
            let opened = open_backend(backend, index, &selection.options)?;
            return Ok((opened, format!("{backend} {index} was selected")));
        }
        (None, Some(index)) => {
            let reason = format!("index {index} is given without a backend: give both");
            return Err(Error::invalid("device", reason));
        }
        (Some(backend), None) => list(backend)?.into_iter().map(|info| (backend, info)).collect(),
        (None, None) => devices()
            .into_iter()
            .flat_map(|found| found.devices.unwrap_or_default().into_iter().map(move |info| (found.backend, info)))
            .collect(),
    };
    let Some((backend, info, why)) = fastest(candidates, events) else {
        return Err(Error::Unavailable {
            backend: "auto".to_owned(),
            reason: "no backend is compiled in, or none has a device".to_owned(),
            tried: BACKENDS.map(|backend| backend.name()).join(", "),
            remedy: "Build with a backend's feature, for instance `--features cpu`".to_owned(),
        });
    };
    Ok((open_backend(backend, info.index, &selection.options)?, why))
}

/// Number of events from which on a GPU is worth its start. A host simulates them in about three seconds. Opening a GPU
/// and compiling a model's kernels for the first time takes as long.
const WORTH_A_GPU: u64 = 30_000_000;

/// Returns the fastest device for a number of events, and the reason.
fn fastest(
    mut candidates: Vec<(BackendName, DeviceInfo)>,
    events: Option<u64>,
) -> Option<(BackendName, DeviceInfo, String)> {
    let small = events.filter(|events| *events < WORTH_A_GPU);
    let rank = |kind| if kind == DeviceKind::Host && small.is_some() { 0 } else { rank(kind) };
    candidates.sort_by_key(|(backend, info)| (rank(info.kind), Reverse(*backend as u8), info.index));
    let count = candidates.len();
    let (backend, info) = candidates.into_iter().next()?;
    let why = match (count, small) {
        (1, _) => format!("{} is the only device", info.name),
        (_, Some(events)) if info.kind == DeviceKind::Host => {
            format!("{} is the fastest of {count} devices for {events} events: a GPU compiles first", info.name)
        }
        _ => format!("{} is the fastest kind ({}) of {count} devices", info.name, kind_name(info.kind)),
    };
    Some((backend, info, why))
}

/// Opens a device.
///
/// # Errors
/// Errors of [`select`] and of [`Device::open`].
pub fn open(selection: &DeviceSelection) -> Result<Device> {
    open_for(selection, None).map(|(device, _)| device)
}

/// Opens a device for a simulation of about this many events. The text gives the reason for the choice.
///
/// # Errors
/// Errors of [`select_for`] and of [`Device::open`].
pub fn open_for(selection: &DeviceSelection, events: Option<u64>) -> Result<(Device, String)> {
    let class = selection.floats()?;
    let (backend, why) = select_for(selection, events)?;
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

    fn device(backend: BackendName, kind: DeviceKind, index: u32) -> (BackendName, DeviceInfo) {
        let (name, driver) = (format!("{} {index}", kind_name(kind)), "none".to_owned());
        (backend, DeviceInfo { backend: backend.name().to_owned(), name, driver, kind, index })
    }

    #[test]
    fn a_backend_s_fastest_device_comes_before_its_first() {
        use DeviceKind::{CpuDevice, DiscreteGpu, IntegratedGpu};
        let opencl = |kind, index| device(BackendName::OpenCl, kind, index);
        let all = vec![opencl(CpuDevice, 0), opencl(IntegratedGpu, 1), opencl(DiscreteGpu, 2), opencl(DiscreteGpu, 3)];
        assert_eq!(fastest(all.clone(), None).unwrap().1.index, 2);
        assert_eq!(fastest(all, Some(10)).unwrap().1.index, 2, "the host is not among them");
        assert!(fastest(Vec::new(), None).is_none());
    }

    #[test]
    fn small_work_goes_to_the_host_and_large_work_to_a_gpu() {
        let all = || {
            let host = device(BackendName::Cpu, DeviceKind::Host, 0);
            let software = device(BackendName::Wgpu, DeviceKind::CpuDevice, 0);
            vec![host, software, device(BackendName::Cuda, DeviceKind::DiscreteGpu, 0)]
        };
        let chosen = |events| fastest(all(), events).unwrap();
        assert_eq!(chosen(Some(WORTH_A_GPU - 1)).0, BackendName::Cpu);
        assert!(chosen(Some(1000)).2.contains("for 1000 events"));
        assert_eq!(chosen(Some(WORTH_A_GPU)).0, BackendName::Cuda);
        assert_eq!(chosen(None).0, BackendName::Cuda);
        let without_gpu = all().into_iter().take(2).collect();
        assert_eq!(fastest(without_gpu, None).unwrap().0, BackendName::Cpu);
    }
}
