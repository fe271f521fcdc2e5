//! State of the checker, with the names and errors that every part of it uses.

use super::infer::{self, Infer};
use super::requirement::Later;
use super::scope::{Around, Binding, LoopFrame};
use crate::hir;
use crate::program::{Program, TypeKey};
use crate::ty::Ty;
use imminent_ir::FunctionId;
use proc_macro2::Span;
use std::collections::HashMap;

/// Checks one function or constant.
pub(super) struct Checker<'p, 'a> {
    pub(super) program: &'p mut Program<'a>,
    pub(super) infer: Infer,
    pub(super) scopes: Vec<HashMap<String, Binding>>,
    pub(super) params: Vec<Ty>,
    pub(super) locals: Vec<hir::Local>,
    /// Type of the function's result; `None` in a constant.
    pub(super) result: Option<Ty>,
    pub(super) loops: Vec<LoopFrame>,
    pub(super) self_key: Option<TypeKey>,
    pub(super) function: Option<FunctionId>,
    pub(super) later: Vec<Later>,
    /// The code around the phase being checked.
    pub(super) around: Option<Around>,
}

impl<'p, 'a> Checker<'p, 'a> {
    pub(super) fn new(program: &'p mut Program<'a>, self_key: Option<TypeKey>) -> Self {
        Checker {
            program,
            infer: Infer::default(),
            scopes: vec![HashMap::new()],
            params: Vec::new(),
            locals: Vec::new(),
            result: None,
            loops: Vec::new(),
            self_key,
            function: None,
            later: Vec::new(),
            around: None,
        }
    }

    pub(super) fn error(&self, span: Span, message: impl std::fmt::Display) {
        self.program.errors.at(span, message);
    }

    pub(super) fn over(&self, node: &impl quote::ToTokens, message: impl std::fmt::Display) {
        self.program.errors.over(node, message);
    }

    pub(super) fn show(&self, ty: &Ty) -> String {
        let ty = self.infer.deep(ty);
        match self.infer.class(&ty) {
            infer::Class::SomeInteger => "an integer".to_owned(),
            infer::Class::SomeFloat => "a float".to_owned(),
            _ => self.program.show(&ty),
        }
    }

    /// Formats a type for an error text.
    pub(super) fn quoted(&self, ty: &Ty) -> String {
        let shown = self.show(ty);
        match self.infer.class(ty) {
            infer::Class::SomeInteger | infer::Class::SomeFloat => shown,
            _ => format!("`{shown}`"),
        }
    }

    pub(super) fn new_local(&mut self, name: &str, ty: Ty, span: Span) -> u32 {
        self.locals.push(hir::Local { name: name.to_owned(), ty, span });
        self.locals.len() as u32 - 1
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), binding);
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

    pub(super) fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let result = f(self);
        self.scopes.pop();
        result
    }

    /// Requires a type.
    pub(super) fn expect(&mut self, found: &Ty, wanted: &Ty, span: Span) -> bool {
        if self.infer.unify(found, wanted) {
            return true;
        }
        let (found_is, wanted_is) = (self.quoted(found), self.quoted(wanted));
        let hint = match (self.infer.shallow(found), self.infer.shallow(wanted)) {
            (Ty::Ref(inner, _), wanted) if self.infer.unify(&inner, &wanted) => "; write `*` before it".to_owned(),
            (found, Ty::Scalar(to)) if to.is_float() && self.infer.class(&found) == infer::Class::SomeInteger => {
                "; write it with a point, as in `1.0`".to_owned()
            }
            (Ty::Scalar(from), Ty::Scalar(imminent_ir::Scalar::Bool)) if from.is_integer() => {
                "; write `x != 0`".to_owned()
            }
            (Ty::Scalar(from), Ty::Scalar(to)) if from != to && to != imminent_ir::Scalar::Bool => {
                format!("; convert with `as {to}`")
            }
            (_, Ty::Unit) => "; end it with `;`".to_owned(),
            _ => String::new(),
        };
        self.error(span, format!("expected {wanted_is}, found {found_is}{hint}"));
        false
    }
}
