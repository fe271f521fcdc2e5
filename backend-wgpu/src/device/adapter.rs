//! Adapters that wgpu found, and how they are opened.

use super::BACKEND;
use super::context::Context;
use super::diagnose;
use super::errors::Sink;
use super::limits::DeviceLimits;
use super::probe::{loops_run_to_their_end, native_int64_is_right};
use super::waiting::block_on;
use crate::options::{Int64Option, MIN_STORAGE_BUFFERS, Options, Switch};
use imminent_core::{Capabilities, DeviceInfo, DeviceKind, Error, Int64, Result};
use imminent_lowering::wgsl::{Int64 as WgslInt64, WgslOptions};
use serde::Serialize;
use std::sync::{Arc, OnceLock};

/// An adapter that can be opened, with its capabilities under given options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Adapter {
    /// Name, driver and kind.
    pub info: DeviceInfo,
    /// Capabilities of the device, without the results of float probes, which need the opened device.
    pub capabilities: Capabilities,
}

/// The one instance of the process. It is never dropped, which keeps the driver's libraries loaded. With an instance
/// for each device, they were loaded and unloaded each time, and a driver offered no device after the thirtieth (NVIDIA
/// 580).
static INSTANCE: OnceLock<wgpu::Instance> = OnceLock::new();

fn found() -> Result<Vec<wgpu::Adapter>> {
    let backends = wgpu::Backends::PRIMARY;
    let instance = INSTANCE.get_or_init(|| {
        wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends,
            flags: wgpu::InstanceFlags::empty().with_env(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        })
    });
    let usable: Vec<wgpu::Adapter> =
        block_on(instance.enumerate_adapters(backends)).into_iter().filter(can_compute).collect();
    if usable.is_empty() { Err(diagnose::no_device()) } else { Ok(usable) }
}

fn can_compute(adapter: &wgpu::Adapter) -> bool {
    adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
        && are_enough(&adapter.limits())
}

fn are_enough(limits: &wgpu::Limits) -> bool {
    limits.max_storage_buffers_per_shader_stage >= MIN_STORAGE_BUFFERS
        && limits.max_compute_invocations_per_workgroup >= 256
        && limits.max_compute_workgroup_size_x >= 256
}

fn info(info: wgpu::AdapterInfo, index: u32) -> DeviceInfo {
    let driver = format!("{:?}, {} {}", info.backend, info.driver, info.driver_info);
    DeviceInfo {
        backend: BACKEND.to_owned(),
        name: info.name,
        driver: driver.trim_end().to_owned(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => DeviceKind::DiscreteGpu,
            wgpu::DeviceType::IntegratedGpu => DeviceKind::IntegratedGpu,
            wgpu::DeviceType::Cpu => DeviceKind::CpuDevice,
            wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => DeviceKind::OtherGpu,
        },
        index,
    }
}

/// NVIDIA's number among the vendors of PCI devices.
const NVIDIA: u32 = 0x10de;

/// Browsers do not tell the vendor by its number.
const UNKNOWN_VENDOR: u32 = 0;

/// The features that require native 64-bit integers.
const WIDE: wgpu::Features =
    wgpu::Features::SHADER_INT64.union(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX).union(wgpu::Features::SHADER_F64);

/// Selects the optional features to use from those that the device offers.
fn features(offered: wgpu::Features, info: &DeviceInfo, options: &Options) -> Result<wgpu::Features> {
    let missing = |option: &str, feature: &str, remedy: &str| Error::Unsupported {
        backend: info.backend.clone(),
        device: info.name.clone(),
        what: format!("with the option {option}"),
        reason: format!("the driver does not offer {feature}"),
        remedy: remedy.to_owned(),
    };
    let mut wanted = wgpu::Features::empty();
    let native = match options.int64 {
        Int64Option::Auto => offered.contains(wgpu::Features::SHADER_INT64),
        Int64Option::Native if !offered.contains(wgpu::Features::SHADER_INT64) => {
            return Err(missing(
                "int64=native",
                "SHADER_INT64",
                "Use int64=auto or int64=emulated: the results are the same",
            ));
        }
        Int64Option::Native => true,
        Int64Option::Emulated => false,
    };
    if native {
        wanted |= wgpu::Features::SHADER_INT64 | offered & wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX;
    }
    let float64 = native && offered.contains(wgpu::Features::SHADER_F64);
    match options.float64 {
        Switch::On if !float64 => {
            return Err(missing(
                "float64=on",
                "SHADER_F64 beside native 64-bit integers",
                "Use float64=auto, or another device",
            ));
        }
        Switch::Off => {}
        Switch::On | Switch::Auto if float64 => wanted |= wgpu::Features::SHADER_F64,
        Switch::On | Switch::Auto => {}
    }
    Ok(wanted)
}

fn capabilities(features: wgpu::Features, limits: &DeviceLimits, options: &Options) -> Capabilities {
    // That loops have any length is assumed until the opened device is probed.
    let mut capabilities = Capabilities::new(limits.public());
    if !features.contains(wgpu::Features::SHADER_INT64) {
        capabilities.int64 = Int64::Emulated;
    }
    capabilities.tally_min_max_64 = features.contains(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX);
    capabilities.float64 = features.contains(wgpu::Features::SHADER_F64);
    capabilities.faults = options.faults;
    capabilities
}

/// Lists every adapter that can compute, with its capabilities under the options (as `auto` if it cannot fulfil them).
pub(crate) fn adapters(options: &Options) -> Result<Vec<Adapter>> {
    let described = found()?.into_iter().zip(0..).map(|(adapter, index)| {
        let (info, offered) = (info(adapter.get_info(), index), adapter.features());
        let features = features(offered, &info, options).or_else(|_| features(offered, &info, &Options::default()))?;
        let limits = DeviceLimits::new(&adapter.limits(), options);
        Ok(Adapter { capabilities: capabilities(features, &limits, options), info })
    });
    described.collect()
}

/// Opens the adapter with an index.
pub(crate) fn open(index: u32, options: &Options) -> Result<(Context, Capabilities)> {
    options.check()?;
    let adapters = found()?;
    let Some(adapter) = adapters.get(index as usize) else {
        let names: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
        let available = format!("{} ({})", names.len(), names.join(", "));
        return Err(Error::NoDevice { backend: BACKEND.to_owned(), index, available });
    };
    let info = info(adapter.get_info(), index);
    let features = features(adapter.features(), &info, options)?;
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("imminent"),
        required_features: features,
        required_limits: adapter.limits(),
        experimental_features: wgpu::ExperimentalFeatures::disabled(),
        memory_hints: wgpu::MemoryHints::Performance,
        trace: wgpu::Trace::Off,
    };
    let opened = block_on(adapter.request_device(&descriptor)).map_err(|e| Error::Driver {
        backend: BACKEND.to_owned(),
        device: info.name.clone(),
        stage: "opening the device".to_owned(),
        message: e.to_string(),
    })?;
    let sink = Arc::new(Sink::default());
    let stray = sink.clone();
    opened.0.on_uncaptured_error(Arc::new(move |error: wgpu::Error| stray.note_stray(error.to_string())));
    assemble(opened, (info, features), sink, options)
}

/// Adopts a device that another library has opened.
pub(crate) fn adopt(opened: (wgpu::Device, wgpu::Queue), options: &Options) -> Result<(Context, Capabilities)> {
    options.check()?;
    let info = info(opened.0.adapter_info(), 0);
    if !are_enough(&opened.0.limits()) {
        return Err(Error::Unsupported {
            backend: BACKEND.to_owned(),
            device: info.name,
            what: "kernels".to_owned(),
            reason: "the adopted device was opened with limits that are too small".to_owned(),
            remedy: format!(
                "Ask for at least {MIN_STORAGE_BUFFERS} storage buffers in a shader and 256 invocations in a workgroup, \
                 or for the adapter's own limits"
            ),
        });
    }
    let features = features(opened.0.features(), &info, options)?;
    assemble(opened, (info, features), Arc::default(), options)
}

fn assemble(
    opened: (wgpu::Device, wgpu::Queue),
    (info, features): (DeviceInfo, wgpu::Features),
    sink: Arc<Sink>,
    options: &Options,
) -> Result<(Context, Capabilities)> {
    let loss = sink.clone();
    opened.0.set_device_lost_callback(move |reason, message| loss.note_loss(format!("{reason:?}: {message}")));
    let limits = DeviceLimits::new(&opened.0.limits(), options);
    // If a driver computes 64-bit integers wrongly, its features stay enabled, but kernels do not use them.
    let trusted = options.int64 != Int64Option::Auto
        || !features.contains(wgpu::Features::SHADER_INT64)
        || native_int64_is_right(&opened.0, &opened.1);
    if !trusted && options.float64 == Switch::On {
        return Err(Error::Unsupported {
            backend: BACKEND.to_owned(),
            device: info.name,
            what: "with the option float64=on".to_owned(),
            reason: "it needs native 64-bit integers, which this driver computes wrongly in some sums".to_owned(),
            remedy: "Use int64=native beside it if your kernels have no sums that are compared with an operand"
                .to_owned(),
        });
    }
    let usable = if trusted { features } else { features - WIDE };
    let long_loops = loops_run_to_their_end(&opened.0, &opened.1);
    let mut capabilities = capabilities(usable, &limits, options);
    capabilities.long_loops = long_loops;
    let lowering = WgslOptions {
        int64: if capabilities.int64 == Int64::Native { WgslInt64::Native } else { WgslInt64::Emulated },
        float64: capabilities.float64,
        int64_atomics: capabilities.tally_min_max_64,
        constants_apart: matches!(opened.0.adapter_info().vendor, NVIDIA | UNKNOWN_VENDOR),
        workgroup_size: options.workgroup,
        subset: false,
        segments: Vec::new(),
        ragged: Vec::new(),
        single: Vec::new(),
        shared: None,
        faults: options.faults,
    };
    Ok((Context::new(opened, info, limits, lowering, long_loops, sink), capabilities))
}
