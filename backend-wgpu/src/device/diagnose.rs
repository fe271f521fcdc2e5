//! Diagnosis of a missing Vulkan device: the files that the loader would look for, and which of them exist.

use imminent_core::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folders and files in which Vulkan's parts are searched, in the order of the loader.
#[derive(Debug)]
struct Search {
    /// The environment variable that names driver manifests, if one is set.
    named: Option<(&'static str, Vec<PathBuf>)>,
    /// Folders of driver manifests, used if none are named.
    manifests: Vec<PathBuf>,
    /// Folders of libraries.
    libraries: Vec<PathBuf>,
}

const LOADER: &str = "libvulkan.so.1";
const LIBRARY_FOLDERS: [&str; 9] = [
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/local/lib",
    "/usr/lib64",
    "/lib64",
    "/usr/lib",
    "/lib",
];

impl Search {
    fn of(variable: impl Fn(&str) -> Option<OsString>) -> Search {
        let paths = |name: &str| -> Vec<PathBuf> {
            variable(name).map_or_else(Vec::new, |value| {
                std::env::split_paths(&value).filter(|path| !path.as_os_str().is_empty()).collect()
            })
        };
        let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]
            .into_iter()
            .find_map(|name| Some(paths(name)).filter(|paths| !paths.is_empty()).map(|paths| (name, paths)));
        let mut folders = paths("XDG_CONFIG_HOME");
        folders.extend(paths("HOME").into_iter().map(|home| home.join(".config")));
        folders.push("/etc".into());
        folders.extend(paths("XDG_DATA_HOME"));
        folders.extend(paths("HOME").into_iter().map(|home| home.join(".local/share")));
        let data = paths("XDG_DATA_DIRS");
        folders.extend(if data.is_empty() { vec!["/usr/local/share".into(), "/usr/share".into()] } else { data });
        let mut libraries = paths("LD_LIBRARY_PATH");
        libraries.extend(LIBRARY_FOLDERS.map(PathBuf::from));
        Search { named, manifests: folders.into_iter().map(|folder| folder.join("vulkan/icd.d")).collect(), libraries }
    }

    fn loader(&self) -> Option<PathBuf> {
        self.libraries.iter().map(|folder| folder.join(LOADER)).find(|path| path.exists())
    }

    /// Returns the driver manifests that exist, and those that are named but do not exist.
    fn drivers(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        match &self.named {
            Some((_, paths)) => {
                let files =
                    paths.iter().flat_map(|path| if path.is_dir() { json_files(path) } else { vec![path.clone()] });
                files.partition(|path| path.is_file())
            }
            None => (self.manifests.iter().flat_map(|folder| json_files(folder)).collect(), Vec::new()),
        }
    }
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

const PACKAGES: &str = "For a GPU install its vendor's Vulkan driver (nvidia-driver-*, or `apt install mesa-vulkan-drivers` for AMD and Intel); \
    for the software device run `apt install mesa-vulkan-drivers libvulkan1` (Fedora: `dnf install mesa-vulkan-drivers vulkan-loader`)";

fn explain(search: &Search) -> Error {
    let (found, missing) = search.drivers();
    let unavailable = |reason: &str, tried: String, remedy: String| Error::Unavailable {
        backend: super::BACKEND.to_owned(),
        reason: reason.to_owned(),
        tried,
        remedy,
    };
    let Some(loader) = search.loader() else {
        let tried = format!("{LOADER} in {}", names(&search.libraries));
        return unavailable("the Vulkan loader is not installed", tried, PACKAGES.to_owned());
    };
    let looked = match &search.named {
        Some((variable, paths)) => {
            format!("{} (the loader) and the drivers that {variable} names: {}", loader.display(), names(paths))
        }
        None => format!("{} (the loader) and the driver manifests in {}", loader.display(), names(&search.manifests)),
    };
    if found.is_empty() {
        let remedy = match &search.named {
            Some((variable, _)) => format!("Unset {variable} or let it name an existing file. {PACKAGES}"),
            None => PACKAGES.to_owned(),
        };
        return unavailable("no Vulkan driver is installed", looked, remedy);
    }
    let mut tried = format!("{looked}; found {}", names(&found));
    if !missing.is_empty() {
        tried.push_str(&format!("; not there: {}", names(&missing)));
    }
    let remedy = format!("`vulkaninfo --summary` (package vulkan-tools) shows what each driver says. {PACKAGES}");
    unavailable("the installed Vulkan drivers offer no device that can compute", tried, remedy)
}

/// Explains why no device was found.
pub(super) fn no_device() -> Error {
    explain(&Search::of(|name| std::env::var_os(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> Search {
        Search { named: None, manifests: vec!["/nowhere/icd.d".into()], libraries: vec!["/nowhere/lib".into()] }
    }

    #[test]
    fn a_missing_loader_is_named_with_the_package_that_brings_it() {
        let text = explain(&nothing()).to_string();
        for part in ["libvulkan.so.1", "/nowhere/lib", "libvulkan1", "mesa-vulkan-drivers"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_driver_that_is_named_but_absent_is_told() {
        let search = Search::of(|name| (name == "VK_DRIVER_FILES").then(|| "/nowhere/driver.json".into()));
        assert_eq!(search.drivers(), (vec![], vec![PathBuf::from("/nowhere/driver.json")]));
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let search = Search { libraries: vec![here.to_owned()], ..search };
        // The text is about drivers only if the loader is installed, which this folder lacks.
        let text = explain(&Search { libraries: search.libraries.clone(), ..nothing() }).to_string();
        assert!(text.contains("loader is not installed"), "{text}");
        if Search::of(|_| None).loader().is_some() {
            let search = Search { libraries: Search::of(|_| None).libraries, ..search };
            let text = explain(&search).to_string();
            assert!(text.contains("VK_DRIVER_FILES") && text.contains("/nowhere/driver.json"), "{text}");
        }
    }

    #[test]
    fn the_usual_folders_are_searched_when_no_variable_is_set() {
        let search = Search::of(|_| None);
        assert!(search.manifests.contains(&PathBuf::from("/usr/share/vulkan/icd.d")));
        assert!(search.manifests.contains(&PathBuf::from("/etc/vulkan/icd.d")));
    }
}
