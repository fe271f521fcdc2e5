//! Bundles: their lifetime, and the arguments of a launch for one.

use super::kernels::{Resource, target};
use super::lifetimes;
use super::structs::complete_derives;
use crate::program::Program;
use crate::roots::Root;
use crate::syntax::plain;
use crate::ty::BundleId;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Lifetime, PathArguments, parse_quote};

/// Adds the lifetimes of a bundle, and the derives that it can have.
pub(super) fn complete(item: &mut syn::ItemStruct, inner: &[Option<Lifetime>]) {
    let named = inner.iter().flatten();
    item.generics = parse_quote!(<'a #(, #named)*>);
    let mut mutable = false;
    for (field, inner) in item.fields.iter_mut().zip(inner) {
        let syn::Type::Reference(reference) = &mut field.ty else { continue };
        reference.lifetime = Some(parse_quote!('a));
        mutable |= reference.mutability.is_some();
        if let (Some(inner), syn::Type::Path(path)) = (inner, &mut *reference.elem)
            && let Some(PathArguments::AngleBracketed(arguments)) =
                path.path.segments.last_mut().map(|segment| &mut segment.arguments)
        {
            arguments.args.insert(0, parse_quote!(#inner));
        }
    }
    let needed: &[&str] = if mutable { &["Debug"] } else { &["Clone", "Copy", "Debug"] };
    complete_derives(&mut item.attrs, needed);
}

/// Adds the lifetimes to the type of an impl block of a bundle.
pub(super) fn complete_impl(item: &mut syn::ItemImpl, inner: &[Option<Lifetime>]) {
    let ty = lifetimes::applied(&item.self_ty, inner, "'_");
    *item.self_ty = parse_quote!(#ty);
}

/// Returns the struct with the arguments of a launch, and the traits that name it. Empty if a field cannot be an
/// argument: then only functions take the bundle.
pub(super) fn emit(item: &syn::ItemStruct, id: BundleId, program: &Program<'_>, root: &Root) -> TokenStream {
    let (name, vis) = (&item.ident, &item.vis);
    let bundle = lifetimes::applied(name, &lifetimes::inner(&program.bundles[id.index()]), "'_");
    let (mut fields, mut targets) = (TokenStream::new(), TokenStream::new());
    let mut mutable = false;
    for (position, (field, (_, ty))) in item.fields.iter().zip(&program.bundles[id.index()].fields).enumerate() {
        let resource =
            program.param_kind(ty).zip(target(&field.ty)).and_then(|(kind, target)| Resource::of(&kind, target));
        let Some(resource) = resource else { return TokenStream::new() };
        let Some((argument, _)) = resource.argument(root) else { return TokenStream::new() };
        mutable |= matches!(resource, Resource::OwnMut(_) | Resource::EachMut(_) | Resource::HistoryMut(_));
        let (field_name, field_vis, docs) = (&field.ident, &field.vis, docs(field));
        fields.extend(quote!(#docs #field_vis #field_name: #argument,));
        let target = match resource {
            Resource::Clock => None,
            _ => target(&field.ty),
        };
        let target = target.map_or_else(|| quote!(()), |target| quote!(#target));
        targets.extend(quote! {
            #[automatically_derived]
            impl #root::kernel::BundleField<#position> for #bundle {
                type Target = #target;
            }
        });
    }
    let args = format_ident!("{}Args", plain(name), span = name.span());
    let doc = format!("Arguments of a launch for a [`{name}`].");
    let derives = if mutable { quote!(Debug) } else { quote!(Debug, Clone, Copy) };
    quote! {
        #[doc = #doc]
        #[allow(dead_code, reason = "which bundles kernels take is the model's choice")]
        #[derive(#derives)]
        #vis struct #args<'a> {
            #fields
        }

        #[automatically_derived]
        impl #root::kernel::Bundle for #bundle {
            type Args<'a> = #args<'a>;
        }

        #targets
    }
}

/// Returns the documentation of a field, or one that names it.
fn docs(field: &syn::Field) -> TokenStream {
    let docs: Vec<&Attribute> = field.attrs.iter().filter(|attr| attr.path().is_ident("doc")).collect();
    if docs.is_empty() {
        let doc = format!("Argument for `{}`.", field.ident.as_ref().map(plain).unwrap_or_default());
        quote!(#[doc = #doc])
    } else {
        quote!(#(#docs)*)
    }
}
