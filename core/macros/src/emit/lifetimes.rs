//! Lifetimes of bundles: one for all references, and one inside each field of a type that has its own.
//!
//! Several histories are changed through one bundle, and each may be borrowed for another time: they cannot share a
//! lifetime, since a mutable reference fixes that of what it refers to.

use crate::ty::{Bundle, Ty};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Lifetime;

/// Returns the lifetime inside each field of a bundle, if its type has one.
pub(super) fn inner(bundle: &Bundle) -> Vec<Option<Lifetime>> {
    let has_own = |ty: &Ty| matches!(ty.behind_reference(), Ty::History(_) | Ty::Each(_));
    let fields = bundle.fields.iter().enumerate();
    let named = |(position, (_, ty)): (usize, &(String, Ty))| {
        has_own(ty).then(|| Lifetime::new(&format!("'a{position}"), Span::call_site()))
    };
    fields.map(named).collect()
}

/// Returns the type of a bundle with `lifetime` in every place.
pub(super) fn applied(name: &impl ToTokens, inner: &[Option<Lifetime>], lifetime: &str) -> TokenStream {
    let lifetime = Lifetime::new(lifetime, Span::call_site());
    let more = inner.iter().flatten().map(|_| &lifetime);
    quote!(#name<#lifetime #(, #more)*>)
}
