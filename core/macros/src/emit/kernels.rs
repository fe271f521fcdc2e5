//! Kernels: the launchable type and the native entry.

mod entry;
mod item;
mod results;
mod signature;

pub(super) use entry::entry_name;
pub(crate) use item::KernelItem;
pub(super) use item::{Resource, target};
pub(crate) use signature::{check, reject_groups};

use crate::roots::Root;
use imminent_ir::Shape;
use item::Bundle;
use proc_macro2::TokenStream;
use quote::quote;

/// Returns the launchable type of a kernel, and its native entry.
pub(super) fn emit(kernel: &KernelItem, index: u32, root: &Root) -> TokenStream {
    let KernelItem { name, vis, .. } = kernel;
    let text = crate::syntax::plain(name);
    let (mut args, mut binds) = (Vec::new(), Vec::new());
    for resource in &kernel.resources {
        let position = syn::Index::from(args.len());
        if let Resource::Bundle(Bundle { fixed, fields, .. }) = resource {
            args.push(quote!(<#fixed as #root::kernel::Bundle>::Args<'a>));
            for (field, resource) in fields {
                let Some((_, method)) = resource.argument(root) else { continue };
                binds.push(quote!(binder.#method(args.#position.#field)?;));
            }
        } else if let Some((argument, method)) = resource.argument(root) {
            binds.push(quote!(binder.#method(args.#position)?;));
            args.push(argument);
        }
    }
    let output = results::output(kernel, root);
    let shape = shape(kernel.shape, root);
    let sizes = &kernel.sizes;
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
            const SOURCE: #root::kernel::KernelSource = {
                #(let _ = #sizes;)*
                #root::kernel::KernelSource { module: &__MODULE, index: #index, name: #text, shape: #shape }
            };

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
