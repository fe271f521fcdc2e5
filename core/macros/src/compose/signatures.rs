//! Parameters as another module sees them: those of the IR, grouped as the source declares them.

use crate::program::SigParam;
use crate::ty::{BundleId, Ty};
use imminent_ir::{Param, ParamKind};
use proc_macro2::Span;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Form of a parameter in the source.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Form {
    Value,
    Reference,
    /// A bundle, by its number in the export, and `true` for `&mut`. It is one parameter of the IR for each field.
    Bundle(u32, bool),
}

impl Form {
    pub(super) fn of(ty: &Ty) -> Form {
        match (ty.lent_bundle(), ty) {
            (Some((id, mutable)), _) => Form::Bundle(id.0, mutable),
            (None, Ty::Ref(..)) => Form::Reference,
            (None, _) => Form::Value,
        }
    }
}

/// Returns the type of a parameter that is a reference.
pub(super) fn reference(kind: &ParamKind) -> Ty {
    let reference = |ty: Ty, mutable: bool| Ty::Ref(Box::new(ty), mutable);
    match kind {
        ParamKind::Value(ty) => reference(Ty::from_ir(ty), false),
        ParamKind::InOut(ty) => reference(Ty::from_ir(ty), true),
        ParamKind::Row(id, mutable) => reference(Ty::Struct(*id), *mutable),
        ParamKind::Rows(id) => reference(Ty::Rows(*id), false),
        ParamKind::Lanes(ty, mutable) => reference(Ty::Lanes(Box::new(Ty::from_ir(ty))), *mutable),
        ParamKind::Tally(scalar) => reference(Ty::Tally(*scalar), false),
        ParamKind::Params(id) => reference(Ty::Struct(*id), false),
        // The scratch of a kernel; for its functions it is that of a lane.
        ParamKind::Scratch(ty, mutable) => reference(Ty::Lane(Box::new(Ty::from_ir(ty))), *mutable),
        ParamKind::Each(id, mutable) => reference(Ty::Each(*id), *mutable),
        ParamKind::History(ty, mutable) => reference(Ty::History(Box::new(Ty::from_ir(ty))), *mutable),
        ParamKind::Clock => reference(Ty::Clock, false),
    }
}

/// Returns the parameters of the source. `bundles` has, for each bundle of the export, its number here and the number
/// of its fields.
pub(super) fn params(
    params: &[Param],
    forms: &[Form],
    bundles: &HashMap<u32, (BundleId, usize)>,
    span: Span,
) -> Vec<SigParam> {
    let mut params = params.iter();
    let mut declared = Vec::new();
    for form in forms {
        let Some(first) = params.next() else { break };
        let mut name = first.name.as_str();
        let ty = match (form, &first.kind) {
            (Form::Bundle(number, mutable), _) => {
                let Some((id, fields)) = bundles.get(number) else { break };
                params.by_ref().take(fields - 1).for_each(drop);
                name = name.split('.').next().unwrap_or(name);
                Ty::Ref(Box::new(Ty::Bundle(*id)), *mutable)
            }
            (Form::Value, ParamKind::Value(ty)) => Ty::from_ir(ty),
            (_, kind) => reference(kind),
        };
        declared.push(SigParam { name: name.to_owned(), ty, mutable: false, span });
    }
    declared
}
