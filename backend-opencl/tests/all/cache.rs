//! The cache of compiled programs changes execution times, and nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::INSTALL;
use imminent_core::backend::{Allocation, Backend, Node};
use imminent_core::ir::{Scalar, Scalars};
use imminent_core::{Device, Table};
use imminent_opencl::{Cache, OpenClBackend, Options};
use imminent_testkit::device::machines::machines::{self, Number};
use imminent_testkit::process::{inside, send_text, texts_inside};
use std::fs;
use std::path::{Path, PathBuf};

/// Begins every file of the cache.
const MAGIC: &[u8] = b"imminent-kernel-1\n";

fn open(cache: Cache) -> OpenClBackend {
    OpenClBackend::open(0, &Options { cache, ..Options::default() })
        .unwrap_or_else(|error| panic!("{INSTALL}: {error}"))
}

/// Runs a kernel and checks its results.
fn works(cache: Cache) {
    let device = Device::open(open(cache)).unwrap();
    let mut table = Table::from_rows(&device, &vec![Number { value: 5 }; 300]).unwrap();
    device.queue().launch::<machines::double>((&mut table,)).unwrap();
    let rows = table.read().unwrap();
    assert!(rows.iter().zip(10..).all(|(row, expected)| row.value == expected));
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn programs_are_kept_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = || Cache::Folder(folder.path().join("programs"));
    works(cache());
    let files = programs(&folder.path().join("programs"));
    assert!(!files.is_empty());
    let contents: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let written: Vec<_> = files.iter().map(|file| fs::metadata(file).unwrap().modified().unwrap()).collect();
    works(cache());
    assert_eq!(programs(&folder.path().join("programs")), files);
    for ((file, contents), written) in files.iter().zip(contents).zip(written) {
        // Read, not compiled and written again.
        assert_eq!(fs::read(file).unwrap(), contents);
        assert_eq!(fs::metadata(file).unwrap().modified().unwrap(), written);
    }
}

/// PoCL compiles a kernel for the work-groups of its launch, and once more for those of any size (in a folder `0-0-0`
/// of its cache) if it is asked for the program's binary.
#[test]
fn pocl_compiles_a_kernel_once() {
    const FOLDER: &str = "POCL_CACHE_DIR";
    if inside() {
        works(Cache::Auto);
        return send_text("it works");
    }
    let folder = tempfile::tempdir().unwrap();
    let test = "cache::pocl_compiles_a_kernel_once";
    assert_eq!(texts_inside(test, &[(FOLDER, folder.path())]), ["it works"]);
    let sizes = folders_below(folder.path(), 4);
    assert!(sizes.iter().any(|name| name.starts_with("256-1-1")), "{sizes:?}");
    assert!(!sizes.iter().any(|name| name == "0-0-0"), "{sizes:?}");
}

/// Returns the names of the folders at a depth below a folder. The folders of PoCL's cache are two for the hash of a
/// program, one for a kernel, and one for a size of work-groups.
fn folders_below(folder: &Path, depth: u32) -> Vec<String> {
    let inner = programs(folder).into_iter().filter(|path| path.is_dir());
    match depth {
        1 => inner.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect(),
        _ => inner.flat_map(|path| folders_below(&path, depth - 1)).collect(),
    }
}

#[test]
fn garbage_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let cache = || Cache::Folder(folder.path().to_owned());
    works(cache());
    let files = programs(folder.path());
    let good: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [Damage; 4] = [
        |_| b"garbage".to_vec(),
        |_| Vec::new(),
        |good| good[..good.len() / 2].to_vec(),
        |good| [good, b"more"].concat(),
    ];
    for damage in damages {
        for (file, good) in files.iter().zip(&good) {
            fs::write(file, damage(good)).unwrap();
        }
        works(cache());
        assert_eq!(programs(folder.path()), files);
        for (file, good) in files.iter().zip(&good) {
            // Complete again: the length is that of a program with its checksum, and no damage is left.
            assert_ne!(fs::read(file).unwrap(), damage(good));
        }
    }
}

#[test]
fn a_binary_that_the_driver_refuses_is_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    works(Cache::Folder(folder.path().to_owned()));
    // A file with a valid checksum but without a program: as after a change of the driver that keeps its version. Every
    // file gets it, so that each one loaded is refused.
    for file in programs(folder.path()) {
        replace(&file, b"no program of this driver");
    }
    works(Cache::Folder(folder.path().to_owned()));
}

/// Returns the key of a file, and its contents behind the checksum.
fn opened(file: &Path) -> ([u8; 32], Vec<u8>) {
    let name = file.file_stem().unwrap().to_str().unwrap();
    let key: Vec<u8> = (0..32).map(|i| u8::from_str_radix(&name[2 * i..2 * i + 2], 16).unwrap()).collect();
    let bytes = fs::read(file).unwrap();
    (key.try_into().unwrap(), bytes[MAGIC.len() + 32..].to_vec())
}

/// Replaces the contents of a file, with a valid checksum.
fn replace(file: &Path, payload: &[u8]) {
    let sum = blake3::keyed_hash(&opened(file).0, payload);
    fs::write(file, [MAGIC, sum.as_bytes(), payload].concat()).unwrap();
}

/// PoCL aborts the process when it is given one of its own binaries without the program, as it once produced one.
#[test]
fn a_binary_without_its_program_is_not_loaded() {
    const FOLDER: &str = "IMMINENT_TEST_FOLDER";
    let test = "cache::a_binary_without_its_program_is_not_loaded";
    if inside() {
        works(Cache::Folder(PathBuf::from(std::env::var_os(FOLDER).unwrap())));
        return send_text("it works");
    }
    let folder = tempfile::tempdir().unwrap();
    works(Cache::Folder(folder.path().to_owned()));
    for file in programs(folder.path()) {
        let (_, mut payload) = opened(&file);
        if payload.starts_with(b"poclbin") {
            let program = b"program.bc";
            let places: Vec<usize> =
                (0..payload.len() - program.len()).filter(|at| payload[*at..].starts_with(program)).collect();
            assert!(!places.is_empty(), "PoCL names its files otherwise: see is_whole in src/module/cache.rs");
            places.into_iter().for_each(|at| payload[at..at + program.len()].copy_from_slice(b"nothing.at"));
            replace(&file, &payload);
        }
    }
    assert_eq!(texts_inside(test, &[(FOLDER, folder.path())]), ["it works"]);
}

#[test]
fn a_folder_that_cannot_be_written_costs_time_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "a file where a folder should be").unwrap();
    works(Cache::Folder(file.join("cache")));
    works(Cache::Off);
    // The failure is reported for those who ask.
    for (cache, troubled) in [(Cache::Folder(file.join("cache")), true), (Cache::Off, false)] {
        let backend = open(cache);
        let queue = backend.queue().unwrap();
        let result = backend.allocate(&queue, &Allocation::Result { scalars: Scalars::new(&[Scalar::U64]) }).unwrap();
        backend.record(&queue, vec![Node::Repeat { times: 2, body: vec![Node::Clear(result)] }]).unwrap();
        let trouble = backend.cache_trouble();
        assert_eq!(trouble.is_some(), troubled, "{trouble:?}");
        assert!(trouble.is_none_or(|text| text.contains("cannot be") && text.contains("cache")));
    }
}

#[test]
fn devices_that_write_at_once_do_not_harm_each_other() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| works(Cache::Folder(folder.path().to_owned())));
        }
    });
    let files = programs(folder.path());
    assert!(files.iter().all(|file| file.extension().is_some_and(|end| end == "bin")), "{files:?}");
    works(Cache::Folder(folder.path().to_owned()));
}
