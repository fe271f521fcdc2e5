//! Declarations of a kernel module, and the IR module built from them.

use crate::diagnostics::Errors;
use crate::notes::Notes;
use crate::outside::Outside;
use crate::ty::{Bundle, BundleId, Ty};
use imminent_ir::{ConstId, EnumId, FunctionId, Module, ParamKind, Scalar, StructId, StructRole, TallyOp, Value};
use proc_macro2::Span;
use std::collections::{HashMap, HashSet};

/// A struct, an enum or a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TypeKey {
    Struct(StructId),
    Enum(EnumId),
    Bundle(BundleId),
}

impl TypeKey {
    pub(crate) fn ty(self) -> Ty {
        match self {
            TypeKey::Struct(id) => Ty::Struct(id),
            TypeKey::Enum(id) => Ty::Enum(id),
            TypeKey::Bundle(id) => Ty::Bundle(id),
        }
    }

    pub(crate) fn of(ty: &Ty) -> Option<TypeKey> {
        match ty {
            Ty::Struct(id) => Some(TypeKey::Struct(*id)),
            Ty::Enum(id) => Some(TypeKey::Enum(*id)),
            Ty::Bundle(id) => Some(TypeKey::Bundle(*id)),
            _ => None,
        }
    }
}

/// A type name of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypeEntry<'a> {
    Pending(&'a syn::ItemStruct),
    /// The fields are being resolved: reaching the type again means that it contains itself.
    Busy,
    Known(TypeKey),
}

/// A constant.
#[derive(Clone, Debug)]
pub(crate) enum ConstEntry<'a> {
    Pending {
        name: String,
        ty: &'a syn::Type,
        value: &'a syn::Expr,
        self_key: Option<TypeKey>,
    },
    Busy,
    /// An error was reported about it.
    Failed,
    Known(KnownConst),
}

/// A constant whose value is known.
#[derive(Clone, Debug)]
pub(crate) struct KnownConst {
    pub(crate) ty: Ty,
    /// Value; `None` if the surrounding crate provides it.
    pub(crate) value: Option<Value>,
    /// Position in the IR; `None` for a `usize`.
    pub(crate) id: Option<ConstId>,
}

/// Meaning of a name after `Type::` or `value.`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Member {
    Function(FunctionId),
    /// Position in [`Program::consts`].
    Const(usize),
}

/// A parameter as callers see it.
#[derive(Clone, Debug)]
pub(crate) struct SigParam {
    pub(crate) name: String,
    pub(crate) ty: Ty,
    /// Declared `mut x: T`.
    pub(crate) mutable: bool,
    pub(crate) span: Span,
}

/// A function as callers see it.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) params: Vec<SigParam>,
    pub(crate) result: Ty,
    pub(crate) is_method: bool,
}

/// A use of a tally parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TallyUse {
    /// A contribution.
    Op(TallyOp, Span),
    /// An operation on a word as a whole.
    Word(Span),
    /// The tally is passed on: to that parameter of that function.
    Passed(FunctionId, u32, Span),
}

/// A function of this module.
#[derive(Clone, Debug)]
pub(crate) struct FunctionItem<'a> {
    pub(crate) id: FunctionId,
    pub(crate) block: &'a syn::Block,
    pub(crate) self_key: Option<TypeKey>,
}

/// Everything known about a kernel module.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub(crate) errors: &'a Errors,
    /// The IR: imported items first.
    pub(crate) module: Module,
    pub(crate) types: HashMap<String, TypeEntry<'a>>,
    pub(crate) bundles: Vec<Bundle>,
    pub(crate) consts: Vec<ConstEntry<'a>>,
    /// Constants by name, as positions in [`Program::consts`].
    pub(crate) const_names: HashMap<String, usize>,
    /// Constants of impl blocks by type and name.
    pub(crate) associated_consts: HashMap<(String, String), usize>,
    pub(crate) function_names: HashMap<String, FunctionId>,
    pub(crate) members: HashMap<(TypeKey, String), Member>,
    /// Signatures by [`FunctionId`].
    pub(crate) signatures: Vec<Signature>,
    /// The functions of this module.
    pub(crate) functions: Vec<FunctionItem<'a>>,
    /// Calls by functions of this module.
    pub(crate) calls: Vec<(FunctionId, FunctionId, Span)>,
    /// Uses of tally parameters by functions of this module.
    pub(crate) tally_uses: HashMap<(FunctionId, u32), Vec<TallyUse>>,
    /// Functions whose author has declared them `#[unordered]`.
    pub(crate) unordered: HashSet<FunctionId>,
    /// Functions that query their position in a grid: directly, or for other modules also through others.
    pub(crate) grid_uses: HashMap<FunctionId, Span>,
    pub(crate) notes: Notes,
    pub(crate) outside: Outside,
    /// Start of every origin: package and module.
    pub(crate) origin: String,
}

impl<'a> Program<'a> {
    pub(crate) fn new(errors: &'a Errors, name: String, file: String, origin: String) -> Self {
        Program {
            errors,
            module: Module {
                version: imminent_ir::VERSION,
                name,
                file,
                structs: Vec::new(),
                enums: Vec::new(),
                consts: Vec::new(),
                functions: Vec::new(),
                kernels: Vec::new(),
                sites: Vec::new(),
            },
            types: HashMap::new(),
            bundles: Vec::new(),
            consts: Vec::new(),
            const_names: HashMap::new(),
            associated_consts: HashMap::new(),
            function_names: HashMap::new(),
            members: HashMap::new(),
            signatures: Vec::new(),
            functions: Vec::new(),
            calls: Vec::new(),
            tally_uses: HashMap::new(),
            unordered: HashSet::new(),
            grid_uses: HashMap::new(),
            notes: Notes::default(),
            outside: Outside::default(),
            origin,
        }
    }

    /// Formats a type for people.
    pub(crate) fn show(&self, ty: &Ty) -> String {
        ty.show(&self.module, &self.bundles)
    }

    pub(crate) fn role(&self, id: StructId) -> StructRole {
        self.module.structs[id.index()].role
    }

    /// Returns `true` if a struct has lanes, so that it cannot be copied.
    pub(crate) fn has_lanes(&self, id: StructId) -> bool {
        let is_lanes = |field: &imminent_ir::Field| matches!(field.ty, imminent_ir::FieldType::Lanes(_));
        self.module.structs[id.index()].fields.iter().any(is_lanes)
    }

    /// Returns the parameters of the IR for a parameter: one for each field of a bundle, else one.
    pub(crate) fn flat(&self, name: &str, ty: &Ty) -> Vec<(String, Ty)> {
        match ty.lent_bundle() {
            Some((id, mutable)) => {
                let fields = self.bundles[id.index()].fields.iter();
                fields.map(|(field, ty)| (format!("{name}.{field}"), ty.clone().lent_by(mutable))).collect()
            }
            None => vec![(name.to_owned(), ty.clone())],
        }
    }

    /// Returns the IR's kind of a parameter of that type; `None` if there is no such parameter.
    pub(crate) fn param_kind(&self, ty: &Ty) -> Option<ParamKind> {
        Some(match ty {
            Ty::Ref(inner, mutable) => match &**inner {
                Ty::Struct(id) if self.role(*id) == StructRole::Row => ParamKind::Row(*id, *mutable),
                Ty::Struct(id) if self.role(*id) == StructRole::Params => {
                    if *mutable {
                        return None;
                    }
                    ParamKind::Params(*id)
                }
                Ty::Rows(id) if !mutable => ParamKind::Rows(*id),
                Ty::Tally(scalar) if !mutable => ParamKind::Tally(*scalar),
                Ty::Group(element) if *mutable => ParamKind::Scratch(element.to_ir()?, true),
                Ty::Group(_) => return None,
                Ty::Lane(element) => ParamKind::Scratch(element.to_ir()?, *mutable),
                Ty::Each(id) => ParamKind::Each(*id, *mutable),
                Ty::Lanes(element) => ParamKind::Lanes(element.to_ir()?, *mutable),
                Ty::History(element) => ParamKind::History(element.to_ir()?, *mutable),
                Ty::Clock if !mutable => ParamKind::Clock,
                Ty::Clock => return None,
                value if *mutable => ParamKind::InOut(value.to_ir()?),
                value => ParamKind::Value(value.to_ir()?),
            },
            value => ParamKind::Value(value.to_ir()?),
        })
    }

    /// Returns the origin of an item of this module: package, module, name, and a hash of its source.
    pub(crate) fn origin_of(&self, name: &str, item: &impl quote::ToTokens) -> String {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in item.to_token_stream().to_string().bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!("{}::{name}#{hash:016x}", self.origin)
    }

    /// Suggests known names similar to a name that does not exist.
    pub(crate) fn suggestion(name: &str, known: impl Iterator<Item = String>) -> String {
        let mut best: Option<(usize, String)> = None;
        for candidate in known {
            let distance = edit_distance(name, &candidate);
            if distance <= 1 + name.len() / 4 && best.as_ref().is_none_or(|(d, n)| (distance, &candidate) < (*d, n)) {
                best = Some((distance, candidate));
            }
        }
        best.map_or_else(String::new, |(_, name)| format!("; did you mean `{name}`?"))
    }
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

/// Returns the scalar of a value type, for error texts about reductions.
pub(crate) fn scalar_of(ty: &Ty) -> Option<Scalar> {
    match ty {
        Ty::Scalar(scalar) => Some(*scalar),
        _ => None,
    }
}
