//! Conversion of the user's types to the checker's.

use crate::program::{Program, TypeEntry, TypeKey};
use crate::syntax::plain;
use crate::ty::{Ty, scalar_named};
use imminent_ir::{Enum, Field, FieldType, Struct, StructRole};

/// Suggests a substitute for a type outside the language.
fn advice(name: &str) -> &'static str {
    match name {
        "usize" | "isize" => "use `u32` or `u64`, and write `x as usize` inside the index only",
        "u8" | "u16" => "use `u32`",
        "i8" | "i16" => "use `i32`",
        "u128" | "i128" => "use two `u64`, or `mul_high(a, b)` for the high half of a product",
        "char" => "use `u32`",
        "String" | "str" | "Vec" | "Box" | "HashMap" | "BTreeMap" | "VecDeque" => {
            "use an array `[T; N]`, or `Lanes<T>` for an array whose capacity belongs to the table"
        }
        "Option" | "Result" => "use a `bool` beside the value, or a value that means none, such as `u64::MAX`",
        _ => {
            "the types are bool, u32, i32, u64, i64, f32, f64, [T; N], and the structs and field-less enums of kernel modules"
        }
    }
}

impl<'a> Program<'a> {
    /// Resolves a type; reports an error and returns [`Ty::Error`] if it is outside the language.
    pub(crate) fn resolve(&mut self, ty: &'a syn::Type, self_key: Option<TypeKey>) -> Ty {
        let message = match ty {
            syn::Type::Paren(inner) => return self.resolve(&inner.elem, self_key),
            syn::Type::Group(inner) => return self.resolve(&inner.elem, self_key),
            syn::Type::Reference(reference) => {
                if let Some(lifetime) = &reference.lifetime {
                    self.errors.at(lifetime.span(), "kernels need no lifetimes: leave it out");
                }
                if let syn::Type::Slice(slice) = &*reference.elem {
                    self.errors.over(
                        slice,
                        "slices are outside the kernel language: use an array `[T; N]`, `&Lanes<T>` or `&Rows<T>`",
                    );
                    return Ty::Error;
                }
                return match self.resolve(&reference.elem, self_key) {
                    Ty::Error => Ty::Error,
                    Ty::Ref(..) => {
                        self.errors.over(ty, "a reference to a reference: write a single `&`");
                        Ty::Error
                    }
                    inner => Ty::Ref(Box::new(inner), reference.mutability.is_some()),
                };
            }
            syn::Type::Array(array) => {
                let element = self.resolve_value(&array.elem, self_key);
                let Some(len) = self.array_length(&array.len, self_key) else { return Ty::Error };
                return if element == Ty::Error { Ty::Error } else { Ty::Array(Box::new(element), len) };
            }
            syn::Type::Path(path) if path.qself.is_none() => return self.resolve_path(path, self_key),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => return Ty::Unit,
            syn::Type::Tuple(_) => "tuples are outside the kernel language: define a struct",
            syn::Type::Slice(_) => "slices are outside the kernel language: use an array `[T; N]`",
            syn::Type::Ptr(_) => "pointers are outside the kernel language: use `&T`, `&mut T` or a row number",
            syn::Type::Never(_) => "`!` is outside the kernel language: leave the result out",
            syn::Type::Infer(_) => "write the type, or leave the annotation out",
            syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) => {
                "traits are outside the kernel language: use a concrete type"
            }
            _ => "this type is outside the kernel language: use a scalar, an array, a struct or a field-less enum",
        };
        self.errors.over(ty, message);
        Ty::Error
    }

    /// Resolves the type of a value: no reference, no resource, no `usize`.
    pub(crate) fn resolve_value(&mut self, ty: &'a syn::Type, self_key: Option<TypeKey>) -> Ty {
        let resolved = self.resolve(ty, self_key);
        self.as_value(resolved, ty)
    }

    fn as_value(&self, resolved: Ty, ty: &syn::Type) -> Ty {
        let message = match &resolved {
            Ty::Ref(..) => "references are parameters only: hold the value itself, or a row number",
            Ty::Lanes(_) => "`Lanes<T>` can only be a field of a `#[derive(Row)]` struct, or a parameter by reference",
            Ty::Rows(_) => "`Rows<T>` can only be a parameter: `&Rows<T>`",
            Ty::Tally(_) => "`Tally<T>` can only be a parameter: `&Tally<T>`",
            Ty::Group(_) => "`Group<T>` can only be a parameter of a kernel: `&mut Group<T>`",
            Ty::Lane(_) => "`Lane<T>` can only be a parameter: `&Lane<T>` or `&mut Lane<T>`",
            Ty::Each(_) => "`Each<T>` can only be a parameter of a kernel: `&Each<T>` or `&mut Each<T>`",
            Ty::History(_) => {
                "`History<T>` can only be a parameter, `&mut History<T>` or `&History<T>`: its table stands beside that of the rows"
            }
            Ty::Clock => "`Clock` can only be a parameter: `&Clock`",
            Ty::Bundle(_) => "a bundle can only be a parameter, `&T` or `&mut T`: it holds references",
            Ty::Usize => {
                "`usize` differs between devices: use `u32` or `u64`, and write `x as usize` inside the index only"
            }
            Ty::Unit => "`()` is not a value of the kernel language: leave it out",
            Ty::Struct(id) if self.has_lanes(*id) => "a row with `Lanes` is not a value: take it as `&T` or `&mut T`",
            _ => return resolved,
        };
        self.errors.over(ty, message);
        Ty::Error
    }

    fn resolve_path(&mut self, path: &'a syn::TypePath, self_key: Option<TypeKey>) -> Ty {
        let Some(segment) = path.path.segments.last() else { return Ty::Error };
        if path.path.segments.len() > 1 || path.path.leading_colon.is_some() {
            self.errors.over(path, "write the type's name alone, and `use path::to::kernel_module::Name;` for one of another kernel module");
            return Ty::Error;
        }
        let name = segment.ident.to_string();
        let own_name = matches!(name.as_str(), "Group" | "Lane" | "Each" | "History" | "Clock");
        let of_language = own_name && !self.types.contains_key(&name);
        if of_language && name == "Clock" && segment.arguments.is_none() {
            return Ty::Clock;
        }
        if of_language || matches!(name.as_str(), "Lanes" | "Rows" | "Tally") {
            return self.resolve_resource(path, segment, self_key);
        }
        if let Some(scalar) = scalar_named(&name) {
            return Ty::Scalar(scalar);
        }
        if name == "usize" {
            return Ty::Usize;
        }
        if name == "Self" {
            return match self_key {
                Some(key) => key.ty(),
                None => {
                    self.errors.over(path, "`Self` has a meaning inside an `impl` block only");
                    Ty::Error
                }
            };
        }
        match self.named_type(&name) {
            Some(_) if !segment.arguments.is_none() => {
                self.errors.over(path, "generic types are outside the kernel language: use a concrete one");
                Ty::Error
            }
            Some(Ok(key)) => key.ty(),
            Some(Err(())) => {
                self.errors.over(path, format!("struct `{name}` contains itself: hold a row number instead"));
                Ty::Error
            }
            None => {
                let like = Program::suggestion(&name, self.types.keys().cloned());
                self.errors
                    .over(path, format!("`{name}` is not a type of this kernel module{like}; {}", advice(&name)));
                Ty::Error
            }
        }
    }

    fn resolve_resource(
        &mut self,
        path: &'a syn::TypePath,
        segment: &'a syn::PathSegment,
        self_key: Option<TypeKey>,
    ) -> Ty {
        let name = segment.ident.to_string();
        let inner = match &segment.arguments {
            syn::PathArguments::AngleBracketed(arguments) if arguments.args.len() == 1 => arguments.args.first(),
            _ => None,
        };
        if name == "Clock" {
            self.errors.over(path, "a clock has no type of its own: write `Clock`");
            return Ty::Error;
        }
        let Some(syn::GenericArgument::Type(inner)) = inner else {
            self.errors.over(path, format!("write `{name}<T>`"));
            return Ty::Error;
        };
        match name.as_str() {
            "Lanes" => match self.resolve_value(inner, self_key) {
                Ty::Error => Ty::Error,
                element => Ty::Lanes(Box::new(element)),
            },
            "History" => match self.resolve_value(inner, self_key) {
                Ty::Error => Ty::Error,
                element => Ty::History(Box::new(element)),
            },
            "Group" | "Lane" => match self.resolve_value(inner, self_key) {
                Ty::Error => Ty::Error,
                element if name == "Group" => Ty::Group(Box::new(element)),
                element => Ty::Lane(Box::new(element)),
            },
            "Rows" | "Each" => match self.resolve(inner, self_key) {
                Ty::Error => Ty::Error,
                Ty::Struct(id) if self.role(id) == StructRole::Row => {
                    if name == "Rows" {
                        Ty::Rows(id)
                    } else {
                        Ty::Each(id)
                    }
                }
                other => {
                    let message = format!(
                        "`{}` is not the row of a table: `{name}<T>` wants a struct with `#[derive(Row)]`",
                        self.show(&other)
                    );
                    self.errors.over(inner, message);
                    Ty::Error
                }
            },
            _ => match self.resolve(inner, self_key) {
                Ty::Error => Ty::Error,
                Ty::Scalar(scalar) if scalar.is_integer() => Ty::Tally(scalar),
                other => {
                    let message = format!(
                        "a tally of `{}` would depend on the order of its contributions: use `u32`, `i32`, `u64` or `i64` (fixed point for fractions)",
                        self.show(&other)
                    );
                    self.errors.over(inner, message);
                    Ty::Error
                }
            },
        }
    }

    /// Returns the type of a name; `Some(Err(()))` if the struct contains itself.
    pub(crate) fn named_type(&mut self, name: &str) -> Option<Result<TypeKey, ()>> {
        match *self.types.get(name)? {
            TypeEntry::Known(key) => Some(Ok(key)),
            TypeEntry::Busy => Some(Err(())),
            TypeEntry::Pending(item) => Some(Ok(self.define_struct(name, item))),
        }
    }

    fn define_struct(&mut self, name: &str, item: &'a syn::ItemStruct) -> TypeKey {
        self.types.insert(name.to_owned(), TypeEntry::Busy);
        if super::bundles::is_bundle(&item.attrs) {
            return self.define_bundle(name, item);
        }
        let role = super::derives::role(&item.attrs);
        let packed = super::derives::packed(&item.attrs, role, self.errors);
        let mut fields = Vec::new();
        for field in &item.fields {
            let Some(ident) = &field.ident else { continue };
            let ty = match role {
                StructRole::Row => match self.resolve(&field.ty, None) {
                    Ty::Lanes(element) => element.to_ir().map(FieldType::Lanes),
                    resolved => self.as_value(resolved, &field.ty).to_ir().map(FieldType::Value),
                },
                _ => self.resolve_value(&field.ty, None).to_ir().map(FieldType::Value),
            };
            let ty = ty.unwrap_or(FieldType::Value(imminent_ir::Type::Scalar(imminent_ir::Scalar::U32)));
            fields.push(Field { name: plain(ident), ty });
        }
        let id = imminent_ir::StructId(self.module.structs.len() as u32);
        let origin = self.origin_of(name, item);
        self.module.structs.push(Struct { name: name.to_owned(), origin, role, packed, fields });
        let key = TypeKey::Struct(id);
        self.types.insert(name.to_owned(), TypeEntry::Known(key));
        key
    }

    /// Declares an enum.
    pub(crate) fn define_enum(&mut self, item: &'a syn::ItemEnum) {
        let name = plain(&item.ident);
        let mut variants: Vec<(String, u32)> = Vec::new();
        let mut next = Some(0u32);
        for variant in &item.variants {
            if !variant.fields.is_empty() {
                self.errors.over(
                    &variant.fields,
                    "enums of the kernel language have no fields: keep the data in the struct that holds the enum",
                );
            }
            let reported = self.errors.count();
            if let Some((_, value)) = &variant.discriminant {
                next = self.enum_discriminant(value);
            }
            let Some(value) = next else {
                if self.errors.count() > reported {
                    next = Some(variants.len() as u32 + 1);
                    continue;
                }
                self.errors.over(variant, "the discriminant must fit a `u32`");
                continue;
            };
            variants.push((plain(&variant.ident), value));
            next = value.checked_add(1);
        }
        if !variants.iter().any(|(_, value)| *value == 0) {
            self.errors.at(
                item.ident.span(),
                format!(
                    "a zeroed row holds discriminant 0 and no variant of `{name}` has it: let one variant be `= 0`"
                ),
            );
        }
        let id = imminent_ir::EnumId(self.module.enums.len() as u32);
        let origin = self.origin_of(&name, item);
        self.module.enums.push(Enum { name: name.clone(), origin, variants });
        self.types.insert(name, TypeEntry::Known(TypeKey::Enum(id)));
    }
}
