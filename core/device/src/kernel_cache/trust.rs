//! Protection of a cache from other users of the machine: a driver runs whatever the files hold.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Permissions of new files and folders: for their owner alone.
#[cfg(unix)]
const FOLDER: u32 = 0o700;
#[cfg(unix)]
const FILE: u32 = 0o600;

/// Returns the reason why nothing is loaded from a folder or written to it, if other users can change its files. A
/// folder that does not exist is trusted: it will be made for its owner alone.
pub(super) fn distrust(folder: &Path) -> Option<String> {
    let reason = foreign(&fs::metadata(folder).ok()?)?;
    Some(format!(
        "the folder of compiled kernels {} is not used, because {reason}: make it yours alone (`chmod go-w`, `chown`), \
         or name another in IMMINENT_CACHE",
        folder.display()
    ))
}

/// Returns the reason why a file or folder may hold what another user has put there.
#[cfg(unix)]
pub(super) fn foreign(data: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    if data.uid() != rustix::process::geteuid().as_raw() {
        return Some("it belongs to another user");
    }
    (data.mode() & 0o022 != 0).then_some("other users can write to it")
}

/// Returns the reason why a file or folder may hold what another user has put there. Here its folder protects it.
#[cfg(not(unix))]
pub(super) fn foreign(_data: &Metadata) -> Option<&'static str> {
    None
}

/// Creates a folder, and those above it, for their owner alone.
pub(super) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, FOLDER);
    builder.recursive(true).create(folder)
}

/// Creates a file that did not exist, for its owner alone.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE);
    options.write(true).create_new(true).open(path)
}
