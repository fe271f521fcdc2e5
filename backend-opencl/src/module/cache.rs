//! Compiled programs on disk: the cache of a device, and what makes a program another one.

use crate::device::Facts;
use crate::options::Cache;
use imminent_core::kernel_cache::{KernelCache, Key, Location};
use imminent_core::{DeviceInfo, Result};

/// A folder of compiled programs for one device.
#[derive(Debug)]
pub(crate) struct DiskCache {
    kept: KernelCache,
    /// Driver and device: what a compiled program depends on beside its text and the compiler's options.
    device: String,
}

impl DiskCache {
    /// The cache that an option names.
    pub(crate) fn new(option: &Cache, info: &DeviceInfo, facts: &Facts) -> Result<DiskCache> {
        let location = match option {
            Cache::Auto => Location::User("opencl"),
            Cache::Folder(folder) => Location::Folder(folder.clone()),
            Cache::Off => Location::Off,
        };
        let device = format!("{}\0{}\0{}\0{}", info.name, info.driver, facts.version, facts.driver);
        Ok(DiskCache { kept: KernelCache::open(&location)?, device })
    }

    /// The key of a program with this text, compiled with these options.
    pub(crate) fn key(&self, code: &str, options: &str) -> Key {
        // The text follows from the kernel's IR and the version of the lowering: whatever changes one of them and
        // matters changes the text.
        Key::of(["opencl", env!("CARGO_PKG_VERSION"), &self.device, options, code].map(str::as_bytes))
    }

    /// The compiled program, if it is there and undamaged.
    pub(crate) fn load(&self, key: Key) -> Option<Vec<u8>> {
        self.kept.load(key)
    }

    /// Keeps a compiled program.
    pub(crate) fn store(&self, key: Key, program: &[u8]) {
        self.kept.store(key, program);
    }

    /// The first thing that went wrong, if anything has.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.kept.trouble()
    }
}
