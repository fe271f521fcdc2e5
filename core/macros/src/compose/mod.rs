//! Kernel modules that use other kernel modules.
//!
//! Every kernel module carries a macro, `__kernels_attribute!`, that holds the module's [`Export`](export::Export) as a
//! byte string. A module with `use path::to::other::Item;` first expands to a call of
//! `path::to::other::__kernels_attribute!` around itself. That call returns the module with the bytes in the
//! attribute's arguments, once for each module used. Then nothing is missing and the module is expanded.

mod export;
mod import;
mod needed;
mod remap;
mod signatures;
mod uses;

pub(crate) use export::{encode, macro_definition};
pub(crate) use uses::{UsedModule, collect};

use crate::lists::TypeList;
use crate::roots::Root;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{LitByteStr, Token};

/// First word of the attribute's arguments that carry libraries.
const LIBRARIES: &str = "__imminent_libraries";
/// Name of the macro that every kernel module carries. rustc names it if a module has none: "could not find
/// `__kernels_attribute` in `plain`".
const EXPORT: &str = "__kernels_attribute";

/// Arguments of `#[kernels]`: perhaps a list of types from the user, and libraries from an earlier stage.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) list: Option<TypeList>,
    pub(crate) libraries: Vec<LitByteStr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Arguments::default();
        if input.is_empty() {
            return Ok(arguments);
        }
        let wrong = "`#[kernels]` takes a list of types at most, as in `#[kernels(Real = [f32, f64])]`";
        if input.peek(syn::Ident) && input.peek2(Token![=]) {
            arguments.list = Some(input.parse()?);
            input.parse::<Option<Token![,]>>()?;
        }
        if input.is_empty() {
            return Ok(arguments);
        }
        let word: Ident = input.parse().map_err(|_| input.error(wrong))?;
        if word != LIBRARIES {
            return Err(syn::Error::new(word.span(), wrong));
        }
        while !input.is_empty() {
            arguments.libraries.push(input.parse()?);
        }
        Ok(arguments)
    }
}

/// Wraps the module in a call that fetches one more library.
pub(crate) fn fetch(module: &TokenStream, used: &UsedModule, arguments: &Arguments, root: &Root) -> TokenStream {
    let Arguments { list, libraries: done } = arguments;
    let path = &used.outside;
    let name = Ident::new(EXPORT, used.span);
    let word = Ident::new(LIBRARIES, used.span);
    quote_spanned! { used.span => #path::#name! { [#root::kernels] [#list #word #(#done)*] { #module } } }
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
