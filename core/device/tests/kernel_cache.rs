//! A cache folder that several processes use, some of which end in the middle.

#![allow(clippy::unwrap_used, clippy::panic)]

use imminent_device::kernel_cache::{Bounds, KernelCache, Key};
use imminent_testkit::process::{inside, run_inside, send_text, texts_inside};
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = "IMMINENT_TEST_FOLDER";

fn key(name: &str) -> Key {
    Key::of([name.as_bytes()])
}

fn cache(folder: &Path, bounds: Bounds) -> KernelCache {
    KernelCache::bounded(Some(folder.to_owned()), bounds)
}

/// The folder that the outer test made.
fn given_folder() -> PathBuf {
    PathBuf::from(std::env::var_os(FOLDER).unwrap())
}

/// Files of a folder whose names end so.
fn ending(folder: &Path, end: &str) -> usize {
    fs::read_dir(folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().to_string_lossy().ends_with(end))
        .count()
}

#[test]
fn a_kernel_whose_loading_ends_the_process_is_not_loaded_again() {
    if inside() {
        let cache = cache(&given_folder(), Bounds::NONE);
        let kernel = cache.load(key("bad"));
        assert_eq!(kernel.as_deref(), Some(b"aborts the driver".as_slice()));
        std::process::abort();
    }
    let folder = tempfile::tempdir().unwrap();
    let first = cache(folder.path(), Bounds::NONE);
    first.store(key("bad"), b"aborts the driver");
    first.store(key("good"), b"code");
    // One that another process is still loading is no such kernel.
    let held = first.load(key("good")).unwrap();
    let test = "a_kernel_whose_loading_ends_the_process_is_not_loaded_again";
    let output = run_inside(test, &[(FOLDER, folder.path())]);
    assert!(!output.status.success());
    assert_eq!(ending(folder.path(), ".load"), 2);

    let next = cache(folder.path(), Bounds::NONE);
    assert_eq!(next.load(key("good")).as_deref(), Some(b"code".as_slice()));
    assert!(next.load(key("bad")).is_none());
    assert!(next.trouble().is_some_and(|text| text.contains("ended while its driver loaded")), "{:?}", next.trouble());
    drop(held);
    assert_eq!(ending(folder.path(), ".load"), 0);

    // Compiled again, it is a kernel like any other.
    next.store(key("bad"), b"better");
    assert_eq!(cache(folder.path(), Bounds::NONE).load(key("bad")).as_deref(), Some(b"better".as_slice()));
}

/// A full disk costs the kernel that did not fit, and is told; kernels that were stored before stay.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_earlier_kernels_stay() {
    let test = "on_a_full_disk_earlier_kernels_stay";
    if inside() {
        let cache = cache(&given_folder(), Bounds::NONE);
        assert_eq!(cache.load(key("old")).as_deref(), Some(b"code".as_slice()));
        cache.store(key("new"), b"more code");
        return send_text(cache.trouble().unwrap_or_default());
    }
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("kernels");
    let disk = imminent_testkit::full_disk::FullDisk::build(outer.path());
    let calls = disk.every_call_fails(|environment, _| {
        let _ = fs::remove_dir_all(&folder);
        cache(&folder, Bounds::NONE).store(key("old"), b"code");
        let environment: Vec<_> = environment.iter().cloned().chain([(FOLDER, folder.clone().into())]).collect();
        let told = texts_inside(test, &environment).concat();
        let folder = &folder;
        move |call: &str| {
            let cache = cache(folder, Bounds::NONE);
            assert_eq!(cache.load(key("old")).as_deref(), Some(b"code".as_slice()), "{call}");
            let new = cache.load(key("new")).map(|kernel| kernel.to_vec());
            // A kernel that a driver takes unmarked is no trouble.
            assert!(new.as_deref().is_none_or(|kernel| kernel == b"more code"), "{call}");
            assert_eq!(new.is_none(), told.contains("cannot be written (No space left"), "{call}: {told}");
            assert_eq!(ending(folder, ".part"), 0, "{call}");
        }
    });
    assert!(calls > 3, "{calls}");
}

const KERNELS: usize = 24;
const ROUNDS: usize = 400;
const PROCESSES: usize = 4;

fn name(number: usize) -> String {
    format!("kernel {number}")
}

/// Code of a kernel, as every process compiles it.
fn code(number: usize) -> Vec<u8> {
    (0..2000 + 100 * number).map(|at| (at * 31 + number * 7) as u8).collect()
}

/// Room for most of the kernels, so that the folder is swept now and then.
const ROOM: Bounds = Bounds { bytes: Some(70_000), age: None };

#[test]
fn processes_share_a_folder() {
    if inside() {
        let number: usize = std::env::var("IMMINENT_TEST_NUMBER").unwrap().parse().unwrap();
        let (mut loaded, mut stored) = (0, 0);
        for round in 0..ROUNDS {
            // Opened anew now and then, as a process that starts.
            let cache = cache(&given_folder(), ROOM);
            for step in 0..3 {
                let kernel = (round * (number + 2) + step) % KERNELS;
                match cache.load(key(&name(kernel))) {
                    Some(found) => {
                        assert!(*found == *code(kernel), "another kernel than was stored");
                        loaded += 1;
                        if number == 0 && round >= ROUNDS / 2 {
                            std::process::abort();
                        }
                    }
                    None => {
                        cache.store(key(&name(kernel)), &code(kernel));
                        stored += 1;
                    }
                }
            }
            assert!(
                cache.trouble().is_none_or(|text| text.contains("ended while its driver loaded")),
                "{:?}",
                cache.trouble()
            );
        }
        return send_text(format!("{loaded} {stored}"));
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |number: usize| {
        let number_text = number.to_string();
        let environment = [(FOLDER, folder.path().as_os_str()), ("IMMINENT_TEST_NUMBER", number_text.as_ref())];
        if number == 0 {
            assert!(!run_inside("processes_share_a_folder", &environment).status.success());
        } else {
            let texts = texts_inside("processes_share_a_folder", &environment);
            let counts: Vec<u32> = texts[0].split(' ').map(|count| count.parse().unwrap()).collect();
            assert!(counts[0] > 0 && counts[1] > 0, "{texts:?}");
        }
    };
    std::thread::scope(|scope| {
        for number in 0..PROCESSES {
            scope.spawn(move || run(number));
        }
    });
    // What is left is whole, and nothing half-done is left.
    let last = cache(folder.path(), ROOM);
    let found = (0..KERNELS).filter(|kernel| match last.load(key(&name(*kernel))) {
        Some(found) => *found == *code(*kernel),
        None => false,
    });
    assert!(found.count() > 4);
    assert!(last.trouble().is_none_or(|text| text.contains("ended while its driver loaded")), "{:?}", last.trouble());
    assert_eq!((ending(folder.path(), ".part"), ending(folder.path(), ".load")), (0, 0));
}
