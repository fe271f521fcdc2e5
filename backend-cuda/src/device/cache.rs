//! Compiled kernels on disk: the cache of a device, and the keys of kernels.

use crate::options::Cache;
use imminent_core::Result;
use imminent_device::kernel_cache::{KernelCache, Key};

/// A folder of compiled kernels, and the part of the key common to all kernels of a device.
#[derive(Debug)]
pub(crate) struct DiskCache {
    pub(crate) kept: KernelCache,
    driver: i32,
}

/// Inputs of a compilation, other than the driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compilation<'a> {
    /// Text to compile. It follows from the IR and the options of the lowering alone.
    pub(crate) text: &'a str,
    /// Architecture, as the compiler's option.
    pub(crate) architecture: &'a str,
    /// Options of the compiler.
    pub(crate) options: &'a [&'a str],
    /// Version of the compiler.
    pub(crate) compiler: (u32, u32),
}

impl DiskCache {
    /// Opens the cache that an option names.
    pub(crate) fn new(option: &Cache, driver: i32) -> Result<DiskCache> {
        Ok(DiskCache { kept: KernelCache::open(option, "cuda")?, driver })
    }

    /// Returns the key of a compiled kernel.
    pub(crate) fn key(&self, compilation: &Compilation<'_>) -> Key {
        let Compilation { text, architecture, options, compiler } = compilation;
        let numbers = [self.driver.to_le_bytes(), compiler.0.to_le_bytes(), compiler.1.to_le_bytes()].concat();
        // The count separates the options from the parts behind them.
        let count = options.len().to_le_bytes();
        let head = [b"cuda", env!("CARGO_PKG_VERSION").as_bytes(), &numbers, architecture.as_bytes(), &count];
        let options = options.iter().map(|option| option.as_bytes());
        Key::of(head.into_iter().chain(options).chain([text.as_bytes()]))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn whatever_a_kernel_depends_on_is_in_its_key() {
        let cache = |driver| DiskCache { driver, ..DiskCache::new(&Cache::Off, 0).unwrap() };
        let one = Compilation { text: "text", architecture: "sm_90", options: &["--fmad=false"], compiler: (13, 0) };
        let others = [
            Compilation { text: "text2", ..one },
            Compilation { architecture: "sm_80", ..one },
            Compilation { options: &["--fmad=true"], ..one },
            Compilation { options: &[], ..one },
            Compilation { options: &[], text: "--fmad=falsetext", ..one },
            Compilation { compiler: (12, 9), ..one },
        ];
        let mut keys: Vec<Key> = others.iter().map(|other| cache(13_000).key(other)).collect();
        keys.extend([cache(13_000).key(&one), cache(12_080).key(&one)]);
        let count = keys.len();
        assert_eq!(keys.into_iter().collect::<std::collections::HashSet<_>>().len(), count);
        assert_eq!(cache(1).key(&one), cache(1).key(&one));
    }
}
