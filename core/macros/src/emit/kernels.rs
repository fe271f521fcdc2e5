//! Kernels: the launchable type and the native entry.

mod entry;
mod item;
mod signature;

pub(super) use entry::entry_name;
pub(crate) use item::KernelItem;
pub(crate) use signature::{check, reject_groups};

use crate::roots::Root;
use imminent_ir::{Reduce, Shape};
use item::Resource;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Returns the launchable type of a kernel, and its native entry.
pub(super) fn emit(kernel: &KernelItem, index: u32, root: &Root) -> TokenStream {
    let KernelItem { name, vis, result, .. } = kernel;
    let text = crate::syntax::plain(name);
    let (mut args, mut binds) = (Vec::new(), Vec::new());
    for resource in &kernel.resources {
        let position = syn::Index::from(args.len());
        let (arg, method) = match resource {
            Resource::RowNumber | Resource::Group(_) => continue,
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
        let method = Ident::new(method, Span::call_site());
        binds.push(quote!(binder.#method(args.#position)?;));
        args.push(arg);
    }
    let output = match kernel.reduce {
        None => quote!(()),
        Some(Reduce::Min | Reduce::Max | Reduce::Sum) => quote!(#result),
        Some(Reduce::Count) => quote!(u32),
        Some(Reduce::Any) => quote!(bool),
        Some(Reduce::ArgMin) => quote!(#root::reduce::ArgMin<#result>),
    };
    let shape = shape(kernel.shape, root);
    let entry = entry::emit(kernel, root);
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
                #root::kernel::KernelSource { module: &__MODULE, index: #index, name: #text, shape: #shape };

            fn bind(args: Self::Args<'_>, binder: &mut #root::bind::Binder<'_>) -> ::core::result::Result<(), #root::Error> {
                #(#binds)*
                ::core::result::Result::Ok(())
            }
        }

        #entry
    }
}

fn shape(shape: Shape, root: &Root) -> TokenStream {
    match shape {
        Shape::Rows => quote!(#root::ir::Shape::Rows),
        Shape::Group(size) => quote!(#root::ir::Shape::Group(#size)),
        Shape::Tile(width, height) => quote!(#root::ir::Shape::Tile(#width, #height)),
    }
}
