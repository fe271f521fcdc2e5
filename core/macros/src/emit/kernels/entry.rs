//! Native entry of a kernel: takes its resources from a call and runs the function over the call's rows or groups.

use super::item::{Bundle, KernelItem, Resource};
use super::results;
use crate::roots::Root;
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
        let (range, list) = (rows(kernel, Visit::Range, root), rows(kernel, Visit::List, root));
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

/// Code that takes a resource from a call and passes it to the function.
struct Taken {
    /// Method of the call, with its type argument.
    take: TokenStream,
    /// `true` if the local that holds the resource is `mut`.
    mutable: bool,
    pass: TokenStream,
}

impl Taken {
    fn new(take: TokenStream, pass: TokenStream) -> Self {
        Taken { take, mutable: false, pass }
    }

    fn mutable(take: TokenStream, pass: TokenStream) -> Self {
        Taken { take, mutable: true, pass }
    }
}

/// Takes the resources of a kernel from its call, in order. `taken` returns the code for a resource in a local, or
/// `None` for one that is not in the call. Returns the statements that take, and the arguments of the function.
fn take_all(
    kernel: &KernelItem,
    passed: impl Fn(&Resource) -> Option<TokenStream>,
    taken: impl Fn(&Resource, &Ident) -> Option<Taken>,
) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let mut takes = Vec::new();
    let mut pass = |resource: &Resource| {
        if let Some(passed) = passed(resource) {
            return Some(passed);
        }
        let slot = takes.len();
        let local = format_ident!("__binding{}", slot);
        let Taken { take, mutable, pass } = taken(resource, &local)?;
        let mutable = mutable.then(|| quote!(mut));
        takes.push(quote!(let #mutable #local = call.#take(#slot)?;));
        Some(pass)
    };
    let mut passes = Vec::new();
    for resource in &kernel.resources {
        match resource {
            Resource::Bundle(Bundle { name, mutable, fields, .. }) => {
                let fields = fields.iter().map(|(field, resource)| {
                    let pass = pass(resource);
                    quote!(#field: #pass,)
                });
                let (mutable, fields) = (mutable.then(|| quote!(mut)), fields.collect::<TokenStream>());
                passes.push(quote!(&#mutable #name { #fields }));
            }
            other => passes.extend(pass(other)),
        }
    }
    (takes, passes)
}

/// Returns the code common to all kernels for a resource.
fn shared(resource: &Resource, local: &Ident) -> Option<Taken> {
    Some(match resource {
        Resource::Rows(ty) => Taken::new(quote!(rows::<#ty>), quote!(#local)),
        Resource::Tally(ty) => Taken::new(quote!(tally::<#ty>), quote!(#local)),
        Resource::Params(ty) => Taken::new(quote!(params::<#ty>), quote!(#local)),
        _ => return None,
    })
}

fn rows(kernel: &KernelItem, visit: Visit, root: &Root) -> TokenStream {
    let (name, (run, before)) = (&kernel.name, results::run(kernel, root));
    let number = |resource: &Resource| matches!(resource, Resource::RowNumber).then(|| quote!(__row));
    let (takes, passes) = take_all(kernel, number, |resource, local| {
        Some(match (resource, visit) {
            (Resource::OwnMut(ty), Visit::Range) => Taken::new(quote!(own_mut::<#ty>), quote!(&mut #local[__position])),
            (Resource::OwnMut(ty), Visit::List) => {
                Taken::mutable(quote!(listed_mut::<#ty>), quote!(&mut *#local[__position]))
            }
            (Resource::Own(ty), Visit::Range) => Taken::new(quote!(own::<#ty>), quote!(&#local[__position])),
            (Resource::Own(ty), Visit::List) => Taken::new(quote!(listed_ref::<#ty>), quote!(#local[__position])),
            (Resource::HistoryMut(ty), _) => Taken::mutable(quote!(history_mut::<#ty>), quote!(#local.of(__position))),
            (Resource::History(ty), _) => Taken::mutable(quote!(history::<#ty>), quote!(#local.of(__position))),
            (Resource::Clock, _) => Taken::new(quote!(clock), quote!(&#local)),
            (other, _) => return shared(other, local),
        })
    });
    quote! {
        #(#takes)*
        call.#run(#before |__position, __row| #name(#(#passes,)*));
    }
}

fn grouped(kernel: &KernelItem, root: &Root) -> TokenStream {
    let (name, (run, before)) = (&kernel.name, results::run(kernel, root));
    let group = |resource: &Resource| matches!(resource, Resource::Group(_)).then(|| quote!(&mut __group));
    let (takes, passes) = take_all(kernel, group, |resource, local| {
        Some(match resource {
            Resource::EachMut(ty) => Taken::mutable(quote!(each_mut::<#ty>), quote!(&mut #local.of(&__extent))),
            Resource::Each(ty) => Taken::new(quote!(each::<#ty>), quote!(&#local.of(&__extent))),
            Resource::GroupRowMut(ty) => Taken::new(quote!(group_mut::<#ty>), quote!(&mut #local[__position])),
            Resource::GroupRow(ty) => Taken::new(quote!(group_ref::<#ty>), quote!(&#local[__position])),
            other => return shared(other, local),
        })
    });
    let scratch = kernel.resources.iter().find_map(|resource| match resource {
        Resource::Group(ty) => Some(ty),
        _ => None,
    });
    quote! {
        let __groups = call.groups()?;
        let mut __group = #root::data::Group::<#scratch>::new(__groups.extent(0));
        #(#takes)*
        call.#run(#before |__position, __number| {
            let __extent = __groups.extent(__number);
            __group.enter(__extent);
            #name(#(#passes,)*)
        });
    }
}
