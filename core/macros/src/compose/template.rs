//! Templates: kernel modules whose items become items of the modules that include them.
//!
//! A template is not checked by itself, since it uses names that only those modules declare. It expands to a macro that
//! adds its items to a module. So the items have the places of the template, and rustc and `#[kernels]` report errors
//! there.

use super::Arguments;
use super::export::unique_name;
use crate::roots::Root;
use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// Name of the macro that every template carries.
const TEMPLATE: &str = "__kernels_template";

/// Expands a template.
pub(crate) fn expand(module: &syn::ItemMod) -> syn::Result<TokenStream> {
    let Some((_, items)) = &module.content else {
        return Err(syn::Error::new_spanned(&module.ident, "a template is written inline, as `mod name { .. }`"));
    };
    let mut tokens = TokenStream::new();
    for item in items {
        tokens.extend(portable(item.to_token_stream())?);
    }
    let (attrs, vis, ident) = (&module.attrs, &module.vis, &module.ident);
    let unique = unique_name(ident, tokens.to_string().bytes());
    let name = Ident::new(TEMPLATE, Span::call_site());
    Ok(quote! {
        #(#attrs)*
        #vis mod #ident {
            #[doc(hidden)]
            #[macro_export]
            #[allow(unused_macros)]
            macro_rules! #unique {
                (
                    [$($attribute:tt)*] [$($done:tt)*]
                    { $(#[$($meta:tt)*])* $visibility:vis mod $name:ident { $($items:tt)* } }
                ) => {
                    #[$($attribute)* ($($done)*)]
                    $(#[$($meta)*])* $visibility mod $name { $($items)* #tokens }
                };
            }
            #[doc(hidden)]
            #[allow(unused_imports)]
            pub use #unique as #name;
        }
    })
}

/// Wraps a module in a call that adds the items of its first template.
pub(crate) fn include(module: &TokenStream, arguments: &mut Arguments, root: &Root) -> TokenStream {
    let path = arguments.templates.remove(0);
    let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    arguments.call(&path, Ident::new(TEMPLATE, span), module, root)
}

/// Replaces `crate::` by `$crate::`, so that paths lead into the crate of the template.
fn portable(tokens: TokenStream) -> syn::Result<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    for (position, token) in tokens.iter().enumerate() {
        let starts_path = matches!(tokens.get(position + 1), Some(TokenTree::Punct(next)) if next.as_char() == ':');
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), portable(group.stream())?);
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            TokenTree::Ident(word) if word == "crate" && starts_path => {
                out.extend([TokenTree::Punct(Punct::new('$', Spacing::Alone)), token.clone()]);
            }
            TokenTree::Ident(word) if word == "super" => {
                let text = "`super` would lead from the module that includes the template: begin the path with `crate`";
                return Err(syn::Error::new(word.span(), text));
            }
            _ => out.extend([token.clone()]),
        }
    }
    Ok(out)
}
