//! Types as the checker sees them: values, references, resources, and unknown types.

use imminent_ir::{EnumId, Module, Scalar, StructId, Type};

/// A type during checking.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    /// `()`.
    Unit,
    /// The type of an expression that never gives a value.
    Never,
    /// A scalar.
    Scalar(Scalar),
    /// `usize`, in constants and indices only.
    Usize,
    /// A field-less enum.
    Enum(EnumId),
    /// A struct.
    Struct(StructId),
    /// `[T; N]`.
    Array(Box<Ty>, u32),
    /// A type to be inferred.
    Var(u32),
    /// `&T` or `&mut T`.
    Ref(Box<Ty>, bool),
    /// `Lanes<T>`.
    Lanes(Box<Ty>),
    /// `Rows<T>`.
    Rows(StructId),
    /// `Tally<T>`.
    Tally(Scalar),
    /// `Group<S>`: the group of a grouped kernel, with its scratch.
    Group(Box<Ty>),
    /// `Lane<S>`: an invocation of a phase, with the scratch of its group.
    Lane(Box<Ty>),
    /// `Each<T>`: the own rows of a group's invocations.
    Each(StructId),
    /// `History<T>`.
    History(Box<Ty>),
    /// `Clock`.
    Clock,
    /// A bundle: a struct of references to resources.
    Bundle(BundleId),
    /// Type of an expression about which an error was already reported.
    Error,
}

/// Number of a bundle in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BundleId(pub(crate) u32);

impl BundleId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A struct of references to resources. The IR does not have it: each of its fields is a parameter there.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    pub(crate) name: String,
    pub(crate) origin: String,
    /// Names and types of the fields; every type is a [`Ty::Ref`].
    pub(crate) fields: Vec<(String, Ty)>,
}

impl Ty {
    pub(crate) const BOOL: Ty = Ty::Scalar(Scalar::Bool);
    pub(crate) const U32: Ty = Ty::Scalar(Scalar::U32);

    /// Returns the type of the IR, for a resolved value type.
    pub(crate) fn to_ir(&self) -> Option<Type> {
        Some(match self {
            Ty::Unit | Ty::Never => Type::Unit,
            Ty::Scalar(scalar) => Type::Scalar(*scalar),
            Ty::Enum(id) => Type::Enum(*id),
            Ty::Struct(id) => Type::Struct(*id),
            Ty::Array(element, count) => Type::Array(Box::new(element.to_ir()?), *count),
            _ => return None,
        })
    }

    /// Returns the checker's form of a type of the IR.
    pub(crate) fn from_ir(ty: &Type) -> Ty {
        match ty {
            Type::Unit => Ty::Unit,
            Type::Scalar(scalar) => Ty::Scalar(*scalar),
            Type::Enum(id) => Ty::Enum(*id),
            Type::Struct(id) => Ty::Struct(*id),
            Type::Array(element, count) => Ty::Array(Box::new(Ty::from_ir(element)), *count),
        }
    }

    /// Returns the type behind a reference, or the type itself.
    pub(crate) fn behind_reference(&self) -> &Ty {
        match self {
            Ty::Ref(inner, _) => inner,
            other => other,
        }
    }

    /// Returns the bundle behind a reference, and `true` if the reference is mutable.
    pub(crate) fn lent_bundle(&self) -> Option<(BundleId, bool)> {
        match self {
            Ty::Ref(inner, mutable) => match **inner {
                Ty::Bundle(id) => Some((id, *mutable)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a reference made read-only, unless it is lent by something that may be written.
    pub(crate) fn lent_by(self, mutable: bool) -> Ty {
        match self {
            Ty::Ref(inner, own) => Ty::Ref(inner, own && mutable),
            other => other,
        }
    }

    /// Formats the type for people.
    pub(crate) fn show(&self, module: &Module, bundles: &[Bundle]) -> String {
        let show = |ty: &Ty| ty.show(module, bundles);
        match self {
            Ty::Unit => "()".to_owned(),
            Ty::Never => "!".to_owned(),
            Ty::Scalar(scalar) => scalar.name().to_owned(),
            Ty::Usize => "usize".to_owned(),
            Ty::Enum(id) => module.enums[id.index()].name.clone(),
            Ty::Struct(id) => module.structs[id.index()].name.clone(),
            Ty::Array(element, count) => format!("[{}; {count}]", show(element)),
            Ty::Var(_) | Ty::Error => "_".to_owned(),
            Ty::Ref(inner, true) => format!("&mut {}", show(inner)),
            Ty::Ref(inner, false) => format!("&{}", show(inner)),
            Ty::Lanes(inner) => format!("Lanes<{}>", show(inner)),
            Ty::Rows(id) => format!("Rows<{}>", module.structs[id.index()].name),
            Ty::Tally(scalar) => format!("Tally<{scalar}>"),
            Ty::Group(inner) => format!("Group<{}>", show(inner)),
            Ty::Lane(inner) => format!("Lane<{}>", show(inner)),
            Ty::Each(id) => format!("Each<{}>", module.structs[id.index()].name),
            Ty::History(inner) => format!("History<{}>", show(inner)),
            Ty::Clock => "Clock".to_owned(),
            Ty::Bundle(id) => bundles[id.index()].name.clone(),
        }
    }
}

/// Returns the scalar of that name.
pub(crate) fn scalar_named(name: &str) -> Option<Scalar> {
    Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
}
