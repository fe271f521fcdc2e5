//! Structs, enums and constants of a generated module.

use super::Generator;
use imminent_core::ir::{
    Const, ConstId, Enum, EnumId, Field, FieldType, Scalar, Struct, StructId, StructRole, Type, Value,
};

impl Generator<'_> {
    /// Returns the scalar types that kernels of this run use.
    pub(super) fn scalars(&self) -> Vec<Scalar> {
        let float = |scalar: Scalar| match scalar {
            Scalar::F32 => self.abilities.f32,
            Scalar::F64 => self.abilities.f64,
            _ => true,
        };
        // The simplest come first.
        [Scalar::U32, Scalar::U64, Scalar::I32, Scalar::I64, Scalar::Bool, Scalar::F32, Scalar::F64]
            .into_iter()
            .filter(|scalar| float(*scalar))
            .collect()
    }

    pub(super) fn scalar(&mut self) -> Scalar {
        let scalars = self.scalars();
        self.choices.pick(&scalars).unwrap_or(Scalar::U32)
    }

    pub(super) fn integer(&mut self) -> Scalar {
        self.choices.pick(&[Scalar::U32, Scalar::U64, Scalar::I32, Scalar::I64]).unwrap_or(Scalar::U32)
    }

    /// Chooses a type of values, from the structs and enums declared so far.
    pub(super) fn value_type(&mut self) -> Type {
        match self.choices.below(8) {
            4 | 5 => Type::Array(Box::new(self.scalar().into()), 1 + self.choices.below(4) as u32),
            6 => {
                let values = self.values();
                self.choices.pick(&values).map_or(Scalar::U32.into(), Type::Struct)
            }
            7 => {
                let inner: Type = match self.values().last() {
                    Some(id) if self.choices.below(2) == 1 => Type::Struct(*id),
                    _ if !self.module.enums.is_empty() && self.choices.below(3) == 2 => Type::Enum(EnumId(0)),
                    _ => Type::Array(Box::new(self.scalar().into()), 2),
                };
                Type::Array(Box::new(inner), 1 + self.choices.below(3) as u32)
            }
            3 if !self.module.enums.is_empty() => Type::Enum(EnumId(0)),
            _ => self.scalar().into(),
        }
    }

    /// Returns the structs that are plain values.
    fn values(&self) -> Vec<StructId> {
        let structs = self.module.structs.iter().zip(0..);
        structs.filter(|(def, _)| def.role == StructRole::Value).map(|(_, id)| StructId(id)).collect()
    }

    pub(super) fn structure(&mut self, name: &str, role: StructRole, lanes: bool) -> StructId {
        let count = 1 + self.choices.below(5);
        let mut fields: Vec<Field> =
            (0..count).map(|at| Field { name: format!("f{at}"), ty: FieldType::Value(self.value_type()) }).collect();
        if lanes && self.choices.below(2) == 1 {
            for at in 0..1 + self.choices.below(2) {
                let field = Field { name: format!("lanes{at}"), ty: FieldType::Lanes(self.value_type()) };
                let place = self.choices.below(fields.len() + 1);
                fields.insert(place, field);
            }
        }
        let origin = "fuzz".to_owned();
        let packed = role == StructRole::Row && (self.module.structs.len() + fields.len()).is_multiple_of(3);
        self.module.structs.push(Struct { name: name.to_owned(), origin, role, packed, fields });
        StructId(self.module.structs.len() as u32 - 1)
    }

    /// Generates plain structs, an enum, and constants of them.
    pub(super) fn declarations(&mut self) {
        if self.choices.below(2) == 1 {
            let variants = vec![("Zero".to_owned(), 0), ("One".to_owned(), 1), ("Far".to_owned(), 0x8000_0007)];
            self.module.enums.push(Enum { name: "Kind".to_owned(), origin: "fuzz".to_owned(), variants });
        }
        for at in 0..self.choices.below(3) {
            self.structure(&format!("Value{at}"), StructRole::Value, false);
        }
        for at in 0..self.choices.below(3) {
            let ty = self.value_type();
            let value = self.constant(&ty);
            let name = format!("CONST{at}");
            self.module.consts.push(Const { name, origin: "fuzz".to_owned(), ty, value });
        }
    }

    /// Generates a constant of a type.
    pub(super) fn constant(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Scalar(scalar) => self.choices.literal(*scalar),
            Type::Enum(_) => Value::Enum(self.choices.pick(&[0, 1, 0x8000_0007]).unwrap_or(0)),
            Type::Array(element, count) => Value::Array((0..*count).map(|_| self.constant(element)).collect()),
            Type::Struct(id) => {
                let fields = self.module.structs[id.index()].fields.clone();
                let of = |field: &Field| match &field.ty {
                    FieldType::Value(ty) | FieldType::Lanes(ty) => ty.clone(),
                };
                Value::Struct(fields.iter().map(|field| self.constant(&of(field))).collect())
            }
            Type::Unit => Value::Bool(false),
        }
    }

    pub(super) fn constants(&self) -> impl Iterator<Item = (ConstId, &Type)> {
        self.module.consts.iter().zip(0..).map(|(constant, id)| (ConstId(id), &constant.ty))
    }
}
