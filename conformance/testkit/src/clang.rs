//! Clang as a compiler for AMD's GPUs, without ROCm: which texts it accepts. Nothing is linked, and nothing runs.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// AMD's GPUs that the tests compile for: MI200, MI300, and RDNA 3.
pub const GPUS: [&str; 3] = ["gfx90a", "gfx942", "gfx1100"];

/// Meaning of CUDA's words in HIP.
const HIP: &str = include_str!("clang/hip.h");

/// Names under which distributions install clang. 18 is the first that knows every GPU of [`GPUS`].
const NAMES: [&str; 6] = ["clang-22", "clang-21", "clang-20", "clang-19", "clang-18", "clang"];

/// Language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// CUDA C++, compiled as HIP.
    Hip,
    /// OpenCL C.
    OpenCl,
}

/// A program of clang that knows AMD's GPUs.
#[derive(Debug)]
pub struct Clang(String);

impl Clang {
    /// Finds clang: the program that `IMMINENT_CLANG` names, or one on the PATH. The error says what is missing.
    pub fn find() -> Result<Clang, String> {
        let named = std::env::var("IMMINENT_CLANG").ok();
        let names = NAMES.map(str::to_owned);
        let names = named.as_ref().map_or(&names[..], std::slice::from_ref);
        let clangs = names.iter().map(|name| Clang(name.clone()));
        clangs.into_iter().find(Clang::knows_the_gpus).ok_or_else(|| {
            "clang for AMD's GPUs is not on the PATH: install clang-19, or name one in IMMINENT_CLANG".to_owned()
        })
    }

    fn knows_the_gpus(&self) -> bool {
        GPUS.iter().all(|gpu| self.compile(Language::OpenCl, "kernel void none() {}", gpu).is_ok())
    }

    /// Returns the assembly of a text for a GPU, or the compiler's output.
    pub fn compile(&self, language: Language, text: &str, gpu: &str) -> Result<String, String> {
        let mut command = Command::new(&self.0);
        match language {
            Language::Hip => command
                .args(["-x", "hip", "--offload-device-only", "-nogpuinc", "-std=c++17"])
                .arg(format!("--offload-arch={gpu}")),
            Language::OpenCl => {
                command.args(["-x", "cl", "-cl-std=CL1.2", "--target=amdgcn-amd-amdhsa"]).arg(format!("-mcpu={gpu}"))
            }
        };
        command.args(["-nogpulib", "-ffp-contract=off", "-O1", "-w", "-S", "-o", "-", "-"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.0))?;
        let prelude = if language == Language::Hip { HIP } else { "" };
        // A compiler that ended without reading has said why.
        let _ = child.stdin.take().map(|mut input| input.write_all(format!("{prelude}\n{text}").as_bytes()));
        let output = child.wait_with_output().map_err(|error| format!("{}: {error}", self.0))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}
