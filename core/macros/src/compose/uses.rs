//! The `use` items of a kernel module.

use crate::diagnostics::Errors;
use crate::items::plain;
use proc_macro2::{Ident, Span};
use syn::{Item, UseTree, parse_quote};

/// What is imported from a module.
#[derive(Clone, Debug)]
pub(crate) enum Imported {
    /// An item, under the name it gets here.
    Item(Ident, String),
    /// `*`.
    Everything,
}

/// A kernel module that this one uses.
#[derive(Clone, Debug)]
pub(crate) struct UsedModule {
    /// The path as seen from beside the using module.
    pub(crate) outside: syn::Path,
    pub(crate) span: Span,
    pub(crate) imported: Vec<Imported>,
    key: String,
}

/// The kernel modules used, each once.
pub(crate) fn collect(items: &[Item], errors: &Errors) -> Vec<UsedModule> {
    let mut found = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            walk(&item.tree, &mut Vec::new(), item.leading_colon.is_some(), errors, &mut found);
        }
    }
    found
}

fn walk(tree: &UseTree, path: &mut Vec<Ident>, rooted: bool, errors: &Errors, found: &mut Vec<UsedModule>) {
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.clone());
            walk(&step.tree, path, rooted, errors, found);
            path.pop();
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                walk(tree, path, rooted, errors, found);
            }
        }
        UseTree::Name(name) if name.ident == "self" => {
            errors.at(name.ident.span(), "a kernel module is not a name of its own inside another: import its items");
        }
        UseTree::Name(name) => {
            add(path, rooted, name.ident.span(), Imported::Item(name.ident.clone(), plain(&name.ident)), errors, found)
        }
        UseTree::Rename(rename) => {
            let imported = Imported::Item(rename.ident.clone(), plain(&rename.rename));
            add(path, rooted, rename.ident.span(), imported, errors, found);
        }
        UseTree::Glob(glob) => add(path, rooted, glob.star_token.span, Imported::Everything, errors, found),
    }
}

fn add(path: &[Ident], rooted: bool, span: Span, imported: Imported, errors: &Errors, found: &mut Vec<UsedModule>) {
    let Some((first, rest)) = path.split_first() else {
        errors.at(span, "a kernel module uses items of other kernel modules: `use path::to::kernel_module::Name;`");
        return;
    };
    if first == "std" || first == "core" || first == "alloc" {
        errors.at(
            first.span(),
            "the standard library is outside the kernel language: a kernel module uses other kernel modules only",
        );
        return;
    }
    if first == "self" {
        errors
            .at(first.span(), "a kernel module has no modules inside: write `super::`, `crate::` or the crate's name");
        return;
    }
    // The path is used beside the module, so one `super` is gone.
    let outside: Vec<Ident> = if first == "super" && rest.first().is_some_and(|next| next == "super") {
        rest.to_vec()
    } else if first == "super" {
        std::iter::once(Ident::new("self", first.span())).chain(rest.iter().cloned()).collect()
    } else {
        path.to_vec()
    };
    let key = format!("{rooted}{}", path.iter().map(plain).collect::<Vec<_>>().join("::"));
    if let Some(known) = found.iter_mut().find(|known| known.key == key) {
        known.imported.push(imported);
        return;
    }
    let outside: syn::Path = if rooted { parse_quote!(::#(#outside)::*) } else { parse_quote!(#(#outside)::*) };
    let span = path.last().map_or(span, Ident::span);
    found.push(UsedModule { outside, span, imported: vec![imported], key });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use quote::ToTokens;

    fn outside(source: &str) -> (Vec<(String, usize)>, usize) {
        let file: syn::File = syn::parse_str(source).unwrap();
        let errors = Errors::default();
        let used = collect(&file.items, &errors);
        let paths = used.iter().map(|u| (u.outside.to_token_stream().to_string().replace(' ', ""), u.imported.len()));
        (paths.collect(), errors.count())
    }

    #[test]
    fn paths_are_given_as_seen_from_beside_the_module() {
        let (paths, errors) = outside(
            "use crate::a::{X, Y as Z}; use super::b::*; use super::super::c::W; use ext::d::{e::V, f::U}; use ::root::g::T;",
        );
        let expected =
            [("crate::a", 2), ("self::b", 1), ("super::c", 1), ("ext::d::e", 1), ("ext::d::f", 1), ("::root::g", 1)];
        assert_eq!(paths, expected.map(|(path, count)| (path.to_owned(), count)));
        assert_eq!(errors, 0);
    }

    #[test]
    fn one_module_is_fetched_once() {
        assert_eq!(outside("use crate::a::X; use crate::a::{Y, Z};").0, [("crate::a".to_owned(), 3)]);
    }

    #[test]
    fn what_cannot_be_a_kernel_module_is_an_error() {
        assert_eq!(outside("use std::mem::swap; use self::inner::X; use alone; use crate::a::{self};").1, 4);
    }
}
