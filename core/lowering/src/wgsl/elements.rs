//! Elements that a group shares. NVIDIA's Vulkan driver 580.159 reads workgroup memory of `bool` wrongly, alone and in
//! arrays and structs: a group shares words in its place.

use super::state::Lowering;
use crate::walk::{Accessors, Entry, Signature};
use imminent_ir::{FieldType, Scalar, StructId, Type};

/// Direction of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    /// To the form in workgroup memory.
    Shared,
    /// From that form.
    Own,
}

impl Lowering<'_> {
    /// Returns `true` if there is a `bool` in a type.
    fn holds_bool(&self, ty: &Type) -> bool {
        match ty {
            Type::Unit | Type::Enum(_) => false,
            Type::Scalar(scalar) => *scalar == Scalar::Bool,
            Type::Array(element, _) => self.holds_bool(element),
            Type::Struct(id) => self.value_fields(*id).iter().any(|(_, ty)| self.holds_bool(ty)),
        }
    }

    /// Names and types of a struct's fields.
    fn value_fields(&self, id: StructId) -> Vec<(String, Type)> {
        let flat = self.flat;
        let (Some(def), Some((_, names))) = (flat.structs.get(id.index()), self.structs.get(id.index())) else {
            return Vec::new();
        };
        let fields = def.fields.iter().zip(names);
        let values = fields.filter_map(|(field, name)| match &field.ty {
            FieldType::Value(ty) => Some((name.clone(), ty.clone())),
            FieldType::Lanes(_) => None,
        });
        values.collect()
    }

    /// The type that a group shares in place of a type.
    pub(super) fn shared_type(&mut self, ty: &Type) -> String {
        match ty {
            _ if !self.holds_bool(ty) => self.type_text(ty),
            Type::Array(element, count) => format!("array<{}, {count}>", self.shared_type(element)),
            Type::Struct(id) => self.shared_struct(*id),
            _ => "u32".to_owned(),
        }
    }

    fn shared_struct(&mut self, id: StructId) -> String {
        let key = ("shared", Type::Struct(id));
        if let Some(name) = self.composites.get(&key) {
            return name.clone();
        }
        let own = self.type_text(&key.1);
        let name = self.names.global(&format!("Shared{own}"));
        self.composites.insert(key, name.clone());
        let mut text = format!("struct {name} {{\n");
        for (field, ty) in self.value_fields(id) {
            let ty = self.shared_type(&ty);
            text.push_str(&format!("    {field}: {ty},\n"));
        }
        self.accessors.push(format!("{text}}}"));
        name
    }

    /// An element in the other form.
    pub(super) fn converted(&mut self, to: To, ty: &Type, value: &str) -> String {
        match ty {
            _ if !self.holds_bool(ty) => value.to_owned(),
            Type::Array(..) | Type::Struct(_) => format!("{}({value})", self.conversion(to, ty)),
            _ if to == To::Shared => format!("u32({value})"),
            _ => format!("{value} != 0u"),
        }
    }

    /// The function that converts an array or a struct.
    fn conversion(&mut self, to: To, ty: &Type) -> String {
        let verb = if to == To::Shared { "share" } else { "own" };
        if let Some(name) = self.composites.get(&(verb, ty.clone())) {
            return name.clone();
        }
        let (own, shared) = (self.type_text(ty), self.shared_type(ty));
        let (given, result) = if to == To::Shared { (own, shared) } else { (shared, own) };
        let name = format!("{verb}_{}", self.mangled_text(ty));
        let name = self.names.global(&name);
        self.composites.insert((verb, ty.clone()), name.clone());
        let body = match ty {
            Type::Array(element, count) => {
                let element = self.converted(to, element, "copy[k]");
                let each = Self::counting("k", "0u", &format!("k < {count}u"), &Self::next("k"));
                format!(
                    "    {}\n    {}\n    {each}\n        result[k] = {element};\n    }}\n    return result;",
                    Self::variable("copy", "value"),
                    Self::unset("result", &result),
                )
            }
            Type::Struct(id) => {
                let fields = self.value_fields(*id).into_iter();
                let parts: Vec<_> =
                    fields.map(|(field, ty)| self.converted(to, &ty, &format!("value.{field}"))).collect();
                format!("    return {result}({});", parts.join(", "))
            }
            _ => String::new(),
        };
        let params = [("value", given.as_str())];
        let opening = Self::function(&Signature { shares: false, name: &name, params: &params, result: Some(&result) });
        self.accessors.push(format!("{opening}\n{body}\n}}"));
        name
    }
}
