//! Kernels that were compiled before the program came to its user: a folder that is only read.
//!
//! It lies beside the program, or where `IMMINENT_KERNELS` says. Whoever can change it can change the program too, so
//! its files are trusted as the program is. Files have the form of a cache's: a damaged one counts as absent.

use super::entry;
use super::key::Key;
use super::place::from_variable;
use imminent_core::Result;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the folder beside the program, with a folder for each backend.
pub const FOLDER: &str = "kernels";
/// Environment variable with another folder, or `off`.
pub const VARIABLE: &str = "IMMINENT_KERNELS";

/// Kernels of one backend for one kind of device, in a folder that is only read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shipped {
    folder: Option<PathBuf>,
}

impl Shipped {
    /// Finds the kernels of a backend for a kind of device, such as `cuda` and `sm_90`.
    ///
    /// # Errors
    /// [`Error::Invalid`](imminent_core::Error::Invalid) if `IMMINENT_KERNELS` is neither `off` nor an absolute path.
    pub fn find(backend: &str, devices: &str) -> Result<Shipped> {
        let folder = from_variable(VARIABLE, std::env::var_os(VARIABLE), beside_program)?;
        let folder = folder.map(|folder| folder.join(backend).join(devices));
        Ok(Shipped { folder: folder.filter(|folder| folder.is_dir()) })
    }

    /// Returns the folder, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns a compiled kernel, if the folder has it undamaged.
    #[must_use]
    pub fn load(&self, key: Key) -> Option<Vec<u8>> {
        let bytes = fs::read(entry::file(self.folder.as_deref()?, key)).ok()?;
        entry::contents(key, &bytes).map(<[u8]>::to_vec)
    }
}

/// Adds a kernel to those for a kind of device, below a folder that is shipped with a program. Returns its bytes on
/// disk.
///
/// # Errors
/// Errors of the file system.
pub fn ship(folder: &Path, backend: &str, devices: &str, key: Key, kernel: &[u8]) -> io::Result<u64> {
    let folder = folder.join(backend).join(devices);
    fs::create_dir_all(&folder)?;
    let bytes = entry::bytes(key, kernel);
    fs::write(entry::file(&folder, key), &bytes)?;
    Ok(bytes.len() as u64)
}

/// Returns the folder beside the program, if its place is known.
#[must_use]
pub fn beside_program() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join(FOLDER))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_shipped_kernel_is_read_unless_it_is_damaged() {
        let place = tempfile::tempdir().unwrap();
        let (key, other) = (Key::of([&b"a"[..]]), Key::of([&b"b"[..]]));
        let written = ship(place.path(), "cuda", "sm_90", key, b"code").unwrap();
        let shipped = Shipped { folder: Some(place.path().join("cuda").join("sm_90")) };
        assert_eq!((shipped.load(key), shipped.load(other)), (Some(b"code".to_vec()), None));
        let file = entry::file(shipped.folder().unwrap(), key);
        let mut bytes = fs::read(&file).unwrap();
        assert_eq!(bytes.len() as u64, written);
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        assert_eq!(shipped.load(key), None);
    }

    #[test]
    fn the_variable_names_another_folder_or_none() {
        let beside = || Some(PathBuf::from("/program/kernels"));
        let place = |value: Option<&str>| from_variable(VARIABLE, value.map(Into::into), beside);
        assert_eq!(place(None).unwrap(), beside());
        assert_eq!(place(Some("")).unwrap(), beside());
        assert_eq!(place(Some("off")).unwrap(), None);
        assert_eq!(place(Some("/other")).unwrap(), Some("/other".into()));
        let refused = place(Some("other")).unwrap_err().to_string();
        assert!(refused.contains("IMMINENT_KERNELS=other") && refused.contains("absolute path"), "{refused}");
    }
}
