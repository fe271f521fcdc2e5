#![allow(clippy::unwrap_used)]
use super::place::folder;
use super::*;
use proptest::prelude::*;
use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::time::{Duration, SystemTime};

const DAY: Duration = Duration::from_hours(24);

fn key(text: &str) -> Key {
    Key::of([text.as_bytes()])
}

fn cache(folder: &Path) -> KernelCache {
    KernelCache::bounded(Some(folder.to_owned()), Bounds::NONE)
}

fn loaded(cache: &KernelCache, text: &str) -> Option<Vec<u8>> {
    cache.load(key(text)).map(|kernel| kernel.to_vec())
}

fn path(folder: &Path, text: &str) -> PathBuf {
    folder.join(format!("{}.bin", key(text)))
}

/// Makes a file look as if it was written and used `age` ago.
fn age(file: &Path, age: Duration) {
    let then = SystemTime::now() - age;
    let times = FileTimes::new().set_accessed(then).set_modified(then);
    File::options().write(true).open(file).unwrap().set_times(times).unwrap();
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn what_was_stored_is_loaded_under_its_own_key_only() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache(&folder.path().join("made/when/needed"));
    assert_eq!(loaded(&cache, "a"), None);
    cache.store(key("a"), b"machine code");
    assert_eq!(loaded(&cache, "a"), Some(b"machine code".to_vec()));
    assert_eq!(loaded(&cache, "b"), None);
    cache.forget(key("a"));
    assert_eq!(loaded(&cache, "a"), None);
    assert_eq!(cache.trouble(), None);
}

#[cfg(unix)]
#[test]
fn what_other_users_can_write_is_not_loaded() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    cache(&own).store(key("a"), b"machine code");
    let made = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((made(&own), made(&path(&own, "a"))), (0o700, 0o600), "for the owner alone");

    mode(&path(&own, "a"), 0o620);
    let wary = cache(&own);
    assert_eq!(loaded(&wary, "a"), None);
    assert!(wary.trouble().unwrap().contains("other users can write to it"), "{:?}", wary.trouble());
    wary.store(key("a"), b"machine code");
    assert_eq!(loaded(&wary, "a"), Some(b"machine code".to_vec()), "the file was replaced");

    mode(&own, 0o777);
    let open = cache(&own);
    assert!(open.trouble().unwrap().contains("chmod go-w"), "told when it is opened");
    open.store(key("b"), b"machine code");
    assert_eq!((loaded(&open, "a"), names(&own).len(), open.folder()), (None, 1, None));
    mode(&own, 0o755);
    assert_eq!(loaded(&cache(&own), "a"), Some(b"machine code".to_vec()));
    // The root folder belongs to the superuser, who alone runs the test as the owner.
    let owner = fs::metadata("/").unwrap();
    assert_eq!(trust::foreign(&owner).is_some(), rustix::process::geteuid().as_raw() != 0);
}

#[test]
fn parts_of_a_key_do_not_run_into_one_another() {
    let of = |parts: &[&str]| Key::of(parts.iter().map(|part| part.as_bytes()));
    assert_ne!(of(&["a", "b"]), of(&["ab"]));
    assert_ne!(of(&["a", "b"]), of(&["", "ab"]));
    assert_ne!(of(&["a"]), of(&["a", ""]));
}

#[test]
fn a_kernel_in_anothers_file_counts_as_absent_and_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache(folder.path());
    cache.store(key("a"), b"one");
    fs::copy(path(folder.path(), "a"), path(folder.path(), "b")).unwrap();
    assert_eq!(loaded(&cache, "b"), None);
    assert!(cache.trouble().unwrap().contains("damaged"));
    cache.store(key("b"), b"two");
    assert_eq!(loaded(&cache, "b"), Some(b"two".to_vec()));
}

#[test]
fn a_folder_that_cannot_be_written_is_noted_and_nothing_else() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let cache = cache(&file.path().join("below a file"));
    cache.store(key("a"), b"code");
    assert_eq!(loaded(&cache, "a"), None);
    assert!(cache.trouble().unwrap().contains("cannot be"));
    let off = KernelCache::bounded(None, Bounds::default());
    off.store(key("a"), b"code");
    assert_eq!((loaded(&off, "a"), off.trouble()), (None, None));
}

#[test]
fn something_in_the_place_of_a_file_is_noted_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(path(folder.path(), "a")).unwrap();
    fs::write(path(folder.path(), "a").join("inside"), "kept").unwrap();
    let cache = cache(folder.path());
    cache.store(key("a"), b"code");
    assert_eq!(loaded(&cache, "a"), None);
    assert!(cache.trouble().unwrap().contains("cannot be written"));
    // No draft is left, and no foreign file is gone.
    assert_eq!(names(folder.path()), [path(folder.path(), "a")]);
    assert!(path(folder.path(), "a").join("inside").exists());
}

#[test]
fn writers_at_the_same_time_leave_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache(folder.path());
    let image = vec![7; 100_000];
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..8 {
                    cache.store(key("a"), &image);
                    assert_eq!(loaded(&cache, "a"), Some(image.clone()));
                }
            });
        }
    });
    assert_eq!(names(folder.path()).len(), 1);
}

#[test]
fn what_has_not_been_used_for_too_long_goes() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = Bounds { bytes: None, age: Some(DAY * 30) };
    let open = || KernelCache::bounded(Some(folder.path().to_owned()), bounds);
    for name in ["old", "young", "used"] {
        open().store(key(name), b"code");
    }
    age(&path(folder.path(), "old"), DAY * 31);
    age(&path(folder.path(), "young"), DAY * 29);
    age(&path(folder.path(), "used"), DAY * 365);
    assert!(open().load(key("used")).is_some());
    // A run that only loads sweeps nothing; the first that stores does.
    assert_eq!(names(folder.path()).len(), 3);
    open().store(key("new"), b"code");
    let mut left = ["young", "used", "new"].map(|name| path(folder.path(), name));
    left.sort();
    assert_eq!(names(folder.path()), left);
}

#[test]
fn using_a_kernel_does_not_look_like_writing_it() {
    let folder = tempfile::tempdir().unwrap();
    cache(folder.path()).store(key("a"), b"code");
    let file = path(folder.path(), "a");
    age(&file, DAY * 10);
    let written = fs::metadata(&file).unwrap().modified().unwrap();
    assert!(cache(folder.path()).load(key("a")).is_some());
    let data = fs::metadata(&file).unwrap();
    assert_eq!(data.modified().unwrap(), written);
    assert!(data.accessed().unwrap().elapsed().unwrap_or_default() < DAY);
}

#[test]
fn a_full_cache_drops_what_was_used_longest_ago() {
    let folder = tempfile::tempdir().unwrap();
    let one = 10_000;
    let bounds = Bounds { bytes: Some(8 * one as u64), age: None };
    for number in 0..20_u32 {
        let cache = KernelCache::bounded(Some(folder.path().to_owned()), bounds);
        let name = number.to_string();
        cache.store(key(&name), &vec![1; one]);
        // The kernel stored last is the youngest, so it is never removed.
        assert!(cache.load(key(&name)).is_some(), "{number}");
        let total: u64 = names(folder.path()).iter().map(|file| fs::metadata(file).unwrap().len()).sum();
        assert!(total <= 8 * one as u64, "{total} after {number}");
        age(&path(folder.path(), &name), Duration::from_secs(1000 - u64::from(number)));
    }
    let cache = KernelCache::bounded(Some(folder.path().to_owned()), bounds);
    assert!(cache.load(key("19")).is_some() && cache.load(key("15")).is_some() && cache.load(key("3")).is_none());
}

#[test]
fn a_kernel_larger_than_the_whole_cache_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = KernelCache::bounded(Some(folder.path().to_owned()), Bounds { bytes: Some(100), age: None });
    cache.store(key("a"), &[1; 101]);
    assert_eq!(names(folder.path()), Vec::<PathBuf>::new());
}

#[test]
fn the_folder_is_looked_through_again_when_much_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = Bounds { bytes: Some(160_000), age: None };
    let cache = KernelCache::bounded(Some(folder.path().to_owned()), bounds);
    for number in 0..200 {
        cache.store(key(&number.to_string()), &[1; 2000]);
        let total: u64 = names(folder.path()).iter().map(|file| fs::metadata(file).unwrap().len()).sum();
        // Between two sweeps the bound may be exceeded by a sixteenth.
        assert!(total <= 170_000 + 2100, "{total} after {number}");
    }
}

#[test]
fn drafts_of_killed_processes_go_and_other_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let hash = key("a").0.to_hex();
    let (left, fresh, foreign) = (
        folder.path().join(format!("{hash}.1.0.part")),
        folder.path().join(format!("{hash}.2.0.part")),
        folder.path().join("notes.bin"),
    );
    for file in [&left, &fresh, &foreign] {
        fs::write(file, "text").unwrap();
    }
    age(&left, DAY);
    age(&foreign, DAY * 1000);
    KernelCache::bounded(Some(folder.path().to_owned()), Bounds { bytes: Some(1 << 20), age: Some(DAY) })
        .store(key("b"), b"code");
    assert!(!left.exists() && fresh.exists() && foreign.exists());
}

#[test]
fn the_environment_moves_a_cache_or_turns_it_off() {
    let user = || Some(PathBuf::from("/home/u/.cache"));
    let at = |cache: &Cache, variable: Option<&str>| folder(cache, "cuda", variable.map(OsString::from), user);
    let auto = Cache::Auto;
    assert_eq!(at(&auto, None).unwrap(), Some(PathBuf::from("/home/u/.cache/imminent/cuda")));
    assert_eq!(at(&auto, Some("")).unwrap(), at(&auto, None).unwrap());
    assert_eq!(at(&auto, Some("off")).unwrap(), None);
    assert_eq!(folder(&auto, "cuda", None, || None).unwrap(), None);
    let absolute = std::env::temp_dir();
    let named = Cache::Folder(PathBuf::from("mine"));
    assert_eq!(at(&auto, absolute.to_str()).unwrap(), Some(absolute.join("cuda")));
    assert_eq!(at(&named, Some("off")).unwrap(), Some(PathBuf::from("mine")));
    assert_eq!(at(&Cache::Off, absolute.to_str()).unwrap(), None);
    let error = at(&auto, Some("maybe")).unwrap_err().to_string();
    assert!(error.contains("IMMINENT_CACHE=maybe") && error.contains("absolute path"), "{error}");
}

proptest! {
    #[test]
    fn damage_of_any_kind_counts_as_absence(position in 0usize..200, flip in 1u8.., cut in 0usize..200, more in 1usize..9) {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path());
        cache.store(key("a"), &[1; 150]);
        let file = path(folder.path(), "a");
        let whole = fs::read(&file).unwrap();
        let mut damaged = whole.clone();
        let position = position % damaged.len();
        damaged[position] ^= flip;
        for bytes in [damaged, whole[..cut % whole.len()].to_vec(), [whole.clone(), vec![0; more]].concat()] {
            fs::write(&file, &bytes).unwrap();
            prop_assert_eq!(loaded(&cache, "a"), None);
        }
        cache.store(key("a"), b"good");
        prop_assert_eq!(loaded(&cache, "a"), Some(b"good".to_vec()));
    }
}
