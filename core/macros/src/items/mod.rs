//! Collection of a kernel module's declarations.

pub(crate) mod bundles;
mod consts;
pub(crate) mod derives;
mod functions;
mod outside;
mod types;

use crate::program::{ConstEntry, Program, TypeEntry, TypeKey};
use crate::syntax::plain;
use syn::{ImplItem, Item};

impl<'a> Program<'a> {
    /// Declares everything: types first, then signatures and constants.
    pub(crate) fn collect(&mut self, items: &'a [Item]) {
        for item in items {
            self.name_type(item);
        }
        for item in items {
            if let Item::Const(item) = item {
                self.name_const(item);
            }
        }
        for item in items {
            if let Item::Impl(item) = item {
                self.name_associated_consts(item);
            }
        }
        for item in items {
            if let Item::Enum(item) = item {
                self.define_enum(item);
            }
        }
        for item in items {
            if let Item::Struct(item) = item
                && let Some(Err(())) = self.named_type(&plain(&item.ident))
            {
                self.errors.at(item.ident.span(), "a struct cannot contain itself");
            }
        }
        for item in items {
            if let Item::Impl(item) = item {
                self.declare_associated_consts(item);
            }
        }
        for item in items {
            match item {
                Item::Fn(item) => self.declare_function(&item.sig, &item.block, &item.attrs, None),
                Item::Impl(item) => self.declare_impl(item),
                _ => {}
            }
        }
        for index in 0..self.consts.len() {
            self.known_const(index);
        }
    }

    /// Rejects `cfg`: the macro runs before it is evaluated, so devices would see code that the host does not.
    fn reject_cfg(&self, attrs: &[syn::Attribute]) {
        for attr in attrs {
            if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
                self.errors.over(attr, "`cfg` inside a kernel module would hold on the host and not on devices: put it on a whole kernel module");
            }
        }
    }

    fn name_type(&mut self, item: &'a Item) {
        match item {
            Item::Struct(item) => {
                self.reject_cfg(&item.attrs);
                item.fields.iter().for_each(|field| self.reject_cfg(&field.attrs));
            }
            Item::Enum(item) => {
                self.reject_cfg(&item.attrs);
                item.variants.iter().for_each(|variant| self.reject_cfg(&variant.attrs));
            }
            Item::Const(item) => self.reject_cfg(&item.attrs),
            Item::Fn(item) => self.reject_cfg(&item.attrs),
            Item::Use(item) => self.reject_cfg(&item.attrs),
            Item::Impl(item) => {
                self.reject_cfg(&item.attrs);
                for member in &item.items {
                    match member {
                        ImplItem::Fn(function) => self.reject_cfg(&function.attrs),
                        ImplItem::Const(constant) => self.reject_cfg(&constant.attrs),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        let message = match item {
            Item::Struct(item) => {
                self.check_struct(item);
                self.types.insert(plain(&item.ident), TypeEntry::Pending(item));
                return;
            }
            Item::Enum(item) => {
                if !item.generics.params.is_empty() {
                    self.errors
                        .over(&item.generics, "generic enums are outside the kernel language: use a concrete one");
                }
                return;
            }
            Item::Const(_) | Item::Fn(_) | Item::Impl(_) | Item::Use(_) => return,
            Item::Static(_) => {
                "statics are outside the kernel language: use a `const`, or a field of a `#[derive(Params)]` struct"
            }
            Item::Trait(_) | Item::TraitAlias(_) => {
                "traits are outside the kernel language: write functions, or methods in an `impl` block"
            }
            Item::Type(_) => "type aliases are outside the kernel language: write the type itself",
            Item::Union(_) => {
                "unions are outside the kernel language: use a struct, and `to_bits` or `from_bits` to reinterpret floats"
            }
            Item::Mod(_) => {
                "a kernel module has no modules inside: put the inner one beside it, with its own `#[kernels]`, and `use` its items"
            }
            Item::Macro(_) => "macros are outside the kernel language: write the items out",
            Item::ExternCrate(_) => "put `extern crate` outside the kernel module",
            _ => {
                "this item is outside the kernel language: there are structs, enums, consts, functions, impl blocks and `use` of other kernel modules"
            }
        };
        self.errors.over(item, message);
    }

    fn check_struct(&mut self, item: &'a syn::ItemStruct) {
        if !item.generics.params.is_empty() {
            let of_types = item.generics.params.iter().any(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
            let message = if bundles::is_bundle(&item.attrs) && !of_types {
                "a bundle's lifetime is added by `#[kernels]`: leave it out, here and in the fields"
            } else {
                "generic structs are outside the kernel language: use a concrete one"
            };
            self.errors.over(&item.generics, message);
        }
        match &item.fields {
            syn::Fields::Named(fields) if fields.named.is_empty() => {
                self.errors.at(item.ident.span(), "a struct of a kernel module has at least one field");
            }
            syn::Fields::Named(_) => {}
            _ => self
                .errors
                .at(item.ident.span(), "a struct of a kernel module has named fields: `struct Name { field: u32 }`"),
        }
        let derived = derives::derived(&item.attrs);
        let mut roles =
            derived.iter().filter(|path| ["Row", "Params", "Bundle"].iter().any(|name| derives::is_named(path, name)));
        if let (Some(_), Some(second)) = (roles.next(), roles.next()) {
            self.errors.over(
                second,
                "a struct is the row of a table, a parameter block or a bundle, and only one of these: use two structs",
            );
        }
    }

    fn name_const(&mut self, item: &'a syn::ItemConst) {
        let name = plain(&item.ident);
        let index = self.consts.len();
        self.consts.push(ConstEntry::Pending { name: name.clone(), ty: &item.ty, value: &item.expr, self_key: None });
        self.const_names.insert(name, index);
    }

    /// Returns the type of an impl block, if it is one of the language.
    fn impl_type(&mut self, item: &'a syn::ItemImpl) -> Option<TypeKey> {
        if item.trait_.is_some() || !item.generics.params.is_empty() {
            return None;
        }
        TypeKey::of(&self.resolve(&item.self_ty, None))
    }

    /// Names the constants of an impl block before its type is known: fields of structs may use them as array lengths.
    fn name_associated_consts(&mut self, item: &'a syn::ItemImpl) {
        let syn::Type::Path(path) = &*item.self_ty else { return };
        let Some(of) = path.path.get_ident().map(plain) else { return };
        for member in &item.items {
            let ImplItem::Const(constant) = member else { continue };
            let name = plain(&constant.ident);
            self.consts.push(ConstEntry::Pending {
                name: format!("{of}::{name}"),
                ty: &constant.ty,
                value: &constant.expr,
                self_key: None,
            });
            self.associated_consts.insert((of.clone(), name), self.consts.len() - 1);
        }
    }

    /// Declares the constants of an impl block: signatures of any block may use them.
    fn declare_associated_consts(&mut self, item: &'a syn::ItemImpl) {
        if let Some((path, _)) = &item.trait_ {
            self.errors.over(
                path,
                "traits are outside the kernel language: write `impl Type { .. }` here, and implement traits outside the module",
            );
        }
        if !item.generics.params.is_empty() {
            self.errors
                .over(&item.generics, "generic impl blocks are outside the kernel language: use a concrete type");
        }
        let Some(key) = self.impl_type(item) else { return };
        for member in &item.items {
            match member {
                ImplItem::Fn(_) => {}
                ImplItem::Const(constant) => {
                    let name = plain(&constant.ident);
                    let of = self.show(&key.ty());
                    let Some(index) = self.associated_consts.get(&(of, name.clone())).copied() else { continue };
                    if let Some(ConstEntry::Pending { self_key, .. }) = self.consts.get_mut(index) {
                        *self_key = Some(key);
                    }
                    self.members.insert((key, name), crate::program::Member::Const(index));
                }
                other => self.errors.over(other, "an impl block of a kernel module holds functions and constants"),
            }
        }
    }

    fn declare_impl(&mut self, item: &'a syn::ItemImpl) {
        let reported = self.errors.count();
        let Some(key) = self.impl_type(item) else {
            // The type was reported with the block's constants.
            self.errors.truncate(reported);
            return;
        };
        for member in &item.items {
            if let ImplItem::Fn(function) = member {
                self.declare_function(&function.sig, &function.block, &function.attrs, Some(key));
            }
        }
    }
}
