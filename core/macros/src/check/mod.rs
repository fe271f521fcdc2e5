//! Type checker: from syntax to typed trees, with errors that point at the user's tokens.

mod advice;
mod calls;
mod control;
pub(crate) mod eval;
mod expr;
mod histories;
pub(crate) mod infer;
mod later;
mod lints;
mod literals;
mod methods;
mod operations;
mod operators;
mod paths;
mod patterns;
mod phases;
mod places;
mod stmts;

pub(crate) use places::strip;

use crate::hir::{self, Body};
use crate::program::{FunctionItem, Program, TypeKey};
use crate::ty::Ty;
use imminent_ir::{FunctionId, Value};
use infer::Infer;
use later::Later;
use proc_macro2::Span;
use std::collections::HashMap;

/// Meaning of a name in a function.
#[derive(Clone, Debug)]
enum Binding {
    Param(u32),
    Local(u32),
}

/// A loop being checked.
#[derive(Debug)]
struct LoopFrame {
    /// Type of the values of `break`; `None` in `while` and `for`.
    value: Option<Ty>,
    has_break: bool,
}

/// Checks one function or constant.
struct Checker<'p, 'a> {
    program: &'p mut Program<'a>,
    infer: Infer,
    scopes: Vec<HashMap<String, Binding>>,
    params: Vec<Ty>,
    locals: Vec<hir::Local>,
    /// Type of the function's result; `None` in a constant.
    result: Option<Ty>,
    loops: Vec<LoopFrame>,
    self_key: Option<TypeKey>,
    function: Option<FunctionId>,
    later: Vec<Later>,
    /// The code around the phase being checked.
    around: Option<phases::Around>,
}

impl<'p, 'a> Checker<'p, 'a> {
    fn new(program: &'p mut Program<'a>, self_key: Option<TypeKey>) -> Self {
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

    fn error(&self, span: Span, message: impl std::fmt::Display) {
        self.program.errors.at(span, message);
    }

    fn over(&self, node: &impl quote::ToTokens, message: impl std::fmt::Display) {
        self.program.errors.over(node, message);
    }

    fn show(&self, ty: &Ty) -> String {
        let ty = self.infer.deep(ty);
        match self.infer.class(&ty) {
            infer::Class::SomeInteger => "an integer".to_owned(),
            infer::Class::SomeFloat => "a float".to_owned(),
            _ => self.program.show(&ty),
        }
    }

    /// Formats a type for an error text.
    fn quoted(&self, ty: &Ty) -> String {
        let shown = self.show(ty);
        match self.infer.class(ty) {
            infer::Class::SomeInteger | infer::Class::SomeFloat => shown,
            _ => format!("`{shown}`"),
        }
    }

    fn new_local(&mut self, name: &str, ty: Ty, span: Span) -> u32 {
        self.locals.push(hir::Local { name: name.to_owned(), ty, span });
        self.locals.len() as u32 - 1
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), binding);
        }
    }

    fn lookup(&self, name: &str) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let result = f(self);
        self.scopes.pop();
        result
    }

    /// Requires a type.
    fn expect(&mut self, found: &Ty, wanted: &Ty, span: Span) -> bool {
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

/// Checks a function of the module; `None` after an error.
pub(crate) fn function<'a>(program: &mut Program<'a>, item: &FunctionItem<'a>) -> Option<(Body, Infer)> {
    let before = program.errors.count();
    let signature = program.signatures[item.id.index()].clone();
    let mut checker = Checker::new(program, item.self_key);
    checker.function = Some(item.id);
    checker.result = Some(signature.result.clone());
    let mut copied = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        checker.params.push(param.ty.clone());
        let binding = if param.mutable && !matches!(param.ty, Ty::Ref(..)) {
            let local = checker.new_local(&param.name, param.ty.clone(), param.span);
            copied.push((index as u32, local));
            Binding::Local(local)
        } else {
            Binding::Param(index as u32)
        };
        checker.bind(&param.name, binding);
    }
    let block = checker.block(item.block);
    let span = block.span;
    checker.expect(&block.ty.clone(), &signature.result, span);
    checker.finish();
    let (locals, infer) = (std::mem::take(&mut checker.locals), std::mem::take(&mut checker.infer));
    if program.errors.count() > before {
        return None;
    }
    let body = Body { locals, copied, root: block };
    lints::function(program, &infer, &body);
    (program.errors.count() == before).then_some((body, infer))
}

/// Checks and evaluates a constant expression for the given `purpose`; `None` after an error.
pub(crate) fn constant<'a>(
    program: &mut Program<'a>,
    expr: &'a syn::Expr,
    ty: &Ty,
    self_key: Option<TypeKey>,
    purpose: &str,
) -> Option<Value> {
    let before = program.errors.count();
    let mut checker = Checker::new(program, self_key);
    let checked = checker.value(expr);
    checker.expect(&checked.ty, ty, checked.span);
    checker.finish();
    let infer = std::mem::take(&mut checker.infer);
    if program.errors.count() != before {
        return None;
    }
    if let Some((name, span)) = eval::outside_name(program, &checked) {
        program.errors.at(
            span,
            format!(
                "the macro must know {purpose}, and the value of `{name}` is given outside this kernel module: declare it as a `pub const` here with its number, and let the other code use that one"
            ),
        );
        return None;
    }
    match eval::evaluate(program, &infer, &checked) {
        Ok(value) => Some(value),
        Err((_, message)) if message == eval::REPORTED => None,
        Err((span, message)) => {
            program.errors.at(span, message);
            None
        }
    }
}
