//! The modules that one `#[kernels]` attribute makes: the user's, or one for each type of a list.

use crate::compose::{self, UsedModule};
use crate::diagnostics::Errors;
use crate::lists::{Entry, TypeList};
use crate::syntax::plain;
use proc_macro2::{TokenStream, TokenTree};
use syn::Item;

/// A kernel module to be expanded: the user's, or the user's for one type of a list.
pub(crate) struct Instance {
    pub(crate) module: syn::ItemMod,
    /// Name for people, and a part of every origin.
    pub(crate) name: String,
    /// The type for which it is made, as errors name it; empty without a list.
    pub(crate) of: String,
    pub(crate) used: Vec<UsedModule>,
}

impl Instance {
    pub(crate) fn new(module: syn::ItemMod, name: String, of: String) -> syn::Result<Self> {
        let errors = Errors::default();
        let used =
            module.content.as_ref().map(|(_, items)| compose::collect(items, &errors)).unwrap_or_default().modules;
        match errors.into_combined() {
            Some(error) => Err(error),
            None => Ok(Instance { module, name, of, used }),
        }
    }

    /// Returns the module for each type of a list.
    pub(crate) fn of_list(module: &syn::ItemMod, list: &TypeList, item: &TokenStream) -> syn::Result<Vec<Self>> {
        for item in module.content.iter().flat_map(|(_, items)| items) {
            let defined = match item {
                Item::Struct(item) => &item.ident,
                Item::Enum(item) => &item.ident,
                Item::Const(item) => &item.ident,
                Item::Fn(item) => &item.sig.ident,
                _ => continue,
            };
            if *defined == list.name {
                let message = format!("`{defined}` stands for the types of this module: give the item another name");
                return Err(syn::Error::new(defined.span(), message));
            }
        }
        let Some(TokenTree::Group(body)) = item.clone().into_iter().last() else {
            return Instance::new(module.clone(), plain(&module.ident), String::new()).map(|instance| vec![instance]);
        };
        let of_type = |entry: &Entry| {
            let (outer, inner) = (&module.ident, &entry.module);
            let doc = format!("The kernel module `{outer}` for `{}`.", entry.ty);
            let body = list.substitute(body.stream(), entry);
            let module = syn::parse2(quote::quote! {
                #[doc = #doc]
                #[allow(trivial_numeric_casts, clippy::unnecessary_cast, reason = "a cast may be one to the same type")]
                pub mod #inner { #body }
            })?;
            let of = format!("where `{}` is `{}`", list.name, entry.ty);
            Instance::new(module, format!("{}::{}", plain(outer), plain(inner)), of)
        };
        list.entries.iter().map(of_type).collect()
    }
}
