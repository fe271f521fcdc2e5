//! Files that the runs of a study depend on.

use imminent_common::input;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Hashes of the contents of files, by path. A file that changed between two reads has the hash of each content.
type Hashes = BTreeMap<PathBuf, Vec<blake3::Hash>>;

/// Hash of the files that the runs of a study depend on; none if there are no files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Files(Option<blake3::Hash>);

impl Files {
    /// Executes `work`, and returns the files that the calling thread reads meanwhile.
    pub(crate) fn read_by<T>(work: impl FnOnce() -> T) -> (Self, T) {
        let hashes = Rc::new(RefCell::new(Hashes::new()));
        let noted = Rc::clone(&hashes);
        let observe = move |path: &Path, contents: &[u8]| {
            let (hash, mut hashes) = (blake3::hash(contents), noted.borrow_mut());
            let known = hashes.entry(path.to_owned()).or_default();
            if !known.contains(&hash) {
                known.push(hash);
            }
        };
        let done = input::observed(observe, work);
        let files = Self::of(&hashes.borrow());
        (files, done)
    }

    /// Returns the hash of files. Of a path only the name of the file counts, and its place among all: the folder with
    /// a study and its files can be moved.
    fn of(hashes: &Hashes) -> Self {
        let mut all = blake3::Hasher::new();
        for (path, contents) in hashes {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            all.update(blake3::hash(name.as_bytes()).as_bytes());
            for hash in contents {
                all.update(hash.as_bytes());
            }
        }
        Self((!hashes.is_empty()).then(|| all.finalize()))
    }

    /// Returns the hash, if there are files.
    pub(super) const fn hash(&self) -> Option<blake3::Hash> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::fs;

    /// Returns the hash of files that are read in a folder, in an order.
    fn files(folder: &Path, names: &[&str]) -> Files {
        Files::read_by(|| names.iter().for_each(|name| drop(input::text(&folder.join(name)).unwrap()))).0
    }

    #[test]
    fn files_count_by_their_names_and_contents() {
        let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let put = |name: &str, text: &str| fs::write(one.path().join(name), text).unwrap();
        put("a.asc", "1");
        put("b.asc", "2");
        let before = files(one.path(), &["a.asc", "b.asc"]);
        assert_eq!(files(one.path(), &["b.asc", "a.asc", "b.asc"]), before);
        assert_ne!(files(one.path(), &["a.asc"]), before);
        assert_eq!(files(one.path(), &[]), Files::default());
        for name in ["a.asc", "b.asc"] {
            fs::copy(one.path().join(name), other.path().join(name)).unwrap();
        }
        assert_eq!(files(other.path(), &["a.asc", "b.asc"]), before);
        // Contents that change places are a change.
        put("a.asc", "2");
        put("b.asc", "1");
        assert_ne!(files(one.path(), &["a.asc", "b.asc"]), before);
        put("a.asc", "1");
        put("b.asc", "2");
        assert_eq!(files(one.path(), &["a.asc", "b.asc"]), before);
    }
}
