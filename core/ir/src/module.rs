//! Modules: structs, enums, constants, functions and kernels.

use crate::{Block, FaultKind, FunctionId, Reduce, Reductions, Scalar, Shape, StructId, Type, Value};
use serde::{Deserialize, Serialize};

/// Version of the IR and of the meaning of its operations. A change of either changes it.
pub const VERSION: u32 = 7;

/// A module of kernels with everything that they use, self-contained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// [`VERSION`] of the writer.
    pub version: u32,
    /// Name of the Rust module.
    pub name: String,
    /// The source file, as the compiler names it.
    pub file: String,
    /// Structs, in dependency order: a struct's fields use earlier ones only.
    pub structs: Vec<Struct>,
    /// Field-less enums.
    pub enums: Vec<Enum>,
    /// Constants.
    pub consts: Vec<Const>,
    /// Functions, including kernels' bodies. There is no recursion.
    pub functions: Vec<Function>,
    /// The kernels of this module (not those of modules it uses).
    pub kernels: Vec<Kernel>,
    /// Every place where a fault can be raised.
    pub sites: Vec<Site>,
}

/// Bytes that are not a module, or one of another version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes are not an encoded module.
    #[error("these bytes are not an encoded kernel module: {0}")]
    Malformed(String),
    /// The module was written by another version.
    #[error(
        "the kernel module has IR version {found}, this program reads version {VERSION}: rebuild the crate that defines it"
    )]
    Version {
        /// The version found.
        found: u32,
    },
}

impl Module {
    /// Returns the compact binary form, as the macro embeds it.
    ///
    /// # Errors
    /// None for a module in memory; the signature follows the serializer's.
    pub fn encode(&self) -> Result<Vec<u8>, DecodeError> {
        postcard::to_stdvec(self).map_err(|e| DecodeError::Malformed(e.to_string()))
    }

    /// Reads the compact binary form.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not a module of this [`VERSION`].
    pub fn decode(bytes: &[u8]) -> Result<Module, DecodeError> {
        let (version, _) =
            postcard::take_from_bytes::<u32>(bytes).map_err(|e| DecodeError::Malformed(e.to_string()))?;
        if version != VERSION {
            return Err(DecodeError::Version { found: version });
        }
        postcard::from_bytes(bytes).map_err(|e| DecodeError::Malformed(e.to_string()))
    }

    /// Returns the kernel of that name.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// Returns the results of a kernel. `None` if it returns nothing.
    #[must_use]
    pub fn results(&self, kernel: &Kernel) -> Option<Reductions> {
        let function = self.functions.get(kernel.function.index())?;
        results_of(&kernel.reduce, &function.result, &self.structs)
    }
}

/// Role of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StructRole {
    /// A plain value.
    Value,
    /// `#[derive(Row)]`: the row of a table. `&T` and `&mut T` of a kernel mean the own row.
    Row,
    /// `#[derive(Params)]`: a parameter block. `&T` of a kernel means a uniform value.
    Params,
}

/// A struct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Struct {
    /// Name in Rust. Two structs of different modules may share it.
    pub name: String,
    /// Crate and module that define it, with a hash of its source: equal origins are the same struct.
    pub origin: String,
    /// Role of the struct.
    pub role: StructRole,
    /// `true` for the row of a table whose words stay together: see [`Layout`](crate::Layout).
    pub packed: bool,
    /// Fields, in declaration order; at least one.
    pub fields: Vec<Field>,
}

impl Struct {
    /// Returns the types of the fields. `None` if one is no scalar.
    #[must_use]
    pub fn scalars(&self) -> Option<Vec<Scalar>> {
        let scalar = |field: &Field| match &field.ty {
            FieldType::Value(ty) => ty.scalar(),
            FieldType::Lanes(_) => None,
        };
        self.fields.iter().map(scalar).collect()
    }
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Name of the field.
    pub name: String,
    /// Type of the field.
    pub ty: FieldType,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldType {
    /// A value.
    Value(Type),
    /// `Lanes<T>`: only directly in a struct whose role is [`StructRole::Row`].
    Lanes(Type),
}

/// A field-less enum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enum {
    /// Name in Rust.
    pub name: String,
    /// Origin, as for [`Struct::origin`].
    pub origin: String,
    /// Names and discriminants. A zeroed row holds discriminant 0, so one variant has it.
    pub variants: Vec<(String, u32)>,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Const {
    /// Name in Rust (`Type::NAME` for an associated constant).
    pub name: String,
    /// Origin, as for [`Struct::origin`].
    pub origin: String,
    /// Type of the constant.
    pub ty: Type,
    /// Value of the constant.
    pub value: Value,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Name in Rust (`Type::name` for a method).
    pub name: String,
    /// Origin, as for [`Struct::origin`].
    pub origin: String,
    /// The source file, as the compiler names it.
    pub file: String,
    /// Line of its name.
    pub line: u32,
    /// The parameters.
    pub params: Vec<Param>,
    /// Type of the result.
    pub result: Type,
    /// The locals, each declared by exactly one statement.
    pub locals: Vec<Local>,
    /// The statements. Every path of a function with a result ends in a `return`.
    pub body: Block,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Name in Rust.
    pub name: String,
    /// Kind of the parameter.
    pub kind: ParamKind,
}

/// Kinds of parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParamKind {
    /// `T`, or `&T` of a plain value: read only. (In a kernel: the row number, a `u32`.)
    Value(Type),
    /// `&mut T` of a plain value: copied in and out.
    InOut(Type),
    /// `&T` or `&mut T` of a [`StructRole::Row`] struct.
    Row(StructId, /** mutable */ bool),
    /// `&Rows<T>`.
    Rows(StructId),
    /// `&Lanes<T>` or `&mut Lanes<T>`.
    Lanes(Type, /** mutable */ bool),
    /// `&Tally<T>` of an integer.
    Tally(Scalar),
    /// `&T` of a [`StructRole::Params`] struct.
    Params(StructId),
    /// The scratch elements of a group, of this type: `&mut Group<T>` of a kernel, `&Lane<T>` or `&mut Lane<T>` of the
    /// functions that its phases call.
    Scratch(Type, /** mutable */ bool),
    /// `&Each<T>` or `&mut Each<T>` of a grouped kernel: the own rows of the group's invocations. A phase passes it on
    /// as the [`ParamKind::Row`] of each invocation.
    Each(StructId, /** mutable */ bool),
    /// `&History<T>` or `&mut History<T>`, with the type of its entries. A kernel that takes one takes one clock too.
    History(Type, /** mutable */ bool),
    /// `&Clock`: holds the first step of the launch.
    Clock,
}

/// A local.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// Name in Rust, or a generated one for a temporary (then it starts with `_`). Not unique.
    pub name: String,
    /// Content of the local.
    pub kind: LocalKind,
}

/// Contents of a local.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LocalKind {
    /// A value.
    Value(Type),
    /// A row of a table, bound by [`StmtKind::BindRow`](crate::StmtKind::BindRow).
    RowRef(StructId),
}

/// A kernel: an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Name in Rust.
    pub name: String,
    /// Body of the kernel, which takes the kernel's parameters.
    pub function: FunctionId,
    /// Reductions of the returned values: none exactly when nothing is returned, one of a scalar, and of a struct one
    /// for each field, in order.
    pub reduce: Vec<Reduce>,
    /// Grouping of rows: row by row, or in groups.
    pub shape: Shape,
}

/// A place in the source where a fault can be raised.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Source file.
    pub file: String,
    /// Line in the source file.
    pub line: u32,
    /// Column of the operation, 1-based: distinguishes two faults of one line.
    pub column: u32,
    /// The user's expression in backquotes. For an assertion, its text, if it has one, and its condition.
    pub text: String,
}

impl Value {
    /// Reads the value of a type whose scalars are given in order, each as 64 bits: integers extended by their sign,
    /// floats as their bits, `bool` and enums as numbers. `None` if words are missing.
    #[must_use]
    pub fn from_scalars(module: &Module, ty: &Type, words: &mut impl Iterator<Item = u64>) -> Option<Value> {
        Some(match ty {
            Type::Unit => Value::Struct(Vec::new()),
            Type::Scalar(scalar) => {
                let word = words.next()?;
                match scalar {
                    Scalar::Bool => Value::Bool(word != 0),
                    Scalar::U32 => Value::U32(word as u32),
                    Scalar::I32 => Value::I32(word as i32),
                    Scalar::U64 => Value::U64(word),
                    Scalar::I64 => Value::I64(word as i64),
                    Scalar::F32 => Value::F32(word as u32),
                    Scalar::F64 => Value::F64(word),
                }
            }
            Type::Enum(_) => Value::Enum(words.next()? as u32),
            Type::Array(element, count) => Value::Array(
                (0..*count).map(|_| Value::from_scalars(module, element, words)).collect::<Option<Vec<_>>>()?,
            ),
            Type::Struct(id) => {
                let mut fields = Vec::new();
                for field in &module.structs.get(id.index())?.fields {
                    if let FieldType::Value(ty) = &field.ty {
                        fields.push(Value::from_scalars(module, ty, words)?);
                    }
                }
                Value::Struct(fields)
            }
        })
    }
}

/// Returns the results of a kernel whose body returns `result`: a scalar for one operation, and for several a
/// struct with a scalar for each. `None` if the type does not fit. In a struct the operations are those whose
/// result has the type of the values.
#[must_use]
pub(crate) fn results_of(reduces: &[Reduce], result: &Type, structs: &[Struct]) -> Option<Reductions> {
    let of: Vec<(Reduce, Scalar)> = match (reduces, result) {
        ([reduce], Type::Scalar(scalar)) => vec![(*reduce, *scalar)],
        ([_, _, ..], Type::Struct(id)) => {
            let fields = structs.get(id.index())?.scalars()?;
            let keeps = |reduce: &Reduce| !matches!(reduce, Reduce::Count | Reduce::ArgMin);
            if fields.len() != reduces.len() || !reduces.iter().all(keeps) {
                return None;
            }
            reduces.iter().copied().zip(fields).collect()
        }
        _ => return None,
    };
    Reductions::new(&of)
}
