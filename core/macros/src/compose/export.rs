//! Items that a kernel module offers to others.

use super::signatures::Form;
use crate::program::{ConstEntry, Member, Program, TypeEntry, TypeKey};
use crate::ty::Ty;
use imminent_ir::{ConstId, EnumId, FunctionId, Module, ParamKind, StructId};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;
use serde::{Deserialize, Serialize};

/// An item that can be named.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Named {
    Struct(StructId),
    Enum(EnumId),
    Const(ConstId),
    /// A `usize`, which the IR does not have.
    Length(u64),
    Function(FunctionId),
    /// Number among the bundles of the export.
    Bundle(u32),
}

/// A method, associated function or associated constant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ExportedMember {
    /// Struct, enum or bundle.
    pub(super) of: Named,
    pub(super) name: String,
    pub(super) item: Named,
}

/// A bundle, which the IR does not have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ExportedBundle {
    pub(super) name: String,
    pub(super) origin: String,
    /// Names of the fields, and the parameter of the IR that stands for each.
    pub(super) fields: Vec<(String, ParamKind)>,
}

/// A kernel module as another one sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Export {
    pub(super) module: Module,
    /// Items of the module, and its imports, by name.
    pub(super) names: Vec<(String, Named)>,
    pub(super) members: Vec<ExportedMember>,
    pub(super) bundles: Vec<ExportedBundle>,
    /// For each function: `true` if its first parameter is `self`, and the forms of its parameters.
    pub(super) forms: Vec<(bool, Vec<Form>)>,
    /// Constants whose values the module's crate provides, by their number in the module's static data.
    pub(super) outside: Vec<ConstId>,
}

impl From<TypeKey> for Named {
    fn from(key: TypeKey) -> Self {
        match key {
            TypeKey::Struct(id) => Named::Struct(id),
            TypeKey::Enum(id) => Named::Enum(id),
            TypeKey::Bundle(id) => Named::Bundle(id.0),
        }
    }
}

fn constant(entry: &ConstEntry<'_>) -> Option<Named> {
    let ConstEntry::Known(known) = entry else { return None };
    match (known.id, &known.value) {
        (Some(id), _) => Some(Named::Const(id)),
        (None, Some(imminent_ir::Value::U64(value))) => Some(Named::Length(*value)),
        _ => None,
    }
}

/// Returns the bytes of a module's export.
pub(crate) fn encode(program: &Program<'_>) -> Result<Vec<u8>, String> {
    let mut names: Vec<(String, Named)> = Vec::new();
    for (name, entry) in &program.types {
        if let TypeEntry::Known(key) = entry {
            names.push((name.clone(), (*key).into()));
        }
    }
    for (name, index) in &program.const_names {
        names.extend(constant(&program.consts[*index]).map(|named| (name.clone(), named)));
    }
    names.extend(program.function_names.iter().map(|(name, id)| (name.clone(), Named::Function(*id))));
    let mut members: Vec<ExportedMember> = Vec::new();
    for ((key, name), member) in &program.members {
        let item = match member {
            Member::Function(id) => Some(Named::Function(*id)),
            Member::Const(index) => constant(&program.consts[*index]),
        };
        members.extend(item.map(|item| ExportedMember { of: (*key).into(), name: name.clone(), item }));
    }
    // Hash maps have no order; the expansion must be deterministic.
    names.sort_by(|a, b| a.0.cmp(&b.0));
    members.sort_by_key(|member| (format!("{:?}", member.of), member.name.clone()));
    let forms = program.signatures.iter();
    let forms = forms.map(|function| (function.is_method, function.params.iter().map(|p| Form::of(&p.ty)).collect()));
    let forms = forms.collect();
    let bundles = program.bundles.iter().map(|bundle| {
        // A field with an error has no kind, and the module with it is not exported.
        let kind = |(name, ty): &(String, Ty)| Some((name.clone(), program.param_kind(ty)?));
        let fields = bundle.fields.iter().filter_map(kind).collect();
        ExportedBundle { name: bundle.name.clone(), origin: bundle.origin.clone(), fields }
    });
    let bundles = bundles.collect();
    let mut module = program.module.clone();
    module.kernels.clear();
    let outside = program.outside.consts.iter().map(|(id, _)| *id).collect();
    let export = Export { module, names, members, bundles, forms, outside };
    postcard::to_stdvec(&export).map_err(|error| error.to_string())
}

/// Returns the macro that provides a module's export to others.
pub(crate) fn macro_definition(module: &Ident, origin: &str, bytes: &[u8]) -> TokenStream {
    let unique = unique_name(module, origin.bytes().chain(bytes.iter().copied()));
    super::export_macro(&unique, &Literal::byte_string(bytes))
}

/// Returns a name for the macro of a module with these contents.
pub(super) fn unique_name(module: &Ident, contents: impl Iterator<Item = u8>) -> Ident {
    let hash =
        contents.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format_ident!("__imminent_{}_{:016x}", crate::syntax::plain(module), hash, span = Span::call_site())
}
