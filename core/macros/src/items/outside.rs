//! Declaration of the constants whose values the surrounding crate provides.

use crate::outside::{Initializer, leads_outside};
use crate::program::Program;
use crate::syntax::plain;
use crate::values::zero;
use imminent_ir::{Const, ConstId, Type};
use proc_macro2::TokenStream;
use syn::visit_mut::VisitMut;

impl Program<'_> {
    /// Returns `true` if only rustc can evaluate an expression: it names an outside item, or a constant that does.
    pub(crate) fn is_outside(&mut self, e: &syn::Expr) -> bool {
        #[derive(Default)]
        struct Names {
            outside: bool,
            inside: Vec<syn::Path>,
        }
        impl VisitMut for Names {
            fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
                self.outside |= path.qself.is_none() && leads_outside(&path.path);
                self.inside.push(path.path.clone());
            }
        }
        let mut names = Names::default();
        names.visit_expr_mut(&mut e.clone());
        names.outside || names.inside.iter().any(|path| self.names_outside(path))
    }

    fn names_outside(&mut self, path: &syn::Path) -> bool {
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let index = match names.as_slice() {
            [name] if self.outside.names.contains(name) => return true,
            [name] => self.const_names.get(name).copied(),
            [ty, name] => self.associated_consts.get(&(ty.clone(), name.clone())).copied(),
            _ => None,
        };
        index.and_then(|index| self.known_const(index)).is_some_and(|known| known.value.is_none())
    }

    /// Returns the constant of the IR for an expression in a body that rustc evaluates.
    pub(crate) fn outside_const(&mut self, expr: &TokenStream, ty: &Type) -> ConstId {
        let name = expr.to_string();
        if let Some(id) = self.outside.used.get(&(name.clone(), ty.clone())) {
            return *id;
        }
        // Generated code shows the last segment of a path, and the type of the cast.
        let shown = name.rsplit("::").next().unwrap_or(&name).trim();
        let shown = shown.replace(|c: char| !c.is_alphanumeric(), "_");
        let id = self.push_outside(&shown, ty.clone(), expr.clone());
        self.outside.used.insert((name, ty.clone()), id);
        id
    }

    /// Adds a constant of the IR whose value is found when the module is compiled.
    pub(crate) fn push_outside(&mut self, name: &str, ty: Type, expr: TokenStream) -> ConstId {
        let origin = self.origin_of(&format!("{name}: {ty:?}"), &expr);
        let value = zero(&self.module, &ty);
        self.module.consts.push(Const { name: name.to_owned(), origin, ty, value });
        let id = ConstId(self.module.consts.len() as u32 - 1);
        self.outside.add(id, Initializer::Expr(expr));
        id
    }
}
