//! Options of a device, as `KEY=VALUE` pairs.

use imminent_core::backend::{DeviceOption, OptionTable, variant};
use imminent_core::{Error, Faults, Result};
pub use imminent_device::options::{Cache, Switch};
use imminent_device::options::{Shared, SharedOptions, shared};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Options of [`OpenClBackend::open`](crate::OpenClBackend::open).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// `cache=auto|off|FOLDER`: location of compiled programs. A folder that cannot be read or written only costs time.
    /// With `auto`, programs of PoCL are left to PoCL, which keeps them in a folder of its own (`POCL_CACHE_DIR`).
    pub cache: Cache,
    /// `float64=auto|on|off`: use of `f64` in kernels.
    pub float64: Switch,
    /// `int64-atomics=auto|on|off`: use of the device's 64-bit atomics. Without them tallies of 64-bit integers have no
    /// `min` and `max`; other results do not depend on it.
    pub int64_atomics: Switch,
    /// `division=native|portable`: `true` if `f32` divisions and square roots are computed portably although the driver
    /// may round them correctly. Results do not depend on it.
    pub portable_division: bool,
    /// `workgroup=32|64|128|256`: work-items of a work-group; 256, or as many as the device allows, if `None`. Results
    /// do not depend on it.
    pub workgroup: Option<u32>,
    /// `max-table-bytes=BYTES`: size of the largest table, if it is to be less than the device allows.
    /// [`Device::open`](imminent_core::Device::open) needs 532,480 for its probes' tables, half of it without `f64`.
    pub max_table_bytes: Option<u64>,
    /// `memory-limit=BYTES`: bytes that tables, tallies and results may take together.
    pub memory_limit: Option<u64>,
    /// `primitives=native|portable`: `true` if [primitives](imminent_core::primitives) run in their portable form, not
    /// as this backend's own kernels. Results differ only in classes that allow it: unordered sums and running sums of
    /// floats.
    pub portable_primitives: bool,
    /// `faults=places|operands`: details that faults report. Operands are reported as on the CPU ([`Faults`]), at the
    /// price of registers in every kernel that can fault. Results do not depend on it.
    pub faults: Faults,
    /// `optimization=on|off`: `true` if the driver compiles kernels without optimization (`-cl-opt-disable`). A driver
    /// with a slow compiler starts sooner then: PoCL 3.1 in 0.4 of the time. Results do not depend on it, so a result
    /// that changes with it shows an error of the driver. Oclgrind always compiles so.
    pub unoptimized: bool,
}

/// Bytes of the smallest limit on tables: a column of one-word rows.
const MIN_TABLE_BYTES: u64 = 256;

const SHARED: [DeviceOption<Options>; 3] = shared();

const TABLE: OptionTable<Options> = OptionTable::<Options>::new(
    "opencl",
    &[
        DeviceOption::of("cache", "auto|off|FOLDER", "auto, off or a folder", |to, value| {
            to.cache = Cache::parse(value)?;
            Some(())
        }),
        DeviceOption::choice("float64", "auto|on|off", |to, value| {
            to.float64 = variant(value)?;
            Some(())
        }),
        DeviceOption::choice("int64-atomics", "auto|on|off", |to, value| {
            to.int64_atomics = variant(value)?;
            Some(())
        }),
        DeviceOption::choice("division", "native|portable", |to, value| {
            to.portable_division = value == "portable";
            Some(())
        }),
        DeviceOption::choice("workgroup", "32|64|128|256", |to, value| {
            to.workgroup = Some(value.parse().ok()?);
            Some(())
        }),
        DeviceOption::of("max-table-bytes", "BYTES", "a number of bytes, at least 256", |to, value| {
            to.max_table_bytes = Some(value.parse().ok().filter(|bytes| *bytes >= MIN_TABLE_BYTES)?);
            Some(())
        }),
        DeviceOption::choice("optimization", "on|off", |to, value| {
            to.unoptimized = value == "off";
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
        let mut copy = self.clone();
        if let Some(size) = self.workgroup {
            copy.set("workgroup", &size.to_string())?;
        }
        match self.max_table_bytes {
            Some(bytes) => copy.set("max-table-bytes", &bytes.to_string()),
            None => Ok(()),
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
            "cache=some/folder, workgroup=64 float64=off,max-table-bytes=4096 int64-atomics=on memory-limit=1000000 \
             primitives=portable division=portable faults=operands optimization=off"
                .parse()
                .unwrap();
        let expected = Options {
            cache: Cache::Folder("some/folder".into()),
            float64: Switch::Off,
            int64_atomics: Switch::On,
            workgroup: Some(64),
            max_table_bytes: Some(4096),
            memory_limit: Some(1_000_000),
            portable_primitives: true,
            portable_division: true,
            faults: Faults::Operands,
            unoptimized: true,
        };
        assert_eq!(options, expected);
        assert_eq!("".parse::<Options>().unwrap(), Options::default());
        assert_eq!("cache=off".parse::<Options>().unwrap().cache, Cache::Off);
    }

    #[test]
    fn an_unknown_key_lists_the_known_ones() {
        let text = "threads=3".parse::<Options>().unwrap_err().to_string();
        assert!(text.contains("`threads`") && text.contains("max-table-bytes") && text.contains("cache"), "{text}");
        let text = "max_table_bytes=4096".parse::<Options>().unwrap_err().to_string();
        assert!(text.contains("its name is `max-table-bytes`"), "{text}");
    }

    #[test]
    fn a_wrong_value_says_what_the_key_takes() {
        for pair in [
            "workgroup=100",
            "float64=yes",
            "int64-atomics=",
            "max-table-bytes=7",
            "cache=",
            "cache",
            "division=on",
            "faults=off",
            "optimization=-O3",
        ] {
            let error = pair.parse::<Options>().unwrap_err();
            assert!(matches!(error, Error::Invalid { .. }), "{pair}: {error}");
            assert!(error.to_string().contains(pair), "{pair}: {error}");
        }
        assert!(Options { workgroup: Some(100), ..Options::default() }.check().is_err());
        assert!(Options { max_table_bytes: Some(3), ..Options::default() }.check().is_err());
    }
}
