//! Atomic files: written under a temporary name, and renamed into place when complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Result, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Extension of temporary names. A process that was killed may leave such a file.
pub const UNFINISHED: &str = "part";

/// File under construction.
///
/// It is written as `.NAME.PROCESS.part` in the folder of its final path. If dropped before [`finish`](Self::finish),
/// it leaves nothing. A path that cannot be replaced by a rename, such as a pipe or a device, is written directly.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<File>,
    place: PathBuf,
    /// Temporary path of the unfinished file.
    draft: Option<PathBuf>,
}

impl NewFile {
    /// Begins a file for a path. An existing file at the path stays until this one is finished.
    pub fn begin(place: &Path) -> Result<Self> {
        // A link stays a link: its target is replaced.
        let place = fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
        if fs::metadata(&place).is_ok_and(|found| !found.is_file()) {
            let file = BufWriter::new(File::options().write(true).open(&place)?);
            return Ok(Self { file, place, draft: None });
        }
        let mut name = OsString::from(".");
        name.push(place.file_name().unwrap_or_default());
        name.push(format!(".{}.{UNFINISHED}", std::process::id()));
        let draft = place.with_file_name(name);
        // A leftover of this name, or a link, is replaced rather than written through.
        let _ = fs::remove_file(&draft);
        let file = BufWriter::new(File::create_new(&draft)?);
        Ok(Self { file, place, draft: Some(draft) })
    }

    /// Moves the complete file to its path, once it is on the disk. Returns the path.
    pub fn finish(self) -> Result<PathBuf> {
        self.finish_as(Path::to_owned)
    }

    /// Moves the incomplete file to `NAME.partial.ENDING` beside its path. Returns that path.
    pub fn finish_partial(self) -> Result<PathBuf> {
        self.finish_as(partial)
    }

    /// Ends the file under its name if it is whole, otherwise beside it. Returns the path.
    pub fn end(self, is_whole: bool) -> Result<PathBuf> {
        if is_whole { self.finish() } else { self.finish_partial() }
    }

    fn finish_as(mut self, named: impl FnOnce(&Path) -> PathBuf) -> Result<PathBuf> {
        self.file.flush()?;
        let Some(draft) = &self.draft else { return Ok(self.place.clone()) };
        self.file.get_ref().sync_all()?;
        let place = named(&self.place);
        fs::rename(draft, &place)?;
        self.draft = None;
        sync_folder(place.parent());
        Ok(place)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            // A leftover is harmless: it has a temporary name.
            let _ = fs::remove_file(draft);
        }
    }
}

fn partial(place: &Path) -> PathBuf {
    let mut ending = OsString::from("partial");
    if let Some(extension) = place.extension() {
        ending.push(".");
        ending.push(extension);
    }
    place.with_extension(ending)
}

/// Waits until the names in a folder are on the disk, if the system can. Without it, a power cut may lose new results.
pub fn sync_folder(folder: Option<&Path>) {
    let folder = folder.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    if let Some(folder) = folder.filter(|_| cfg!(unix)).and_then(|folder| File::open(folder).ok()) {
        // The files are complete with or without it.
        let _ = folder.sync_all();
    }
}

/// Error of writing a file.
#[derive(Debug, Error)]
#[error("{}: cannot be written: {error}; check permissions and free space there, or name another file", file.display())]
pub struct WriteError {
    /// Path of the file.
    file: PathBuf,
    /// Text of the system's or the format's error.
    error: String,
}

impl WriteError {
    /// Creates the error of a file from that of the system or of the format.
    pub fn new(file: &Path, error: &dyn std::fmt::Display) -> Self {
        WriteError { file: file.to_owned(), error: error.to_string() }
    }
}

/// Writes a whole file, replacing an existing one.
pub fn write(place: &Path, contents: &[u8]) -> std::result::Result<(), WriteError> {
    replace(place, contents).map_err(|error| WriteError::new(place, &error))
}

/// Writes a whole file, replacing an existing one, for callers with errors of their own.
pub fn replace(place: &Path, contents: &[u8]) -> Result<()> {
    let mut file = NewFile::begin(place)?;
    file.write_all(contents)?;
    file.finish().map(drop)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_place_keeps_its_file_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a.json");
        fs::write(&place, "old").unwrap();
        let mut file = NewFile::begin(&place).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!((fs::read_to_string(&place).unwrap().as_str(), names(folder.path()).len()), ("old", 2));
        drop(file);
        assert_eq!((fs::read_to_string(&place).unwrap().as_str(), names(folder.path()).len()), ("old", 1));
        write(&place, b"new").unwrap();
        assert_eq!((fs::read_to_string(&place).unwrap().as_str(), names(folder.path()).len()), ("new", 1));
    }

    #[test]
    fn a_part_has_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = NewFile::begin(&folder.path().join("visits.parquet")).unwrap();
        file.write_all(b"some").unwrap();
        let place = file.finish_partial().unwrap();
        assert_eq!(
            (names(folder.path()), fs::read(place).unwrap()),
            (vec!["visits.partial.parquet".to_owned()], b"some".to_vec())
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let [place, link] = ["a.json", "b.json"].map(|name| folder.path().join(name));
        fs::write(&place, "old").unwrap();
        std::os::unix::fs::symlink(&place, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&place).unwrap() == "new");
        write(Path::new("/dev/null"), b"new").unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }

    /// Writes to the device that is always full.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let told = write(Path::new("/dev/full"), &[0; 100]).unwrap_err().to_string();
        assert!(told.contains("/dev/full: cannot be written") && told.contains("No space left"), "{told}");
    }
}
