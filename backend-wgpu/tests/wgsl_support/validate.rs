//! Validation of generated text: by naga in the process, and by tint if it is installed.

use imminent_ir::{Kernel, Module, flatten};
use imminent_lowering::wgsl::{Int64, WgslOptions, WgslSource, lower};
use naga::valid::{Capabilities, ValidationFlags, Validator};

pub fn options(int64: Int64) -> WgslOptions {
    WgslOptions { int64, float64: int64 == Int64::Native, ..WgslOptions::default() }
}

/// Flattens and lowers a kernel, and has naga validate the result.
pub fn lowered(module: &Module, kernel: &Kernel, options: &WgslOptions) -> WgslSource {
    let flat = flatten(module, kernel).unwrap_or_else(|e| panic!("{e}"));
    let source = lower(&flat, options).unwrap_or_else(|e| panic!("{e}"));
    validate(&source);
    source
}

/// Has naga validate a shader with exactly the capabilities that it declares.
pub fn validate(source: &WgslSource) {
    let mut capabilities = Capabilities::empty();
    capabilities.set(Capabilities::SHADER_INT64, source.requires.int64);
    capabilities.set(Capabilities::FLOAT64, source.requires.float64);
    capabilities.set(Capabilities::SHADER_INT64_ATOMIC_MIN_MAX, source.requires.int64_atomics);
    let module = naga::front::wgsl::parse_str(&source.code)
        .unwrap_or_else(|e| panic!("{}\n{}", e.emit_to_string(&source.code), source.code));
    Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .unwrap_or_else(|e| panic!("{}\n{}", e.emit_to_string(&source.code), source.code));
}

/// Has tint validate a shader that uses standard WGSL only.
pub fn tint(name: &str, source: &WgslSource) {
    let folder = tempfile();
    let (input, output) = (folder.join(format!("{name}.wgsl")), folder.join(format!("{name}.out.wgsl")));
    std::fs::write(&input, &source.code).unwrap();
    let out =
        std::process::Command::new("tint").arg("--format").arg("wgsl").arg("-o").arg(&output).arg(&input).output();
    let out = out.unwrap();
    let text = String::from_utf8_lossy(&out.stderr).into_owned() + &String::from_utf8_lossy(&out.stdout);
    std::fs::remove_dir_all(&folder).unwrap();
    let numbered: String = source.code.lines().zip(1..).map(|(l, n)| format!("{n:4} {l}\n")).collect();
    assert!(out.status.success() && !text.contains("error:"), "{name}: {text}\n{numbered}");
}

/// A new folder for one call.
fn tempfile() -> std::path::PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("imminent-wgsl-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
