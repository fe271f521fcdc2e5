//! Options of a device, as `KEY=VALUE` pairs.

use imminent_core::{Error, Faults, Result};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;

/// Number of threads of a block that share 256 rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workgroup {
    /// The number that keeps the most threads resident on a multiprocessor, kernel by kernel.
    #[default]
    Auto,
    /// A fixed number of threads: 64, 128 or 256.
    Threads(u32),
}

/// Location of compiled kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// In `imminent/cuda` of the user's cache folder, if there is one, or in the folder that the environment sets
    /// ([`kernel_cache`](imminent_core::kernel_cache)).
    #[default]
    Auto,
    /// No cache.
    Off,
    /// In this folder.
    Folder(PathBuf),
}

/// Execution of the loops of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loops {
    /// Currently `Graph`.
    #[default]
    Auto,
    /// The host launches graphs of many steps, one ahead of the device.
    Graph,
    /// The device repeats steps by itself, in WHILE nodes, up to a number that the host sets. This needs a driver of
    /// CUDA 12.3 or later.
    Conditional,
}

/// Options of [`CudaBackend::open`](crate::CudaBackend::open). None of them changes a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// `workgroup=auto|64|128|256`: threads of a block.
    pub workgroup: Workgroup,
    /// `float64=on|off`: `true` if kernels may use `f64`. Every CUDA device can. `off` makes such a kernel a typed
    /// error, as on devices of other backends that cannot.
    pub float64: bool,
    /// `cache=auto|off|FOLDER`: location of compiled kernels between runs.
    pub cache: Cache,
    /// `nvrtc=PATH`: the NVRTC library, or its folder, instead of a search.
    pub nvrtc: Option<PathBuf>,
    /// `memory-limit=N`: bytes that tables, tallies and results may take together.
    pub memory_limit: Option<u64>,
    /// `primitives=native|portable`: `true` if [primitives](imminent_core::primitives) run in their portable form, not
    /// as this backend's own kernels. Results differ only in classes that allow it: unordered sums and running sums of
    /// floats.
    pub portable_primitives: bool,
    /// `loops=auto|graph|conditional`: execution of the loops of programs.
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
            memory_limit: None,
            portable_primitives: false,
            loops: Loops::Auto,
            faults: Faults::Places,
        }
    }
}

const KNOWN: &str = "workgroup=auto|64|128|256, float64=on|off, cache=auto|off|FOLDER, nvrtc=PATH, memory-limit=N, primitives=native|portable, loops=auto|graph|conditional, faults=places|operands";

impl Options {
    /// Sets one option.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown key (the known ones are listed) and for an invalid value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let wrong = |takes: &str| Error::invalid(format!("cuda option `{key}={value}`"), format!("it takes {takes}"));
        match key {
            "workgroup" => {
                self.workgroup = match value {
                    "auto" => Workgroup::Auto,
                    "64" => Workgroup::Threads(64),
                    "128" => Workgroup::Threads(128),
                    "256" => Workgroup::Threads(256),
                    _ => return Err(wrong("auto, 64, 128 or 256")),
                }
            }
            "float64" => {
                self.float64 = match value {
                    "on" | "auto" => true,
                    "off" => false,
                    _ => return Err(wrong("on or off")),
                }
            }
            "cache" => {
                self.cache = match value {
                    "auto" | "on" => Cache::Auto,
                    "off" => Cache::Off,
                    "" => return Err(wrong("auto, off or a folder")),
                    folder => Cache::Folder(PathBuf::from(folder)),
                }
            }
            "nvrtc" => match value {
                "" => return Err(wrong("the library file or its folder")),
                path => self.nvrtc = Some(PathBuf::from(path)),
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
            "loops" => {
                self.loops = match value {
                    "auto" => Loops::Auto,
                    "graph" => Loops::Graph,
                    "conditional" => Loops::Conditional,
                    _ => return Err(wrong("auto, graph or conditional")),
                }
            }
            "faults" => {
                self.faults = match value {
                    "places" => Faults::Places,
                    "operands" => Faults::Operands,
                    _ => return Err(wrong("places or operands")),
                }
            }
            _ => return Err(Error::unknown_option("cuda", key, KNOWN)),
        }
        Ok(())
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

    /// Reads `KEY=VALUE` pairs separated by commas or white space.
    fn from_str(text: &str) -> Result<Options> {
        let mut options = Options::default();
        for pair in text.split([',', ' ', '\t', '\n']).filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(Error::invalid(
                    format!("cuda option `{pair}`"),
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
            "workgroup=128, float64=off cache=/var/cache/kernels,nvrtc=/opt/lib memory-limit=1000000 primitives=portable loops=graph faults=operands".parse().unwrap();
        let expected = Options {
            workgroup: Workgroup::Threads(128),
            float64: false,
            cache: Cache::Folder("/var/cache/kernels".into()),
            nvrtc: Some("/opt/lib".into()),
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
        for pair in ["workgroup=100", "float64=1", "cache=", "nvrtc=", "loops=on", "faults=on", "workgroup"] {
            let text = pair.parse::<Options>().unwrap_err().to_string();
            assert!(text.contains("takes") || text.contains("KEY=VALUE"), "{pair}: {text}");
        }
        assert!(Options { workgroup: Workgroup::Threads(7), ..Options::default() }.check().is_err());
        assert!(Options { workgroup: Workgroup::Threads(64), ..Options::default() }.check().is_ok());
    }
}
