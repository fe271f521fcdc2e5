//! The `#[kernels]` attribute of Imminent.
//!
//! The attribute stands on an inline module and sees everything in it. The module is parsed (`items`), type-checked
//! into a typed tree (`check`, `hir`), lowered to the portable IR (`lower`) and rewritten, so that rustc compiles the
//! same total meaning (`native`); `emit` writes the result. Errors point at the user's tokens and suggest a substitute.

mod assertions;
mod check;
mod compose;
mod diagnostics;
mod emit;
mod expand;
mod graph;
mod hir;
mod instances;
mod items;
mod lists;
mod lower;
mod native;
mod notes;
mod operators;
mod outside;
mod program;
mod roots;
mod source;
mod syntax;
#[cfg(test)]
mod tests;
mod texts;
mod ty;
mod values;

use proc_macro::TokenStream;

/// Expands a kernel module: the procedural macro of `imminent_core::kernels`, which has the documentation.
#[proc_macro_attribute]
pub fn kernels(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernels(attribute.into(), item.into()).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Reports `#[derive(Row)]` outside a kernel module: an error that names its place.
#[proc_macro_derive(Row, attributes(row))]
pub fn row(item: TokenStream) -> TokenStream {
    misplaced("Row", item)
}

/// Reports `#[derive(Params)]` outside a kernel module: an error that names its place.
#[proc_macro_derive(Params)]
pub fn params(item: TokenStream) -> TokenStream {
    misplaced("Params", item)
}

/// Reports `#[derive(Bundle)]` outside a kernel module: an error that names its place.
#[proc_macro_derive(Bundle)]
pub fn bundle(item: TokenStream) -> TokenStream {
    misplaced("Bundle", item)
}

fn misplaced(derive: &str, item: TokenStream) -> TokenStream {
    let message = format!(
        "`#[derive({derive})]` has its meaning inside a kernel module: move the struct into `#[kernels] mod name {{ .. }}`"
    );
    let span =
        syn::parse::<syn::DeriveInput>(item).map_or_else(|_| proc_macro2::Span::call_site(), |item| item.ident.span());
    syn::Error::new(span, message).into_compile_error().into()
}
