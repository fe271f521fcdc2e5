//! The `use` items of a kernel module.

use super::needed;
use crate::diagnostics::Errors;
use crate::outside::is_constant_name;
use crate::syntax::plain;
use proc_macro2::{Ident, Span};
use std::collections::HashSet;
use syn::{Item, UseTree, parse_quote};

/// Items imported from a module.
#[derive(Clone, Debug)]
pub(crate) enum Imported {
    /// An item, under its name here.
    Item(Ident, String),
    /// `*`.
    Everything,
}

/// A kernel module that this one uses.
#[derive(Clone, Debug)]
pub(crate) struct UsedModule {
    /// Path as seen from beside the using module.
    pub(crate) outside: syn::Path,
    /// Path as seen from inside the using module.
    pub(crate) inside: syn::Path,
    pub(crate) span: Span,
    pub(crate) imported: Vec<Imported>,
    key: String,
}

impl UsedModule {
    /// Returns `true` if both are one module.
    pub(crate) fn is(&self, other: &UsedModule) -> bool {
        self.key == other.key
    }
}

/// Names that the `use` items of a module bring in.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// Kernel modules, each once.
    pub(crate) modules: Vec<UsedModule>,
    /// Constants of modules that are no kernel modules, by their names here.
    pub(crate) constants: HashSet<String>,
}

/// Classifies the `use` items.
///
/// The macro cannot see whether a path leads to a kernel module. If only constants are imported from it, it need not be
/// one, unless the macro has to know their values.
pub(crate) fn collect(items: &[Item], errors: &Errors) -> Uses {
    let mut found = Vec::new();
    for item in items {
        if let Item::Use(item) = item {
            walk(&item.tree, &mut Vec::new(), item.leading_colon.is_some(), errors, &mut found);
        }
    }
    let needed = needed::names(items);
    let mut uses = Uses::default();
    for module in found {
        let ancestor = module.inside.segments.iter().all(|step| step.ident == "super" || step.ident == "crate");
        let constant = |imported: &Imported| match imported {
            Imported::Item(ident, alias) => (is_constant_name(&plain(ident))).then(|| alias.clone()),
            Imported::Everything => None,
        };
        let constants: Vec<Option<String>> = module.imported.iter().map(constant).collect();
        let all = constants.iter().flatten().count() == constants.len();
        if all && (ancestor || !constants.iter().flatten().any(|name| needed.contains(name))) {
            uses.constants.extend(constants.into_iter().flatten());
        } else if ancestor {
            report_ancestor(&module, errors);
        } else {
            uses.modules.push(module);
        }
    }
    uses
}

/// Reports a use of a module around the kernel module. It is no kernel module: only its constants can be used.
fn report_ancestor(module: &UsedModule, errors: &Errors) {
    for imported in &module.imported {
        match imported {
            Imported::Item(ident, _) if is_constant_name(&plain(ident)) => {}
            Imported::Item(ident, _) => errors.at(
                ident.span(),
                format!(
                    "`{ident}` comes from a module that is no kernel module, of which only constants can be used: move it into a `#[kernels]` module and write `use path::to::that_module::{ident};`"
                ),
            ),
            Imported::Everything => errors.at(
                module.span,
                "this module is no kernel module, of which only constants can be used: name each, as in `use super::WIDTH;`",
            ),
        }
    }
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
    // The path is used beside the module, so one `super` is dropped.
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
    let as_path = |steps: &[Ident]| -> syn::Path {
        if rooted { parse_quote!(::#(#steps)::*) } else { parse_quote!(#(#steps)::*) }
    };
    let (outside, inside) = (as_path(&outside), as_path(path));
    let span = path.last().map_or(span, Ident::span);
    found.push(UsedModule { outside, inside, span, imported: vec![imported], key });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use quote::ToTokens;

    fn outside(source: &str) -> (Vec<(String, usize)>, usize) {
        let file: syn::File = syn::parse_str(source).unwrap();
        let errors = Errors::default();
        let used = collect(&file.items, &errors).modules;
        let paths = used.iter().map(|u| (u.outside.to_token_stream().to_string().replace(' ', ""), u.imported.len()));
        (paths.collect(), errors.count())
    }

    #[test]
    fn paths_are_given_as_seen_from_beside_the_module() {
        let (paths, errors) = outside(
            "use crate::a::{Xa, Y as Z}; use super::b::*; use super::super::c::Wa; use ext::d::{e::Va, f::Ua}; use ::root::g::Ta;",
        );
        let expected =
            [("crate::a", 2), ("self::b", 1), ("super::c", 1), ("ext::d::e", 1), ("ext::d::f", 1), ("::root::g", 1)];
        assert_eq!(paths, expected.map(|(path, count)| (path.to_owned(), count)));
        assert_eq!(errors, 0);
    }

    #[test]
    fn one_module_is_fetched_once() {
        assert_eq!(outside("use crate::a::Xa; use crate::a::{Y, Z};").0, [("crate::a".to_owned(), 3)]);
    }

    #[test]
    fn constants_alone_need_no_kernel_module_unless_their_values_do() {
        let constants = |source: &str| {
            let file: syn::File = syn::parse_str(source).unwrap();
            let uses = collect(&file.items, &Errors::default());
            let mut names: Vec<String> = uses.constants.into_iter().collect();
            names.sort();
            (names, uses.modules.len())
        };
        assert_eq!(
            constants("use super::WIDTH; use crate::config::{A_1, B as C};"),
            (vec!["A_1".into(), "C".into(), "WIDTH".into()], 0)
        );
        assert_eq!(constants("use crate::config::{A, Config};"), (vec![], 1));
        assert_eq!(constants("use crate::a::N; struct S { x: [u32; N] }"), (vec![], 1));
        assert_eq!(constants("use crate::a::N; const M: usize = 2 * N; fn f() { let x = [0; M + 1]; }"), (vec![], 1));
        assert_eq!(constants("use crate::a::N; const M: u32 = 2 * N; fn f(x: [u32; 3]) {}"), (vec!["N".into()], 0));
        assert_eq!(constants("use crate::a::{LCG, X}; fn f(x: &mut LCG) -> u32 { X::new() }"), (vec![], 1));
        let from_around = outside("use super::{f, Thing}; use crate::*;");
        assert_eq!((from_around.0.len(), from_around.1), (0, 3));
    }

    #[test]
    fn what_cannot_be_a_kernel_module_is_an_error() {
        assert_eq!(outside("use std::mem::swap; use self::inner::X; use alone; use crate::a::{self};").1, 4);
    }
}
