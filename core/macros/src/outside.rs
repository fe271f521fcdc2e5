//! Constants whose values the surrounding crate provides.
//!
//! The macro runs before any constant has a value. `use super::WIDTH;`, `super::WIDTH` in a body, and
//! `const WIDTH: u32 = super::WIDTH;` therefore become constants of the IR that hold zero. rustc evaluates them in the
//! module's static data, and `ModuleSource` inserts their values when it reads the IR.
//!
//! The macro cannot see the type of a name from a `use` item: each use takes the type that its context requires, and
//! rustc checks that it is the right one.

use crate::syntax::plain;
use crate::ty::scalar_named;
use imminent_ir::{ConstId, FieldType, Module, Scalar, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::{HashMap, HashSet};

/// Source of a constant's value.
#[derive(Clone, Debug)]
pub(crate) enum Initializer {
    /// An expression, evaluated inside this module.
    Expr(TokenStream),
    /// The constant with that number in another kernel module.
    Imported(syn::Path, usize),
}

/// Constants of a module whose values are provided outside.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Names brought in by `use`.
    pub(crate) names: HashSet<String>,
    /// All constants, in the order in which other modules count them.
    pub(crate) consts: Vec<(ConstId, Initializer)>,
    /// Expressions in bodies, by their text and type.
    pub(crate) used: HashMap<(String, Type), ConstId>,
}

impl Outside {
    /// Returns `true` if the macro does not know the value of a constant.
    pub(crate) fn has(&self, id: ConstId) -> bool {
        self.consts.iter().any(|(known, _)| *known == id)
    }

    pub(crate) fn add(&mut self, id: ConstId, source: Initializer) {
        if !self.has(id) {
            self.consts.push((id, source));
        }
    }
}

/// Returns `true` if a name is written as constants are.
pub(crate) fn is_constant_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// Returns `true` if a path leads out of the kernel module, so that only rustc can follow it.
pub(crate) fn leads_outside(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        [] | [_] | ["self" | "Self", ..] => false,
        [.., "f32" | "f64", "consts", _] => false,
        _ if path.leading_colon.is_some() => true,
        [first, _] => {
            scalar_named(first).is_none() && first.chars().next().is_some_and(char::is_lowercase)
                || *first == "super"
                || *first == "crate"
        }
        _ => true,
    }
}

/// Returns the name under which other kernel modules find a value.
fn value_name(number: usize) -> Ident {
    format_ident!("__OUTSIDE_{}", number, span = Span::call_site())
}

/// Returns the values of each constant as words, and the list of them all.
pub(crate) fn emit(module: &Module, outside: &Outside) -> (TokenStream, TokenStream) {
    let (mut items, mut list) = (TokenStream::new(), TokenStream::new());
    for (number, (id, source)) in outside.consts.iter().enumerate() {
        let Some(def) = module.consts.get(id.index()) else { continue };
        let name = value_name(number);
        let count = scalars(module, &def.ty);
        let value = match source {
            Initializer::Imported(path, number) => {
                let other = value_name(*number);
                quote!(#path::#other)
            }
            Initializer::Expr(expr) => {
                let annotation = annotation(&def.ty);
                let store = store(module, &def.ty, &quote!(__value), 0);
                quote! {{
                    let __value #annotation = #expr;
                    let mut __words = [0u64; #count];
                    let mut __at = 0usize;
                    #store
                    let _ = __at;
                    __words
                }}
            }
        };
        items.extend(quote! {
            #[doc(hidden)]
            #[allow(trivial_numeric_casts, unused_assignments, clippy::unnecessary_cast, clippy::cast_lossless)]
            pub const #name: [u64; #count] = #value;
        });
        let id = id.0;
        list.extend(quote!((#id, &#name),));
    }
    (items, list)
}

/// Returns the type of a value if its name is unambiguous: rustc then reports a constant of another type.
fn annotation(ty: &Type) -> TokenStream {
    named(ty).map_or_else(TokenStream::new, |ty| quote!(: #ty))
}

fn named(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Scalar(scalar) => {
            let name = Ident::new(scalar.name(), Span::call_site());
            Some(quote!(#name))
        }
        Type::Array(element, count) => {
            let (element, count) = (named(element)?, *count as usize);
            Some(quote!([#element; #count]))
        }
        _ => None,
    }
}

fn scalars(module: &Module, ty: &Type) -> usize {
    match ty {
        Type::Unit => 0,
        Type::Scalar(_) | Type::Enum(_) => 1,
        Type::Array(element, count) => scalars(module, element) * *count as usize,
        Type::Struct(id) => fields(module, id.index()).map(|(_, ty)| scalars(module, ty)).sum(),
    }
}

fn fields(module: &Module, id: usize) -> impl Iterator<Item = (&str, &Type)> {
    let fields = module.structs.get(id).map_or(&[][..], |def| def.fields.as_slice());
    fields.iter().filter_map(|field| match &field.ty {
        FieldType::Value(ty) => Some((field.name.as_str(), ty)),
        FieldType::Lanes(_) => None,
    })
}

/// Returns statements that append the scalars of a place to the words.
fn store(module: &Module, ty: &Type, place: &TokenStream, depth: usize) -> TokenStream {
    let word = match ty {
        Type::Unit => return TokenStream::new(),
        Type::Array(element, count) => {
            let index = format_ident!("__i{}", depth, span = Span::call_site());
            let inner = store(module, element, &quote!(#place[#index]), depth + 1);
            let count = *count as usize;
            return quote! {
                let mut #index = 0usize;
                while #index < #count {
                    #inner
                    #index += 1;
                }
            };
        }
        Type::Struct(id) => {
            return fields(module, id.index())
                .map(|(name, ty)| {
                    let name =
                        syn::parse_str::<Ident>(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()));
                    store(module, ty, &quote!(#place.#name), depth)
                })
                .collect();
        }
        Type::Scalar(Scalar::F32 | Scalar::F64) => quote!(#place.to_bits() as u64),
        Type::Enum(_) => quote!(#place as u32 as u64),
        Type::Scalar(_) => quote!(#place as u64),
    };
    quote! {
        __words[__at] = #word;
        __at += 1;
    }
}
