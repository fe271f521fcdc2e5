//! Results of a kernel: whether what it returns fits its reductions, and the type that a launch gives.

use super::item::KernelItem;
use crate::diagnostics::Errors;
use crate::items::derives::Reduced;
use crate::program::{Program, scalar_of};
use crate::roots::Root;
use crate::ty::Ty;
use imminent_ir::{Field, FieldType, MAX_RESULTS, Reduce, Scalar, Struct, StructId, StructRole, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

/// Checks the result of a kernel. Returns its reductions, in the order of the fields, with the types of the values.
pub(super) fn check(
    program: &Program<'_>,
    item: &syn::ItemFn,
    result: &Ty,
    reduced: &Reduced,
) -> Vec<(Reduce, Scalar)> {
    let errors = program.errors;
    let span = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => ty.span(),
        syn::ReturnType::Default => item.sig.ident.span(),
    };
    let value = match result {
        Ty::Struct(id) if program.role(*id) == StructRole::Value => Some(*id),
        _ => None,
    };
    match (reduced, value) {
        _ if *result == Ty::Error => {}
        (Reduced::Nothing, _) if *result == Ty::Unit => {}
        (Reduced::Nothing, None) => errors.at(
            span,
            "a kernel's returned value is reduced over its rows: say how with `#[kernel(reduce = min)]` (min, max, sum, count, any or argmin), or return nothing",
        ),
        _ if *result == Ty::Unit => {
            errors.at(span, "a reduction needs a returned value: give the kernel a result, or leave `reduce` out");
        }
        (Reduced::Fields(named), Some(id)) => return fields(program, id, named, span),
        (_, Some(id)) => {
            let of = &program.module.structs[id.index()].fields;
            let is_bool = |ty: &FieldType| *ty == FieldType::Value(Type::Scalar(Scalar::Bool));
            let how = |field: &Field| format!("{}: {}", field.name, if is_bool(&field.ty) { "any" } else { "sum" });
            let of: Vec<String> = of.iter().map(how).collect();
            errors.at(
                span,
                format!("each field of a returned struct is reduced on its own: `#[kernel(reduce = {{ {} }})]`", of.join(", ")),
            );
        }
        (Reduced::Fields(_), None) => errors.at(
            span,
            format!("`reduce = {{ .. }}` is of the fields of a plain struct, this is `{}`", program.show(result)),
        ),
        (Reduced::Value(reduce), None) => {
            let scalar = scalar_of(result);
            fits(errors, span, *reduce, scalar, &program.show(result));
            return scalar.map(|scalar| (*reduce, scalar)).into_iter().collect();
        }
    }
    Vec::new()
}

/// Checks the reductions of the fields of a struct.
fn fields(program: &Program<'_>, id: StructId, named: &[(Ident, Reduce)], span: Span) -> Vec<(Reduce, Scalar)> {
    let errors = program.errors;
    let of: &Struct = &program.module.structs[id.index()];
    let Some(scalars) = of.scalars().filter(|scalars| (2..=MAX_RESULTS).contains(&scalars.len())) else {
        let what = format!("`{}` is reduced by its fields, which are two to {MAX_RESULTS} scalars", of.name);
        errors.at(span, what);
        return Vec::new();
    };
    for (at, (name, _)) in named.iter().enumerate() {
        if !of.fields.iter().any(|field| name == &field.name) {
            errors.at(name.span(), format!("`{}` has no field `{name}`", of.name));
        } else if named[..at].iter().any(|(earlier, _)| earlier == name) {
            errors.at(name.span(), format!("`{name}` has a reduction already"));
        }
    }
    let mut all = Vec::new();
    for (field, scalar) in of.fields.iter().zip(scalars) {
        match named.iter().find(|(name, _)| name == &field.name) {
            None => errors.at(span, format!("field `{}` has no reduction", field.name)),
            Some((name, Reduce::Count | Reduce::ArgMin)) => errors.at(
                name.span(),
                "the result of a field has the type of the field: there are min, max, sum and any (for `count`, sum a `u32` that is 0 or 1)",
            ),
            Some((name, reduce)) => {
                fits(errors, name.span(), *reduce, Some(scalar), scalar.name());
                all.push((*reduce, scalar));
            }
        }
    }
    all
}

/// Reports a type that cannot be reduced so; `scalar` is `None` for a type that is none.
fn fits(errors: &Errors, span: Span, reduce: Reduce, scalar: Option<Scalar>, shown: &str) {
    match reduce {
        Reduce::Count | Reduce::Any if scalar != Some(Scalar::Bool) => {
            let name = if reduce == Reduce::Count { "count" } else { "any" };
            errors.at(span, format!("`reduce = {name}` wants a `bool`, this is `{shown}`"));
        }
        Reduce::Min | Reduce::Max | Reduce::Sum | Reduce::ArgMin
            if scalar.is_none_or(|scalar| scalar == Scalar::Bool) =>
        {
            errors.at(
                span,
                format!("this reduction wants a number, this is `{shown}`; for a `bool` there are `reduce = count` and `reduce = any`"),
            );
        }
        _ => {}
    }
}

/// Returns the type of what a launch gives.
pub(super) fn output(kernel: &KernelItem, root: &Root) -> TokenStream {
    let result = &kernel.result;
    match kernel.reduce.as_slice() {
        [] => quote!(()),
        [(Reduce::Count, _)] => quote!(u32),
        [(Reduce::ArgMin, _)] => quote!(#root::reduce::ArgMin<#result>),
        _ => quote!(#result),
    }
}

/// Returns the method of the call that runs the kernel, and its arguments before the function.
pub(super) fn run(kernel: &KernelItem, root: &Root) -> (Ident, TokenStream) {
    let mut before = TokenStream::new();
    let name = match kernel.reduce.as_slice() {
        [] => "run",
        [(Reduce::Min, _)] => "reduce_min",
        [(Reduce::Max, _)] => "reduce_max",
        [(Reduce::Sum, _)] => "reduce_sum",
        [(Reduce::Count, _)] => "reduce_count",
        [(Reduce::Any, _)] => "reduce_any",
        [(Reduce::ArgMin, _)] => "reduce_arg_min",
        several => {
            let each = several.iter().map(|(reduce, scalar)| {
                let (reduce, scalar) = (format_ident!("{reduce:?}"), format_ident!("{scalar:?}"));
                quote!((#root::ir::Reduce::#reduce, #root::ir::Scalar::#scalar))
            });
            before = quote!(&[#(#each),*],);
            "reduce_fields"
        }
    };
    (Ident::new(name, Span::call_site()), before)
}
