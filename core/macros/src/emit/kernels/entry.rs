//! Native entry of a kernel: takes its resources from a call and runs the function over the call's rows or groups.

use super::item::{KernelItem, Resource};
use crate::roots::Root;
use imminent_ir::Reduce;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// Form in which the own rows of a call are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    /// A range of rows.
    Range,
    /// One reference for each number of a list.
    List,
}

/// Returns the name of a kernel's native entry.
pub(in crate::emit) fn entry_name(name: &Ident) -> Ident {
    format_ident!("__entry_{}", crate::syntax::plain(name), span = Span::call_site())
}

pub(super) fn emit(kernel: &KernelItem, root: &Root) -> TokenStream {
    let entry = entry_name(&kernel.name);
    let body = if kernel.shape.is_grouped() {
        grouped(kernel, root)
    } else {
        let (range, list) = (rows(kernel, Visit::Range), rows(kernel, Visit::List));
        quote! {
            if call.is_listed() {
                #list
            } else {
                #range
            }
        }
    };
    quote! {
        #[doc(hidden)]
        #[allow(unused_variables)]
        fn #entry(call: &mut #root::native::Call<'_>) -> ::core::result::Result<(), #root::native::NativeError> {
            #body
            ::core::result::Result::Ok(())
        }
    }
}

/// Returns the method of the call that runs a kernel with this reduction.
fn run(reduce: Option<Reduce>) -> Ident {
    let name = match reduce {
        None => "run",
        Some(Reduce::Min) => "reduce_min",
        Some(Reduce::Max) => "reduce_max",
        Some(Reduce::Sum) => "reduce_sum",
        Some(Reduce::Count) => "reduce_count",
        Some(Reduce::Any) => "reduce_any",
        Some(Reduce::ArgMin) => "reduce_arg_min",
    };
    Ident::new(name, Span::call_site())
}

/// Returns the code common to all kernels that takes and passes a resource.
fn shared(resource: &Resource, local: &Ident) -> Option<(TokenStream, TokenStream)> {
    Some(match resource {
        Resource::Rows(ty) => (quote!(rows::<#ty>), quote!(#local)),
        Resource::Tally(ty) => (quote!(tally::<#ty>), quote!(#local)),
        Resource::Params(ty) => (quote!(params::<#ty>), quote!(#local)),
        _ => return None,
    })
}

fn rows(kernel: &KernelItem, visit: Visit) -> TokenStream {
    let (name, run) = (&kernel.name, run(kernel.reduce));
    let (mut takes, mut passes) = (Vec::new(), Vec::new());
    for resource in &kernel.resources {
        let slot = takes.len();
        let local = format_ident!("__binding{}", slot);
        let (take, pass) = match (resource, visit) {
            (Resource::RowNumber, _) => {
                passes.push(quote!(__row));
                continue;
            }
            (Resource::OwnMut(ty), Visit::Range) => (quote!(own_mut::<#ty>), quote!(&mut #local[__position])),
            (Resource::OwnMut(ty), Visit::List) => (quote!(listed_mut::<#ty>), quote!(&mut *#local[__position])),
            (Resource::Own(ty), Visit::Range) => (quote!(own::<#ty>), quote!(&#local[__position])),
            (Resource::Own(ty), Visit::List) => (quote!(listed_ref::<#ty>), quote!(#local[__position])),
            (Resource::HistoryMut(ty), _) => (quote!(history_mut::<#ty>), quote!(#local.of(__position))),
            (Resource::History(ty), _) => (quote!(history::<#ty>), quote!(#local.of(__position))),
            (Resource::Clock, _) => (quote!(clock), quote!(&#local)),
            (other, _) => match shared(other, &local) {
                Some(shared) => shared,
                None => continue,
            },
        };
        let mutable = match resource {
            Resource::OwnMut(_) => visit == Visit::List,
            Resource::HistoryMut(_) | Resource::History(_) => true,
            _ => false,
        };
        let mutable = mutable.then(|| quote!(mut));
        takes.push(quote!(let #mutable #local = call.#take(#slot)?;));
        passes.push(pass);
    }
    quote! {
        #(#takes)*
        call.#run(|__position, __row| #name(#(#passes,)*));
    }
}

fn grouped(kernel: &KernelItem, root: &Root) -> TokenStream {
    let (name, run) = (&kernel.name, run(kernel.reduce));
    let (mut takes, mut passes) = (Vec::new(), Vec::new());
    let mut scratch = None;
    for resource in &kernel.resources {
        let slot = takes.len();
        let local = format_ident!("__binding{}", slot);
        let (take, pass) = match resource {
            Resource::Group(ty) => {
                scratch = Some(ty);
                passes.push(quote!(&mut __group));
                continue;
            }
            Resource::EachMut(ty) => (quote!(each_mut::<#ty>), quote!(&mut #local.of(&__extent))),
            Resource::Each(ty) => (quote!(each::<#ty>), quote!(&#local.of(&__extent))),
            Resource::GroupRowMut(ty) => (quote!(group_mut::<#ty>), quote!(&mut #local[__position])),
            Resource::GroupRow(ty) => (quote!(group_ref::<#ty>), quote!(&#local[__position])),
            other => match shared(other, &local) {
                Some(shared) => shared,
                None => continue,
            },
        };
        let mutable = matches!(resource, Resource::EachMut(_)).then(|| quote!(mut));
        takes.push(quote!(let #mutable #local = call.#take(#slot)?;));
        passes.push(pass);
    }
    quote! {
        let __groups = call.groups()?;
        let mut __group = #root::data::Group::<#scratch>::new(__groups.extent(0));
        #(#takes)*
        call.#run(|__position, __number| {
            let __extent = __groups.extent(__number);
            __group.enter(__extent);
            #name(#(#passes,)*)
        });
    }
}
