//! Kernel modules that use other kernel modules.
//!
//! Every kernel module carries a macro, `__kernels_attribute!`, that holds the module's [`Export`](export::Export) as a
//! byte string. A module with `use path::to::other::Item;` first expands to a call of
//! `path::to::other::__kernels_attribute!` around itself. That call returns the module with the bytes in the
//! attribute's arguments, once for each module used. Then nothing is missing and the module is expanded.
//!
//! [Templates](template) come first. Their macros return the module with more items.

mod arguments;
mod export;
mod import;
mod needed;
pub(crate) mod needs;
mod remap;
mod signatures;
pub(crate) mod template;
mod uses;

pub(crate) use arguments::Arguments;
pub(crate) use export::{encode, macro_definition};
pub(crate) use uses::{UsedModule, collect};

use crate::roots::Root;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Name of the macro that every kernel module carries. rustc names it if a module has none: "could not find
/// `__kernels_attribute` in `plain`".
const EXPORT: &str = "__kernels_attribute";

/// Wraps the module in a call that fetches one more library.
pub(crate) fn fetch(module: &TokenStream, used: &UsedModule, arguments: &Arguments, root: &Root) -> TokenStream {
    arguments.call(&used.outside, Ident::new(EXPORT, used.span), module, root)
}

/// Returns the macro of a module that other modules call.
fn export_macro(unique: &Ident, bytes: &proc_macro2::Literal) -> TokenStream {
    let name = Ident::new(EXPORT, proc_macro2::Span::call_site());
    quote! {
        #[doc(hidden)]
        #[macro_export]
        #[allow(unused_macros)]
        macro_rules! #unique {
            ([$($attribute:tt)*] [$($done:tt)*] { $($module:tt)* }) => {
                #[$($attribute)* ($($done)* #bytes)]
                $($module)*
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub use #unique as #name;
    }
}
