//! Limits of control groups.
//!
//! A process is in one group of each hierarchy. The limits of all groups around it hold as well, as far up as they are
//! visible: a container sees its own group as the root.

use super::files::{Files, field};
use super::limit::Limit;

/// Hierarchy of groups, as it is mounted.
struct Mount {
    /// `true` for version 2.
    unified: bool,
    /// Group that is mounted.
    root: String,
    /// Folder of that group.
    folder: String,
}

/// Names of the files of a group.
struct Names {
    limits: &'static [&'static str],
    used: &'static str,
    /// Beginning of the lines of `memory.stat` that count pages of files, of the group and of those inside.
    pages: [&'static str; 2],
}

const UNIFIED: Names = Names {
    // Beyond `memory.high` a process is not ended, but hardly advances.
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    pages: ["active_file ", "inactive_file "],
};

const FIRST_VERSION: Names = Names {
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    pages: ["total_active_file ", "total_inactive_file "],
};

/// Returns the limits of all groups that this process is in.
pub(super) fn limits(files: &Files) -> Vec<Limit> {
    let groups = files.read("/proc/self/cgroup").unwrap_or_default();
    let mounts = mounts(&files.read("/proc/self/mountinfo").unwrap_or_default());
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else { continue };
        let unified = controllers.is_empty();
        if !unified && !controllers.split(',').any(|controller| controller == "memory") {
            continue;
        }
        for mount in mounts.iter().filter(|mount| mount.unified == unified) {
            let names = if unified { &UNIFIED } else { &FIRST_VERSION };
            limits.extend(folders(mount, group).iter().flat_map(|folder| of_folder(files, folder, names)));
        }
    }
    limits
}

/// Parses the list of mounts: `ID PARENT DEVICE ROOT FOLDER OPTIONS ... - TYPE SOURCE OPTIONS`.
fn mounts(text: &str) -> Vec<Mount> {
    let mount = |line: &str| {
        let (place, system) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, folder) = (place.next()?.to_owned(), place.next()?.to_owned());
        let mut system = system.split(' ');
        let unified = match system.next()? {
            "cgroup2" => true,
            "cgroup" if system.nth(1)?.split(',').any(|option| option == "memory") => false,
            _ => return None,
        };
        Some(Mount { unified, root, folder })
    };
    text.lines().filter_map(mount).collect()
}

/// Returns the folders of a group and of those around it, up to the mounted one.
fn folders(mount: &Mount, group: &str) -> Vec<String> {
    let inside = group.strip_prefix(mount.root.trim_end_matches('/')).filter(|inside| inside.starts_with('/'));
    let mut path = mount.folder.clone();
    let mut folders = vec![path.clone()];
    // A group outside of the mounted one is written with `..`.
    for name in inside.unwrap_or_default().split('/').filter(|name| !name.is_empty()).take_while(|name| *name != "..") {
        path = format!("{path}/{name}");
        folders.push(path.clone());
    }
    folders
}

/// Returns the limits of one group. Pages of files count as used there, but are freed when memory is needed.
fn of_folder(files: &Files, folder: &str, names: &Names) -> Vec<Limit> {
    let bytes = names.limits.iter().filter_map(|name| files.number(&format!("{folder}/{name}")));
    let used = files.number(&format!("{folder}/{}", names.used)).unwrap_or(0);
    let statistics = files.read(&format!("{folder}/memory.stat")).unwrap_or_default();
    let pages: u64 = names.pages.iter().filter_map(|name| field(&statistics, name)).sum();
    bytes.map(|bytes| Limit { bytes, used: used.saturating_sub(pages) }).collect()
}
