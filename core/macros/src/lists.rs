//! Kernel modules over a list of types: `#[kernels(Real = [f32, f64])]`.
//!
//! The module is expanded once for each type, into a module of the type's name inside the user's. Everything is done on
//! tokens: the name of the list becomes the type before the items are parsed, and paths that begin with `super` lead
//! one module further out after they are written.

use crate::ty::scalar_named;
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Token, bracketed};

/// A list of types, and the name that stands for each of them in turn.
#[derive(Clone, Debug)]
pub(crate) struct TypeList {
    pub(crate) name: Ident,
    pub(crate) entries: Vec<Entry>,
}

/// A type of a list: `f32`, or `f32 as single`.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) ty: Ident,
    /// Name of the module for this type.
    pub(crate) module: Ident,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ty: Ident = input.parse()?;
        if scalar_named(&ty.to_string()).is_none() {
            let message = format!(
                "`{ty}` is not a scalar of the kernel language: a list holds bool, u32, i32, u64, i64, f32 and f64"
            );
            return Err(syn::Error::new(ty.span(), message));
        }
        let module = if input.parse::<Option<Token![as]>>()?.is_some() { input.parse()? } else { ty.clone() };
        Ok(Entry { ty, module })
    }
}

impl Parse for TypeList {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        if scalar_named(&name.to_string()).is_some() {
            let message = format!("`{name}` is a type already: name the list otherwise, as in `Real = [f32, f64]`");
            return Err(syn::Error::new(name.span(), message));
        }
        let _: Token![=] = input.parse()?;
        if !input.peek(syn::token::Bracket) {
            return Err(input.error(format!("write the types in brackets, as in `{name} = [f32, f64]`")));
        }
        let content;
        let bracket = bracketed!(content in input);
        let entries: Vec<Entry> = Punctuated::<Entry, Token![,]>::parse_terminated(&content)?.into_iter().collect();
        if entries.is_empty() {
            return Err(syn::Error::new(bracket.span.join(), "a list holds at least one type"));
        }
        for (position, entry) in entries.iter().enumerate() {
            if entries[..position].iter().any(|earlier| earlier.module == entry.module) {
                let message = format!(
                    "there would be two modules `{0}`: leave one type out, or name its module, as in `{1} as other`",
                    entry.module, entry.ty
                );
                return Err(syn::Error::new(entry.module.span(), message));
            }
        }
        Ok(TypeList { name, entries })
    }
}

impl ToTokens for TypeList {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = &self.name;
        let entries = self.entries.iter().map(|Entry { ty, module }| quote!(#ty as #module));
        tokens.extend(quote!(#name = [#(#entries),*]));
    }
}

impl TypeList {
    /// Returns the tokens for one type: the name of the list is the type, and inside a path the module of the type.
    pub(crate) fn substitute(&self, tokens: TokenStream, entry: &Entry) -> TokenStream {
        let mut before = Path::default();
        let mut tokens = tokens.into_iter().peekable();
        let mut done = TokenStream::new();
        while let Some(token) = tokens.next() {
            let inside = before.is_inside();
            before.step(&token);
            done.extend([match token {
                TokenTree::Ident(ident) if ident == self.name => {
                    let mut ahead = tokens.clone().skip(2);
                    let of_std = matches!(ahead.next(), Some(TokenTree::Ident(next)) if next == "consts");
                    let new = if inside && !of_std { &entry.module } else { &entry.ty };
                    TokenTree::Ident(Ident::new(&new.to_string(), ident.span()))
                }
                TokenTree::Group(group) => regroup(&group, group.delimiter(), self.substitute(group.stream(), entry)),
                other => other,
            }]);
        }
        done
    }
}

/// Returns tokens of a module moved into a module inside it: `super::x` becomes `super::super::x`.
pub(crate) fn move_inside(tokens: TokenStream) -> TokenStream {
    let mut before = Path::default();
    let mut done = TokenStream::new();
    let mut is_visibility = false;
    for token in tokens {
        let inside = before.is_inside();
        before.step(&token);
        let was_visibility =
            std::mem::replace(&mut is_visibility, matches!(&token, TokenTree::Ident(ident) if ident == "pub"));
        match token {
            TokenTree::Ident(ident) if ident == "super" && !inside => {
                done.extend(quote_spanned! { ident.span() => super::#ident });
            }
            TokenTree::Group(group) => {
                let is_super = group.stream().to_string() == "super";
                let mut stream = move_inside(group.stream());
                if was_visibility && is_super && group.delimiter() == Delimiter::Parenthesis {
                    stream = quote_spanned! { group.span() => in #stream };
                }
                done.extend([regroup(&group, group.delimiter(), stream)]);
            }
            other => done.extend([other]),
        }
    }
    done
}

fn regroup(group: &Group, delimiter: Delimiter, stream: TokenStream) -> TokenTree {
    let mut new = Group::new(delimiter, stream);
    new.set_span(group.span());
    TokenTree::Group(new)
}

/// Position in a path: the tokens before the next one.
#[derive(Default)]
struct Path {
    colons: u8,
}

impl Path {
    fn step(&mut self, token: &TokenTree) {
        let is_colon =
            |punct: &Punct| punct.as_char() == ':' && (self.colons == 1 || punct.spacing() == Spacing::Joint);
        self.colons = match token {
            TokenTree::Punct(punct) if is_colon(punct) => self.colons % 2 + 1,
            _ => 0,
        };
    }

    /// Returns `true` if the next token stands behind `::`.
    fn is_inside(&self) -> bool {
        self.colons == 2
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn list(source: &str) -> TypeList {
        syn::parse_str(source).unwrap()
    }

    fn text(tokens: TokenStream) -> String {
        tokens.to_string().replace(' ', "")
    }

    #[test]
    fn the_name_is_a_type_and_inside_a_path_a_module() {
        let list = list("Real = [f32 as single, f64]");
        let source = "use super::other::Real::{A, b}; fn f(x: [Real; 2]) -> Real { x[0] * (2.0 as Real) + Real::MAX + std::Real::consts::PI }";
        let substituted = |entry: usize| {
            let tokens = list.substitute(source.parse().unwrap(), &list.entries[entry]);
            text(tokens)
        };
        assert_eq!(
            substituted(0),
            text("use super::other::single::{A, b}; fn f(x: [f32; 2]) -> f32 { x[0] * (2.0 as f32) + f32::MAX + std::f32::consts::PI }".parse().unwrap())
        );
        assert!(substituted(1).contains("other::f64::{A,b}"));
    }

    #[test]
    fn paths_out_of_the_module_lead_one_further() {
        let moved = |source: &str| text(move_inside(source.parse().unwrap()));
        assert_eq!(moved("use super::a::B; use super::super::C;"), "usesuper::super::a::B;usesuper::super::super::C;");
        assert_eq!(
            moved("pub(super) fn f() { super::X + crate::super_::Y }"),
            text("pub(in super::super) fn f() { super::super::X + crate::super_::Y }".parse().unwrap())
        );
        assert_eq!(moved("pub(in super::a) struct S;"), "pub(insuper::super::a)structS;");
    }

    #[test]
    fn wrong_lists_are_refused() {
        for wrong in ["Real = []", "Real = [f32, f32]", "f32 = [f64]", "Real = [Vec]", "Real", "Real = f32"] {
            assert!(syn::parse_str::<TypeList>(wrong).is_err(), "{wrong}");
        }
    }
}
