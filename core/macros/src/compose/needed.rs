//! Names of which the macro must know more than a value from rustc: those in lengths of arrays and discriminants, their
//! parts, those that turn out to be types or functions, and those that are passed on.

use crate::syntax::plain;
use std::collections::HashSet;
use syn::Item;
use syn::visit_mut::{self, VisitMut};

/// Collects every name in lengths and discriminants, and the names of types and functions everywhere.
#[derive(Default)]
struct Names {
    inside: bool,
    found: HashSet<String>,
}

impl Names {
    fn length(&mut self, e: &mut syn::Expr) {
        let outer = std::mem::replace(&mut self.inside, true);
        self.visit_expr_mut(e);
        self.inside = outer;
    }
}

impl VisitMut for Names {
    fn visit_item_use_mut(&mut self, item: &mut syn::ItemUse) {
        if !matches!(item.vis, syn::Visibility::Inherited) {
            visit_mut::visit_item_use_mut(self, item);
        }
    }

    fn visit_use_name_mut(&mut self, name: &mut syn::UseName) {
        self.found.insert(plain(&name.ident));
    }

    fn visit_use_rename_mut(&mut self, rename: &mut syn::UseRename) {
        self.found.insert(plain(&rename.rename));
    }

    fn visit_type_array_mut(&mut self, array: &mut syn::TypeArray) {
        self.visit_type_mut(&mut array.elem);
        self.length(&mut array.len);
    }

    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
        self.length(&mut repeat.len);
    }

    fn visit_variant_mut(&mut self, variant: &mut syn::Variant) {
        if let Some((_, value)) = &mut variant.discriminant {
            self.length(value);
        }
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        self.found.extend(path.path.get_ident().map(plain));
        visit_mut::visit_type_path_mut(self, path);
    }

    fn visit_expr_struct_mut(&mut self, literal: &mut syn::ExprStruct) {
        self.found.extend(literal.path.get_ident().map(plain));
        visit_mut::visit_expr_struct_mut(self, literal);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            self.found.extend(path.path.get_ident().map(plain));
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if let (Some(first), true) = (path.path.segments.first(), path.path.segments.len() > 1) {
            self.found.insert(plain(&first.ident));
        }
        if self.inside {
            self.found.extend(path.path.segments.last().map(|segment| plain(&segment.ident)));
        }
        visit_mut::visit_expr_path_mut(self, path);
    }
}

/// Returns the names, followed through the constants of the module.
pub(super) fn names(items: &[Item]) -> HashSet<String> {
    // The visitor with which syn was built mutates the tree.
    let mut items = items.to_vec();
    let mut names = Names::default();
    items.iter_mut().for_each(|item| names.visit_item_mut(item));
    let mut constants: Vec<(String, syn::Expr)> = Vec::new();
    for item in items {
        match item {
            Item::Const(item) => constants.push((plain(&item.ident), *item.expr)),
            Item::Impl(item) => constants.extend(item.items.into_iter().filter_map(|member| match member {
                syn::ImplItem::Const(item) => Some((plain(&item.ident), item.expr)),
                _ => None,
            })),
            _ => {}
        }
    }
    loop {
        let before = names.found.len();
        for (name, value) in &mut constants {
            if names.found.contains(name) {
                names.length(value);
            }
        }
        if names.found.len() == before {
            return names.found;
        }
    }
}
