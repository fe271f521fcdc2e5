//! NVRTC itself, without anything of the backend: its output for a text is examined as PTX.
#![allow(dead_code, unreachable_pub, clippy::module_inception, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::needs::places;
pub mod recorder;

use imminent_lowering::c::{COptions, CSource, compiler_options};
use libloading::{Library, Symbol};
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::PathBuf;

type Program = *mut c_void;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;
type Fill = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
type Names = *const *const c_char;
type Create = unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, Names, Names) -> c_int;

/// The compiler.
pub struct Nvrtc(Library);

impl Nvrtc {
    pub fn find() -> Nvrtc {
        let names = places::NAMES.iter().map(PathBuf::from);
        // SAFETY: these are files named as NVIDIA's compiler where the system or a package put it.
        let library = names.chain(places::files(None)).find_map(|file| unsafe { Library::new(file) }.ok());
        Nvrtc(library.expect("NVRTC: pip install nvidia-cuda-nvrtc"))
    }

    fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: every caller names the type that nvrtc.h gives the function.
        unsafe { self.0.get(name.as_bytes()) }.unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Returns the PTX of a text, also compiled to machine code for a compute capability; panics with the compiler's
    /// output.
    pub fn compile(&self, name: &str, source: &CSource, options: &COptions, capability: u32) -> String {
        let c = |text: &str| CString::new(text).unwrap();
        let mut flags: Vec<CString> = compiler_options(options).into_iter().map(c).collect();
        flags.extend([c(&format!("--gpu-architecture=sm_{capability}")), c("-lineinfo")]);
        let flags: Vec<*const c_char> = flags.iter().map(|flag| flag.as_ptr()).collect();
        let (text, file) = (c(&source.code), c("kernel.cu"));
        let mut program: Program = std::ptr::null_mut();
        // SAFETY: all texts end with 0 and live until the end of this function; there are no headers.
        let (created, compiled) = unsafe {
            let created = self.function::<Create>("nvrtcCreateProgram")(
                &mut program,
                text.as_ptr(),
                file.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
            );
            let compile = self.function::<unsafe extern "C" fn(Program, c_int, Names) -> c_int>("nvrtcCompileProgram");
            (created, compile(program, flags.len() as c_int, flags.as_ptr()))
        };
        assert_eq!(created, 0);
        let log = self.text(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
        let numbered = || source.code.lines().zip(1..).map(|(l, n)| format!("{n:4} {l}\n")).collect::<String>();
        assert!(compiled == 0 && log.trim().is_empty(), "{name} for sm_{capability}: {log}\n{}", numbered());
        let ptx = self.text(program, "nvrtcGetPTXSize", "nvrtcGetPTX");
        // SAFETY: the program exists and is not used any more.
        unsafe {
            self.function::<unsafe extern "C" fn(*mut Program) -> c_int>("nvrtcDestroyProgram")(&mut program);
        }
        ptx
    }

    fn text(&self, program: Program, size: &str, fill: &str) -> String {
        let mut length = 0;
        // SAFETY: the program exists; the first function returns the number of bytes that the second writes.
        let bytes = unsafe {
            assert_eq!(self.function::<Size>(size)(program, &mut length), 0);
            let mut bytes = vec![0_u8; length];
            assert_eq!(self.function::<Fill>(fill)(program, bytes.as_mut_ptr().cast()), 0);
            bytes
        };
        String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned()
    }
}
