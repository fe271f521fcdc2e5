//! Constants: named, evaluated on first use.

use crate::check;
use crate::program::{ConstEntry, KnownConst, Program, TypeKey};
use crate::ty::Ty;
use imminent_ir::{Const, ConstId, Value};

impl<'a> Program<'a> {
    /// Returns the constant at a position; `None` after an error was reported.
    pub(crate) fn known_const(&mut self, index: usize) -> Option<KnownConst> {
        let (name, ty, value, self_key) = match &self.consts[index] {
            ConstEntry::Known(known) => return Some(known.clone()),
            ConstEntry::Busy | ConstEntry::Failed => return None,
            ConstEntry::Pending { name, ty, value, self_key } => (name.clone(), *ty, *value, *self_key),
        };
        self.consts[index] = ConstEntry::Busy;
        let known = self.evaluate_const(&name, ty, value, self_key);
        self.consts[index] = known.clone().map_or(ConstEntry::Failed, ConstEntry::Known);
        known
    }

    fn evaluate_const(
        &mut self,
        name: &str,
        ty: &'a syn::Type,
        value: &'a syn::Expr,
        self_key: Option<TypeKey>,
    ) -> Option<KnownConst> {
        let resolved = match self.resolve(ty, self_key) {
            Ty::Usize => Ty::Usize,
            Ty::Array(element, count) => Ty::Array(element, count),
            Ty::Error => return None,
            _ => self.resolve_value(ty, self_key),
        };
        if self.is_outside(value) {
            let id = match resolved.to_ir() {
                // The item itself stands in the native module, where rustc evaluates it.
                Some(ty) => Some(self.push_outside(name, ty, name.parse().ok()?)),
                None => None,
            };
            return Some(KnownConst { ty: resolved, value: None, id });
        }
        let evaluated = check::constant(self, value, &resolved, self_key, "a constant")?;
        let id = resolved.to_ir().map(|ty| {
            let origin = self.origin_of(name, value);
            self.module.consts.push(Const { name: name.to_owned(), origin, ty, value: evaluated.clone() });
            ConstId(self.module.consts.len() as u32 - 1)
        });
        Some(KnownConst { ty: resolved, value: Some(evaluated), id })
    }

    /// Returns the length of an array type.
    pub(crate) fn array_length(&mut self, len: &'a syn::Expr, self_key: Option<TypeKey>) -> Option<u32> {
        let value = check::constant(self, len, &Ty::Usize, self_key, "the length of an array")?;
        let length = match value {
            Value::U64(length) => u32::try_from(length).ok().filter(|length| *length > 0),
            _ => None,
        };
        if length.is_none() {
            self.errors.over(len, "an array has at least one element and fewer than 2^32");
        }
        length
    }

    /// Returns the value of a named constant that can be the size of a group: a `u32` or `usize` known to the macro.
    pub(crate) fn constant_length(&self, name: &str) -> Option<u32> {
        match &self.consts[*self.const_names.get(name)?] {
            ConstEntry::Known(KnownConst { value: Some(Value::U32(value)), .. }) => Some(*value),
            ConstEntry::Known(KnownConst { value: Some(Value::U64(value)), .. }) => u32::try_from(*value).ok(),
            _ => None,
        }
    }

    pub(crate) fn enum_discriminant(&mut self, value: &'a syn::Expr) -> Option<u32> {
        match check::constant(self, value, &Ty::U32, None, "a discriminant")? {
            Value::U32(value) => Some(value),
            _ => None,
        }
    }
}
