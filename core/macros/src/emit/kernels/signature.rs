//! Signature of a kernel: its resources.

use super::super::lifetimes;
use super::item::{Bundle, KernelItem, Resource, leaves, target};
use super::results;
use crate::items::derives::{KernelAttr, Reduced};
use crate::program::{Program, SigParam, Signature};
use crate::roots::Root;
use crate::ty::Ty;
use imminent_ir::{FunctionId, ParamKind, Reduce, SCRATCH_BYTES, Scalar, StructRole};
use proc_macro2::{Ident, Span};

/// Checks a kernel's signature; `None` after an error.
pub(crate) fn check(
    program: &Program<'_>,
    item: &syn::ItemFn,
    id: FunctionId,
    attr: &KernelAttr,
    root: &Root,
) -> Option<KernelItem> {
    let errors = program.errors;
    let before = errors.count();
    let signature = &program.signatures[id.index()];
    let mut resources = Vec::new();
    for (input, param) in item.sig.inputs.iter().zip(&signature.params) {
        let syn::FnArg::Typed(typed) = input else { continue };
        let is_grouped = attr.shape.is_grouped();
        let resource = match param.ty.lent_bundle() {
            Some(_) => bundle(program, typed, param, is_grouped, root),
            None => {
                let target = target(&typed.ty);
                resource(program, &Declared { at: &typed.ty, ty: &param.ty, target, is_grouped })
            }
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
    } else if errors.count() == before
        && !leaves(&resources).iter().any(|r| matches!(r, Resource::OwnMut(_) | Resource::Own(_)))
    {
        errors.at(
            item.sig.ident.span(),
            "a kernel runs once per row of a table: take that row as `&mut T` or `&T`, where `T` has `#[derive(Row)]`",
        );
    }
    if errors.count() == before {
        check_clock(program, item, &resources);
    }
    let reduce = results::check(program, item, &signature.result, &attr.reduce);
    let result = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
        syn::ReturnType::Default => None,
    };
    (errors.count() == before).then(|| KernelItem {
        name: item.sig.ident.clone(),
        vis: item.vis.clone(),
        function: id,
        reduce,
        shape: attr.shape,
        sizes: attr.sizes.clone(),
        resources,
        result,
    })
}

/// A parameter of a kernel, or a field of a bundle among them.
struct Declared<'d> {
    /// Type of the parameter in the source, at which errors point.
    at: &'d syn::Type,
    ty: &'d Ty,
    /// Row, block or element, if it is a reference.
    target: Option<syn::Type>,
    is_grouped: bool,
}

/// Returns the resource of a bundle.
fn bundle(
    program: &Program<'_>,
    typed: &syn::PatType,
    param: &SigParam,
    is_grouped: bool,
    root: &Root,
) -> Option<Resource> {
    let (id, mutable) = param.ty.lent_bundle()?;
    let syn::Type::Reference(reference) = &*typed.ty else { return None };
    let name = &*reference.elem;
    let declared = &program.bundles[id.index()];
    let fixed = lifetimes::applied(name, &lifetimes::inner(declared), "'static");
    let mut fields = Vec::new();
    for (position, (field, ty)) in declared.fields.iter().enumerate() {
        let shown = program.show(ty);
        let kind = program.param_kind(ty)?;
        let target: syn::Type = syn::parse_quote!(<#fixed as #root::kernel::BundleField<#position>>::Target);
        if Resource::of(&kind, target.clone()).is_none() {
            program.errors.over(
                &typed.ty,
                format!(
                    "field `{field}` of `{0}` is `{shown}`, which a launch cannot give: only functions take a `{0}`, and a kernel makes one, `{0} {{ .. }}`",
                    declared.name
                ),
            );
            return None;
        }
        if !mutable && matches!(ty, Ty::Ref(_, true)) {
            program.errors.over(
                &typed.ty,
                format!("field `{field}` of `{0}` is `{shown}`, so a kernel takes `&mut {0}`", declared.name),
            );
            return None;
        }
        let resource = resource(program, &Declared { at: &typed.ty, ty, target: Some(target), is_grouped })?;
        let field = syn::parse_str(field).unwrap_or_else(|_| Ident::new_raw(field, Span::call_site()));
        fields.push((field, resource));
    }
    Some(Resource::Bundle(Bundle { name: Box::new(name.clone()), fixed, mutable, fields }))
}

fn resource(program: &Program<'_>, declared: &Declared<'_>) -> Option<Resource> {
    if declared.is_grouped { of_group(program, declared) } else { of_row(program, declared) }
}

fn of_row(program: &Program<'_>, declared: &Declared<'_>) -> Option<Resource> {
    let Declared { at, ty, target, .. } = declared;
    let kind = program.param_kind(ty)?;
    let message = match (&kind, target) {
        (ParamKind::Value(imminent_ir::Type::Scalar(Scalar::U32)), None) => return Some(Resource::RowNumber),
        (ParamKind::Scratch(..) | ParamKind::Each(..), _) => match ty.behind_reference() {
            Ty::Lane(_) => "a lane is what a phase gives its closure: a kernel takes the group, `&mut Group<T>`".to_owned(),
            _ => {
                "this is of a kernel that runs in groups: say how many rows a group has, `#[kernel(group = 256)]` or `#[kernel(tile = (32, 8))]`".to_owned()
            }
        },
        (ParamKind::Lanes(..), _) => "a kernel takes the whole row, `&mut T`: the lanes are a field of it".to_owned(),
        (
            ParamKind::Value(imminent_ir::Type::Struct(id)) | ParamKind::InOut(imminent_ir::Type::Struct(id)),
            Some(_),
        ) if program.role(*id) == StructRole::Value => {
            let name = program.show(&Ty::Struct(*id));
            format!("`{name}` is a plain value: give it `#[derive(Row)]` to make it the row of a table, or `#[derive(Params)]` to make it a parameter block")
        }
        (_, None) => "the only parameter by value of a kernel is a `u32`, the number of its row: put other values into a `#[derive(Params)]` struct and take `&P`".to_owned(),
        (_, Some(target)) => match Resource::of(&kind, target.clone()) {
            Some(resource) => return Some(resource),
            None => "a kernel takes `&mut Row`, `&Row`, `&Rows<T>`, `&Params`, `&Tally<T>`, `&mut History<T>`, `&History<T>`, `&Clock`, bundles of these and a `u32`, the number of its row".to_owned(),
        },
    };
    program.errors.over(at, message);
    None
}

/// Returns the resource of a parameter of a kernel that runs in groups.
fn of_group(program: &Program<'_>, declared: &Declared<'_>) -> Option<Resource> {
    let Declared { at, ty, target, .. } = declared;
    let errors = program.errors;
    let kind = program.param_kind(ty)?;
    match (ty.behind_reference(), &kind, target) {
        (Ty::Group(_), ParamKind::Scratch(..), Some(element)) => Some(Resource::Group(Box::new(element.clone()))),
        (_, ParamKind::Each(..), Some(row)) => Resource::of(&kind, row.clone()),
        (_, ParamKind::Value(imminent_ir::Type::Scalar(Scalar::U32)), None) => {
            errors.over(
                at,
                "the body of a kernel that runs in groups is of no row: `group.index()` is the number of the group, and in a phase `lane.row()` that of the row",
            );
            None
        }
        (Ty::History(_) | Ty::Clock, ..) => {
            errors.over(
                at,
                "a kernel that runs in groups has no histories: which row an invocation owns is known in its phases only; use a kernel that runs row by row",
            );
            None
        }
        (_, ParamKind::Row(id, _), _) if program.has_lanes(*id) => {
            errors.over(
                at,
                "the row of a group is copied, which a row with `Lanes` cannot be: the own rows of the invocations are taken as `&mut Each<T>`",
            );
            None
        }
        _ => match of_row(program, declared)? {
            Resource::OwnMut(row) => Some(Resource::GroupRowMut(row)),
            Resource::Own(row) => Some(Resource::GroupRow(row)),
            other => Some(other),
        },
    }
}

/// Checks the clock: a launch begins with one step, and a kernel with a history must query it.
fn check_clock(program: &Program<'_>, item: &syn::ItemFn, resources: &[Resource]) {
    let resources = leaves(resources);
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
    attr: &KernelAttr,
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
    if !leaves(resources).iter().any(|r| matches!(r, Resource::EachMut(_) | Resource::Each(_))) {
        errors.at(
            name,
            "a kernel that runs in groups says whose rows these are: take the own rows as `&mut Each<T>` or `&Each<T>`, where `T` has `#[derive(Row)]`",
        );
    }
    if matches!(attr.reduce, Reduced::Value(Reduce::ArgMin)) {
        errors.at(name, "`argmin` names a row, and a group returns one value for all of its rows: let the phases find the row, or reduce with `min`");
    }
}

/// Reports groups and their rows among the parameters of a function that is no kernel.
pub(crate) fn reject_groups(program: &Program<'_>, id: FunctionId) {
    for param in &program.signatures[id.index()].params {
        if param.ty.lent_bundle().is_some()
            && program.flat(&param.name, &param.ty).iter().any(|(_, ty)| matches!(ty.behind_reference(), Ty::Each(_)))
        {
            program.errors.at(
                param.span,
                "this bundle holds own rows, `Each<T>`, which only a kernel takes together: a function takes one of each, `&mut T` or `&T`",
            );
            continue;
        }
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
