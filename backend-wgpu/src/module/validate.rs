//! Validation of generated text before a driver sees it, so a rejection can name the line in Rust.

use crate::device::Context;
use imminent_core::{Error, Result};
use imminent_lowering::wgsl::{Int64, WgslOptions, WgslSource};
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// Parses and validates the text of a kernel.
pub(super) fn validate(context: &Context, kernel: &str, source: &WgslSource) -> Result<()> {
    check(source, capabilities(&context.lowering)).map_err(|rejection| Error::Compile {
        backend: context.info.backend.clone(),
        device: context.info.name.clone(),
        kernel: kernel.to_owned(),
        location: rejection.line.map_or_else(|| "no line known".to_owned(), |line| rust_line(source, line)),
        message: rejection.message,
    })
}

fn capabilities(options: &WgslOptions) -> Capabilities {
    let mut capabilities = Capabilities::default();
    capabilities.set(Capabilities::SHADER_INT64, options.int64 == Int64::Native);
    capabilities.set(Capabilities::FLOAT64, options.float64);
    capabilities.set(Capabilities::SHADER_INT64_ATOMIC_MIN_MAX, options.int64_atomics);
    capabilities
}

/// Message of naga, and the line of WGSL that it names.
#[derive(Debug)]
struct Rejection {
    line: Option<u32>,
    message: String,
}

fn check(source: &WgslSource, capabilities: Capabilities) -> std::result::Result<(), Rejection> {
    let module = naga::front::wgsl::parse_str(&source.code).map_err(|error| Rejection {
        line: error.location(&source.code).map(|location| location.line_number),
        message: error.emit_to_string(&source.code),
    })?;
    Validator::new(ValidationFlags::all(), capabilities).validate(&module).map(drop).map_err(|error| Rejection {
        // Of the places that naga names (function, statement, expression), the narrowest.
        line: error
            .spans()
            .filter(|(span, _)| span.is_defined())
            .map(|(span, _)| span.location(&source.code))
            .min_by_key(|location| location.length)
            .map(|location| location.line_number),
        message: error.emit_to_string(&source.code),
    })
}

/// Finds the line in Rust from which a line of WGSL comes.
pub(super) fn rust_line(source: &WgslSource, wgsl_line: u32) -> String {
    let before = source.line_map.partition_point(|mapping| mapping.text_line <= wgsl_line);
    match before.checked_sub(1).and_then(|last| source.line_map.get(last)) {
        Some(mapping) => format!("{}:{}", mapping.file, mapping.line),
        None => format!("line {wgsl_line} of the generated text, before the first of the kernel"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_ir::launch::LaunchLayout;
    use imminent_lowering::wgsl::{LineMapping, Requires};

    fn source(code: &str) -> WgslSource {
        let mapping = |text_line, line| LineMapping { text_line, file: "model.rs".to_owned(), line };
        WgslSource {
            code: code.to_owned(),
            entry: "main",
            workgroup_size: 256,
            line_map: vec![mapping(2, 10), mapping(4, 12)],
            bindings: vec![],
            launch: LaunchLayout::default(),
            shared: Vec::new(),
            results: None,
            shared_bytes: 0,
            requires: Requires::default(),
        }
    }

    #[test]
    fn lines_are_traced_back_to_the_kernel() {
        let source = source("");
        assert_eq!(rust_line(&source, 3), "model.rs:10");
        assert_eq!(rust_line(&source, 4), "model.rs:12");
        assert_eq!(rust_line(&source, 400), "model.rs:12");
        assert!(rust_line(&source, 1).contains("before the first"));
    }

    #[test]
    fn a_rejected_text_gives_its_line_and_what_naga_says() {
        let rejection =
            check(&source("fn f() -> u32 {\n\n\n return nothing;\n}\n"), Capabilities::default()).unwrap_err();
        assert_eq!(rejection.line, Some(4));
        assert!(rejection.message.contains("return nothing"), "{}", rejection.message);
        let rejection = check(&source("fn f() -> u64 {\n return 1lu;\n}\n"), Capabilities::default()).unwrap_err();
        assert!(rejection.message.contains("64"), "{}", rejection.message);
        assert!(check(&source("fn f() -> u64 {\n return 1lu;\n}\n"), capabilities(&native())).is_ok());
    }

    fn native() -> WgslOptions {
        WgslOptions { int64: Int64::Native, ..WgslOptions::default() }
    }
}
