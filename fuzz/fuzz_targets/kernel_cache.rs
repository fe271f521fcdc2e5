//! Files of the kernel cache: a damaged one is no kernel, and never another.
#![no_main]

use imminent_device::kernel_cache::{Bounds, KernelCache, Key};
use imminent_fuzz::damaged;
use libfuzzer_sys::fuzz_target;
use std::fs;

fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().expect("there is a folder");
    let cache = || KernelCache::bounded(Some(folder.path().to_owned()), Bounds::default());
    let (key, kernel) = (Key::of([b"one".as_slice()]), [5; 40]);
    cache().store(key, &kernel);
    for entry in fs::read_dir(folder.path()).expect("it is there").flatten() {
        let bytes = fs::read(entry.path()).expect("it is there");
        fs::write(entry.path(), damaged(&bytes, data)).expect("it can be written");
    }
    if let Some(loaded) = cache().load(key) {
        assert_eq!(&*loaded, kernel.as_slice(), "a damaged kernel was taken");
    }
});
