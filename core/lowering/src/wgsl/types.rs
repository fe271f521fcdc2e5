//! Types, literals, constants and structs as text.

use super::ops::construct;
use super::options::Int64;
use super::state::{ConstForm, Lowering, is_plain_f32, is_plain_f64};
use crate::LoweringError;
use crate::walk::{Code, Level, Types};
use imminent_ir::launch::ZERO_WORD;
use imminent_ir::{FieldType, Type, Value};

impl Types for Lowering<'_> {
    fn type_name(&mut self, ty: &Type) -> String {
        self.type_text(ty)
    }

    fn literal(&mut self, value: &Value, ty: &Type) -> Result<Code, LoweringError> {
        Ok(match (value, ty) {
            (Value::Bool(x), _) => Code::constant(x.to_string()),
            (Value::U32(x), _) => Code::constant(format!("{x}u")),
            // A constant can be made of it, which naga does not do with `bitcast`.
            (Value::I32(i32::MIN), _) => Code::constant("i32(-2147483648)".to_owned()),
            (Value::I32(x), _) => signed(*x < 0, format!("{x}i")),
            (Value::U64(x), _) => self.literal_u64(*x, false),
            (Value::I64(x), _) => self.literal_u64(x.cast_unsigned(), true),
            (Value::F32(bits), _) => self.literal_f32(*bits),
            (Value::F64(bits), _) => self.literal_f64(*bits),
            (Value::Enum(x), Type::Enum(id)) => match self.variants.get(&(id.0, *x)) {
                Some(name) => Code::constant(name.clone()),
                None => Code::constant(format!("{x}u")),
            },
            (Value::Array(elements), Type::Array(element, _)) => {
                let parts = elements.iter().map(|v| self.literal(v, element)).collect::<Result<Vec<_>, _>>()?;
                self.composite(ty, &parts)
            }
            (Value::Struct(values), Type::Struct(id)) => {
                let Some(def) = self.flat.structs.get(id.index()) else {
                    return Err(self.ill("a struct out of range"));
                };
                let mut parts = Vec::new();
                for (field, value) in def.fields.iter().zip(values) {
                    if let FieldType::Value(ty) = &field.ty {
                        parts.push(self.literal(value, ty)?);
                    }
                }
                self.composite(ty, &parts)
            }
            _ => return Err(self.ill("a literal that is not of its type")),
        })
    }

    fn composite(&mut self, ty: &Type, parts: &[Code]) -> Code {
        construct(&self.type_text(ty), parts)
    }
}

impl Lowering<'_> {
    /// A type.
    pub(super) fn type_text(&self, ty: &Type) -> String {
        match ty {
            Type::Unit => "u32".to_owned(),
            Type::Scalar(scalar) => self.scalar_type(*scalar).to_owned(),
            Type::Enum(_) => "u32".to_owned(),
            Type::Struct(id) => self.structs.get(id.index()).map_or_else(String::new, |(name, _)| name.clone()),
            Type::Array(element, count) => format!("array<{}, {count}>", self.type_text(element)),
        }
    }

    /// A type as part of a function's name.
    pub(super) fn mangled_text(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => scalar.name().to_owned(),
            Type::Enum(_) => "u32".to_owned(),
            Type::Array(element, count) => format!("{}x{count}", self.mangled_text(element)),
            _ => self.type_text(ty),
        }
    }

    /// The bits of a 64-bit integer.
    pub(super) fn literal_u64(&self, bits: u64, is_signed: bool) -> Code {
        match self.options.int64 {
            Int64::Emulated => {
                let word = |x: u64| if x < 65536 { format!("{x}u") } else { format!("{x:#x}u") };
                Code::constant(format!("vec2<u32>({}, {})", word(bits & 0xffff_ffff), word(bits >> 32)))
            }
            Int64::Native if is_signed && bits == 1 << 63 => {
                Code::constant("bitcast<i64>(0x8000000000000000lu)".to_owned())
            }
            Int64::Native if is_signed => {
                let x = bits.cast_signed();
                signed(x < 0, format!("{x}li"))
            }
            Int64::Native => Code::constant(format!("{bits}lu")),
        }
    }

    fn literal_f32(&mut self, bits: u32) -> Code {
        let x = f32::from_bits(bits);
        if is_plain_f32(bits) {
            return signed(x < 0.0, format!("{x:?}f"));
        }
        // Mesa makes a conversion of a truth value of a choice between a negative zero and one, and loses the sign. It
        // does not know words of memory.
        if bits == (-0.0_f32).to_bits() {
            return Code::atom(format!("bitcast<f32>({bits:#010x}u | launch[{ZERO_WORD}])"));
        }
        self.helper("opaque_u32");
        Code::atom(format!("bitcast<f32>(opaque_u32({bits:#010x}u))"))
    }

    fn literal_f64(&mut self, bits: u64) -> Code {
        let x = f64::from_bits(bits);
        if is_plain_f64(bits) {
            return signed(x < 0.0, format!("{x:?}lf"));
        }
        if bits == (-0.0_f64).to_bits() {
            return Code::atom(format!("bitcast<f64>({bits:#018x}lu | u64(launch[{ZERO_WORD}]))"));
        }
        self.helper("opaque_u64");
        Code::atom(format!("bitcast<f64>(opaque_u64({bits:#018x}lu))"))
    }

    /// The constants and enum variants used.
    pub(super) fn constants(&mut self) -> String {
        let mut text = String::new();
        for ((_, discriminant), name) in &self.variants {
            text.push_str(&format!("const {name}: u32 = {discriminant}u;\n"));
        }
        for (id, (name, form)) in self.consts.clone() {
            let Some(def) = self.flat.consts.get(id.index()) else { continue };
            let ty = self.type_text(&def.ty);
            let value = self.literal(&def.value, &def.ty).map(|code| code.text).unwrap_or_default();
            text.push_str(&match form {
                ConstForm::Const => format!("const {name}: {ty} = {value};\n"),
                ConstForm::Private => format!("var<private> {name}: {ty} = {value};\n"),
                ConstForm::Computed => format!("var<private> {name}: {ty};\n"),
            });
        }
        for (name, word) in self.fields.values() {
            text.push_str(&format!("const {name}: u32 = {word}u;\n"));
        }
        text
    }

    /// Returns the entry point's assignments to the constants that are not constant expressions.
    pub(super) fn computed_constants(&mut self) -> Result<Vec<String>, LoweringError> {
        let mut lines = Vec::new();
        for (id, (name, form)) in self.consts.clone() {
            if form == ConstForm::Computed
                && let Some(def) = self.flat.consts.get(id.index())
            {
                lines.push(format!("{name} = {};", self.literal(&def.value, &def.ty)?.text));
            }
        }
        Ok(lines)
    }

    /// The declarations of the structs used.
    pub(super) fn struct_texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for id in &self.flat.used_structs {
            let (Some(def), Some((name, fields))) = (self.flat.structs.get(id.index()), self.structs.get(id.index()))
            else {
                continue;
            };
            let mut text = format!("struct {name} {{\n");
            for (field, name) in def.fields.iter().zip(fields) {
                if let FieldType::Value(ty) = &field.ty {
                    text.push_str(&format!("    {name}: {},\n", self.type_text(ty)));
                }
            }
            text.push('}');
            texts.push(text);
        }
        texts
    }
}

fn signed(negative: bool, text: String) -> Code {
    Code { text, level: if negative { Level::Unary } else { Level::Atom }, constant: true }
}
