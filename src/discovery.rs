//! Finding devices and choosing among them.

use crate::any_backend::{AnyBackend, OpenDevice};
use imminent_core::{Device, DeviceInfo, DeviceKind, Error, Result};
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
    /// Index among the backend's devices; the first if `None`.
    pub index: Option<u32>,
    /// Options of the backend, as key and value.
    pub options: Vec<(String, String)>,
}

impl DeviceSelection {
    /// Selects the first device of a backend, without options.
    #[must_use]
    pub fn of(backend: BackendName) -> DeviceSelection {
        DeviceSelection { backend: Some(backend), ..DeviceSelection::default() }
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
/// Without a backend in the selection the order is: a discrete GPU, an integrated one, any other GPU, the host, and
/// last a GPU interface that runs on the CPU, which is slower than the host's native code.
///
/// # Errors
/// [`Error::NoDevice`], [`Error::Unavailable`] for a backend that is not compiled in or finds no driver,
/// [`Error::Invalid`] for options that the backend does not have.
pub fn select(selection: &DeviceSelection) -> Result<(AnyBackend, String)> {
    if let Some(backend) = selection.backend {
        let opened = open_backend(backend, selection.index.unwrap_or(0), &selection.options)?;
        let why = format!("{} was selected", backend.name());
        return Ok((opened, why));
    }
    if let Some(index) = selection.index {
        let reason = format!("index {index} is given without a backend: give both");
        return Err(Error::invalid("device", reason));
    }
    let mut candidates: Vec<(BackendName, DeviceInfo)> = devices()
        .into_iter()
        .flat_map(|found| found.devices.unwrap_or_default().into_iter().map(move |info| (found.backend, info)))
        .collect();
    candidates.sort_by_key(|(backend, info)| (rank(info.kind), Reverse(*backend as u8), info.index));
    let Some((backend, info)) = candidates.first() else {
        return Err(Error::Unavailable {
            backend: "auto".to_owned(),
            reason: "no backend is compiled in, or none has a device".to_owned(),
            tried: BACKENDS.map(|backend| backend.name()).join(", "),
            remedy: "Build with a backend's feature, for instance `--features cpu`".to_owned(),
        });
    };
    let why = match candidates.len() {
        1 => format!("{} is the only device", info.name),
        n => format!("{} is the fastest kind ({}) of {n} devices", info.name, kind_name(info.kind)),
    };
    Ok((open_backend(*backend, info.index, &selection.options)?, why))
}

/// Opens a device.
///
/// # Errors
/// Errors of [`select`] and of [`Device::open`].
pub fn open(selection: &DeviceSelection) -> Result<Device> {
    select(selection)?.0.open_device()
}

fn rank(kind: DeviceKind) -> u8 {
    match kind {
        DeviceKind::DiscreteGpu => 0,
        DeviceKind::IntegratedGpu => 1,
        DeviceKind::OtherGpu => 2,
        DeviceKind::Host => 3,
        DeviceKind::CpuDevice => 4,
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
    let options = options.iter().map(|(key, value)| (key.as_str(), value.as_str()));
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
