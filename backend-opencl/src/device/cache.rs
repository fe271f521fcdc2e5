//! Compiled programs on disk: the cache of a device, and the keys of programs.

use super::facts::Facts;
use crate::options::Cache;
use imminent_core::{DeviceInfo, Result};
use imminent_device::kernel_cache::{KernelCache, Key, Loaded};

/// A folder of compiled programs for one device.
#[derive(Debug)]
pub(crate) struct DiskCache {
    kept: KernelCache,
    /// Driver and device: inputs of a compilation beside the text and the compiler's options.
    device: String,
}

impl DiskCache {
    /// Opens the cache that an option names. PoCL keeps programs itself, and a folder of ours has them only if it is
    /// named.
    pub(crate) fn new(option: &Cache, info: &DeviceInfo, facts: &Facts) -> Result<DiskCache> {
        let device = format!("{}\0{}\0{}\0{}", info.name, info.driver, facts.version, facts.driver);
        let option = if *option == Cache::Auto && keeps_programs(info) { &Cache::Off } else { option };
        Ok(DiskCache { kept: KernelCache::open(option, "opencl")?, device })
    }

    /// Returns `true` if programs are stored. The binary of one that is not need not be asked for: PoCL would compile
    /// its kernels once more, for work-groups of any size.
    pub(crate) fn is_open(&self) -> bool {
        self.kept.folder().is_some()
    }

    /// Returns the key of a program with this text, compiled with these options.
    pub(crate) fn key(&self, code: &str, options: &str) -> Key {
        // The text follows from the kernel's IR and the version of the lowering: every relevant change of one of them
        // changes the text.
        Key::of(["opencl", env!("CARGO_PKG_VERSION"), &self.device, options, code].map(str::as_bytes))
    }

    /// Returns the compiled program with this entry, if it exists, undamaged and complete.
    pub(crate) fn load(&self, key: Key, entry: &str) -> Option<Loaded> {
        // An earlier version may have stored an incomplete one.
        self.kept.load(key).filter(|program| is_whole(program, entry))
    }

    /// Stores a compiled program, if it is complete.
    pub(crate) fn store(&self, key: Key, program: &[u8], entry: &str) {
        if is_whole(program, entry) {
            self.kept.store(key, program);
        }
    }

    /// Drops a program that the driver rejected.
    pub(crate) fn forget(&self, key: Key) {
        self.kept.forget(key);
    }

    /// Returns the first failure, if there was one.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.kept.trouble()
    }
}

/// Returns `true` for a driver that keeps every compiled program by itself.
fn keeps_programs(info: &DeviceInfo) -> bool {
    info.driver.starts_with("Portable Computing Language")
}

/// First bytes of a binary of PoCL: a list of files with their names.
const POCL: &[u8] = b"poclbin";
/// File of such a list that holds the program.
const POCL_PROGRAM: &[u8] = b"program.bc";

/// Checks that a driver can take this binary. PoCL has produced some without the program itself, and aborts the process
/// when it is given one of them. Nothing is known about the binaries of other drivers.
fn is_whole(program: &[u8], entry: &str) -> bool {
    let holds = |part: &[u8]| program.windows(part.len()).any(|bytes| bytes == part);
    !program.is_empty() && (!program.starts_with(POCL) || (holds(POCL_PROGRAM) && holds(entry.as_bytes())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_core::DeviceKind;
    use std::collections::HashSet;

    #[test]
    fn whatever_a_program_depends_on_is_in_its_key() {
        let device = |name: &str, driver: &str, facts: Facts| {
            let (backend, name, driver) = ("opencl".to_owned(), name.to_owned(), driver.to_owned());
            let info = DeviceInfo { backend, name, driver, kind: DeviceKind::OtherGpu, index: 0 };
            DiskCache::new(&Cache::Off, &info, &facts).unwrap()
        };
        let facts = |version: &str, driver: &str| {
            let mut facts = Facts::sample(Ok(()));
            (facts.version, facts.driver) = (version.to_owned(), driver.to_owned());
            facts
        };
        let usual = || facts("OpenCL 1.2", "1");
        let one = device("GPU", "platform 1", usual());
        let others = [
            device("GPU 2", "platform 1", usual()),
            device("GPU", "platform 2", usual()),
            device("GPU", "platform 1", facts("OpenCL 3.0", "1")),
            device("GPU", "platform 1", facts("OpenCL 1.2", "2")),
        ];
        let mut keys: HashSet<Key> = others.iter().map(|other| other.key("text", "-w")).collect();
        keys.extend([
            one.key("text", "-w"),
            one.key("text2", "-w"),
            one.key("text", "-cl-std=CL1.2"),
            one.key("-w", "text"),
        ]);
        assert_eq!(keys.len(), others.len() + 4);
        assert_eq!(device("GPU", "platform 1", usual()).key("text", "-w"), one.key("text", "-w"));
    }

    #[test]
    fn programs_of_pocl_are_stored_only_in_a_folder_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let is_open = |option: &Cache, platform: &str| {
            let driver = format!("{platform}, OpenCL 3.0, driver 1");
            let info = DeviceInfo {
                backend: "opencl".into(),
                name: "sample".into(),
                driver,
                kind: DeviceKind::CpuDevice,
                index: 0,
            };
            DiskCache::new(option, &info, &Facts::sample(Ok(()))).unwrap().is_open()
        };
        let named = Cache::Folder(folder.path().to_owned());
        assert!(!is_open(&Cache::Auto, "Portable Computing Language"));
        assert!(is_open(&named, "Portable Computing Language") && is_open(&named, "NVIDIA CUDA"));
        assert!(!is_open(&Cache::Off, "NVIDIA CUDA"));
    }

    #[test]
    fn a_binary_of_pocl_without_its_program_is_not_whole() {
        let whole = b"poclbin\0...../program.bc.....imminent_advance.....";
        assert!(is_whole(whole, "imminent_advance"));
        assert!(!is_whole(whole, "imminent_relax"));
        assert!(!is_whole(b"poclbin\0.....imminent_advance.....", "imminent_advance"));
        assert!(!is_whole(b"", "imminent_advance"));
        assert!(is_whole(b"\x7fELF of another driver", "imminent_advance"));
    }
}
