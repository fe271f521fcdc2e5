//! Signature of a kernel: its resources, and the check that its result fits its reduction.

use super::item::{KernelItem, Resource};
use crate::items::derives::KernelAttr;
use crate::program::{Program, Signature, scalar_of};
use crate::ty::Ty;
use imminent_ir::{FunctionId, ParamKind, Reduce, SCRATCH_BYTES, Scalar, StructRole};
use syn::spanned::Spanned;

/// Checks a kernel's signature; `None` after an error.
pub(crate) fn check(program: &Program<'_>, item: &syn::ItemFn, id: FunctionId, attr: KernelAttr) -> Option<KernelItem> {
    let errors = program.errors;
    let before = errors.count();
    let signature = &program.signatures[id.index()];
    let mut resources = Vec::new();
    for (input, param) in item.sig.inputs.iter().zip(&signature.params) {
        let syn::FnArg::Typed(typed) = input else { continue };
        let resource = match attr.shape.is_grouped() {
            true => of_group(program, typed, &param.ty),
            false => resource(program, typed, &param.ty),
        };
        if let Some(resource) = resource {
            if matches!(resource, Resource::RowNumber) && resources.iter().any(|r| matches!(r, Resource::RowNumber)) {
                errors.over(typed, "a kernel takes one `u32` at most, the number of its row: put other values into a `#[derive(Params)]` struct");
            }
            resources.push(resource);
        }
    }
    if attr.shape.is_grouped() {
        if errors.count() == before {
            check_group(program, item, signature, attr, &resources);
        }
    } else if errors.count() == before && !resources.iter().any(|r| matches!(r, Resource::OwnMut(_) | Resource::Own(_)))
    {
        errors.at(
            item.sig.ident.span(),
            "a kernel runs once per row of a table: take that row as `&mut T` or `&T`, where `T` has `#[derive(Row)]`",
        );
    }
    if errors.count() == before {
        check_clock(program, item, &resources);
    }
    check_result(program, item, signature, attr);
    let result = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
        syn::ReturnType::Default => None,
    };
    (errors.count() == before).then(|| KernelItem {
        name: item.sig.ident.clone(),
        vis: item.vis.clone(),
        function: id,
        reduce: attr.reduce,
        shape: attr.shape,
        resources,
        result,
    })
}

fn resource(program: &Program<'_>, typed: &syn::PatType, ty: &Ty) -> Option<Resource> {
    let errors = program.errors;
    let inner = match &*typed.ty {
        syn::Type::Reference(reference) => Some(&*reference.elem),
        _ => None,
    };
    let argument = inner.and_then(first_argument);
    match (program.param_kind(ty)?, inner, argument) {
        (ParamKind::Row(_, true), Some(inner), _) => Some(Resource::OwnMut(Box::new(inner.clone()))),
        (ParamKind::Row(_, false), Some(inner), _) => Some(Resource::Own(Box::new(inner.clone()))),
        (ParamKind::Params(_), Some(inner), _) => Some(Resource::Params(Box::new(inner.clone()))),
        (ParamKind::Rows(_), _, Some(row)) => Some(Resource::Rows(Box::new(row.clone()))),
        (ParamKind::Tally(_), _, Some(scalar)) => Some(Resource::Tally(Box::new(scalar.clone()))),
        (ParamKind::History(_, true), _, Some(entry)) => Some(Resource::HistoryMut(Box::new(entry.clone()))),
        (ParamKind::History(_, false), _, Some(entry)) => Some(Resource::History(Box::new(entry.clone()))),
        (ParamKind::Clock, Some(_), _) => Some(Resource::Clock),
        (ParamKind::Value(imminent_ir::Type::Scalar(Scalar::U32)), None, _) => Some(Resource::RowNumber),
        (ParamKind::Scratch(..) | ParamKind::Each(..), ..) => {
            let message = match ty.behind_reference() {
                Ty::Lane(_) => "a lane is what a phase gives its closure: a kernel takes the group, `&mut Group<T>`",
                _ => {
                    "this is of a kernel that runs in groups: say how many rows a group has, `#[kernel(group = 256)]` or `#[kernel(tile = (32, 8))]`"
                }
            };
            errors.over(&typed.ty, message);
            None
        }
        (ParamKind::Lanes(..), ..) => {
            errors.over(&typed.ty, "a kernel takes the whole row, `&mut T`: the lanes are a field of it");
            None
        }
        (
            ParamKind::Value(imminent_ir::Type::Struct(id)) | ParamKind::InOut(imminent_ir::Type::Struct(id)),
            Some(_),
            _,
        ) if program.role(id) == StructRole::Value => {
            let name = program.show(&Ty::Struct(id));
            errors.over(
                &typed.ty,
                format!("`{name}` is a plain value: give it `#[derive(Row)]` to make it the row of a table, or `#[derive(Params)]` to make it a parameter block"),
            );
            None
        }
        (_, None, _) => {
            errors.over(&typed.ty, "the only parameter by value of a kernel is a `u32`, the number of its row: put other values into a `#[derive(Params)]` struct and take `&P`");
            None
        }
        _ => {
            errors.over(&typed.ty, "a kernel takes `&mut Row`, `&Row`, `&Rows<T>`, `&Params`, `&Tally<T>`, `&mut History<T>`, `&History<T>`, `&Clock` and a `u32`, the number of its row");
            None
        }
    }
}

/// Returns the resource of a parameter of a kernel that runs in groups.
fn of_group(program: &Program<'_>, typed: &syn::PatType, ty: &Ty) -> Option<Resource> {
    let errors = program.errors;
    let inner = match &*typed.ty {
        syn::Type::Reference(reference) => Some(&*reference.elem),
        _ => None,
    };
    let argument = inner.and_then(first_argument);
    match (ty.behind_reference(), program.param_kind(ty)?, argument) {
        (Ty::Group(_), ParamKind::Scratch(..), Some(element)) => Some(Resource::Group(Box::new(element.clone()))),
        (_, ParamKind::Each(_, true), Some(row)) => Some(Resource::EachMut(Box::new(row.clone()))),
        (_, ParamKind::Each(_, false), Some(row)) => Some(Resource::Each(Box::new(row.clone()))),
        (_, ParamKind::Value(imminent_ir::Type::Scalar(Scalar::U32)), _) if inner.is_none() => {
            errors.over(
                typed,
                "the body of a kernel that runs in groups is of no row: `group.index()` is the number of the group, and in a phase `lane.row()` that of the row",
            );
            None
        }
        (Ty::History(_) | Ty::Clock, ..) => {
            errors.over(
                &typed.ty,
                "a kernel that runs in groups has no histories: which row an invocation owns is known in its phases only; use a kernel that runs row by row",
            );
            None
        }
        (_, ParamKind::Row(id, _), _) if program.has_lanes(id) => {
            errors.over(
                &typed.ty,
                "the row of a group is copied, which a row with `Lanes` cannot be: the own rows of the invocations are taken as `&mut Each<T>`",
            );
            None
        }
        _ => match resource(program, typed, ty)? {
            Resource::OwnMut(row) => Some(Resource::GroupRowMut(row)),
            Resource::Own(row) => Some(Resource::GroupRow(row)),
            other => Some(other),
        },
    }
}

/// Checks the clock: a launch begins with one step, and a kernel with a history must query it.
fn check_clock(program: &Program<'_>, item: &syn::ItemFn, resources: &[Resource]) {
    let clocks = resources.iter().filter(|r| matches!(r, Resource::Clock)).count();
    let histories = resources.iter().any(|r| matches!(r, Resource::HistoryMut(_) | Resource::History(_)));
    let message = match clocks {
        0 if histories => {
            "a kernel with a history takes the clock that says with which step a launch begins: add `clock: &Clock`"
        }
        0 | 1 => return,
        _ => "a launch begins with one step: take one `&Clock`",
    };
    program.errors.at(item.sig.ident.span(), message);
}

/// Checks further requirements of a kernel that runs in groups.
fn check_group(
    program: &Program<'_>,
    item: &syn::ItemFn,
    signature: &Signature,
    attr: KernelAttr,
    resources: &[Resource],
) {
    let errors = program.errors;
    let name = item.sig.ident.span();
    let groups: Vec<_> =
        signature.params.iter().filter(|param| matches!(param.ty.behind_reference(), Ty::Group(_))).collect();
    match groups.as_slice() {
        [] => errors.at(name, "a kernel that runs in groups takes its group: `group: &mut Group<T>`, where `T` is what each row keeps in the scratch"),
        [group] => {
            let words = match group.ty.behind_reference() {
                Ty::Group(element) => element.to_ir().map_or(0, |ty| imminent_ir::words(&program.module, &ty)),
                _ => 0,
            };
            let (size, bytes) = (attr.shape.size(), u64::from(words) * 4);
            let all = bytes * u64::from(size);
            if all > u64::from(SCRATCH_BYTES) {
                errors.at(group.span, format!(
                    "{size} scratch elements of {bytes} bytes take {all} bytes, and every device has {SCRATCH_BYTES} for a group: make the element or the group smaller"
                ));
            }
        }
        [_, second, ..] => errors.at(second.span, "a kernel has one group: put all that its rows share into one struct"),
    }
    if !resources.iter().any(|r| matches!(r, Resource::EachMut(_) | Resource::Each(_))) {
        errors.at(
            name,
            "a kernel that runs in groups says whose rows these are: take the own rows as `&mut Each<T>` or `&Each<T>`, where `T` has `#[derive(Row)]`",
        );
    }
    if attr.reduce == Some(Reduce::ArgMin) {
        errors.at(name, "`argmin` names a row, and a group returns one value for all of its rows: let the phases find the row, or reduce with `min`");
    }
}

/// Reports groups and their rows among the parameters of a function that is no kernel.
pub(crate) fn reject_groups(program: &Program<'_>, id: FunctionId) {
    for param in &program.signatures[id.index()].params {
        let message = match param.ty.behind_reference() {
            Ty::Group(_) => {
                "only a kernel has a group, and only its body has phases: a function takes `&mut Lane<T>`, or values"
            }
            Ty::Each(_) => "only a kernel takes own rows together: a function takes one of them, `&mut T` or `&T`",
            _ => continue,
        };
        program.errors.at(param.span, message);
    }
}

fn first_argument(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

fn check_result(program: &Program<'_>, item: &syn::ItemFn, signature: &Signature, attr: KernelAttr) {
    let errors = program.errors;
    let span = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => ty.span(),
        syn::ReturnType::Default => item.sig.ident.span(),
    };
    let shown = program.show(&signature.result);
    match (attr.reduce, &signature.result) {
        (_, Ty::Error) | (None, Ty::Unit) => {}
        (None, _) => errors.at(
            span,
            "a kernel's returned value is reduced over its rows: say how with `#[kernel(reduce = min)]` (min, max, sum, count, any or argmin), or return nothing",
        ),
        (Some(_), Ty::Unit) => errors.at(span, "a reduction needs a returned value: give the kernel a result, or leave `reduce` out"),
        (Some(reduce @ (Reduce::Count | Reduce::Any)), result) => {
            if *result != Ty::BOOL {
                let name = if reduce == Reduce::Count { "count" } else { "any" };
                errors.at(span, format!("`reduce = {name}` wants a `bool`, this is `{shown}`"));
            }
        }
        (Some(_), result) => {
            if scalar_of(result).is_none_or(|scalar| scalar == Scalar::Bool) {
                errors.at(span, format!("this reduction wants a number, this is `{shown}`; for a `bool` there are `reduce = count` and `reduce = any`"));
            }
        }
    }
}
