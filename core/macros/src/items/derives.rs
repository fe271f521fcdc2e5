//! `#[derive(...)]` and `#[kernel(...)]`, the attributes that mean something to the language.

use crate::diagnostics::Errors;
use imminent_ir::{Reduce, StructRole};
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token};

/// The paths in the `derive` attributes.
pub(crate) fn derived(attrs: &[Attribute]) -> Vec<Path> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("derive"))
        .filter_map(|attr| attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok())
        .flatten()
        .collect()
}

/// Whether a path's last segment is this name.
pub(crate) fn is_named(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}

/// What a struct is for, by its derives.
pub(crate) fn role(attrs: &[Attribute]) -> StructRole {
    let derived = derived(attrs);
    if derived.iter().any(|path| is_named(path, "Row")) {
        StructRole::Row
    } else if derived.iter().any(|path| is_named(path, "Params")) {
        StructRole::Params
    } else {
        StructRole::Value
    }
}

/// A kernel's attribute, as far as it is right.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KernelAttr {
    pub(crate) reduce: Option<Reduce>,
}

/// The reductions by name.
pub(crate) const REDUCTIONS: [(&str, Reduce); 6] = [
    ("min", Reduce::Min),
    ("max", Reduce::Max),
    ("sum", Reduce::Sum),
    ("count", Reduce::Count),
    ("any", Reduce::Any),
    ("argmin", Reduce::ArgMin),
];

/// Reads `#[kernel(...)]`; `None` if the function is not a kernel.
pub(crate) fn kernel(attrs: &[Attribute], errors: &Errors) -> Option<KernelAttr> {
    let attr = attrs.iter().find(|attr| is_named(attr.path(), "kernel"))?;
    let mut kernel = KernelAttr::default();
    if matches!(attr.meta, syn::Meta::Path(_)) {
        return Some(kernel);
    }
    let parsed = attr.parse_nested_meta(|meta| {
        if !meta.path.is_ident("reduce") {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            return Err(meta.error(format!(
                "unknown argument `{name}`: `#[kernel]` takes `reduce = min|max|sum|count|any|argmin`"
            )));
        }
        let name: syn::Ident = meta.value()?.parse()?;
        let found = REDUCTIONS.iter().find(|(known, _)| name == known);
        let Some((_, reduce)) = found else {
            return Err(syn::Error::new(
                name.span(),
                format!("unknown reduction `{name}`: there are min, max, sum, count, any and argmin"),
            ));
        };
        kernel.reduce = Some(*reduce);
        Ok(())
    });
    if let Err(error) = parsed {
        errors.add(error);
    }
    Some(kernel)
}
