//! Compilation of text to a built program, through the cache on disk.

use crate::cl::{self, Failure, Kernel, Program};
use crate::device::Context;
use imminent_core::{Error, Result};
use imminent_device::kernel_cache::Key;
use imminent_lowering::c::{CSource, compiler_options};
use std::ffi::CString;

/// Returns the compiler's options, common to all programs of a device.
pub(super) fn options(context: &Context) -> String {
    let mut options = vec!["-cl-std=CL1.2"];
    if context.unoptimized {
        options.push("-cl-opt-disable");
    }
    options.extend(compiler_options(&context.lowering));
    options.join(" ")
}

/// A built program, and one of its kernels.
pub(super) struct Compiled {
    pub(super) program: Program,
    pub(super) kernel: Kernel,
    /// Work-items of the largest work-group in which the device can run the kernel.
    pub(super) most_workgroup: usize,
}

/// Builds a program and creates its kernel. `name` is the kernel's, `location` its line.
pub(super) fn compile(context: &Context, key: Key, name: &str, location: &str, source: &CSource) -> Result<Compiled> {
    let text = options(context);
    let options = CString::new(text).map_err(|error| context.driver("compiling a kernel", error.to_string()))?;
    if let Some(binary) = context.cache.load(key, &source.entry) {
        // A driver may have changed without a new version: then it refuses the binary, and the text is compiled.
        let loaded = cl::program_from_binary(&context.cl, context.device, &binary).and_then(|program| {
            cl::build(&program, context.device, &options).map_err(|(failure, _)| failure)?;
            finished(context, program, source)
        });
        match loaded {
            Ok(compiled) => return Ok(compiled),
            Err(_) => context.cache.forget(key),
        }
    }
    let program = cl::program_from_source(&context.cl, &source.code)
        .map_err(|failure| context.failed("compiling a kernel", failure))?;
    cl::build(&program, context.device, &options).map_err(|(failure, log)| Error::Compile {
        backend: context.info.backend.clone(),
        device: context.info.name.clone(),
        kernel: name.to_owned(),
        location: error_line(&log).map_or_else(|| location.to_owned(), |line| rust_line(source, location, line)),
        message: if log.is_empty() { failure.to_string() } else { format!("{failure}\n{log}") },
    })?;
    let compiled = finished(context, program, source).map_err(|failure| context.failed("making a kernel", failure))?;
    if context.cache.is_open()
        && let Ok(binary) = cl::program_binary(&compiled.program)
    {
        context.cache.store(key, &binary, &source.entry);
    }
    Ok(compiled)
}

fn finished(context: &Context, program: Program, source: &CSource) -> Result<Compiled, Failure> {
    let kernel = cl::create_kernel(&program, &source.entry)?;
    let most_workgroup = cl::kernel_work_group(&kernel, context.device)?;
    Ok(Compiled { program, kernel, most_workgroup })
}

/// Returns the line of the text to which the first error in a compiler's output refers. Compilers write
/// `FILE:LINE:COLUMN: error: ...` or `FILE:LINE: error: ...`, some with words before.
fn error_line(log: &str) -> Option<u32> {
    let errors = log.lines().filter(|line| line.contains("error"));
    errors.flat_map(|line| line.split(':').skip(1)).find_map(|part| {
        let digits = part.trim();
        // Excludes status codes and counts among words.
        digits.parse().ok().filter(|line| *line > 0)
    })
}

/// Returns the Rust line of a line of the text; `location` is the kernel's.
fn rust_line(source: &CSource, location: &str, line: u32) -> String {
    let before = source.line_map.partition_point(|mapping| mapping.text_line <= line);
    match before.checked_sub(1).and_then(|last| source.line_map.get(last)) {
        Some(mapping) => format!("{}:{}", mapping.file, mapping.line),
        None => format!("{location}, line {line} of the generated text"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::device;
    use crate::options::{Cache, Options};
    use imminent_ir::launch::LaunchLayout;
    use imminent_lowering::c::{LineMapping, Requires};

    fn source(code: &str) -> CSource {
        let mapping = |text_line, line| LineMapping { text_line, file: "model.rs".to_owned(), line };
        CSource {
            code: code.to_owned(),
            entry: "broken".to_owned(),
            workgroup_size: 256,
            line_map: vec![mapping(2, 10), mapping(4, 12)],
            parameters: vec![],
            launch: LaunchLayout::default(),
            results: None,
            shared_bytes: 0,
            requires: Requires::default(),
        }
    }

    #[test]
    fn a_rejected_text_gives_the_rust_line_and_the_compilers_whole_output() {
        let options = Options { cache: Cache::Off, ..Options::default() };
        let (context, _) = device::open(0, &options)
            .unwrap_or_else(|error| panic!("apt install ocl-icd-libopencl1 pocl-opencl-icd: {error}"));
        let source = source(
            "__kernel void broken(__global uint *x) {\n\n\n\n x[0] = first_mistake;\n x[1] = second_mistake;\n}\n",
        );
        let compiled = compile(&context, context.cache.key("", ""), "broken", "model.rs:9", &source);
        let error = compiled.map(drop).unwrap_err();
        let Error::Compile { kernel, location, message, .. } = &error else { panic!("{error}") };
        assert_eq!((kernel.as_str(), location.as_str()), ("broken", "model.rs:12"));
        assert!(message.contains("first_mistake") && message.contains("second_mistake"), "{message}");
    }

    #[test]
    fn the_first_errors_line_is_found_in_the_output_of_compilers() {
        let pocl = "warning: /cache/tempfile.cl:3:1: unused\nerror: /cache/tempfile_ab12.cl:17:9: use of undeclared\n";
        assert_eq!(error_line(pocl), Some(17));
        assert_eq!(error_line("<kernel>:5:11: error: expected ';'\n    x\n"), Some(5));
        assert_eq!(error_line("4 errors generated.\n"), None);
        assert_eq!(error_line(""), None);
    }

    #[test]
    fn lines_are_traced_back_to_the_kernel() {
        let source = source("");
        assert_eq!(rust_line(&source, "model.rs:9", 3), "model.rs:10");
        assert_eq!(rust_line(&source, "model.rs:9", 400), "model.rs:12");
        assert_eq!(rust_line(&source, "model.rs:9", 1), "model.rs:9, line 1 of the generated text");
    }
}
