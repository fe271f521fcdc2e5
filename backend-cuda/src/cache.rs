//! Compiled kernels on disk, so that the next run need not compile them.
//!
//! A file is written beside its place and renamed into it, so that a reader finds a whole file or none, whoever else
//! writes. It holds a checksum: a damaged file counts as absent. A folder that cannot be written costs time, nothing else.

use crate::options::Cache;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The folder, and what of a key is the same for all kernels of a device.
#[derive(Debug)]
pub(crate) struct DiskCache {
    folder: Option<PathBuf>,
    driver: i32,
}

/// What makes a compiled kernel another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key<'a> {
    /// The text that is compiled. It follows from the IR and the options of the lowering alone.
    pub(crate) text: &'a str,
    /// The architecture, as the compiler's option.
    pub(crate) architecture: &'a str,
    /// The compiler's options.
    pub(crate) options: &'a [&'a str],
    /// The compiler's version.
    pub(crate) compiler: (u32, u32),
}

/// First bytes of every file: what it is, and the version of this format.
const MAGIC: &[u8; 8] = b"imncuda1";
const HASH: usize = blake3::OUT_LEN;

impl DiskCache {
    pub(crate) fn new(cache: &Cache, driver: i32) -> DiskCache {
        let folder = match cache {
            Cache::Off => None,
            Cache::Folder(folder) => Some(folder.clone()),
            Cache::Auto => usual_folder(),
        };
        DiskCache { folder, driver }
    }

    /// The name of a kernel's file. Every part is preceded by its length, so that no two keys run into one another.
    fn name(&self, key: &Key<'_>) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        part(env!("CARGO_PKG_VERSION").as_bytes());
        part(&imminent_ir::VERSION.to_le_bytes());
        part(&self.driver.to_le_bytes());
        part(&key.compiler.0.to_le_bytes());
        part(&key.compiler.1.to_le_bytes());
        part(key.architecture.as_bytes());
        part(&(key.options.len() as u64).to_le_bytes());
        for option in key.options {
            part(option.as_bytes());
        }
        part(key.text.as_bytes());
        format!("{}.bin", hasher.finalize().to_hex())
    }

    /// The kernel, if a whole one is there.
    pub(crate) fn load(&self, key: &Key<'_>) -> Option<Vec<u8>> {
        let bytes = fs::read(self.folder.as_ref()?.join(self.name(key))).ok()?;
        let (hash, image) = bytes.strip_prefix(MAGIC)?.split_at_checked(HASH)?;
        (!image.is_empty() && blake3::hash(image).as_bytes() == hash).then(|| image.to_vec())
    }

    /// Keeps a kernel. Whether that works makes no difference to anyone but the next run's clock.
    pub(crate) fn store(&self, key: &Key<'_>, image: &[u8]) {
        if let Some(folder) = &self.folder {
            let _ = write(folder, &self.name(key), image);
        }
    }

    /// Drops a kernel that the driver did not take.
    pub(crate) fn forget(&self, key: &Key<'_>) {
        if let Some(folder) = &self.folder {
            let _ = fs::remove_file(folder.join(self.name(key)));
        }
    }
}

fn write(folder: &Path, name: &str, image: &[u8]) -> std::io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(folder)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let draft = folder.join(format!("{name}.{}.{number}.part", std::process::id()));
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(blake3::hash(image).as_bytes());
    bytes.extend_from_slice(image);
    let written = fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, folder.join(name)));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

fn usual_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let root = if cfg!(windows) {
        set("LOCALAPPDATA")?
    } else {
        set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?
    };
    Some(root.join("imminent").join("cuda"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn key<'a>(text: &'a str, architecture: &'a str, options: &'a [&'a str]) -> Key<'a> {
        Key { text, architecture, options, compiler: (13, 0) }
    }

    fn in_folder(folder: &Path) -> DiskCache {
        DiskCache::new(&Cache::Folder(folder.to_path_buf()), 13_000)
    }

    #[test]
    fn what_was_stored_is_loaded_under_the_same_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = in_folder(&folder.path().join("new").join("deep"));
        let first = key("text", "sm_90", &["--fmad=false"]);
        assert_eq!(cache.load(&first), None);
        cache.store(&first, b"machine code");
        assert_eq!(cache.load(&first).as_deref(), Some(b"machine code".as_slice()));
        assert_eq!(cache.load(&key("text2", "sm_90", &["--fmad=false"])), None);
        assert_eq!(cache.load(&key("text", "sm_80", &["--fmad=false"])), None);
        assert_eq!(cache.load(&key("text", "sm_90", &["--fmad=true"])), None);
        assert_eq!(cache.load(&key("text", "sm_90", &[])), None);
        assert_eq!(cache.load(&Key { compiler: (12, 9), ..first }), None);
        let other_driver = DiskCache { driver: 12_080, folder: cache.folder.clone() };
        assert_eq!(other_driver.load(&first), None);
        cache.forget(&first);
        assert_eq!(cache.load(&first), None);
    }

    #[test]
    fn parts_of_a_key_do_not_run_into_one_another() {
        let cache = DiskCache { folder: None, driver: 1 };
        assert_ne!(cache.name(&key("b", "a", &[])), cache.name(&key("", "ab", &[])));
        assert_ne!(cache.name(&key("", "", &["a", "b"])), cache.name(&key("", "", &["ab"])));
        assert_ne!(cache.name(&key("a", "", &[])), cache.name(&key("", "", &["a"])));
    }

    #[test]
    fn a_folder_that_cannot_be_written_does_no_harm() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = in_folder(&file.path().join("below a file"));
        let key = key("text", "sm_90", &[]);
        cache.store(&key, b"code");
        assert_eq!(cache.load(&key), None);
        let off = DiskCache::new(&Cache::Off, 13_000);
        off.store(&key, b"code");
        assert_eq!(off.load(&key), None);
    }

    #[test]
    fn writers_at_the_same_time_leave_a_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let cache = in_folder(folder.path());
        let image = vec![7; 100_000];
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..8 {
                        cache.store(&key("text", "sm_90", &[]), &image);
                        assert_eq!(cache.load(&key("text", "sm_90", &[])), Some(image.clone()));
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    proptest! {
        #[test]
        fn damage_of_any_kind_counts_as_absence(position in 0usize..200, flip in 1u8.., cut in 0usize..200) {
            let folder = tempfile::tempdir().unwrap();
            let cache = in_folder(folder.path());
            let key = key("text", "sm_90", &[]);
            cache.store(&key, &[1; 150]);
            let file = folder.path().join(cache.name(&key));
            let whole = fs::read(&file).unwrap();
            let mut damaged = whole.clone();
            let position = position % damaged.len();
            damaged[position] ^= flip;
            fs::write(&file, &damaged).unwrap();
            prop_assert_eq!(cache.load(&key), None);
            fs::write(&file, &whole[..cut % whole.len()]).unwrap();
            prop_assert_eq!(cache.load(&key), None);
        }
    }
}
