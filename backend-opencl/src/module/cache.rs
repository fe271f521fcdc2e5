//! Compiled programs on disk.
//!
//! A file holds one compiled program behind a checksum; its name is the hash of everything that the program depends on. Files
//! appear whole, by renaming, so that processes that write at once do not harm each other. Nothing here is an error:
//! whatever cannot be read, checked or written only means that the program is compiled.

use crate::device::Facts;
use crate::options::Cache;
use imminent_core::DeviceInfo;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What a compiled program depends on, hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(blake3::Hash);

/// A folder of compiled programs for one device.
#[derive(Debug)]
pub(crate) struct DiskCache {
    folder: Option<PathBuf>,
    /// Driver and device: what a compiled program depends on beside its text and the compiler's options.
    device: String,
    trouble: Mutex<Option<String>>,
}

/// Begins every file; its last digit changes with the form of the rest.
const MAGIC: &[u8] = b"imminent-opencl-1\n";

/// The user's folder for things that can be made again.
fn user_folder() -> Option<PathBuf> {
    let folder = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return folder("LOCALAPPDATA");
    }
    let home = |rest: &str| folder("HOME").map(|home| home.join(rest));
    let usual = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    folder("XDG_CACHE_HOME").or_else(|| home(usual))
}

impl DiskCache {
    /// The cache that an option names.
    pub(crate) fn new(option: &Cache, info: &DeviceInfo, facts: &Facts) -> DiskCache {
        let folder = match option {
            Cache::Auto => user_folder().map(|folder| folder.join("imminent").join("opencl")),
            Cache::Folder(folder) => Some(folder.clone()),
            Cache::Off => None,
        };
        let device = format!("{}\0{}\0{}\0{}", info.name, info.driver, facts.version, facts.driver);
        DiskCache { folder, device, trouble: Mutex::default() }
    }

    /// The key of a program with this text, compiled with these options.
    pub(crate) fn key(&self, code: &str, options: &str) -> Key {
        let mut hasher = blake3::Hasher::new();
        // The text follows from the kernel's IR and the version of the lowering: whatever changes one of them and
        // matters changes the text.
        for part in [env!("CARGO_PKG_VERSION"), &self.device, options, code] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Key(hasher.finalize())
    }

    fn file(folder: &Path, key: Key) -> PathBuf {
        folder.join(format!("{}.bin", key.0.to_hex()))
    }

    /// The compiled program, if it is there and undamaged.
    pub(crate) fn load(&self, key: Key) -> Option<Vec<u8>> {
        let file = Self::file(self.folder.as_deref()?, key);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => {
                self.note(format!("{} cannot be read ({error})", file.display()));
                return None;
            }
        };
        let program = contents(key, &bytes);
        if program.is_none() {
            self.note(format!("{} is damaged; the program is compiled again", file.display()));
        }
        program.map(<[u8]>::to_vec)
    }

    /// Keeps a compiled program.
    pub(crate) fn store(&self, key: Key, program: &[u8]) {
        let Some(folder) = &self.folder else { return };
        let file = Self::file(folder, key);
        let stored = fs::create_dir_all(folder).and_then(|()| {
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            new.write_all(MAGIC)?;
            new.write_all(checksum(key, program).as_bytes())?;
            new.write_all(program)?;
            new.flush()?;
            new.persist(&file).map_err(|error| error.error).map(drop)
        });
        if let Err(error) = stored {
            self.note(format!("{} cannot be written ({error})", file.display()));
        }
    }

    fn note(&self, what: String) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
    }

    /// The first thing that went wrong, if anything has.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn checksum(key: Key, program: &[u8]) -> blake3::Hash {
    blake3::keyed_hash(key.0.as_bytes(), program)
}

/// The program in a file's bytes.
fn contents(key: Key, bytes: &[u8]) -> Option<&[u8]> {
    let (sum, program) = bytes.strip_prefix(MAGIC)?.split_at_checked(blake3::OUT_LEN)?;
    (checksum(key, program).as_bytes() == sum).then_some(program)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn cache(folder: PathBuf) -> DiskCache {
        DiskCache { folder: Some(folder), device: "device".to_owned(), trouble: Mutex::default() }
    }

    #[test]
    fn what_was_stored_is_loaded_under_its_own_key_only() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path().join("made/when/needed"));
        let key = cache.key("text", "options");
        assert_eq!(cache.load(key), None);
        cache.store(key, b"program");
        assert_eq!(cache.load(key).unwrap(), b"program");
        for other in [cache.key("text2", "options"), cache.key("text", "option"), cache.key("textoptions", "")] {
            assert_eq!(cache.load(other), None);
        }
        assert_eq!(cache.trouble(), None);
    }

    #[test]
    fn damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path().to_owned());
        let key = cache.key("text", "options");
        cache.store(key, b"program");
        let file = DiskCache::file(folder.path(), key);
        let good = fs::read(&file).unwrap();
        let mut flipped = good.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for bad in [&good[..good.len() - 1], &good[..20], b"", &flipped] {
            fs::write(&file, bad).unwrap();
            assert_eq!(cache.load(key), None);
        }
        assert!(cache.trouble().unwrap().contains("damaged"));
        fs::write(&file, &good).unwrap();
        assert!(cache.load(key).is_some());
        // A program of another key in this key's file.
        let other = cache.key("other", "");
        fs::copy(&file, DiskCache::file(folder.path(), other)).unwrap();
        assert_eq!(cache.load(other), None);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_noted_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "a file where the folder should be").unwrap();
        let cache = cache(file.join("cache"));
        let key = cache.key("text", "options");
        cache.store(key, b"program");
        assert_eq!(cache.load(key), None);
        assert!(cache.trouble().unwrap().contains("written"));
    }
}
