//! Order of a module's functions.
//!
//! `wasm-bindgen` writes functions from the largest to the smallest. `gzip` sees repetitions within 32 KiB only, and a
//! generic function is compiled for each type of rows. Mangled names begin with the path and end with the types: in
//! their order such functions stand side by side.

use anyhow::{Context, Result};
use std::collections::HashMap;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionSectionReader, KnownCustom, Name, Parser, Payload, TypeRef,
};

/// Rewrites a module with its functions in the order of their names, and without custom sections.
pub fn by_name(module: &[u8]) -> Result<Vec<u8>> {
    let mut written = Module::new();
    Order::of(module)?.parse_core_module(&mut written, Parser::new(0), module)?;
    Ok(written.finish())
}

/// A new order of functions.
struct Order {
    /// Old places among the module's own functions, in their new order.
    own: Vec<usize>,
    /// New index of each function, the imported ones included.
    index: Vec<u32>,
}

impl Order {
    fn of(module: &[u8]) -> Result<Self> {
        let (mut imported, mut defined, mut names) = (0, 0, HashMap::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(section) => defined = section.count() as usize,
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(parts) = section.as_known() else { continue };
                    for part in parts {
                        let Name::Function(functions) = part? else { continue };
                        for function in functions {
                            let function = function?;
                            names.insert(function.index as usize, function.name);
                        }
                    }
                }
                _ => {}
            }
        }
        let mut own: Vec<_> = (0..defined).collect();
        own.sort_by_key(|own| (names.get(&(imported + own)), *own));
        let mut index: Vec<_> = (0..u32::try_from(imported + defined).context("too many functions")?).collect();
        for (new, old) in own.iter().enumerate() {
            index[imported + old] = (imported + new) as u32;
        }
        Ok(Self { own, index })
    }
}

impl Reencode for Order {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(self.index[function as usize])
    }

    fn parse_function_section(
        &mut self,
        written: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for &own in &self.own {
            written.function(types[own]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, written: &mut CodeSection, section: CodeSectionReader<'_>) -> Result<(), Error> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for place in 0..bodies.len() {
            self.parse_function_body(written, bodies[self.own[place]].clone())?;
        }
        Ok(())
    }

    fn parse_custom_section(&mut self, _: &mut Module, _: CustomSectionReader<'_>) -> Result<(), Error> {
        Ok(())
    }
}
