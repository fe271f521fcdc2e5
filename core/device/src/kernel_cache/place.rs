//! Place of a cache: an option of the device, the environment, or the user's cache folder.

use imminent_core::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Location of compiled kernels between processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// In a folder of the backend's name under `imminent` in the user's cache folder, if there is one, or in the folder
    /// that the environment sets ([`kernel_cache`](super)).
    #[default]
    Auto,
    /// In this folder, which is created if need be.
    Folder(PathBuf),
    /// No cache.
    Off,
}

impl Cache {
    /// Reads `auto`, `off` or a folder.
    #[must_use]
    pub fn parse(value: &str) -> Option<Cache> {
        match value {
            "" => None,
            "auto" | "on" => Some(Cache::Auto),
            "off" => Some(Cache::Off),
            folder => Some(Cache::Folder(folder.into())),
        }
    }
}

/// Returns the folder of the cache; `variable` is the value of `IMMINENT_CACHE`.
pub(super) fn folder(
    cache: &Cache,
    backend: &str,
    variable: Option<OsString>,
    user_folder: impl Fn() -> Option<PathBuf>,
) -> Result<Option<PathBuf>> {
    match cache {
        Cache::Auto => {}
        Cache::Folder(folder) => return Ok(Some(folder.clone())),
        Cache::Off => return Ok(None),
    }
    let usual = || user_folder().map(|folder| folder.join("imminent"));
    Ok(from_variable("IMMINENT_CACHE", variable, usual)?.map(|folder| folder.join(backend)))
}

/// Returns the folder that an environment variable names: none for `off`, and the usual one where it is not set.
pub(super) fn from_variable(
    name: &str,
    value: Option<OsString>,
    usual: impl FnOnce() -> Option<PathBuf>,
) -> Result<Option<PathBuf>> {
    match value.filter(|value| !value.is_empty()) {
        None => Ok(usual()),
        Some(value) if value == "off" => Ok(None),
        Some(value) if Path::new(&value).is_absolute() => Ok(Some(value.into())),
        Some(value) => Err(Error::invalid(
            format!("environment variable {name}={}", value.to_string_lossy()),
            "it takes `off` or an absolute path",
        )),
    }
}

/// Returns the user's folder for files that can be regenerated.
pub(super) fn user_folder() -> Option<PathBuf> {
    let folder = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return folder("LOCALAPPDATA");
    }
    let usual = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(usual)))
}
