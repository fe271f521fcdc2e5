//! Options of a device, as `KEY=VALUE` pairs.

use imminent_core::backend::{DeviceOption, OptionTable, variant};
use imminent_core::{Error, Faults, Result};
pub use imminent_device::options::Cache;
use imminent_device::options::{Shared, SharedOptions, shared};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;

/// Number of threads of a block that share 256 rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workgroup {
    /// The number that keeps the most threads resident on a multiprocessor, kernel by kernel.
    #[default]
    Auto,
    /// A fixed number of threads: 64, 128 or 256.
    Threads(u32),
}

/// Execution of the loops of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loops {
    /// `Resident` for loops that were compiled so before or have run for a second, `Graph` for others.
    #[default]
    Auto,
    /// The host launches graphs of many steps, one ahead of the device.
    Graph,
    /// The device repeats steps by itself, in WHILE nodes, up to a number that the host sets. This needs a driver of
    /// CUDA 12.3 or later.
    Conditional,
    /// One launch runs many steps of a loop that needs one block only, whose launches have up to 256 rows, or whose
    /// blocks do not need one another. Other loops run as by `Graph`.
    Resident,
}

/// Options of [`CudaBackend::open`](crate::CudaBackend::open). None of them changes a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// `workgroup=auto|64|128|256`: threads of a block.
    pub workgroup: Workgroup,
    /// `float64=auto|on|off`: `true` if kernels may use `f64`. Every CUDA device can. `off` makes such a kernel a typed
    /// error, as on devices of other backends that cannot.
    pub float64: bool,
    /// `cache=auto|off|FOLDER`: location of compiled kernels between runs.
    pub cache: Cache,
    /// `nvrtc=PATH`: the NVRTC library, or its folder, instead of a search.
    pub nvrtc: Option<PathBuf>,
    /// `record=FOLDER`: folder into which the texts of all kernels are written, from which `imminent precompile` makes
    /// kernels to ship with a program.
    pub record: Option<PathBuf>,
    /// `lines=off|on`: `true` if profilers show the Rust line of each instruction. Kernels then take longer to compile
    /// and more room.
    pub lines: bool,
    /// `memory-limit=BYTES`: bytes that tables, tallies and results may take together.
    pub memory_limit: Option<u64>,
    /// `primitives=native|portable`: `true` if [primitives](imminent_core::primitives) run in their portable form, not
    /// as this backend's own kernels. Results differ only in classes that allow it: unordered sums and running sums of
    /// floats.
    pub portable_primitives: bool,
    /// `loops=auto|graph|conditional|resident`: execution of the loops of programs.
    pub loops: Loops,
    /// `faults=places|operands`: details that faults report. Operands are reported as on the CPU ([`Faults`]), at the
    /// price of registers in every kernel that can fault. Results do not depend on it.
    pub faults: Faults,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            workgroup: Workgroup::Auto,
            float64: true,
            cache: Cache::Auto,
            nvrtc: None,
            record: None,
            lines: false,
            memory_limit: None,
            portable_primitives: false,
            loops: Loops::Auto,
            faults: Faults::Places,
        }
    }
}

const SHARED: [DeviceOption<Options>; 3] = shared();

const TABLE: OptionTable<Options> = OptionTable::<Options>::new(
    "cuda",
    &[
        DeviceOption::choice("workgroup", "auto|64|128|256", |to, value| {
            to.workgroup = match value {
                "auto" => Workgroup::Auto,
                threads => Workgroup::Threads(threads.parse().ok()?),
            };
            Some(())
        }),
        DeviceOption::choice("float64", "auto|on|off", |to, value| {
            to.float64 = value != "off";
            Some(())
        }),
        DeviceOption::of("cache", "auto|off|FOLDER", "auto, off or a folder", |to, value| {
            to.cache = Cache::parse(value)?;
            Some(())
        }),
        DeviceOption::of("nvrtc", "PATH", "the library file or its folder", |to, value| {
            to.nvrtc = Some((!value.is_empty()).then(|| value.into())?);
            Some(())
        }),
        DeviceOption::of("record", "FOLDER", "a folder for texts of kernels", |to, value| {
            to.record = Some((!value.is_empty()).then(|| value.into())?);
            Some(())
        }),
        DeviceOption::choice("lines", "off|on", |to, value| {
            to.lines = value == "on";
            Some(())
        }),
        DeviceOption::choice("loops", "auto|graph|conditional|resident", |to, value| {
            to.loops = variant(value)?;
            Some(())
        }),
    ],
)
.and(&SHARED);

impl SharedOptions for Options {
    fn shared(&mut self) -> Shared<'_> {
        let Options { memory_limit, portable_primitives, faults, .. } = self;
        Shared { memory_limit, portable_primitives, faults }
    }
}

impl Options {
    /// Sets one option.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown key (the known ones are listed) and for a value that the key does not take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        TABLE.set(self, key, value)
    }

    /// Checks values that were set field by field.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a value that [`Options::set`] would refuse.
    pub fn check(&self) -> Result<()> {
        match self.workgroup {
            Workgroup::Auto => Ok(()),
            Workgroup::Threads(threads) => self.clone().set("workgroup", &threads.to_string()),
        }
    }
}

impl FromStr for Options {
    type Err = Error;

    /// Reads `KEY=VALUE` pairs, separated by commas or white space.
    fn from_str(text: &str) -> Result<Options> {
        let mut options = Options::default();
        TABLE.set_all(&mut options, text)?;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn pairs_are_read() {
        let options: Options =
            "workgroup=128, float64=off cache=/var/cache/kernels,nvrtc=/opt/lib record=/tmp/texts lines=on memory-limit=1000000 primitives=portable loops=graph faults=operands".parse().unwrap();
        let expected = Options {
            workgroup: Workgroup::Threads(128),
            float64: false,
            cache: Cache::Folder("/var/cache/kernels".into()),
            nvrtc: Some("/opt/lib".into()),
            record: Some("/tmp/texts".into()),
            lines: true,
            memory_limit: Some(1_000_000),
            portable_primitives: true,
            loops: Loops::Graph,
            faults: Faults::Operands,
        };
        assert_eq!(options, expected);
        assert_eq!("".parse::<Options>().unwrap(), Options::default());
    }

    #[test]
    fn an_unknown_key_lists_the_known_ones() {
        let text = "threads=3".parse::<Options>().unwrap_err().to_string();
        assert!(text.contains("`threads`") && text.contains("workgroup") && text.contains("nvrtc"), "{text}");
    }

    #[test]
    fn a_wrong_value_says_what_the_key_takes() {
        for pair in [
            "workgroup=100",
            "float64=1",
            "cache=",
            "nvrtc=",
            "record=",
            "loops=on",
            "lines=1",
            "faults=on",
            "workgroup",
        ] {
            let text = pair.parse::<Options>().unwrap_err().to_string();
            assert!(text.contains("takes") || text.contains("KEY=VALUE"), "{pair}: {text}");
        }
        assert!(Options { workgroup: Workgroup::Threads(7), ..Options::default() }.check().is_err());
        assert!(Options { workgroup: Workgroup::Threads(64), ..Options::default() }.check().is_ok());
    }
}
