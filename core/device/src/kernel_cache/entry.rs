//! One file of a cache.

use super::key::Key;
use super::trust;
use std::fs::{self, File, FileTimes};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Begins every file; its last digit changes with the format of the rest.
const MAGIC: &[u8] = b"imminent-kernel-1\n";
/// Suffix of a kernel's file.
const WHOLE: &str = ".bin";
/// Suffix of a file that is being written.
pub(super) const DRAFT: &str = ".part";
/// Suffix of the marker of a kernel that is being loaded.
pub(super) const MARKER: &str = ".load";
/// Resolution of a kernel's time of last use: recording every use would cost more than it is worth.
const USE_NOTED: Duration = Duration::from_hours(24);

/// Kind of a file in the folder, by its name. Other files do not belong to the cache and are left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Kernel,
    Draft,
    Marker,
}

pub(super) fn kind(name: &str) -> Option<Kind> {
    let (hash, rest) = name.split_at_checked(2 * blake3::OUT_LEN)?;
    if !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    match rest {
        WHOLE => Some(Kind::Kernel),
        _ if rest.ends_with(DRAFT) => Some(Kind::Draft),
        _ => rest.ends_with(MARKER).then_some(Kind::Marker),
    }
}

/// Returns the place of a kernel's file.
pub(super) fn file(folder: &Path, key: Key) -> PathBuf {
    folder.join(format!("{key}{WHOLE}"))
}

/// Reads the kernel in a key's file. Fails with a description if the file cannot be read or is damaged.
pub(super) fn read(folder: &Path, key: Key) -> Result<Option<Vec<u8>>, String> {
    let path = file(folder, key);
    let unreadable = |error: std::io::Error| format!("{} cannot be read ({error})", path.display());
    let mut file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if let Some(reason) = trust::foreign(&file.metadata().map_err(unreadable)?) {
        return Err(format!("{} is not used, because {reason}: the kernel is compiled again", path.display()));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(unreadable)?;
    let kernel = contents(key, &bytes);
    let kernel = kernel.ok_or_else(|| format!("{} is damaged: the kernel is compiled again", path.display()))?.to_vec();
    note_use(&file);
    Ok(Some(kernel))
}

/// Sets the time of the last use, which not every file system records by itself. The time of writing stays.
fn note_use(file: &File) {
    let now = SystemTime::now();
    let noted = file.metadata().and_then(|data| data.accessed());
    if noted.is_ok_and(|noted| now.duration_since(noted).is_ok_and(|since| since < USE_NOTED)) {
        return;
    }
    // A read-only folder keeps its times: its kernels remain usable.
    let _ = file.set_times(FileTimes::new().set_accessed(now));
}

/// Writes a kernel's file, completely or not at all. Returns its length.
pub(super) fn write(folder: &Path, key: Key, kernel: &[u8]) -> Result<u64, String> {
    let path = file(folder, key);
    let draft = own_file(folder, key, DRAFT);
    let bytes = bytes(key, kernel);
    let written = trust::create_folder(folder)
        .and_then(|()| trust::create_file(&draft)?.write_all(&bytes))
        .and_then(|()| fs::rename(&draft, &path));
    if let Err(error) = written {
        let _ = fs::remove_file(&draft);
        return Err(format!("{} cannot be written ({error})", path.display()));
    }
    Ok(bytes.len() as u64)
}

/// Returns the bytes of a kernel's file.
pub(super) fn bytes(key: Key, kernel: &[u8]) -> Vec<u8> {
    [MAGIC, checksum(key, kernel).as_bytes(), kernel].concat()
}

/// Returns the name of a file beside a kernel's that no other process uses.
pub(super) fn own_file(folder: &Path, key: Key, end: &str) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("{key}.{}.{number}{end}", std::process::id()))
}

pub(super) fn remove(folder: &Path, key: Key) {
    let _ = fs::remove_file(file(folder, key));
}

/// Returns the file of the kernel that a marker belongs to.
pub(super) fn marked(folder: &Path, marker: &str) -> Option<PathBuf> {
    let (hash, _) = marker.split_at_checked(2 * blake3::OUT_LEN)?;
    Some(folder.join(format!("{hash}{WHOLE}")))
}

/// Computes the checksum. It depends on the key: a kernel in another's file is damage too.
fn checksum(key: Key, kernel: &[u8]) -> blake3::Hash {
    blake3::keyed_hash(key.0.as_bytes(), kernel)
}

/// Extracts the kernel from a file's bytes.
pub(super) fn contents(key: Key, bytes: &[u8]) -> Option<&[u8]> {
    let (sum, kernel) = bytes.strip_prefix(MAGIC)?.split_at_checked(blake3::OUT_LEN)?;
    (!kernel.is_empty() && checksum(key, kernel).as_bytes() == sum).then_some(kernel)
}
