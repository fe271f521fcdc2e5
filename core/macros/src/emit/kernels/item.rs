//! A kernel with a valid signature, and the arguments of its parameters.

use crate::roots::Root;
use imminent_ir::{FunctionId, ParamKind, Reduce, Scalar, Shape};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Argument of a kernel's parameter.
#[derive(Clone, Debug)]
pub(crate) enum Resource {
    OwnMut(Box<syn::Type>),
    Own(Box<syn::Type>),
    Rows(Box<syn::Type>),
    Tally(Box<syn::Type>),
    Params(Box<syn::Type>),
    RowNumber,
    /// The group, with the type of its scratch elements.
    Group(Box<syn::Type>),
    EachMut(Box<syn::Type>),
    Each(Box<syn::Type>),
    /// Row of a group as a whole.
    GroupRowMut(Box<syn::Type>),
    GroupRow(Box<syn::Type>),
    HistoryMut(Box<syn::Type>),
    History(Box<syn::Type>),
    Clock,
    Bundle(Bundle),
}

/// A bundle among the parameters of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    /// Name of the struct.
    pub(crate) name: Box<syn::Type>,
    /// Type of the struct with lifetimes.
    pub(crate) fixed: TokenStream,
    pub(crate) mutable: bool,
    pub(crate) fields: Vec<(Ident, Resource)>,
}

impl Resource {
    /// Returns the resource of a parameter that is a reference. `target` is its row, block or element. `None` if a
    /// kernel cannot take it.
    pub(crate) fn of(kind: &ParamKind, target: syn::Type) -> Option<Resource> {
        let target = Box::new(target);
        Some(match kind {
            ParamKind::Row(_, true) => Resource::OwnMut(target),
            ParamKind::Row(_, false) => Resource::Own(target),
            ParamKind::Params(_) => Resource::Params(target),
            ParamKind::Rows(_) => Resource::Rows(target),
            ParamKind::Tally(_) => Resource::Tally(target),
            ParamKind::Each(_, true) => Resource::EachMut(target),
            ParamKind::Each(_, false) => Resource::Each(target),
            ParamKind::History(_, true) => Resource::HistoryMut(target),
            ParamKind::History(_, false) => Resource::History(target),
            ParamKind::Clock => Resource::Clock,
            ParamKind::Value(_) | ParamKind::InOut(_) | ParamKind::Lanes(..) | ParamKind::Scratch(..) => return None,
        })
    }

    /// Returns the type of the argument of a launch, and the method of the binder that takes it. `None` if the launch
    /// is not given one, and for a bundle, whose fields are given.
    pub(crate) fn argument(&self, root: &Root) -> Option<(TokenStream, Ident)> {
        let (argument, method) = match self {
            Resource::RowNumber | Resource::Group(_) | Resource::Bundle(_) => return None,
            Resource::OwnMut(ty) => (quote!(&'a mut #root::Table<#ty>), "own_mut"),
            Resource::Own(ty) => (quote!(&'a #root::Table<#ty>), "own"),
            // Every invocation has its row of these too: the binder checks them as own rows.
            Resource::EachMut(ty) => (quote!(&'a mut #root::Table<#ty>), "own_mut"),
            Resource::Each(ty) => (quote!(&'a #root::Table<#ty>), "own"),
            Resource::GroupRowMut(ty) => (quote!(&'a mut #root::Table<#ty>), "group_mut"),
            Resource::GroupRow(ty) => (quote!(&'a #root::Table<#ty>), "group"),
            Resource::Rows(ty) => (quote!(&'a #root::Table<#ty>), "rows"),
            Resource::Tally(ty) => (quote!(&'a #root::TallyTable<#ty>), "tally"),
            Resource::HistoryMut(ty) => (quote!(&'a mut #root::HistoryTable<#ty>), "history_mut"),
            Resource::History(ty) => (quote!(&'a #root::HistoryTable<#ty>), "history"),
            Resource::Clock => (quote!(&'a #root::ClockTable), "clock"),
            Resource::Params(ty) => (quote!(&'a #ty), "params"),
        };
        Some((argument, Ident::new(method, Span::call_site())))
    }
}

/// Returns the resources with those in bundles.
pub(crate) fn leaves(resources: &[Resource]) -> Vec<&Resource> {
    let mut leaves = Vec::new();
    for resource in resources {
        match resource {
            Resource::Bundle(bundle) => leaves.extend(bundle.fields.iter().map(|(_, field)| field)),
            other => leaves.push(other),
        }
    }
    leaves
}

/// Returns the row, block or element of a reference: `T` of `&T` or `&Rows<T>`.
pub(crate) fn target(ty: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Reference(reference) = ty else { return None };
    let inner = &*reference.elem;
    let argument = match inner {
        syn::Type::Path(path) => match path.path.segments.last().map(|segment| &segment.arguments) {
            Some(syn::PathArguments::AngleBracketed(arguments)) => arguments.args.first(),
            _ => None,
        },
        _ => None,
    };
    match argument {
        Some(syn::GenericArgument::Type(argument)) => Some(argument.clone()),
        _ => Some(inner.clone()),
    }
}

/// A kernel with a valid signature.
#[derive(Clone, Debug)]
pub(crate) struct KernelItem {
    pub(crate) name: Ident,
    pub(crate) vis: syn::Visibility,
    pub(crate) function: FunctionId,
    /// Reductions of the result, with the types of what is reduced.
    pub(crate) reduce: Vec<(Reduce, Scalar)>,
    pub(crate) shape: Shape,
    /// Constants that the shape names.
    pub(crate) sizes: Vec<Ident>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) result: Option<syn::Type>,
}
