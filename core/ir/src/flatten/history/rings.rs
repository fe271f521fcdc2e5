//! The rows of the tables as which histories and clocks are bound.

use crate::{Field, FieldType, Kernel, Module, ParamKind, Scalar, Struct, StructId, StructRole, Type};
use std::borrow::Cow;

/// Origin of the structs of this module, which no struct of a program has.
const ORIGIN: &str = "imminent::history";
/// Field of a ring: number of steps, from the launch's first on, that may be written.
pub(super) const AHEAD: u32 = 0;
/// Field of a ring: its places.
pub(super) const PLACES: u32 = 1;
/// Field of a clock.
pub(super) const FIRST: u32 = 0;

/// Returns the module with the rows of the tables to which the kernel's histories and clock are bound.
pub(in crate::flatten) fn with_rings<'m>(module: &'m Module, kernel: &Kernel) -> Cow<'m, Module> {
    let params = module.functions.get(kernel.function.index()).map_or(&[][..], |function| &function.params);
    let mut with = Cow::Borrowed(module);
    for param in params {
        let (name, fields) = match &param.kind {
            ParamKind::History(ty, _) if ring(&with, ty).is_none() => {
                let ahead = Field { name: "ahead".to_owned(), ty: FieldType::Value(Scalar::U32.into()) };
                let places = Field { name: "places".to_owned(), ty: FieldType::Lanes(ty.clone()) };
                ("History", vec![ahead, places])
            }
            ParamKind::Clock if clock(&with).is_none() => {
                ("Clock", vec![Field { name: "first".to_owned(), ty: FieldType::Value(Scalar::U32.into()) }])
            }
            _ => continue,
        };
        let (name, origin) = (name.to_owned(), ORIGIN.to_owned());
        with.to_mut().structs.push(Struct { name, origin, role: StructRole::Row, packed: false, fields });
    }
    with
}

/// Returns `true` if a struct is a ring.
pub(in crate::flatten) fn is_ring(def: &Struct) -> bool {
    def.origin == ORIGIN && def.fields.len() == 2
}

/// Returns the ring whose entries have a type.
pub(in crate::flatten) fn ring(module: &Module, ty: &Type) -> Option<StructId> {
    position(module, |def| is_ring(def) && def.fields[PLACES as usize].ty == FieldType::Lanes(ty.clone()))
}

/// Returns the clock.
pub(in crate::flatten) fn clock(module: &Module) -> Option<StructId> {
    position(module, |def| def.origin == ORIGIN && def.fields.len() == 1)
}

fn position(module: &Module, is: impl Fn(&Struct) -> bool) -> Option<StructId> {
    module.structs.iter().position(is).map(|position| StructId(position as u32))
}
