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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        EntityType, ExportKind, ExportSection, Function, ImportSection, NameMap, NameSection, TypeSection, ValType,
    };
    use wasmparser::Operator;

    #[test]
    fn functions_stand_by_name_and_what_refers_to_them_follows() {
        let (mut types, mut imports, mut functions) =
            (TypeSection::new(), ImportSection::new(), FunctionSection::new());
        types.ty().function([], [ValType::I32]);
        types.ty().function([ValType::I32], [ValType::I32]);
        imports.import("page", "imported", EntityType::Function(0));
        let (mut exports, mut code, mut known) = (ExportSection::new(), CodeSection::new(), NameMap::new());
        // Index 1 is `c`, 2 is `a`, which calls `c`, and 3 is `b`, which calls the imported function.
        for (index, name, ty, called) in [(1, "c", 1, None), (2, "a", 0, Some(1)), (3, "b", 0, Some(0))] {
            let mut body = Function::new([]);
            body.instructions().i32_const(7);
            if let Some(called) = called {
                if called == 0 {
                    body.instructions().drop();
                }
                body.instructions().call(called);
            }
            body.instructions().end();
            functions.function(ty);
            code.function(&body);
            known.append(index, name);
        }
        exports.export("run", ExportKind::Func, 2);
        let mut names = NameSection::new();
        names.functions(&known);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code).section(&names);
        let module = module.finish();
        wasmparser::validate(&module).unwrap();

        let ordered = by_name(&module).unwrap();
        wasmparser::validate(&ordered).unwrap();
        let (mut types, mut calls) = (Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(&ordered) {
            match payload.unwrap() {
                Payload::FunctionSection(section) => types = section.into_iter().map(Result::unwrap).collect(),
                Payload::ExportSection(section) => {
                    let exported: Vec<_> = section.into_iter().map(|export| export.unwrap().index).collect();
                    assert_eq!(exported, [1]);
                }
                Payload::CodeSectionEntry(body) => {
                    let operators = body.get_operators_reader().unwrap().into_iter().map(Result::unwrap);
                    calls.push(
                        operators
                            .filter_map(|operator| match operator {
                                Operator::Call { function_index } => Some(function_index),
                                _ => None,
                            })
                            .next(),
                    );
                }
                Payload::CustomSection(section) => panic!("{}", section.name()),
                _ => {}
            }
        }
        // `a` calls `c`, which is the last one now; `b` calls the imported function.
        assert_eq!((types, calls), (vec![0, 0, 1], vec![Some(3), Some(0), None]));
    }
}
