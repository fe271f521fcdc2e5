//! A full disk: the k-th call of the system that needs room fails with "no space left", and so do all later ones.
//!
//! Writing to files, creating files and folders, renaming, and waiting for the disk need room. The first write that
//! fails writes half of its bytes, as a full disk does. A library takes these calls over in a process of its own, which
//! `LD_PRELOAD` names; the compiler that links Rust's programs builds it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library, and the file by which it tells that a call failed.
#[derive(Debug)]
pub struct FullDisk {
    library: PathBuf,
    told: PathBuf,
}

impl FullDisk {
    /// Builds the library in a folder, which the test removes.
    pub fn build(folder: &Path) -> Self {
        let (source, library) = (folder.join("full_disk.c"), folder.join("full_disk.so"));
        fs::write(&source, include_str!("preload.c")).unwrap();
        let mut compiler = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
        let built = compiler.args(["-shared", "-fPIC", "-O1", "-o"]).args([&library, &source]).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Self { library, told: folder.join("told") }
    }

    /// Runs something for each call in turn, with the variables for its process, until that process makes no further
    /// call. Returns the number of calls that failed.
    ///
    /// The second argument of `run` is the number of the call. Its result judges the process when it is called with the
    /// name of the call that failed.
    pub fn every_call_fails<J: FnOnce(&str)>(&self, mut run: impl FnMut(&Environment, u64) -> J) -> u64 {
        for call in 1.. {
            let _ = fs::remove_file(&self.told);
            let environment = [
                ("LD_PRELOAD", self.library.clone().into_os_string()),
                ("IMMINENT_TEST_FULL_FROM", call.to_string().into()),
                ("IMMINENT_TEST_FULL_TOLD", self.told.clone().into_os_string()),
            ];
            let judge = run(&environment, call);
            match fs::read_to_string(&self.told) {
                Ok(name) => judge(&format!("call {call}, {name}")),
                Err(_) => return call - 1,
            }
        }
        0
    }
}

/// Variables of the process.
pub type Environment = [(&'static str, OsString); 3];
