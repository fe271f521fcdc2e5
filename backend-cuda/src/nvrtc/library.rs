//! NVRTC library, loaded at run time. Its functions are looked up one by one, so a missing one is an error and not a
//! panic.

use super::places;
use imminent_core::{Error, Result};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// A program under compilation.
pub(super) type Program = *mut std::ffi::c_void;

type Create = unsafe extern "C" fn(
    *mut Program,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> c_int;
type Compile = unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Fill = unsafe extern "C" fn(Program, *mut c_char) -> c_int;

/// NVRTC's functions.
#[derive(Debug)]
pub(super) struct Functions {
    pub(super) create: Create,
    pub(super) destroy: unsafe extern "C" fn(*mut Program) -> c_int,
    pub(super) compile: Compile,
    pub(super) log_size: Size,
    pub(super) log: Fill,
    pub(super) cubin_size: Size,
    pub(super) cubin: Fill,
    pub(super) ptx_size: Size,
    pub(super) ptx: Fill,
    pub(super) error_string: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// A loaded NVRTC.
#[derive(Debug)]
pub(super) struct Nvrtc {
    pub(super) functions: Functions,
    /// Major and minor version.
    pub(super) version: (u32, u32),
    /// Compute capabilities for which it compiles, as 75, 80, 90, in ascending order.
    pub(super) architectures: Vec<u32>,
    /// Path of the library.
    pub(super) path: PathBuf,
    /// Keeps the functions loaded. The library is never unloaded: a compiler with its own threads and exit handlers
    /// does not survive that well, and the next device needs it again.
    _library: ManuallyDrop<Library>,
}

/// Finds NVRTC: the file or folder given, otherwise by the loader's own search, otherwise in the places where toolkits
/// and Python packages put it. `driver` is the version of CUDA that the driver runs: NVRTC's major version may not be
/// newer.
pub(super) fn find(asked: Option<&Path>, driver: Option<(u32, u32)>) -> Result<Nvrtc> {
    let by_name = asked.is_none() && std::env::var_os("IMMINENT_NVRTC").is_none();
    let names = places::NAMES.iter().filter(|_| by_name).map(PathBuf::from);
    let mut tried: Vec<String> = Vec::new();
    for candidate in names.chain(places::files(asked)) {
        match Nvrtc::load(&candidate) {
            Ok(nvrtc) if driver.is_none_or(|driver| nvrtc.version.0 <= driver.0) => return Ok(nvrtc),
            Ok(nvrtc) => {
                let (major, minor) = nvrtc.version;
                tried.push(format!("{} (version {major}.{minor} is newer than the driver)", candidate.display()));
            }
            Err(reason) => tried.push(format!("{} ({reason})", candidate.display())),
        }
    }
    Err(Error::Unavailable {
        backend: "cuda".to_owned(),
        reason: "NVRTC, the compiler library of CUDA, was not found in a version that fits the driver".to_owned(),
        tried: if tried.is_empty() {
            "nothing: the folder that was named holds no libnvrtc".to_owned()
        } else {
            tried.join("; ")
        },
        remedy: format!(
            "Install a CUDA toolkit or `pip install {}`, or name the library with the option nvrtc=FILE or in the \
             environment variable IMMINENT_NVRTC",
            package(driver)
        ),
    })
}

/// Returns the Python package with the newest NVRTC that fits a driver, as pip takes it.
pub(super) fn package(driver: Option<(u32, u32)>) -> String {
    match driver {
        // Up to CUDA 12 the name tells the major version.
        Some((major, _)) if major <= 12 => format!("nvidia-cuda-nvrtc-cu{major}"),
        Some((major, _)) => format!("nvidia-cuda-nvrtc=={major}.*"),
        None => "nvidia-cuda-nvrtc".to_owned(),
    }
}

impl Nvrtc {
    fn load(path: &Path) -> Result<Nvrtc, String> {
        // SAFETY: loading runs the library's initialisers. Candidates are files named as NVIDIA's compiler, in the
        // places where the system, a toolkit or the user put it. The user must ensure that such a file is genuine, as
        // with every library that the system's loader finds.
        let library = unsafe { Library::new(path) }.map_err(|error| words(&error))?;
        // SAFETY: the types are those of the functions of these names in nvrtc.h, unchanged since version 11.2.
        let functions = unsafe {
            Functions {
                create: function(&library, c"nvrtcCreateProgram")?,
                destroy: function(&library, c"nvrtcDestroyProgram")?,
                compile: function(&library, c"nvrtcCompileProgram")?,
                log_size: function(&library, c"nvrtcGetProgramLogSize")?,
                log: function(&library, c"nvrtcGetProgramLog")?,
                cubin_size: function(&library, c"nvrtcGetCUBINSize")?,
                cubin: function(&library, c"nvrtcGetCUBIN")?,
                ptx_size: function(&library, c"nvrtcGetPTXSize")?,
                ptx: function(&library, c"nvrtcGetPTX")?,
                error_string: function(&library, c"nvrtcGetErrorString")?,
            }
        };
        let version = version(&library)?;
        if let Some(builtins) = places::builtins(path, version) {
            // The wheels of NVRTC 13.0 find this library only if it is open already. An error of the loader is left to
            // the compiler, which reports it with the first kernel.
            // SAFETY: as for the library itself, beside which the file lies.
            let _never_closed = unsafe { Library::new(&builtins) }.map(ManuallyDrop::new);
        }
        let architectures = architectures(&library)?;
        Ok(Nvrtc { functions, version, architectures, path: path.to_path_buf(), _library: ManuallyDrop::new(library) })
    }

    /// Returns the library's text for an error.
    pub(super) fn words(&self, code: c_int) -> String {
        // SAFETY: the function takes any number and returns a static string.
        let text = unsafe { (self.functions.error_string)(code) };
        if text.is_null() {
            return format!("NVRTC error {code}");
        }
        // SAFETY: not null, and a static string that ends with 0.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

/// Returns a function of the library.
///
/// # Safety
/// `F` is the type of the C function of that name.
unsafe fn function<F: Copy>(library: &Library, name: &CStr) -> Result<F, String> {
    // SAFETY: the caller guarantees the type. The pointer is copied out and used only while the library is loaded,
    // since `Nvrtc` owns both.
    unsafe { library.get::<F>(name.to_bytes_with_nul()) }
        .map(|symbol| *symbol)
        .map_err(|_| format!("it has no function {}", name.to_string_lossy()))
}

fn version(library: &Library) -> Result<(u32, u32), String> {
    type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the type is the function's, which writes two integers.
    let code = unsafe { function::<Version>(library, c"nvrtcVersion")?(&mut major, &mut minor) };
    match (code, u32::try_from(major), u32::try_from(minor)) {
        (0, Ok(major), Ok(minor)) => Ok((major, minor)),
        _ => Err(format!("it does not tell its version (error {code})")),
    }
}

fn architectures(library: &Library) -> Result<Vec<u32>, String> {
    type Count = unsafe extern "C" fn(*mut c_int) -> c_int;
    let mut count = 0;
    // SAFETY: the types are the functions'. The first writes one integer. The second writes as many integers as the
    // first reported, and the vector has room for them.
    let (code, mut found) = unsafe {
        let code = function::<Count>(library, c"nvrtcGetNumSupportedArchs")?(&mut count);
        let mut found = vec![0; usize::try_from(count).unwrap_or(0)];
        (code | function::<Count>(library, c"nvrtcGetSupportedArchs")?(found.as_mut_ptr()), found)
    };
    if code != 0 {
        return Err(format!("it does not tell its architectures (error {code})"));
    }
    found.sort_unstable();
    Ok(found.into_iter().filter_map(|architecture: c_int| u32::try_from(architecture).ok()).collect())
}

/// Returns the loader's own text for an error.
fn words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}
