//! `table.field()` and `result.field()`: the columns of a row struct, and the fields of a result, by name.

use super::structs::fields_of;
use crate::program::Program;
use crate::roots::Root;
use imminent_ir::{Scalar, StructId, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// Returns the trait of columns of a row struct; empty if no field has one.
pub(super) fn emit(item: &syn::ItemStruct, id: StructId, program: &Program<'_>, root: &Root) -> TokenStream {
    let def = &program.module.structs[id.index()];
    let (mut word, mut lane_word) = (0u32, 0u32);
    let (mut signatures, mut bodies) = (TokenStream::new(), TokenStream::new());
    for (field, declared) in fields_of(item).iter().zip(&def.fields) {
        let (ty, lanes) = match &declared.ty {
            imminent_ir::FieldType::Value(ty) => (ty, false),
            imminent_ir::FieldType::Lanes(ty) => (ty, true),
        };
        let start = if lanes { &mut lane_word } else { &mut word };
        let here = *start;
        *start += imminent_ir::words(&program.module, ty);
        if !as_visible(field.vis, &item.vis) {
            continue;
        }
        let name = field.name;
        let plain = crate::syntax::plain(name);
        let (arguments, doc, body) = match (ty, lanes) {
            (Type::Array(element, _), false) => {
                let Some(scalar) = scalar(element) else { continue };
                let words = imminent_ir::words(&program.module, element);
                (
                    quote!(, element: u32),
                    format!("The column of `{plain}[element]`, one value for each row."),
                    quote!(#root::Table::column::<#scalar>(self, #here.saturating_add(element.saturating_mul(#words)))),
                )
            }
            (ty, lanes) => {
                let Some(scalar) = scalar(ty) else { continue };
                if lanes {
                    (
                        quote!(, lane: u32),
                        format!("The column of lane `lane` of `{plain}`, one value for each row."),
                        quote!(#root::Table::lane_column::<#scalar>(self, lane, #here)),
                    )
                } else {
                    (
                        TokenStream::new(),
                        format!("The column of `{plain}`, one value for each row."),
                        quote!(#root::Table::column::<#scalar>(self, #here)),
                    )
                }
            }
        };
        let leaf = match ty {
            Type::Array(element, _) => scalar(element),
            other => scalar(other),
        };
        signatures.extend(quote! {
            #[doc = #doc]
            #[must_use]
            fn #name(&self #arguments) -> #root::Column<'_, #leaf>;
        });
        bodies.extend(quote! {
            fn #name(&self #arguments) -> #root::Column<'_, #leaf> {
                #body
            }
        });
    }
    if signatures.is_empty() {
        return TokenStream::new();
    }
    let row = &item.ident;
    let doc = format!("The columns of a table of [`{row}`], by field.");
    methods(item, "Columns", &doc, &quote!(#root::Table<#row>), (signatures, bodies))
}

/// Returns the trait of the fields of a result: a struct of scalars, each reduced on its own.
pub(super) fn of_result(item: &syn::ItemStruct, id: StructId, program: &Program<'_>, root: &Root) -> TokenStream {
    let def = &program.module.structs[id.index()];
    let mut word = 0;
    let (mut signatures, mut bodies) = (TokenStream::new(), TokenStream::new());
    for (field, declared) in fields_of(item).iter().zip(&def.fields) {
        let imminent_ir::FieldType::Value(ty) = &declared.ty else { continue };
        let here = word;
        word += imminent_ir::words(&program.module, ty);
        let (true, Some(scalar)) = (as_visible(field.vis, &item.vis), scalar(ty)) else { continue };
        let (name, doc) = (field.name, format!("The field `{}`, on the device.", crate::syntax::plain(field.name)));
        signatures.extend(quote! {
            #[doc = #doc]
            #[must_use]
            fn #name(&self) -> #root::Scalar<#scalar>;
        });
        bodies.extend(quote! {
            fn #name(&self) -> #root::Scalar<#scalar> {
                #root::Scalar::field::<#scalar>(self, #here)
            }
        });
    }
    let row = &item.ident;
    let doc = format!("The fields of a [`{row}`] that a launch returns.");
    methods(item, "Fields", &doc, &quote!(#root::Scalar<#row>), (signatures, bodies))
}

/// Returns a trait named after a struct, with a method for each of its fields, and its implementation for `of`.
fn methods(
    item: &syn::ItemStruct,
    suffix: &str,
    doc: &str,
    of: &TokenStream,
    (signatures, bodies): (TokenStream, TokenStream),
) -> TokenStream {
    let vis = &item.vis;
    let name = format_ident!("{}{suffix}", crate::syntax::plain(&item.ident));
    quote! {
        #[doc = #doc]
        #[allow(dead_code, reason = "which fields are looked at by themselves is the model's choice")]
        #vis trait #name {
            #signatures
        }

        #[automatically_derived]
        impl #name for #of {
            #bodies
        }
    }
}

/// Returns the Rust type of a column of that type; `None` unless it is a scalar.
fn scalar(ty: &Type) -> Option<Ident> {
    let scalar = match ty {
        Type::Scalar(scalar) => *scalar,
        Type::Enum(_) => Scalar::U32,
        _ => return None,
    };
    Some(Ident::new(scalar.name(), Span::call_site()))
}

/// Returns `true` if a field is visible wherever its struct is.
fn as_visible(field: &syn::Visibility, item: &syn::Visibility) -> bool {
    matches!(field, syn::Visibility::Public(_))
        || field.to_token_stream().to_string() == item.to_token_stream().to_string()
}
