//! Structs and enums: derives, and their division into words.

use crate::items::derives::{derived, is_named};
use crate::program::Program;
use crate::roots::Root;
use imminent_ir::{MAX_RESULTS, StructId, StructRole};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token, parse_quote};

/// Facts about a field that determine its words.
pub(super) struct FieldWords<'a> {
    pub(super) name: &'a Ident,
    pub(super) ty: &'a syn::Type,
    pub(super) vis: &'a syn::Visibility,
    /// Type of the elements, for lanes.
    pub(super) lanes: Option<&'a syn::Type>,
}

pub(super) fn fields_of(item: &syn::ItemStruct) -> Vec<FieldWords<'_>> {
    item.fields
        .iter()
        .filter_map(|field| {
            let name = field.ident.as_ref()?;
            Some(FieldWords { name, ty: &field.ty, vis: &field.vis, lanes: lanes_element(&field.ty) })
        })
        .collect()
}

fn lanes_element(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == "Lanes")?;
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(ty)) => Some(ty),
        _ => None,
    }
}

/// Removes the language's own derives and adds those that every value needs.
pub(super) fn complete_derives(attrs: &mut Vec<Attribute>, needed: &[&str]) {
    let is_own = |path: &Path| ["Row", "Params", "Bundle"].iter().any(|name| is_named(path, name));
    let kept: Vec<Path> = derived(attrs).into_iter().filter(|path| !is_own(path)).collect();
    let missing = needed.iter().filter(|name| !kept.iter().any(|path| is_named(path, name)));
    let missing: Vec<Path> = missing
        .map(|name| {
            let name = Ident::new(name, Span::call_site());
            match name.to_string().as_str() {
                "Clone" | "Copy" => path_of(if name == "Clone" { "clone" } else { "marker" }, &name),
                "Debug" => path_of("fmt", &name),
                _ => path_of("cmp", &name),
            }
        })
        .collect();
    attrs.retain(|attr| !attr.path().is_ident("derive") && !attr.path().is_ident("row"));
    let all: Punctuated<Path, Token![,]> = kept.into_iter().chain(missing).collect();
    attrs.push(parse_quote!(#[derive(#all)]));
}

fn path_of(module: &str, name: &Ident) -> Path {
    let module = Ident::new(module, Span::call_site());
    parse_quote!(::core::#module::#name)
}

/// Completes a struct and writes its traits.
pub(super) fn emit_struct(item: &mut syn::ItemStruct, role: StructRole, id: u32, root: &Root) -> TokenStream {
    let fields = fields_of(item);
    let has_lanes = fields.iter().any(|field| field.lanes.is_some());
    let name = &item.ident;
    let mut tokens = TokenStream::new();
    if !has_lanes {
        tokens.extend(data_impl(name, &fields, root));
    }
    match role {
        StructRole::Row => tokens.extend(row_impl(name, &fields, id, root)),
        StructRole::Params => {
            let layout = layout(name, id, root);
            tokens.extend(quote! {
                #[automatically_derived]
                impl #root::data::Params for #name {
                    #layout
                }
            });
        }
        StructRole::Value => {}
    }
    let needed: &[&str] =
        if has_lanes { &["Clone", "Debug", "PartialEq"] } else { &["Clone", "Copy", "Debug", "PartialEq"] };
    complete_derives(&mut item.attrs, needed);
    tokens
}

fn layout(name: &Ident, id: u32, root: &Root) -> TokenStream {
    let text = crate::syntax::plain(name);
    quote! {
        fn layout() -> &'static #root::ir::Layout {
            // By number: a struct of another module may have the same name.
            static LAYOUT: ::std::sync::LazyLock<#root::ir::Layout> = ::std::sync::LazyLock::new(|| match __MODULE.ir() {
                ::core::result::Result::Ok(module) if module.structs.len() > #id as usize => {
                    #root::ir::Layout::of(module, #root::ir::StructId(#id))
                }
                _ => __MODULE.layout_of(#text),
            });
            &LAYOUT
        }
    }
}

/// Returns constants `__AT0`, `__AT1`, ... : the first word of each of some types, and of the position behind the last.
fn starts(types: &[&syn::Type], root: &Root) -> TokenStream {
    let mut tokens = quote! { const __AT0: u32 = 0; };
    for (position, ty) in types.iter().enumerate() {
        let (here, next) = (format_ident!("__AT{}", position), format_ident!("__AT{}", position + 1));
        tokens.extend(quote! { const #next: u32 = #here + <#ty as #root::data::Data>::WORDS; });
    }
    tokens
}

/// Returns `if word < end { return .. }` for each of some fields.
fn dispatch(names: &[&Ident], call: impl Fn(&Ident, TokenStream) -> TokenStream) -> TokenStream {
    names
        .iter()
        .enumerate()
        .map(|(position, name)| {
            let (start, end) = (format_ident!("__AT{}", position), format_ident!("__AT{}", position + 1));
            let call = call(name, quote!(word - #start));
            quote! { if word < #end { return #call; } }
        })
        .collect()
}

fn data_impl(name: &Ident, fields: &[FieldWords<'_>], root: &Root) -> TokenStream {
    let names: Vec<&Ident> = fields.iter().map(|field| field.name).collect();
    let types: Vec<&syn::Type> = fields.iter().map(|field| field.ty).collect();
    let texts: Vec<String> = names.iter().map(|name| crate::syntax::plain(name)).collect();
    let starts = starts(&types, root);
    let get = dispatch(&names, |field, word| quote!(#root::data::Data::leaf(&self.#field, #word)));
    let set = dispatch(&names, |field, word| quote!(#root::data::Data::set_leaf(&mut self.#field, #word, bits)));
    quote! {
        #[automatically_derived]
        impl #root::data::Data for #name {
            const WORDS: u32 = 0 #(+ <#types as #root::data::Data>::WORDS)*;

            fn zeroed() -> Self {
                #name { #(#names: <#types as #root::data::Data>::zeroed(),)* }
            }

            fn leaf(&self, word: u32) -> u64 {
                #starts
                #get
                0
            }

            fn set_leaf(&mut self, word: u32, bits: u64) {
                #starts
                #set
            }

            fn columns(name: &str, leaves: &mut ::std::vec::Vec<(::std::string::String, #root::ir::Scalar)>) {
                #(<#types as #root::data::Data>::columns(&::std::format!("{}.{}", name, #texts), leaves);)*
            }

            #[inline]
            fn gather<__R>(
                rows: &[__R],
                of: impl Fn(&__R) -> &Self + ::core::marker::Copy,
                columns: &mut #root::data::Gather<'_>,
            ) {
                #(<#types as #root::data::Data>::gather(rows, move |row| &of(row).#names, columns);)*
            }

            #[inline]
            fn scatter<__R>(
                rows: &mut [__R],
                of: impl Fn(&mut __R) -> &mut Self + ::core::marker::Copy,
                columns: &mut #root::data::Scatter<'_>,
            ) {
                #(<#types as #root::data::Data>::scatter(rows, move |row| &mut of(row).#names, columns);)*
            }
        }
    }
}

/// Makes a plain struct of few scalars the possible result of a kernel that reduces each field.
pub(super) fn output_impl(item: &syn::ItemStruct, id: StructId, program: &Program<'_>, root: &Root) -> TokenStream {
    let of = &program.module.structs[id.index()];
    let Some(scalars) = of.scalars().filter(|scalars| of.role == StructRole::Value && scalars.len() <= MAX_RESULTS)
    else {
        return TokenStream::new();
    };
    let (name, scalars) = (&item.ident, scalars.into_iter().map(|scalar| format_ident!("{scalar:?}")));
    quote! {
        #[automatically_derived]
        impl #root::Output for #name {
            const SCALARS: #root::ir::Scalars = #root::ir::Scalars::new(&[#(#root::ir::Scalar::#scalars),*]);
        }
    }
}

fn row_impl(name: &Ident, fields: &[FieldWords<'_>], id: u32, root: &Root) -> TokenStream {
    let layout = layout(name, id, root);
    let fixed: Vec<&FieldWords<'_>> = fields.iter().filter(|field| field.lanes.is_none()).collect();
    let names: Vec<&Ident> = fixed.iter().map(|field| field.name).collect();
    let types: Vec<&syn::Type> = fixed.iter().map(|field| field.ty).collect();
    let fixed_starts = starts(&types, root);
    let get = dispatch(&names, |field, word| quote!(#root::data::Data::leaf(&self.#field, #word)));
    let set = dispatch(&names, |field, word| quote!(#root::data::Data::set_leaf(&mut self.#field, #word, bits)));
    let lanes: Vec<&Ident> = fields.iter().filter(|field| field.lanes.is_some()).map(|field| field.name).collect();
    let elements: Vec<&syn::Type> = fields.iter().filter_map(|field| field.lanes).collect();
    let lane_starts = starts(&elements, root);
    let get_lane = dispatch(&lanes, |field, word| quote!(self.#field.leaf(lane, #word)));
    let set_lane = dispatch(&lanes, |field, word| quote!(self.#field.set_leaf(lane, #word, bits)));
    let zeroed = fields.iter().map(|field| {
        let (name, ty) = (field.name, field.ty);
        match field.lanes {
            Some(element) => quote!(#name: #root::data::Lanes::<#element>::zeroed(capacity)),
            None => quote!(#name: <#ty as #root::data::Data>::zeroed()),
        }
    });
    let each_lane = |calls: TokenStream| {
        if lanes.is_empty() { TokenStream::new() } else { quote!(for lane in 0..capacity { #calls }) }
    };
    let gather_lanes =
        each_lane(quote!(#(#root::data::Lanes::<#elements>::gather(rows, lane, |row| &row.#lanes, columns);)*));
    let scatter_lanes =
        each_lane(quote!(#(#root::data::Lanes::<#elements>::scatter(rows, lane, |row| &mut row.#lanes, columns);)*));
    let pool = if lanes.is_empty() {
        TokenStream::new()
    } else {
        quote! {
            fn gather_pool(rows: &[Self], capacities: &[u32], columns: &mut #root::data::Gather<'_>) {
                #(#root::data::Lanes::<#elements>::gather_pool(rows, capacities, |row| &row.#lanes, columns);)*
            }

            fn scatter_pool(rows: &mut [Self], columns: &mut #root::data::Scatter<'_>) {
                #(#root::data::Lanes::<#elements>::scatter_pool(rows, |row| &mut row.#lanes, columns);)*
            }
        }
    };
    let capacity = match lanes.first() {
        Some(first) => quote!(self.#first.capacity()),
        None => quote!(0),
    };
    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #root::data::Row for #name {
            #layout

            fn zeroed(capacity: u32) -> Self {
                #name { #(#zeroed,)* }
            }

            fn leaf(&self, word: u32) -> u64 {
                #fixed_starts
                #get
                0
            }

            fn set_leaf(&mut self, word: u32, bits: u64) {
                #fixed_starts
                #set
            }

            fn lane_leaf(&self, lane: u32, word: u32) -> u64 {
                #lane_starts
                #get_lane
                0
            }

            fn set_lane_leaf(&mut self, lane: u32, word: u32, bits: u64) {
                #lane_starts
                #set_lane
            }

            fn set_capacity(&mut self, capacity: u32) {
                #(self.#lanes.set_capacity(capacity);)*
            }

            fn capacity(&self) -> u32 {
                #capacity
            }

            fn gather(rows: &[Self], capacity: u32, columns: &mut #root::data::Gather<'_>) {
                #(<#types as #root::data::Data>::gather(rows, |row| &row.#names, columns);)*
                #gather_lanes
            }

            fn scatter(rows: &mut [Self], capacity: u32, columns: &mut #root::data::Scatter<'_>) {
                #(<#types as #root::data::Data>::scatter(rows, |row| &mut row.#names, columns);)*
                #scatter_lanes
            }

            #pool
        }
    }
}

/// Completes an enum and writes its traits.
pub(super) fn emit_enum(item: &mut syn::ItemEnum, root: &Root) -> TokenStream {
    let name = &item.ident;
    let variants: Vec<&Ident> = item.variants.iter().map(|variant| &variant.ident).collect();
    let tokens = quote! {
        #[automatically_derived]
        impl #root::data::Data for #name {
            const WORDS: u32 = 1;

            fn zeroed() -> Self {
                let mut value = [#(#name::#variants,)*][0];
                #root::data::Data::set_leaf(&mut value, 0, 0);
                value
            }

            fn leaf(&self, word: u32) -> u64 {
                if word == 0 { u64::from(*self as u32) } else { 0 }
            }

            fn set_leaf(&mut self, word: u32, bits: u64) {
                if word != 0 {
                    return;
                }
                for variant in [#(#name::#variants,)*] {
                    let discriminant = u64::from(variant as u32);
                    if discriminant == bits & 0xffff_ffff {
                        *self = variant;
                        return;
                    }
                }
                for variant in [#(#name::#variants,)*] {
                    if variant as u32 == 0 {
                        *self = variant;
                    }
                }
            }

            fn columns(name: &str, leaves: &mut ::std::vec::Vec<(::std::string::String, #root::ir::Scalar)>) {
                leaves.push((::std::string::String::from(name), #root::ir::Scalar::U32));
            }

            fn gather<__R>(
                rows: &[__R],
                of: impl Fn(&__R) -> &Self + ::core::marker::Copy,
                columns: &mut #root::data::Gather<'_>,
            ) {
                columns.words(rows, move |row| *of(row) as u32);
            }

            fn scatter<__R>(
                rows: &mut [__R],
                of: impl Fn(&mut __R) -> &mut Self + ::core::marker::Copy,
                columns: &mut #root::data::Scatter<'_>,
            ) {
                columns.words(rows, move |row, word| {
                    #root::data::Data::set_leaf(of(row), 0, u64::from(word));
                });
            }
        }
    };
    complete_derives(&mut item.attrs, &["Clone", "Copy", "Debug", "PartialEq", "Eq"]);
    if !item.attrs.iter().any(|attr| attr.path().is_ident("repr")) {
        item.attrs.push(parse_quote!(#[repr(u32)]));
    }
    tokens
}
