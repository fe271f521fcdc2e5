//! Pipeline from the user's module to its expansion.

use crate::check;
use crate::compose::{self, UsedModule};
use crate::diagnostics::{Errors, Reported};
use crate::emit::{self, Checked, kernels::KernelItem};
use crate::instances::Instance;
use crate::items::derives;
use crate::lower;
use crate::program::Program;
use crate::roots::Root;
use crate::syntax::plain;
use imminent_ir::{Kernel, Module};
use proc_macro2::{Span, TokenStream};
use syn::Item;

/// Expands `#[kernels]`.
pub(crate) fn kernels(attribute: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let mut arguments: compose::Arguments = syn::parse2(attribute)?;
    let module: syn::ItemMod = syn::parse2(item.clone()).map_err(|_| {
        syn::Error::new(Span::call_site(), "`#[kernels]` sits on an inline module: `#[kernels] mod name { .. }`")
    })?;
    if arguments.is_template {
        return compose::template::expand(&module);
    }
    compose::needs::check(&arguments.needs, &module)?;
    let root = Root::find().map_err(|message| syn::Error::new(Span::call_site(), message))?;
    if !arguments.templates.is_empty() {
        return Ok(compose::template::include(&item, &mut arguments, &root));
    }
    let instances = match &arguments.list {
        None => vec![Instance::new(module.clone(), plain(&module.ident), String::new())?],
        Some(list) => Instance::of_list(&module, list, &item)?,
    };
    let mut used: Vec<&UsedModule> = Vec::new();
    for one in instances.iter().flat_map(|instance| &instance.used) {
        if !used.iter().any(|known| known.is(one)) {
            used.push(one);
        }
    }
    if let Some(missing) = used.get(arguments.libraries.len()) {
        return Ok(compose::fetch(&item, missing, &arguments, &root));
    }
    let bytes: Vec<Vec<u8>> = arguments.libraries.iter().map(syn::LitByteStr::value).collect();
    let library = |one: &UsedModule| {
        let position = used.iter().position(|known| known.is(one))?;
        Some((one.clone(), bytes.get(position)?.clone()))
    };
    let of_instance = |instance: &Instance| instance.used.iter().filter_map(library).collect();
    let libraries: Vec<Vec<(UsedModule, Vec<u8>)>> = instances.iter().map(of_instance).collect();
    let mut reported = Reported::default();
    let mut modules = Vec::new();
    for (Instance { module, name, of, .. }, libraries) in instances.into_iter().zip(&libraries) {
        match analyse(module, &name, libraries, &root) {
            Ok((module, checked, error)) => {
                reported.add(&of, error);
                modules.push(emit::module(module, checked, &root));
            }
            Err(error) => reported.add(&of, Some(error)),
        }
    }
    let errors = reported.into_compile_errors();
    if arguments.list.is_none() {
        return Ok(quote::quote!(#errors #(#modules)*));
    }
    let syn::ItemMod { attrs, vis, mod_token, ident, .. } = module;
    let modules = modules.into_iter().map(crate::lists::move_inside);
    Ok(quote::quote!(#errors #(#attrs)* #vis #mod_token #ident { #(#modules)* }))
}

/// Returns package and module: the start of every origin.
fn origin(module: &syn::ItemMod, name: &str) -> String {
    let package = std::env::var("CARGO_CRATE_NAME").or_else(|_| std::env::var("CARGO_PKG_NAME")).unwrap_or_default();
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    // Two modules of one crate may have the same name: their position distinguishes them.
    let at = crate::source::position(module.ident.span());
    let mut hash: u32 = 0x811c_9dc5;
    for byte in format!("{}:{}:{}", at.file, at.line, at.column).bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    format!("{package}@{version}::{name}~{hash:08x}")
}

/// Checks and lowers a module; an error with it means that its bodies are wrong. The returned module is ready for
/// rewriting: unmoved in memory, so that notes stay valid.
pub(crate) fn analyse(
    mut module: syn::ItemMod,
    name: &str,
    libraries: &[(UsedModule, Vec<u8>)],
    root: &Root,
) -> syn::Result<(syn::ItemMod, Checked, Option<syn::Error>)> {
    let Some((_, items)) = &mut module.content else {
        return Err(syn::Error::new_spanned(
            &module.ident,
            "`#[kernels]` must see the module's items: write it inline, `mod name { .. }`, not in a file of its own",
        ));
    };
    crate::operators::to_kernels(items)?;
    let mut texts = crate::texts::Texts::default();
    crate::assertions::to_calls(items, &mut texts);
    texts.collect(items);
    let errors = Errors::default();
    let file = crate::source::position(module.ident.span()).file;
    let mut program = Program::new(&errors, name.to_owned(), file, origin(&module, name));
    let Some((_, items)) = &module.content else { return Ok((module, Checked::default(), None)) };
    program.notes.texts = texts;
    program.outside.names = compose::collect(items, &Errors::default()).constants;
    for (used, bytes) in libraries {
        program.import(used, bytes);
    }
    let outcome = run(&mut program, items, root);
    drop(program);
    match (outcome, errors.into_combined()) {
        (Some(checked), error) => Ok((module, checked, error)),
        (None, Some(error)) => Err(error),
        (None, None) => Ok((module, Checked::default(), None)),
    }
}

/// Checks and lowers; `None` if the declarations are wrong. If only bodies are wrong, the module's declarations are
/// still emitted, so that one error does not cause many in the code around it.
fn run<'a>(program: &mut Program<'a>, items: &'a [Item], root: &Root) -> Option<Checked> {
    program.collect(items);
    let mut kernels: Vec<KernelItem> = Vec::new();
    let mut kernel_functions = Vec::new();
    for item in items {
        let Item::Fn(item) = item else { continue };
        let Some(attr) = derives::kernel(&item.attrs, program) else { continue };
        let Some(id) = program.function_names.get(&plain(&item.sig.ident)).copied() else { continue };
        kernel_functions.push(id);
        kernels.extend(emit::kernels::check(program, item, id, &attr, root));
    }
    for function in &program.functions {
        if !kernel_functions.contains(&function.id) {
            emit::kernels::reject_groups(program, function.id);
        }
    }
    let declared = program.errors.count() == 0;
    let mut bodies = Vec::new();
    for item in program.functions.clone() {
        bodies.push((item.id, check::function(program, &item)));
    }
    if program.check_recursion() {
        for kernel in &kernels {
            program.check_tallies(kernel.function);
            if !matches!(kernel.shape, imminent_ir::Shape::Tile(..)) {
                program.check_grid(kernel.function);
            }
        }
    }
    if !declared {
        return None;
    }
    let broken = program.errors.count() > 0;
    if broken {
        bodies.clear();
    }
    for (id, checked) in bodies {
        let Some((body, infer)) = checked else { continue };
        let result = program.signatures[id.index()].result.clone();
        let (locals, block) = lower::function(program, &infer, &body, id, &result);
        let function = &mut program.module.functions[id.index()];
        function.locals = locals;
        function.body = block;
    }
    program.module.kernels = kernels
        .iter()
        .map(|kernel| Kernel {
            name: plain(&kernel.name),
            function: kernel.function,
            reduce: kernel.reduce.iter().map(|(reduce, _)| *reduce).collect(),
            shape: kernel.shape,
        })
        .collect();
    let encoded = encode(&program.module, program.errors);
    let structs = emit::structs(program, items, &kernels, root);
    let bundles = emit::bundles(program, items, root);
    let export = match compose::encode(program) {
        Ok(bytes) => bytes,
        Err(error) => {
            program.errors.at(Span::call_site(), format!("the module cannot be encoded: {error}"));
            Vec::new()
        }
    };
    let outside = crate::outside::emit(&program.module, &program.outside);
    let (name, origin) = (program.module.name.clone(), program.origin.clone());
    let notes = std::mem::take(&mut program.notes);
    let group_names = ["Clock", "Each", "Group", "History", "Lane"]
        .into_iter()
        .filter(|name| !program.types.contains_key(*name))
        .collect();
    Some(Checked { encoded, export, name, origin, kernels, outside, notes, bundles, structs, broken, group_names })
}

fn encode(module: &Module, errors: &Errors) -> Vec<u8> {
    match module.encode() {
        Ok(bytes) => bytes,
        Err(error) => {
            errors.at(Span::call_site(), format!("the module cannot be encoded: {error}"));
            Vec::new()
        }
    }
}
