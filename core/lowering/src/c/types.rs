//! Types, literals, constants and structs as text.

use super::options::Dialect;
use super::state::{ConstForm, Lowering, plain_f32, plain_f64};
use crate::LoweringError;
use crate::walk::{Accessors as _, Code, Level, Types};
use imminent_ir::{ConstId, FieldType, Scalar, Type, Value};

/// Greatest number of columns in the lines of long tables.
const COLUMNS: usize = 110;

/// Bits of negative zeros.
const NEGATIVE_ZERO: u32 = 1 << 31;
const NEGATIVE_ZERO_WIDE: u64 = 1 << 63;

impl Types for Lowering<'_> {
    /// C arrays are no values, so an array is a struct with the elements in its field `at`.
    fn type_name(&mut self, ty: &Type) -> String {
        match ty {
            Type::Unit => return "void".to_owned(),
            Type::Scalar(scalar) => return scalar.name().to_owned(),
            Type::Enum(_) => return "u32".to_owned(),
            Type::Struct(_) | Type::Array(..) => {}
        }
        if let Some(name) = self.type_names.get(ty) {
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
        self.types.push(text);
        self.type_names.insert(ty.clone(), name.clone());
        name
    }

    fn literal(&mut self, value: &Value, ty: &Type) -> Result<Code, LoweringError> {
        let dialect = self.options.dialect;
        Ok(match (value, ty) {
            (Value::Bool(x), _) => Code::atom(x.to_string()),
            (Value::U32(x), _) => Code::atom(format!("{x}u")),
            (Value::I32(i32::MIN), _) => Code::atom("(-2147483647 - 1)"),
            (Value::I32(x), _) => signed(*x < 0, x.to_string()),
            (Value::U64(x), _) => Code::atom(format!("{x}{}", dialect.u64_suffix())),
            (Value::I64(i64::MIN), _) => Code::atom(format!("(-9223372036854775807{} - 1)", dialect.i64_suffix())),
            (Value::I64(x), _) => signed(*x < 0, format!("{x}{}", dialect.i64_suffix())),
            (Value::F32(NEGATIVE_ZERO), _) => Code::atom(format!("{}()", self.helper("negative_zero_f32"))),
            (Value::F32(bits), _) => match plain_f32(*bits) {
                Some(text) => signed(f32::from_bits(*bits) < 0.0, format!("{text}f")),
                None => Code::atom(format!("{}({bits:#010x}u)", self.helper("from_bits_f32"))),
            },
            (Value::F64(NEGATIVE_ZERO_WIDE), _) => Code::atom(format!("{}()", self.helper("negative_zero_f64"))),
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
                let parts = match dialect {
                    Dialect::Cuda => self.initializers(value, ty)?,
                    Dialect::OpenCl => self
                        .parts(value, ty)?
                        .iter()
                        .map(|(value, ty)| self.literal(value, ty))
                        .collect::<Result<_, _>>()?,
                };
                self.composite(ty, &parts)
            }
            _ => return Err(self.ill("a literal that is not of its type")),
        })
    }

    fn composite(&mut self, ty: &Type, parts: &[Code]) -> Code {
        Code::atom(match self.options.dialect {
            Dialect::Cuda => self.compound_literal(ty, parts),
            Dialect::OpenCl => format!("{}({})", self.constructor(ty), list(parts)),
        })
    }
}

impl Lowering<'_> {
    fn compound_literal(&mut self, ty: &Type, parts: &[Code]) -> String {
        let (name, list) = (self.type_name(ty), list(parts));
        let within = if matches!(ty, Type::Array(..)) { format!("{{{list}}}") } else { list };
        self.options.dialect.composite(&name, &within)
    }

    /// Returns the name of the function that makes a struct or an array of its parts.
    ///
    /// NVIDIA's OpenCL (driver 580) compiles some compound literals of constants to wrong PTX.
    fn constructor(&mut self, ty: &Type) -> String {
        let key = ("make", ty.clone());
        if let Some(name) = self.composites.get(&key) {
            return name.clone();
        }
        let (type_name, mangled, parts) = (self.type_name(ty), self.mangled(ty), self.named_parts(ty));
        let name = self.names.global(&format!("make_{mangled}"));
        let (mut params, mut body) = (Vec::new(), String::new());
        for (at, (part, ty)) in parts.iter().enumerate() {
            params.push(format!("{ty} p{at}"));
            body.push_str(&format!("    result.{part} = p{at};\n"));
        }
        let opening = wrapped(&format!("DEVICE {type_name} {name}({}) {{", params.join(", ")));
        self.accessors.push(format!("{opening}\n    {type_name} result;\n{body}    return result;\n}}"));
        self.composites.insert(key, name.clone());
        name
    }

    /// Returns the parts of a struct or an array by name, and their types.
    fn named_parts(&mut self, ty: &Type) -> Vec<(String, String)> {
        match ty {
            Type::Array(element, count) => {
                let element = self.type_name(element);
                (0..*count).map(|at| (format!("at[{at}]"), element.clone())).collect()
            }
            Type::Struct(id) => {
                let flat = self.flat;
                let names = self.structs.get(id.index()).map(|(_, names)| names.clone()).unwrap_or_default();
                let fields = flat.structs.get(id.index()).map_or(&[][..], |def| &def.fields);
                let values = fields.iter().zip(names).filter_map(|(field, name)| match &field.ty {
                    FieldType::Value(ty) => Some((name, self.type_name(ty))),
                    FieldType::Lanes(_) => None,
                });
                values.collect()
            }
            Type::Unit | Type::Scalar(_) | Type::Enum(_) => Vec::new(),
        }
    }

    /// Returns the initialiser that zeroes a variable of this type.
    pub(super) fn zero(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Scalar(Scalar::Bool) => "false",
            Type::Scalar(Scalar::U32 | Scalar::U64) | Type::Enum(_) => "0u",
            Type::Scalar(Scalar::I32 | Scalar::I64) => "0",
            Type::Scalar(Scalar::F32 | Scalar::F64) => "0.0f",
            Type::Unit | Type::Struct(_) | Type::Array(..) => self.options.dialect.zero_initializer(),
        }
    }

    /// Returns `true` if a value of this type holds an array.
    pub(super) fn has_array(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(..) => true,
            Type::Struct(id) => self.flat.structs.get(id.index()).is_some_and(|def| {
                def.fields.iter().any(|field| matches!(&field.ty, FieldType::Value(ty) if self.has_array(ty)))
            }),
            Type::Unit | Type::Scalar(_) | Type::Enum(_) => false,
        }
    }

    /// The parts of a composite literal, with their types.
    fn parts<'v>(&self, value: &'v Value, ty: &Type) -> Result<Vec<(&'v Value, Type)>, LoweringError> {
        match (value, ty) {
            (Value::Array(elements), Type::Array(element, _)) => {
                Ok(elements.iter().map(|value| (value, (**element).clone())).collect())
            }
            (Value::Struct(values), Type::Struct(id)) => {
                let Some(def) = self.flat.structs.get(id.index()) else {
                    return Err(self.ill("a struct out of range"));
                };
                let typed = def.fields.iter().zip(values).filter_map(|(field, value)| match &field.ty {
                    FieldType::Value(ty) => Some((value, ty.clone())),
                    FieldType::Lanes(_) => None,
                });
                Ok(typed.collect())
            }
            _ => Err(self.ill("a literal that is not of its type")),
        }
    }

    /// The parts of a composite literal, as they stand within its braces.
    fn initializers(&mut self, value: &Value, ty: &Type) -> Result<Vec<Code>, LoweringError> {
        self.parts(value, ty)?.iter().map(|(value, ty)| self.initializer(value, ty)).collect()
    }

    /// A value as it stands within the braces of another, or after the `=` of a declaration.
    fn initializer(&mut self, value: &Value, ty: &Type) -> Result<Code, LoweringError> {
        if !matches!(ty, Type::Array(..) | Type::Struct(_)) {
            return self.literal(value, ty);
        }
        let list = list(&self.initializers(value, ty)?);
        Ok(Code::atom(if matches!(ty, Type::Array(..)) { format!("{{{{{list}}}}}") } else { format!("{{{list}}}") }))
    }

    /// The constants and enum variants used: those that are data, then those that are functions.
    pub(super) fn constants(&mut self) -> Result<(Vec<String>, Vec<String>), LoweringError> {
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
                let value = match &def.ty {
                    Type::Array(..) | Type::Struct(_) => {
                        let parts = self.initializers(&def.value, &def.ty)?;
                        self.compound_literal(&def.ty, &parts)
                    }
                    _ => self.literal(&def.value, &def.ty)?.text,
                };
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

fn list(parts: &[Code]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ")
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
