//! Crate that the program belongs to.

use std::sync::OnceLock;

/// A crate with a model of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// The crate that `Program::package` gave. A static, as the backends are: the version is a text of the parser.
static PACKAGE: OnceLock<Package> = OnceLock::new();

pub(crate) fn set(package: Package) {
    let _ = PACKAGE.set(package);
}

pub(crate) fn of_program() -> Option<Package> {
    PACKAGE.get().copied()
}
