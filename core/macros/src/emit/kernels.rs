//! Kernels: the checks of their signatures, the launchable type and the native entry.

use crate::items::derives::KernelAttr;
use crate::program::{Program, Signature, scalar_of};
use crate::roots::Root;
use crate::ty::Ty;
use imminent_ir::{FunctionId, ParamKind, Reduce, Scalar, StructRole};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

/// What a parameter of a kernel is given.
#[derive(Clone, Debug)]
pub(crate) enum Resource {
    OwnMut(Box<syn::Type>),
    Own(Box<syn::Type>),
    Rows(Box<syn::Type>),
    Tally(Box<syn::Type>),
    Params(Box<syn::Type>),
    RowNumber,
}

/// A kernel whose signature is right.
#[derive(Clone, Debug)]
pub(crate) struct KernelItem {
    pub(crate) name: Ident,
    pub(crate) vis: syn::Visibility,
    pub(crate) function: FunctionId,
    pub(crate) reduce: Option<Reduce>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) result: Option<syn::Type>,
}

/// Checks a kernel's signature; `None` after an error.
pub(crate) fn check(program: &Program<'_>, item: &syn::ItemFn, id: FunctionId, attr: KernelAttr) -> Option<KernelItem> {
    let errors = program.errors;
    let before = errors.count();
    let signature = &program.signatures[id.index()];
    let mut resources = Vec::new();
    for (input, param) in item.sig.inputs.iter().zip(&signature.params) {
        let syn::FnArg::Typed(typed) = input else { continue };
        if let Some(resource) = resource(program, typed, &param.ty) {
            if matches!(resource, Resource::RowNumber) && resources.iter().any(|r| matches!(r, Resource::RowNumber)) {
                errors.over(typed, "a kernel takes one `u32` at most, the number of its row: put other values into a `#[derive(Params)]` struct");
            }
            resources.push(resource);
        }
    }
    if errors.count() == before && !resources.iter().any(|r| matches!(r, Resource::OwnMut(_) | Resource::Own(_))) {
        errors.at(
            item.sig.ident.span(),
            "a kernel runs once per row of a table: take that row as `&mut T` or `&T`, where `T` has `#[derive(Row)]`",
        );
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
        (ParamKind::Value(imminent_ir::Type::Scalar(Scalar::U32)), None, _) => Some(Resource::RowNumber),
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
            errors.over(&typed.ty, "a kernel takes `&mut Row`, `&Row`, `&Rows<T>`, `&Params`, `&Tally<T>` and a `u32`, the number of its row");
            None
        }
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

/// The launchable type of a kernel, and its native entry.
pub(super) fn emit(kernel: &KernelItem, index: u32, root: &Root) -> TokenStream {
    let KernelItem { name, vis, .. } = kernel;
    let text = crate::items::plain(name);
    let entry = entry_name(name);
    let (mut args, mut binds, mut takes, mut passes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for resource in &kernel.resources {
        let slot = args.len();
        let position = syn::Index::from(slot);
        let local = format_ident!("__binding{}", slot);
        let (arg, method, take, pass) = match resource {
            Resource::RowNumber => {
                passes.push(quote!(__row));
                continue;
            }
            Resource::OwnMut(ty) => {
                (quote!(&'a mut #root::Table<#ty>), "own_mut", quote!(own_mut::<#ty>), quote!(&mut #local[__position]))
            }
            Resource::Own(ty) => {
                (quote!(&'a #root::Table<#ty>), "own", quote!(own::<#ty>), quote!(&#local[__position]))
            }
            Resource::Rows(ty) => (quote!(&'a #root::Table<#ty>), "rows", quote!(rows::<#ty>), quote!(#local)),
            Resource::Tally(ty) => (quote!(&'a #root::TallyTable<#ty>), "tally", quote!(tally::<#ty>), quote!(#local)),
            Resource::Params(ty) => (quote!(&'a #ty), "params", quote!(params::<#ty>), quote!(#local)),
        };
        let method = Ident::new(method, Span::call_site());
        binds.push(quote!(binder.#method(args.#position)?;));
        takes.push(quote!(let #local = call.#take(#slot)?;));
        passes.push(pass);
        args.push(arg);
    }
    let result = &kernel.result;
    let (output, run) = match kernel.reduce {
        None => (quote!(()), quote!(run)),
        Some(Reduce::Min) => (quote!(#result), quote!(reduce_min)),
        Some(Reduce::Max) => (quote!(#result), quote!(reduce_max)),
        Some(Reduce::Sum) => (quote!(#result), quote!(reduce_sum)),
        Some(Reduce::Count) => (quote!(u32), quote!(reduce_count)),
        Some(Reduce::Any) => (quote!(bool), quote!(reduce_any)),
        Some(Reduce::ArgMin) => (quote!(#root::reduce::ArgMin<#result>), quote!(reduce_arg_min)),
    };
    let doc = format!("The kernel [`{text}`](fn@{text}), to be launched.");
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types)]
        #[derive(Debug)]
        #vis struct #name {}

        #[automatically_derived]
        impl #root::kernel::Kernel for #name {
            type Args<'a> = (#(#args,)*);
            type Output = #output;
            const SOURCE: #root::kernel::KernelSource =
                #root::kernel::KernelSource { module: &__MODULE, index: #index, name: #text };

            fn bind(args: Self::Args<'_>, binder: &mut #root::bind::Binder) -> ::core::result::Result<(), #root::Error> {
                #(#binds)*
                ::core::result::Result::Ok(())
            }
        }

        #[doc(hidden)]
        #[allow(unused_variables)]
        fn #entry(call: &mut #root::native::Call<'_>) -> ::core::result::Result<(), #root::native::NativeError> {
            #(#takes)*
            call.#run(|__position, __row| #name(#(#passes,)*));
            ::core::result::Result::Ok(())
        }
    }
}

/// The name of a kernel's native entry.
pub(super) fn entry_name(name: &Ident) -> Ident {
    format_ident!("__entry_{}", crate::items::plain(name), span = Span::call_site())
}
