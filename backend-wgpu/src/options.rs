//! Options of a device, as `KEY=VALUE` pairs.

use imminent_core::backend::{DeviceOption, OptionTable, variant};
use imminent_core::{Error, Faults, Result};
pub use imminent_device::options::Switch;
use imminent_device::options::{Shared, SharedOptions, shared};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Method of computing 64-bit integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Int64Option {
    /// Natively if the device can, otherwise as pairs of words.
    #[default]
    Auto,
    /// Natively; an error if the device cannot.
    Native,
    /// Emulated as pairs of words.
    Emulated,
}

/// Options of [`WgpuBackend::open`](crate::WgpuBackend::open).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// `int64=auto|native|emulated`: method of computing 64-bit integers. Results do not depend on it.
    pub int64: Int64Option,
    /// `float64=auto|on|off`: availability of `f64` in kernels. It needs native 64-bit integers.
    pub float64: Switch,
    /// `workgroup=64|128|256`: invocations of a workgroup. Results do not depend on it.
    pub workgroup: u32,
    /// `max-binding-bytes=BYTES`: the largest piece of a table that is bound at once, if less than the device allows.
    /// It serves tests of tables in several pieces. [`Device::open`](imminent_core::Device::open) needs 40,000
    /// for the columns of its probes.
    pub max_binding_bytes: Option<u64>,
    /// `bindings=NUMBER`: most storage buffers that a kernel binds, if fewer than the device allows; at least 4. With
    /// fewer than 24, by this option or by the device, tables share buffers, and so do tallies; primitives run in their
    /// portable form. Browsers offer 8 or 10. Results do not depend on it.
    pub bindings: Option<u32>,
    /// `memory-limit=BYTES`: most bytes of all tables, tallies and results together.
    pub memory_limit: Option<u64>,
    /// `primitives=native|portable`: whether [primitives](imminent_core::primitives) run as this backend's own kernels
    /// or in their portable form. Results may differ for unordered sums and running sums of floats, as their class
    /// allows.
    pub portable_primitives: bool,
    /// `faults=places|operands`: contents of fault reports. With operands they are the same as on the CPU ([`Faults`]),
    /// which costs registers in every kernel that can fault. Results do not depend on it.
    pub faults: Faults,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            int64: Int64Option::Auto,
            float64: Switch::Auto,
            workgroup: 256,
            max_binding_bytes: None,
            bindings: None,
            memory_limit: None,
            portable_primitives: false,
            faults: Faults::Places,
        }
    }
}

/// Smallest allowed binding in bytes: one column of a table of up to 63 rows takes 256 bytes, and a binding must hold
/// two.
const SMALLEST_BINDING: u64 = 512;

/// The smallest limit of storage buffers with which kernels can run at all.
pub(crate) const MIN_STORAGE_BUFFERS: u32 = 4;

const SHARED: [DeviceOption<Options>; 3] = shared();

const TABLE: OptionTable<Options> = OptionTable::<Options>::new(
    "wgpu",
    &[
        DeviceOption::choice("int64", "auto|native|emulated", |to, value| {
            to.int64 = variant(value)?;
            Some(())
        }),
        DeviceOption::choice("float64", "auto|on|off", |to, value| {
            to.float64 = variant(value)?;
            Some(())
        }),
        DeviceOption::choice("workgroup", "64|128|256", |to, value| {
            to.workgroup = value.parse().ok()?;
            Some(())
        }),
        DeviceOption::of("max-binding-bytes", "BYTES", "a number of bytes, at least 512", |to, value| {
            to.max_binding_bytes = Some(value.parse().ok().filter(|bytes| *bytes >= SMALLEST_BINDING)?);
            Some(())
        }),
        DeviceOption::of("bindings", "NUMBER", "a number of storage buffers, at least 4", |to, value| {
            to.bindings = Some(value.parse().ok().filter(|bindings| *bindings >= MIN_STORAGE_BUFFERS)?);
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

    /// Checks options that were set field by field.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a value that [`Options::set`] would reject.
    pub fn check(&self) -> Result<()> {
        let mut copy = self.clone();
        copy.set("workgroup", &self.workgroup.to_string())?;
        let bytes = self.max_binding_bytes.map(|bytes| ("max-binding-bytes", bytes));
        let bindings = self.bindings.map(|bindings| ("bindings", u64::from(bindings)));
        bytes.into_iter().chain(bindings).try_for_each(|(key, value)| copy.set(key, &value.to_string()))
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
            "int64=emulated, workgroup=64 float64=off,max-binding-bytes=4096 bindings=8 memory-limit=1000000 primitives=portable \
             faults=operands"
                .parse()
                .unwrap();
        let expected = Options {
            int64: Int64Option::Emulated,
            float64: Switch::Off,
            workgroup: 64,
            max_binding_bytes: Some(4096),
            bindings: Some(8),
            memory_limit: Some(1_000_000),
            portable_primitives: true,
            faults: Faults::Operands,
        };
        assert_eq!(options, expected);
        assert_eq!("".parse::<Options>().unwrap(), Options::default());
    }

    #[test]
    fn an_unknown_key_lists_the_known_ones() {
        let text = "threads=3".parse::<Options>().unwrap_err().to_string();
        assert!(text.contains("`threads`") && text.contains("max-binding-bytes") && text.contains("int64"), "{text}");
    }

    #[test]
    fn a_wrong_value_says_what_the_key_takes() {
        for pair in [
            "int64=yes",
            "float64=1",
            "workgroup=100",
            "max-binding-bytes=3",
            "max-binding-bytes=many",
            "bindings=3",
            "int64",
        ] {
            let text = pair.parse::<Options>().unwrap_err().to_string();
            assert!(text.contains("int64") || text.contains("takes"), "{pair}: {text}");
        }
        let options = Options { workgroup: 7, ..Options::default() };
        assert!(options.check().is_err());
    }
}
