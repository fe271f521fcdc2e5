//! Notes in a cache that the kernels of a model have run on a backend, for predictions: a driver compiles kernels at
//! the first run only, whether it keeps them itself or this cache does.

use super::place::{Cache, from_variable};
use super::shipped::{VARIABLE, beside_program};
use super::{KernelCache, Key};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers that this process has, by backend and kernels: predictions of many small runs would read files each time.
static KNOWN: Mutex<BTreeMap<(String, String), bool>> = Mutex::new(BTreeMap::new());

fn known() -> MutexGuard<'static, BTreeMap<(String, String), bool>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `true` if kernels of this name are probably compiled for a backend such as `cuda`: the cache has a note that
/// they ran, which it keeps as long as an unused kernel, or kernels for the backend were shipped with the program. A
/// process looks at files once.
#[must_use]
pub fn are_compiled(backend: &str, kernels: &str) -> bool {
    let name = (backend.to_owned(), kernels.to_owned());
    *known().entry(name).or_insert_with(|| are_on_disk(backend, kernels))
}

fn are_on_disk(backend: &str, kernels: &str) -> bool {
    let ran = KernelCache::open(&Cache::Auto, backend).is_ok_and(|cache| is_noted(&cache, kernels));
    let shipped = || from_variable(VARIABLE, std::env::var_os(VARIABLE), beside_program).ok().flatten();
    ran || shipped().is_some_and(|folder| folder.join(backend).is_dir())
}

/// Notes that kernels of this name have run on a backend, where there is a cache.
pub fn note_run(backend: &str, kernels: &str) {
    let before = known().insert((backend.to_owned(), kernels.to_owned()), true);
    if before == Some(true) {
        return;
    }
    if let Ok(cache) = KernelCache::open(&Cache::Auto, backend) {
        note(&cache, kernels);
    }
}

/// Content of a note: an empty kernel counts as damaged.
const NOTE: &[u8] = b"ran";

fn is_noted(cache: &KernelCache, kernels: &str) -> bool {
    cache.load(key(kernels)).is_some()
}

fn note(cache: &KernelCache, kernels: &str) {
    if !is_noted(cache, kernels) {
        cache.store(key(kernels), NOTE);
    }
}

/// Returns the key of a note: no kernel has the same parts.
fn key(kernels: &str) -> Key {
    Key::of([NOTE, env!("CARGO_PKG_VERSION").as_bytes(), kernels.as_bytes()])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Bounds;
    use super::*;
    use std::fs;

    #[test]
    fn a_run_is_noted_once_until_the_cache_drops_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("cuda");
        let cache = KernelCache::bounded(Some(folder.clone()), Bounds::default());
        assert!(!is_noted(&cache, "torus"));
        note(&cache, "torus");
        note(&cache, "torus");
        assert!(is_noted(&cache, "torus") && !is_noted(&cache, "open"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        cache.forget(key("torus"));
        assert!(!is_noted(&cache, "torus"));
        note(&KernelCache::bounded(None, Bounds::default()), "torus");
        assert!(!is_noted(&KernelCache::bounded(None, Bounds::default()), "torus"));
    }
}
