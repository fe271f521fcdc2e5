//! Properties of a device.

use crate::cl::{DeviceId, Failure};
use crate::options::{Options, Switch};
use imminent_core::{Capabilities, DeviceKind, Limits};
use imminent_ir::launch::ROWS_PER_GROUP;
use ocl::ffi::{cl_uint, size_t};

/// Properties of a device that this backend needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) name: String,
    /// `OpenCL 1.2 ...`, with text of the vendor.
    pub(crate) version: String,
    pub(crate) driver: String,
    pub(crate) kind: DeviceKind,
    /// Bytes of the largest allocation.
    pub(crate) allocation_bytes: u64,
    /// Bytes of memory.
    pub(crate) memory_bytes: u64,
    /// Alignment of parts of a buffer, in bytes.
    pub(crate) alignment: u64,
    /// Largest number of bytes of a kernel's arguments.
    pub(crate) parameter_bytes: u64,
    /// Bytes of memory that a work-group shares.
    pub(crate) local_bytes: u64,
    /// Largest number of work-items of a work-group.
    pub(crate) workgroup: u32,
    /// Number of compute units, over which the running work-groups are distributed.
    pub(crate) compute_units: u32,
    /// `true` if correct rounding of `/` and `sqrt` of `f32` is available.
    pub(crate) correct_division: bool,
    pub(crate) float64: bool,
    /// `true` if 64-bit atomics have `min` and `max`.
    pub(crate) int64_atomics: bool,
    /// Reason why the device is unusable, if it takes no work, has no compiler, or differs from the host in byte order.
    usable: std::result::Result<(), &'static str>,
}

mod parameter {
    pub(super) const TYPE: u32 = 0x1000;
    pub(super) const MAX_COMPUTE_UNITS: u32 = 0x1002;
    pub(super) const MAX_WORK_GROUP_SIZE: u32 = 0x1004;
    pub(super) const MAX_WORK_ITEM_SIZES: u32 = 0x1005;
    pub(super) const MAX_MEM_ALLOC_SIZE: u32 = 0x1010;
    pub(super) const MAX_PARAMETER_SIZE: u32 = 0x1017;
    pub(super) const MEM_BASE_ADDR_ALIGN: u32 = 0x1019;
    pub(super) const SINGLE_FP_CONFIG: u32 = 0x101B;
    pub(super) const GLOBAL_MEM_SIZE: u32 = 0x101F;
    pub(super) const LOCAL_MEM_SIZE: u32 = 0x1023;
    pub(super) const ENDIAN_LITTLE: u32 = 0x1026;
    pub(super) const AVAILABLE: u32 = 0x1027;
    pub(super) const COMPILER_AVAILABLE: u32 = 0x1028;
    pub(super) const NAME: u32 = 0x102B;
    pub(super) const DRIVER_VERSION: u32 = 0x102D;
    pub(super) const VERSION: u32 = 0x102F;
    pub(super) const EXTENSIONS: u32 = 0x1030;
    pub(super) const DOUBLE_FP_CONFIG: u32 = 0x1032;
    pub(super) const HOST_UNIFIED_MEMORY: u32 = 0x1035;
}

const TYPE_CPU: u64 = 1 << 1;
const TYPE_GPU: u64 = 1 << 2;
const CORRECTLY_ROUNDED_DIVIDE_SQRT: u64 = 1 << 7;
/// Bytes that the reduction tree needs: for each row of a group a value and its row number.
const MIN_LOCAL_BYTES: u64 = ROWS_PER_GROUP as u64 * 12;

/// Parses the numbers of `OpenCL 1.2 anything`.
fn version_number(version: &str) -> Option<(u32, u32)> {
    let number = version.strip_prefix("OpenCL ")?.split_whitespace().next()?;
    let (major, minor) = number.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Returns the kind of a device from the bits of its type. A device that calls itself a CPU is one, even if it calls
/// itself a GPU as well: the simulator Oclgrind has all bits.
fn kind_of(bits: u64, unified_memory: Option<bool>) -> DeviceKind {
    match unified_memory {
        _ if bits & TYPE_CPU != 0 => DeviceKind::CpuDevice,
        Some(true) if bits & TYPE_GPU != 0 => DeviceKind::IntegratedGpu,
        Some(false) if bits & TYPE_GPU != 0 => DeviceKind::DiscreteGpu,
        _ => DeviceKind::OtherGpu,
    }
}

/// Work-groups for each compute unit: enough for their memory latencies to overlap.
const GROUPS_OF_A_UNIT: u32 = 8;

impl Facts {
    /// Returns the number of work-groups that fill the device.
    pub(crate) fn resident_groups(&self) -> u32 {
        self.compute_units.max(1).saturating_mul(GROUPS_OF_A_UNIT)
    }

    /// Queries a device.
    pub(crate) fn of(device: DeviceId) -> Result<Facts, Failure> {
        use parameter as p;
        let flag = |parameter| device.number::<cl_uint>(parameter).map(|value| value != 0);
        let bytes = |parameter| device.number::<u64>(parameter);
        let kind = device.number::<u64>(p::TYPE)?;
        let extensions = device.text(p::EXTENSIONS)?;
        let has = |name: &str| extensions.split_whitespace().any(|extension| extension == name);
        let version = device.text(p::VERSION)?;
        let widest = device.number::<size_t>(p::MAX_WORK_ITEM_SIZES)?;
        let workgroup = device.number::<size_t>(p::MAX_WORK_GROUP_SIZE)?.min(widest);
        let local_bytes = bytes(p::LOCAL_MEM_SIZE)?;
        let usable = if !flag(p::AVAILABLE)? {
            Err("it says that it is not available")
        } else if !flag(p::COMPILER_AVAILABLE)? {
            Err("its driver has no compiler")
        } else if !flag(p::ENDIAN_LITTLE)? {
            Err("it is big-endian")
        } else if version_number(&version).is_none_or(|version| version < (1, 2)) {
            Err("it is older than OpenCL 1.2")
        } else if local_bytes < MIN_LOCAL_BYTES || workgroup < SMALLEST_WORKGROUP {
            Err("its work-groups are too small")
        } else {
            Ok(())
        };
        Ok(Facts {
            name: device.text(p::NAME)?,
            driver: device.text(p::DRIVER_VERSION)?,
            kind: kind_of(kind, flag(p::HOST_UNIFIED_MEMORY).ok()),
            allocation_bytes: bytes(p::MAX_MEM_ALLOC_SIZE)?,
            memory_bytes: bytes(p::GLOBAL_MEM_SIZE)?,
            // The device reports it in bits.
            alignment: u64::from(device.number::<cl_uint>(p::MEM_BASE_ADDR_ALIGN)? / 8).next_power_of_two(),
            parameter_bytes: device.number::<size_t>(p::MAX_PARAMETER_SIZE)? as u64,
            local_bytes,
            workgroup: u32::try_from(workgroup).unwrap_or(u32::MAX),
            compute_units: device.number::<cl_uint>(p::MAX_COMPUTE_UNITS)?,
            correct_division: bytes(p::SINGLE_FP_CONFIG)? & CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
            // A driver of 1.2 without double precision may not know the query.
            float64: has("cl_khr_fp64") && bytes(p::DOUBLE_FP_CONFIG).is_ok_and(|config| config != 0),
            int64_atomics: has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics"),
            version,
            usable,
        })
    }

    /// Returns the properties of an imaginary device.
    #[cfg(test)]
    pub(super) fn sample(usable: std::result::Result<(), &'static str>) -> Facts {
        Facts {
            name: "sample".to_owned(),
            version: "OpenCL 1.2".to_owned(),
            driver: "1".to_owned(),
            kind: DeviceKind::OtherGpu,
            allocation_bytes: 1 << 30,
            memory_bytes: 1 << 32,
            alignment: 128,
            parameter_bytes: 1024,
            local_bytes: 1 << 15,
            workgroup: 256,
            compute_units: 4,
            correct_division: true,
            float64: true,
            int64_atomics: true,
            usable,
        }
    }

    /// Returns the reason why the device cannot run kernels, if there is one.
    pub(crate) fn usable(&self) -> std::result::Result<(), &'static str> {
        self.usable
    }

    /// Returns `true` if the driver compiles kernels without optimization. Oclgrind interprets LLVM's code, and lacks
    /// functions that optimizations insert, such as saturating subtractions: it then finds no kernel of that name, or
    /// leaves a launch without a word.
    pub(crate) fn unoptimized(&self, options: &Options) -> bool {
        options.unoptimized || self.driver.starts_with("Oclgrind")
    }

    /// Returns the device's capabilities under options that fit it.
    pub(crate) fn capabilities(&self, options: &Options) -> Capabilities {
        let mut capabilities = Capabilities::new(Limits::new(self.table_bytes(options), MAX_ROWS, self.bindings()));
        capabilities.limits.memory_bytes = Some(self.memory_bytes);
        capabilities.tally_min_max_64 = self.int64_atomics && options.int64_atomics != Switch::Off;
        capabilities.float64 = self.float64 && options.float64 != Switch::Off;
        capabilities.faults = options.faults;
        capabilities
    }

    /// Returns the bytes of the largest table.
    pub(crate) fn table_bytes(&self, options: &Options) -> u64 {
        // Whole words.
        options.max_table_bytes.map_or(self.allocation_bytes, |bytes| bytes.min(self.allocation_bytes)) & !3
    }

    /// Returns the number of tables and tallies of a kernel. Each is a pointer among its arguments, beside the state,
    /// the launch block and the partial results.
    fn bindings(&self) -> u32 {
        let pointers = self.parameter_bytes / POINTER_BYTES;
        u32::try_from(pointers.saturating_sub(3)).unwrap_or(u32::MAX)
    }
}

/// Bytes of a pointer among a kernel's arguments, on 64-bit devices.
pub(crate) const POINTER_BYTES: u64 = 8;
/// Work-items of the smallest work-group for which kernels are compiled.
const SMALLEST_WORKGROUP: usize = 32;
/// Rows of the largest launch: the number of the row after the last of the last group does not wrap around.
pub(crate) const MAX_ROWS: u32 = u32::MAX - ROWS_PER_GROUP;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version_number("OpenCL 1.2 pocl HSTR"), Some((1, 2)));
        assert!(version_number("OpenCL 1.1 CUDA") < Some((1, 2)));
        assert!(version_number("OpenCL 3.0 CUDA") > Some((1, 2)));
        assert_eq!(version_number("nonsense"), None);
    }

    #[test]
    fn a_device_with_the_bit_of_a_cpu_is_a_cpu() {
        let (default, cpu, gpu, accelerator) = (1, 2, 4, 8);
        assert_eq!(kind_of(default | cpu | gpu | accelerator, Some(false)), DeviceKind::CpuDevice);
        assert_eq!(kind_of(cpu, Some(true)), DeviceKind::CpuDevice);
        assert_eq!(kind_of(default | gpu, Some(false)), DeviceKind::DiscreteGpu);
        assert_eq!(kind_of(gpu, Some(true)), DeviceKind::IntegratedGpu);
        assert_eq!(kind_of(gpu, None), DeviceKind::OtherGpu);
        assert_eq!(kind_of(accelerator, Some(false)), DeviceKind::OtherGpu);
    }

    #[test]
    fn oclgrind_gets_kernels_without_optimization() {
        let facts = Facts::sample(Ok(()));
        let off = "optimization=off".parse().unwrap_or_default();
        assert!(facts.unoptimized(&off) && !facts.unoptimized(&Options::default()));
        let oclgrind = Facts { driver: "Oclgrind 21.10".to_owned(), ..facts };
        assert!(oclgrind.unoptimized(&Options::default()));
    }

    #[test]
    fn options_take_away_what_a_device_has_and_never_add_to_it() {
        let facts = Facts::sample(Ok(()));
        let all = facts.capabilities(&Options::default());
        assert!(all.float64 && all.tally_min_max_64);
        assert_eq!((all.limits.table_bytes, all.limits.bindings), (1 << 30, 125));
        let options = "float64=off,int64-atomics=off,max-table-bytes=1025".parse().unwrap_or_default();
        let less = facts.capabilities(&options);
        assert!(!less.float64 && !less.tally_min_max_64);
        assert_eq!(less.limits.table_bytes, 1024);
        let bare = Facts { float64: false, int64_atomics: false, ..facts };
        let larger = Options { max_table_bytes: Some(u64::MAX), ..Options::default() };
        let none = bare.capabilities(&larger);
        assert!(!none.float64 && !none.tally_min_max_64);
        assert_eq!(none.limits.table_bytes, 1 << 30);
    }
}
