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

/// Makes an inline module a kernel module. With a list of types, `#[kernels(Real = [f32, f64])]`, makes one for each.
///
/// A kernel is a function that runs once for each row of a table. It stays an ordinary function of Rust, which tests
/// can call. Its name is also a type, by which queues and programs launch it on any device.
///
/// ```
/// #[imminent_core::kernels]
/// mod shop {
///     #[derive(Row)]
///     pub struct Desk { pub waiting: u32, pub served: u32 }
///
///     /// Serves a customer, and counts the desks that still have some.
///     #[kernel(reduce = count)]
///     pub fn serve(me: &mut Desk) -> bool {
///         if me.waiting > 0 {
///             me.waiting -= 1;
///             me.served += 1;
///         }
///         me.waiting > 0
///     }
/// }
///
/// use shop::Desk;
/// let mut desk = Desk { waiting: 2, served: 0 };
/// assert!(shop::serve(&mut desk)); // a plain call
/// assert_eq!(desk, Desk { waiting: 1, served: 1 });
///
/// # use imminent_core::{Device, Result, Table};
/// # fn example(device: &Device) -> Result<()> {
/// let mut desks = Table::<Desk>::zeroed(device, 1_000)?;
/// let busy = device.queue().launch::<shop::serve>((&mut desks,))?; // on a device
/// assert_eq!(busy.read()?, 0);
/// # Ok(()) }
/// ```
///
/// The language is described in `docs/kernel-language.md`.
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
