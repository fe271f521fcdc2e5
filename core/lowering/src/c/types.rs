//! Types, literals, constants and structs as text.

use super::CError;
use super::expr::{Code, Level};
use super::lowering::Lowering;
use imminent_ir::{ConstId, FieldType, Scalar, Type, Value};
use std::collections::HashMap;

/// The declarations of structs and arrays, each after those it uses.
#[derive(Default)]
pub(super) struct Types {
    texts: Vec<String>,
    names: HashMap<Type, String>,
}

impl Types {
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }
}

/// How a constant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstForm {
    /// A variable with an initial value.
    Data,
    /// A function without parameters, where a float in it has no exact decimal text.
    Function,
}

/// Where lines of long tables end.
const COLUMNS: usize = 110;

impl Lowering<'_> {
    /// A type's name. C arrays are no values, so an array is a struct with the elements in its field `at`.
    pub(super) fn type_name(&mut self, ty: &Type) -> String {
        match ty {
            Type::Unit => return "void".to_owned(),
            Type::Scalar(scalar) => return scalar.name().to_owned(),
            Type::Enum(_) => return "u32".to_owned(),
            Type::Struct(_) | Type::Array(..) => {}
        }
        if let Some(name) = self.types.names.get(ty) {
            return name.clone();
        }
        let (name, text) = match ty {
            Type::Array(element, count) => {
                let element_type = self.type_name(element);
                let name = self.names.global(&format!("{element_type}x{count}"));
                let text = format!("typedef struct {{\n    {element_type} at[{count}];\n}} {name};");
                (name, text)
            }
            Type::Struct(id) => {
                let (name, fields) = self.structs.get(id.index()).cloned().unwrap_or_default();
                let mut text = "typedef struct {\n".to_owned();
                let flat = self.flat;
                let def = flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields);
                for (field, field_name) in def.iter().zip(&fields) {
                    if let FieldType::Value(ty) = &field.ty {
                        text.push_str(&format!("    {} {field_name};\n", self.type_name(ty)));
                    }
                }
                text.push_str(&format!("}} {name};"));
                (name, text)
            }
            _ => return String::new(),
        };
        self.types.texts.push(text);
        self.types.names.insert(ty.clone(), name.clone());
        name
    }

    /// What a variable of this type is zeroed with.
    pub(super) fn zero(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Scalar(Scalar::Bool) => "false",
            Type::Scalar(Scalar::U32 | Scalar::U64) | Type::Enum(_) => "0u",
            Type::Scalar(Scalar::I32 | Scalar::I64) => "0",
            Type::Scalar(Scalar::F32 | Scalar::F64) => "0.0f",
            Type::Unit | Type::Struct(_) | Type::Array(..) => self.options.dialect.zero_initializer(),
        }
    }

    /// A struct or an array of these parts.
    pub(super) fn composite(&mut self, ty: &Type, parts: &[Code]) -> Code {
        let name = self.type_name(ty);
        let list = parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ");
        let within = if matches!(ty, Type::Array(..)) { format!("{{{list}}}") } else { list };
        Code::atom(self.options.dialect.composite(&name, &within))
    }

    /// A literal of a type.
    pub(super) fn literal(&mut self, value: &Value, ty: &Type) -> Result<Code, CError> {
        let dialect = self.options.dialect;
        Ok(match (value, ty) {
            (Value::Bool(x), _) => Code::atom(x.to_string()),
            (Value::U32(x), _) => Code::atom(format!("{x}u")),
            (Value::I32(i32::MIN), _) => Code::atom("(-2147483647 - 1)"),
            (Value::I32(x), _) => signed(*x < 0, x.to_string()),
            (Value::U64(x), _) => Code::atom(format!("{x}{}", dialect.u64_suffix())),
            (Value::I64(i64::MIN), _) => Code::atom(format!("(-9223372036854775807{} - 1)", dialect.i64_suffix())),
            (Value::I64(x), _) => signed(*x < 0, format!("{x}{}", dialect.i64_suffix())),
            (Value::F32(bits), _) => match plain_f32(*bits) {
                Some(text) => signed(f32::from_bits(*bits) < 0.0, format!("{text}f")),
                None => Code::atom(format!("{}({bits:#010x}u)", self.helper("from_bits_f32"))),
            },
            (Value::F64(bits), _) => match plain_f64(*bits) {
                Some(text) => signed(f64::from_bits(*bits) < 0.0, text),
                None => {
                    let helper = self.helper("from_bits_f64");
                    Code::atom(format!("{helper}({bits:#018x}{})", dialect.u64_suffix()))
                }
            },
            (Value::Enum(x), Type::Enum(id)) => match self.variants.get(&(id.0, *x)) {
                Some(name) => Code::atom(name.clone()),
                None => Code::atom(format!("{x}u")),
            },
            (Value::Array(_) | Value::Struct(_), Type::Array(..) | Type::Struct(_)) => {
                let parts = self.parts(value, ty)?;
                self.composite(ty, &parts)
            }
            _ => return Err(self.ill("a literal that is not of its type")),
        })
    }

    /// The parts of a composite literal, as they stand within its braces.
    fn parts(&mut self, value: &Value, ty: &Type) -> Result<Vec<Code>, CError> {
        match (value, ty) {
            (Value::Array(elements), Type::Array(element, _)) => {
                elements.iter().map(|v| self.initializer(v, element)).collect()
            }
            (Value::Struct(values), Type::Struct(id)) => {
                let flat = self.flat;
                let Some(def) = flat.structs.get(id.index()) else { return Err(self.ill("a struct out of range")) };
                let mut parts = Vec::new();
                for (field, value) in def.fields.iter().zip(values) {
                    if let FieldType::Value(ty) = &field.ty {
                        parts.push(self.initializer(value, ty)?);
                    }
                }
                Ok(parts)
            }
            _ => Err(self.ill("a literal that is not of its type")),
        }
    }

    /// A value as it stands within the braces of another, or after the `=` of a declaration.
    fn initializer(&mut self, value: &Value, ty: &Type) -> Result<Code, CError> {
        if !matches!(ty, Type::Array(..) | Type::Struct(_)) {
            return self.literal(value, ty);
        }
        let parts = self.parts(value, ty)?;
        let list = parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ");
        Ok(Code::atom(if matches!(ty, Type::Array(..)) { format!("{{{{{list}}}}}") } else { format!("{{{list}}}") }))
    }

    /// The constants and enum variants used: those that are data, then those that are functions.
    pub(super) fn constants(&mut self) -> Result<(Vec<String>, Vec<String>), CError> {
        let dialect = self.options.dialect;
        let mut data = Vec::new();
        let mut functions = Vec::new();
        for ((_, discriminant), name) in &self.variants {
            data.push(format!("{} u32 {name} = {discriminant}u;", dialect.constant_scalar()));
        }
        let consts: Vec<(ConstId, String, ConstForm)> =
            self.consts.iter().map(|(id, (name, form))| (*id, name.clone(), *form)).collect();
        let flat = self.flat;
        for (id, name, form) in consts {
            let Some(def) = flat.consts.get(id.index()) else { continue };
            let ty = self.type_name(&def.ty);
            if form == ConstForm::Function {
                let value = self.literal(&def.value, &def.ty)?.text;
                functions.push(format!("DEVICE {ty} {name}(void) {{\n    return {value};\n}}"));
                continue;
            }
            let value = self.initializer(&def.value, &def.ty)?.text;
            let composite = matches!(def.ty, Type::Array(..) | Type::Struct(_));
            let before = if composite { dialect.constant_data() } else { dialect.constant_scalar() };
            data.push(wrapped(&format!("{before} {ty} {name} = {value};")));
        }
        Ok((data, functions))
    }
}

/// Breaks a long list after its commas.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (number, part) in text.split(", ").enumerate() {
        if number > 0 {
            out.push(',');
            if column + part.len() > COLUMNS {
                out.push_str("\n    ");
                column = 4;
            } else {
                out.push(' ');
            }
        }
        out.push_str(part);
        column += part.len() + 2;
    }
    out
}

fn signed(negative: bool, text: String) -> Code {
    Code::at(if negative { Level::Unary } else { Level::Atom }, text)
}

/// The decimal text of a float where every compiler reads exactly these bits in it, also one that reads an `f64` first
/// and rounds again: a normal number, or plus zero.
fn plain_f32(bits: u32) -> Option<String> {
    let x = f32::from_bits(bits);
    let text = format!("{x:?}");
    let twice = text.parse::<f64>().ok()? as f32;
    ((bits == 0 || x.is_normal()) && twice.to_bits() == bits).then_some(text)
}

fn plain_f64(bits: u64) -> Option<String> {
    let x = f64::from_bits(bits);
    (bits == 0 || x.is_normal()).then(|| format!("{x:?}"))
}

/// Whether a value holds a float that has no exact decimal text.
pub(super) fn needs_bits(value: &Value) -> bool {
    match value {
        Value::F32(bits) => plain_f32(*bits).is_none(),
        Value::F64(bits) => plain_f64(*bits).is_none(),
        Value::Struct(values) | Value::Array(values) => values.iter().any(needs_bits),
        _ => false,
    }
}

/// A count as a word; IR that names more things than words exist has been refused before.
pub(super) fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
