//! Options of a device, as `KEY=VALUE` pairs.

use imminent_core::{Error, Faults, Result};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;

/// Use of an optional feature of devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// Used if the device supports it.
    #[default]
    Auto,
    /// Used; an error if the device does not support it.
    On,
    /// Not used, as on a device that does not support it.
    Off,
}

/// Location of compiled programs between processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// In `imminent/opencl` of the user's cache folder, if there is one, or in the folder that the environment sets
    /// ([`kernel_cache`](imminent_core::kernel_cache)).
    #[default]
    Auto,
    /// In this folder, which is created if need be.
    Folder(PathBuf),
    /// No cache.
    Off,
}

/// Options of [`OpenClBackend::open`](crate::OpenClBackend::open).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// `cache=auto|off|FOLDER`: location of compiled programs. A folder that cannot be read or written only costs time.
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
    /// `max-table-bytes=N`: size of the largest table, if it is to be less than the device allows.
    /// [`Device::open`](imminent_core::Device::open) needs 532,480 for its probes' tables, half of it without `f64`.
    pub max_table_bytes: Option<u64>,
    /// `memory-limit=N`: bytes that tables, tallies and results may take together.
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
    /// that changes with it shows an error of the driver.
    pub unoptimized: bool,
}

const KNOWN: &str = "cache=auto|off|FOLDER, float64=auto|on|off, int64-atomics=auto|on|off, division=native|portable, \
                     workgroup=32|64|128|256, max-table-bytes=N, memory-limit=N, primitives=native|portable, \
                     faults=places|operands, optimization=on|off";
/// Bytes of the smallest limit on tables: a column of one-word rows.
const LEAST_TABLE_BYTES: u64 = 256;

impl Options {
    /// Sets one option.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown key (the known ones are listed) and for an invalid value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let wrong = |takes: &str| Error::invalid(format!("opencl option `{key}={value}`"), format!("it takes {takes}"));
        let switch = || match value {
            "auto" => Ok(Switch::Auto),
            "on" => Ok(Switch::On),
            "off" => Ok(Switch::Off),
            _ => Err(wrong("auto, on or off")),
        };
        match key {
            "cache" => {
                self.cache = match value {
                    "auto" => Cache::Auto,
                    "off" => Cache::Off,
                    "" => return Err(wrong("auto, off or a folder")),
                    folder => Cache::Folder(PathBuf::from(folder)),
                }
            }
            "float64" => self.float64 = switch()?,
            "int64-atomics" => self.int64_atomics = switch()?,
            "division" => {
                self.portable_division = match value {
                    "native" => false,
                    "portable" => true,
                    _ => return Err(wrong("native or portable")),
                }
            }
            "workgroup" => match value {
                "32" => self.workgroup = Some(32),
                "64" => self.workgroup = Some(64),
                "128" => self.workgroup = Some(128),
                "256" => self.workgroup = Some(256),
                _ => return Err(wrong("32, 64, 128 or 256")),
            },
            "max-table-bytes" => match value.parse() {
                Ok(bytes) if bytes >= LEAST_TABLE_BYTES => self.max_table_bytes = Some(bytes),
                _ => return Err(wrong(&format!("a number of bytes, at least {LEAST_TABLE_BYTES}"))),
            },
            "memory-limit" => match value.parse() {
                Ok(bytes) => self.memory_limit = Some(bytes),
                Err(_) => return Err(wrong("a number of bytes")),
            },
            "primitives" => {
                self.portable_primitives = match value {
                    "native" => false,
                    "portable" => true,
                    _ => return Err(wrong("native or portable")),
                }
            }
            "faults" => {
                self.faults = match value {
                    "places" => Faults::Places,
                    "operands" => Faults::Operands,
                    _ => return Err(wrong("places or operands")),
                }
            }
            "optimization" => {
                self.unoptimized = match value {
                    "on" => false,
                    "off" => true,
                    _ => return Err(wrong("on or off")),
                }
            }
            _ => return Err(Error::unknown_option("opencl", key, KNOWN)),
        }
        Ok(())
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

    /// Reads `KEY=VALUE` pairs separated by commas or white space.
    fn from_str(text: &str) -> Result<Options> {
        let mut options = Options::default();
        for pair in text.split([',', ' ', '\t', '\n']).filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(Error::invalid(
                    format!("opencl option `{pair}`"),
                    format!("write KEY=VALUE; the options are {KNOWN}"),
                ));
            };
            options.set(key.trim(), value.trim())?;
        }
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
