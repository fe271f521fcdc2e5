//! Type checker: from syntax to typed trees, with errors that point at the user's tokens.

mod advice;
mod bundles;
mod calls;
mod checker;
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
mod requirement;
mod scope;
mod stmts;

use crate::hir::Body;
use crate::program::{FunctionItem, Program, TypeKey};
use crate::ty::Ty;
use checker::Checker;
use imminent_ir::Value;
use infer::Infer;
use scope::{Binding, Lent};

/// Checks a function of the module; `None` after an error.
pub(crate) fn function<'a>(program: &mut Program<'a>, item: &FunctionItem<'a>) -> Option<(Body, Infer)> {
    let before = program.errors.count();
    let signature = program.signatures[item.id.index()].clone();
    let mut checker = Checker::new(program, item.self_key);
    checker.function = Some(item.id);
    checker.result = Some(signature.result.clone());
    let mut copied = Vec::new();
    for param in &signature.params {
        let index = checker.params.len() as u32;
        let binding = if param.ty.lent_bundle().is_some() {
            let flat = checker.program.flat(&param.name, &param.ty);
            checker.params.extend(flat.iter().map(|(_, ty)| ty.clone()));
            Binding::Bundle(Lent::of_param(param.ty.clone(), index, flat, param.span))
        } else {
            checker.params.push(param.ty.clone());
            if param.mutable && !matches!(param.ty, Ty::Ref(..)) {
                let local = checker.new_local(&param.name, param.ty.clone(), param.span);
                copied.push((index, local));
                Binding::Local(local)
            } else {
                Binding::Param(index)
            }
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
