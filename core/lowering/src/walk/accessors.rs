//! Functions that read and write tables and parameter blocks, one for each buffer and type used, and functions that
//! fill arrays and choose between values of several parts.

use super::accesses::{Access, Accessor, Direction, Storage};
use super::entry::Entry;
use crate::LoweringError;
use imminent_ir::flatten::{BindingKind, Scope};
use imminent_ir::{FieldType, Scalar, StructId, Type};

/// A function written for the text: its names and types.
pub(crate) struct Signature<'s> {
    /// `true` if the function takes what functions share.
    pub(crate) shares: bool,
    pub(crate) name: &'s str,
    /// Names and types of the parameters.
    pub(crate) params: &'s [(&'s str, &'s str)],
    /// The type of the result, if any.
    pub(crate) result: Option<&'s str>,
}

/// Words of functions that read and write memory.
pub(crate) trait Accessors<'a>: Entry<'a> {
    /// The type of the number of a word column.
    const WORD: &'static str;
    /// `true` if functions between phases have accessors of their own.
    const SCOPED: bool;

    /// The line that opens a function.
    fn function(signature: &Signature<'_>) -> String;

    /// The declaration of a variable that is assigned afterwards.
    fn unset(name: &str, ty: &str) -> String;

    /// A type as part of a function's name.
    fn mangled(&mut self, ty: &Type) -> String;

    /// Name of the buffer that a binding, or a segment of it, is.
    fn buffer_name(&self, binding: u32, segment: Option<usize>) -> String;

    /// The body of an accessor of a scalar in a parameter block.
    fn param_body(&mut self, scalar: Scalar, offset: u32) -> String;

    /// The body of an accessor of a scalar in a table.
    fn scalar_body(&mut self, of: &Accessor, scalar: Scalar) -> Result<String, LoweringError>;

    /// The statements that return a struct, given the values of its fields.
    fn return_struct(name: &str, fields: &[(&str, String)]) -> String;
}

/// The function that accesses values of a type, which is written if it is new.
pub(crate) fn accessor<'a, L: Accessors<'a>>(
    low: &mut L,
    direction: Direction,
    (binding, part): (u32, Storage),
    segment: Option<usize>,
    ty: &Type,
) -> Result<String, LoweringError> {
    let ty = if matches!(ty, Type::Enum(_)) { Type::Scalar(Scalar::U32) } else { ty.clone() };
    let scope = if L::SCOPED { low.scope } else { Scope::Row };
    let key = Accessor { direction, binding, part, segment, ty: ty.clone(), scope };
    if let Some(name) = low.accessor_names.get(&key) {
        return Ok(name.clone());
    }
    let Some(bound) = low.flat.bindings.get(binding as usize) else {
        return Err(low.ill("a binding out of range"));
    };
    let is_params = matches!(bound.kind, BindingKind::Params { .. });
    let verb = if direction == Direction::Load { "load" } else { "store" };
    let pool = if part == Storage::Pool { "pool_" } else { "" };
    let (type_name, mangled) = (low.type_name(&ty), low.mangled(&ty));
    let buffer = low.buffer_name(binding, segment);
    let name = low.names.global(&format!("{verb}_{buffer}_{pool}{mangled}"));
    low.accessor_names.insert(key.clone(), name.clone());
    let body = match &ty {
        Type::Scalar(scalar) if is_params => {
            let offset = low.launch.params.iter().find(|p| p.binding == binding).map_or(0, |p| p.offset);
            low.param_body(*scalar, offset)
        }
        Type::Scalar(scalar) => low.scalar_body(&key, *scalar)?,
        Type::Array(element, count) => {
            let function = accessor(low, direction, (binding, part), None, element)?;
            let word = format!("word + k * {}u", low.flat.words(element));
            array_body::<L>(direction, &type_name, *count, &part_of(function, word, is_params))
        }
        Type::Struct(id) => struct_body(low, &key, *id, is_params)?,
        _ => return Err(low.ill("a value without a size")),
    };
    let mut params = vec![("word", if is_params { "u32" } else { L::WORD })];
    params.extend((!is_params).then_some(("row", "u32")));
    params.extend((direction == Direction::Store).then_some(("value", type_name.as_str())));
    let result = (direction == Direction::Load).then_some(type_name.as_str());
    let opening = L::function(&Signature { shares: true, name: &name, params: &params, result });
    low.accessors.push(format!("{opening}\n{body}}}"));
    Ok(name)
}

/// An access to a part of the value that an accessor is for.
fn part_of(function: String, word: String, is_params: bool) -> Access {
    Access { function, word, row: (!is_params).then(|| "row".to_owned()) }
}

fn array_body<'a, L: Accessors<'a>>(direction: Direction, ty: &str, count: u32, part: &Access) -> String {
    let before = match direction {
        Direction::Load => format!("    {}\n", L::unset("value", ty)),
        Direction::Store if L::INDEXES_VARIABLES => format!("    {}\n", L::variable("copy", "value")),
        Direction::Store => String::new(),
    };
    let mut element = if direction == Direction::Store && L::INDEXES_VARIABLES { "copy" } else { "value" }.to_owned();
    L::element(&mut element, Err("k".to_owned()), count);
    let (statement, after) = match direction {
        Direction::Load => (format!("{element} = {}", part.call(L::CONTEXT, None)), "    return value;\n"),
        Direction::Store => (part.call(L::CONTEXT, Some(&element)), ""),
    };
    format!("{before}{}{after}", each::<L>(count, &statement))
}

/// A loop over the elements of an array, whose numbers are `k`.
fn each<'a, L: Accessors<'a>>(count: u32, statement: &str) -> String {
    let header = L::counting("k", "0u", &format!("k < {count}u"), &L::next("k"));
    format!("    {header}\n        {statement};\n    }}\n")
}

fn struct_body<'a, L: Accessors<'a>>(
    low: &mut L,
    key: &Accessor,
    id: StructId,
    is_params: bool,
) -> Result<String, LoweringError> {
    let flat = low.flat;
    let Some(def) = flat.structs.get(id.index()) else { return Err(low.ill("a struct out of range")) };
    let (name, names) = low.structs.get(id.index()).cloned().unwrap_or_default();
    let mut loads = Vec::new();
    let mut stores = String::new();
    for (number, (field, field_name)) in (0..).zip(def.fields.iter().zip(&names)) {
        let FieldType::Value(ty) = &field.ty else { return Err(low.ill("lanes inside a value")) };
        let function = accessor(low, key.direction, (key.binding, key.part), None, ty)?;
        let word = match flat.field_word(id, number) {
            0 => "word".to_owned(),
            w => format!("word + {w}u"),
        };
        let part = part_of(function, word, is_params);
        stores.push_str(&format!("    {};\n", part.call(L::CONTEXT, Some(&format!("value.{field_name}")))));
        loads.push((field_name.as_str(), part.call(L::CONTEXT, None)));
    }
    Ok(if key.direction == Direction::Load { L::return_struct(&name, &loads) } else { stores })
}

/// The function that fills an array with one value.
pub(crate) fn repeat<'a, L: Accessors<'a>>(low: &mut L, ty: &Type) -> String {
    if let Some(name) = low.composites.get(&("repeat", ty.clone())) {
        return name.clone();
    }
    let (element, count) = match ty {
        Type::Array(element, count) => (low.type_name(element), *count),
        _ => (String::new(), 0),
    };
    let (type_name, mangled) = (low.type_name(ty), low.mangled(ty));
    let name = low.names.global(&format!("repeat_{mangled}"));
    let params = [("value", element.as_str())];
    let opening = L::function(&Signature { shares: false, name: &name, params: &params, result: Some(&type_name) });
    let mut place = "result".to_owned();
    L::element(&mut place, Err("k".to_owned()), count);
    let fill = each::<L>(count, &format!("{place} = value"));
    let unset = L::unset("result", &type_name);
    low.accessors.push(format!("{opening}\n    {unset}\n{fill}    return result;\n}}"));
    low.composites.insert(("repeat", ty.clone()), name.clone());
    name
}

/// The function that chooses between two structs or arrays.
pub(crate) fn choose<'a, L: Accessors<'a>>(low: &mut L, ty: &Type) -> String {
    if let Some(name) = low.composites.get(&("choose", ty.clone())) {
        return name.clone();
    }
    let (type_name, mangled) = (low.type_name(ty), low.mangled(ty));
    let name = low.names.global(&format!("choose_{mangled}"));
    let params = [("yes", type_name.as_str()), ("no", &type_name), ("condition", "bool")];
    let opening = L::function(&Signature { shares: false, name: &name, params: &params, result: Some(&type_name) });
    low.accessors.push(format!("{opening}\n    if (condition) {{\n        return yes;\n    }}\n    return no;\n}}"));
    low.composites.insert(("choose", ty.clone()), name.clone());
    name
}
