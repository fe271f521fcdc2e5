//! Output of the module that replaces the user's module.

mod bundles;
mod columns;
pub(crate) mod kernels;
mod lifetimes;
mod structs;

use crate::items::derives;
use crate::notes::Notes;
use crate::program::{Program, TypeEntry, TypeKey};
use crate::roots::Root;
use crate::syntax::plain;
use crate::ty::Ty;
use imminent_ir::StructId;
use kernels::KernelItem;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::HashMap;
use syn::{Attribute, ImplItem, Item, parse_quote};

/// Facts about the checked program that the emission needs.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) encoded: Vec<u8>,
    /// Export for other modules.
    pub(crate) export: Vec<u8>,
    /// Name of the module for people.
    pub(crate) name: String,
    pub(crate) origin: String,
    pub(crate) kernels: Vec<KernelItem>,
    /// Values of constants that the surrounding crate provides, and their list.
    pub(crate) outside: (TokenStream, TokenStream),
    pub(crate) notes: Notes,
    /// `true` if the bodies have errors: then they are omitted.
    pub(crate) broken: bool,
    /// Names of groups that the module does not use for its own types.
    pub(crate) group_names: Vec<&'static str>,
    /// For each bundle of the module: the lifetimes inside its fields, and the arguments of a launch for it.
    pub(crate) bundles: HashMap<String, (Vec<Option<syn::Lifetime>>, TokenStream)>,
    /// For each struct of the module: its number in the IR, and the traits of its columns and of its result.
    pub(crate) structs: HashMap<String, (StructId, TokenStream)>,
}

/// Collects the structs of the module while the program still exists.
pub(crate) fn structs(
    program: &Program<'_>,
    items: &[Item],
    kernels: &[KernelItem],
    root: &Root,
) -> HashMap<String, (StructId, TokenStream)> {
    let returned = |id: StructId| {
        kernels.iter().any(|kernel| program.signatures[kernel.function.index()].result == Ty::Struct(id))
    };
    let mut structs = HashMap::new();
    for item in items {
        let Item::Struct(item) = item else { continue };
        let name = plain(&item.ident);
        if let Some(TypeEntry::Known(TypeKey::Struct(id))) = program.types.get(&name) {
            let is_row = program.role(*id) == imminent_ir::StructRole::Row;
            let mut extra = if is_row { columns::emit(item, *id, program, root) } else { TokenStream::new() };
            extra.extend(structs::output_impl(item, *id, program, root));
            extra.extend(returned(*id).then(|| columns::of_result(item, *id, program, root)));
            structs.insert(name, (*id, extra));
        }
    }
    structs
}

/// Collects the bundles of the module while the program still exists.
pub(crate) fn bundles(
    program: &Program<'_>,
    items: &[Item],
    root: &Root,
) -> HashMap<String, (Vec<Option<syn::Lifetime>>, TokenStream)> {
    let mut bundles = HashMap::new();
    for item in items {
        let Item::Struct(item) = item else { continue };
        let name = plain(&item.ident);
        if let Some(TypeEntry::Known(TypeKey::Bundle(id))) = program.types.get(&name) {
            let inner = lifetimes::inner(&program.bundles[id.index()]);
            let arguments = bundles::emit(item, *id, program, root);
            bundles.insert(name, (inner, arguments));
        }
    }
    bundles
}

/// Rewrites the items in place and writes the module.
pub(crate) fn module(mut item: syn::ItemMod, checked: Checked, root: &Root) -> TokenStream {
    let Some((brace, items)) = item.content.take() else { return TokenStream::new() };
    let mut items = items;
    let mut extra = TokenStream::new();
    for inner in &mut items {
        match inner {
            Item::Struct(inner) => {
                let role = derives::role(&inner.attrs);
                if let Some((lifetimes, arguments)) = checked.bundles.get(&plain(&inner.ident)) {
                    extra.extend(arguments.clone());
                    bundles::complete(inner, lifetimes);
                } else if let Some((id, columns)) = checked.structs.get(&plain(&inner.ident)) {
                    extra.extend(columns.clone());
                    extra.extend(structs::emit_struct(inner, role, id.0, root));
                }
            }
            Item::Enum(inner) => extra.extend(structs::emit_enum(inner, root)),
            Item::Fn(inner) => {
                body(&mut inner.block, &mut inner.attrs, &checked, root);
            }
            Item::Impl(inner) => {
                if let syn::Type::Path(path) = &*inner.self_ty
                    && let Some((lifetimes, _)) =
                        path.path.get_ident().and_then(|name| checked.bundles.get(&plain(name)))
                {
                    bundles::complete_impl(inner, lifetimes);
                }
                for member in &mut inner.items {
                    if let ImplItem::Fn(function) = member {
                        body(&mut function.block, &mut function.attrs, &checked, root);
                    }
                }
            }
            _ => {}
        }
    }
    let kernels = checked.kernels.iter().enumerate().map(|(index, kernel)| kernels::emit(kernel, index as u32, root));
    let entries = checked.kernels.iter().map(|kernel| {
        let (name, entry) = (plain(&kernel.name), kernels::entry_name(&kernel.name));
        quote!((#name, #entry))
    });
    let name = &checked.name;
    let bytes = Literal::byte_string(&checked.encoded);
    let (attrs, vis, mod_token, ident) = (&item.attrs, &item.vis, &item.mod_token, &item.ident);
    let _ = brace;
    let lints =
        if checked.broken { quote!(unreachable_pub, unused_imports, dead_code) } else { quote!(unreachable_pub) };
    let group_names =
        checked.group_names.iter().map(|name| proc_macro2::Ident::new(name, proc_macro2::Span::call_site()));
    let (outside_values, outside_list) = &checked.outside;
    let exports = crate::compose::macro_definition(ident, &checked.origin, &checked.export);
    quote! {
        #(#attrs)*
        #[allow(#lints)]
        #vis #mod_token #ident {
            #[allow(unused_imports)]
            use #root::data::{Lanes, Rows, Tally #(, #group_names)*};
            #[allow(unused_imports)]
            use #root::lang::mul_high;

            #(#items)*

            #extra

            #(#kernels)*

            #outside_values

            #[doc(hidden)]
            pub static __MODULE: #root::kernel::ModuleSource =
                #root::kernel::ModuleSource::with_outside(#name, #bytes, &[#(#entries),*], &[#outside_list]);

            /// Kernel module as data: its IR, and the native entries of its kernels.
            #[must_use]
            #[allow(dead_code, reason = "which modules are looked at as data is the model's choice")]
            pub fn source() -> &'static #root::kernel::ModuleSource {
                &__MODULE
            }

            #exports
        }
    }
}

/// Attributes of functions that only the macro knows.
const OWN_ATTRIBUTES: [&str; 2] = ["kernel", "unordered"];

/// Rewrites a body, or omits it.
fn body(block: &mut syn::Block, attrs: &mut Vec<Attribute>, checked: &Checked, root: &Root) {
    if checked.broken {
        *block = parse_quote!({ loop {} });
        attrs.push(parse_quote!(#[allow(unused_variables, unused_mut, clippy::empty_loop)]));
    } else {
        crate::native::function(block, &checked.notes, root);
        attrs.push(quiet());
        // Helper functions are small and are called from kernels of other crates.
        if !attrs.iter().any(|attr| attr.path().is_ident("inline") || derives::is_named(attr.path(), "kernel")) {
            attrs.push(parse_quote!(#[inline]));
        }
    }
    attrs.retain(|attr| !OWN_ATTRIBUTES.iter().any(|name| derives::is_named(attr.path(), name)));
}

/// Returns the attribute against lints that the rewritten form would trigger although the user's does not.
fn quiet() -> Attribute {
    parse_quote! {
        #[allow(
            elided_lifetimes_in_paths,
            unused_parens,
            unused_braces,
            clippy::too_many_arguments,
            clippy::double_parens,
            clippy::needless_borrow,
            clippy::blocks_in_conditions,
            clippy::let_and_return,
            clippy::let_unit_value,
            clippy::match_single_binding,
            clippy::toplevel_ref_arg,
            clippy::cast_lossless,
            clippy::collapsible_if
        )]
    }
}
