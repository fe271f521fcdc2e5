//! `#[derive(...)]`, `#[row(...)]` and `#[kernel(...)]`, the attributes with a meaning in the language.

use crate::diagnostics::Errors;
use crate::program::Program;
use crate::syntax::plain;
use imminent_ir::{Reduce, Shape, StructRole};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Path, Token};

/// Returns the paths in the `derive` attributes.
pub(crate) fn derived(attrs: &[Attribute]) -> Vec<Path> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("derive"))
        .filter_map(|attr| attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok())
        .flatten()
        .collect()
}

/// Returns `true` if a path's last segment is this name.
pub(crate) fn is_named(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}

/// Returns the role of a struct, by its derives.
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

/// Reads `#[row(packed)]`, which only the row of a table takes; returns `true` if its words stay together.
pub(crate) fn packed(attrs: &[Attribute], role: StructRole, errors: &Errors) -> bool {
    let mut packed = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("row")) {
        if role != StructRole::Row {
            errors.over(attr, "`#[row(..)]` says how a table stores its rows: the struct has no `#[derive(Row)]`");
        }
        let parsed = attr.parse_nested_meta(|meta| {
            packed |= meta.path.is_ident("packed");
            if packed { Ok(()) } else { Err(meta.error("unknown argument: there is `#[row(packed)]`")) }
        });
        if let Err(error) = parsed {
            errors.add(error);
        }
    }
    packed
}

/// Valid part of a kernel's attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelAttr {
    pub(crate) reduce: Reduced,
    pub(crate) shape: Shape,
    /// Constants that the shape names.
    pub(crate) sizes: Vec<syn::Ident>,
}

/// Reduction of the returned value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Reduced {
    /// Nothing is returned.
    #[default]
    Nothing,
    /// A scalar.
    Value(Reduce),
    /// Each field of a struct.
    Fields(Vec<(syn::Ident, Reduce)>),
}

/// The reductions by name.
const REDUCTIONS: [(&str, Reduce); 6] = [
    ("min", Reduce::Min),
    ("max", Reduce::Max),
    ("sum", Reduce::Sum),
    ("count", Reduce::Count),
    ("any", Reduce::Any),
    ("argmin", Reduce::ArgMin),
];

/// Reads `#[kernel(...)]`; `None` if the function is not a kernel.
pub(crate) fn kernel(attrs: &[Attribute], program: &Program<'_>) -> Option<KernelAttr> {
    let attr = attrs.iter().find(|attr| is_named(attr.path(), "kernel"))?;
    let mut kernel = KernelAttr::default();
    if matches!(attr.meta, syn::Meta::Path(_)) {
        return Some(kernel);
    }
    let parsed = attr.parse_nested_meta(|meta| {
        if meta.path.is_ident("group") || meta.path.is_ident("tile") {
            if kernel.shape.is_grouped() {
                return Err(meta.error("a kernel has one `group` or one `tile`"));
            }
            // Any size will do after an error: the rest of the kernel is judged as that of a group.
            kernel.shape = Shape::Group(1);
            kernel.shape = shape(&meta, program, &mut kernel.sizes)?;
            return Ok(());
        }
        if !meta.path.is_ident("reduce") {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            return Err(meta.error(format!(
                "unknown argument `{name}`: `#[kernel]` takes `reduce = min|max|sum|count|any|argmin`, `reduce = {{ field: sum, .. }}`, `group = 256` and `tile = (32, 8)`"
            )));
        }
        kernel.reduce = reduced(meta.value()?)?;
        Ok(())
    });
    if let Err(error) = parsed {
        program.errors.add(error);
    }
    Some(kernel)
}

/// Reads a reduction, or `{ field: reduction, .. }`.
fn reduced(input: syn::parse::ParseStream<'_>) -> syn::Result<Reduced> {
    if !input.peek(syn::token::Brace) {
        return reduction(input).map(Reduced::Value);
    }
    let fields;
    syn::braced!(fields in input);
    let field = |input: syn::parse::ParseStream<'_>| {
        let name: syn::Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok((name, reduction(input)?))
    };
    let fields = fields.parse_terminated(field, Token![,])?;
    Ok(Reduced::Fields(fields.into_iter().collect()))
}

fn reduction(input: syn::parse::ParseStream<'_>) -> syn::Result<Reduce> {
    let name: syn::Ident = input.parse()?;
    let found = REDUCTIONS.iter().find(|(known, _)| name == known).map(|(_, reduce)| *reduce);
    found.ok_or_else(|| {
        let text = format!("unknown reduction `{name}`: there are min, max, sum, count, any and argmin");
        syn::Error::new(name.span(), text)
    })
}

/// Reads `group = n` or `tile = (w, h)`.
fn shape(
    meta: &syn::meta::ParseNestedMeta<'_>,
    program: &Program<'_>,
    names: &mut Vec<syn::Ident>,
) -> syn::Result<Shape> {
    let value = meta.value()?;
    let mut side = |size: &syn::Expr, advice: &str| side(size, program, names, advice);
    let (shape, span) = if meta.path.is_ident("group") {
        let advice = "write how many rows a group has, a number or constant from 1 to 256: `group = 256`";
        let size: syn::Expr = value.parse().map_err(|error| syn::Error::new(error.span(), advice))?;
        (Shape::Group(side(&size, advice)?), size.span())
    } else {
        let advice = "write the columns and lines of a tile, as in `tile = (32, 8)`";
        let pair: syn::ExprTuple = value.parse().map_err(|error| syn::Error::new(error.span(), advice))?;
        match pair.elems.iter().collect::<Vec<_>>().as_slice() {
            [width, height] => {
                let shape = Shape::Tile(side(width, advice)?, side(height, advice)?);
                (shape, pair.paren_token.span.join())
            }
            _ => return Err(syn::Error::new_spanned(&pair, advice)),
        }
    };
    match shape.size() {
        1..=Shape::MAX_SIZE => Ok(shape),
        size => Err(syn::Error::new(
            span,
            format!("a group has 1 to {} rows on every device, this has {size}", Shape::MAX_SIZE),
        )),
    }
}

/// Reads a side of a group: a number, or a constant of the module, which is added to `names`.
fn side(e: &syn::Expr, program: &Program<'_>, names: &mut Vec<syn::Ident>, advice: &str) -> syn::Result<u32> {
    // A number passed on by a `macro_rules!` macro stands in an invisible group.
    let side = match crate::syntax::strip(e) {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(side), .. }) => Some(side.base10_parse::<u32>()?),
        syn::Expr::Path(path) => path.path.get_ident().and_then(|name| {
            names.push(name.clone());
            program.constant_length(&plain(name))
        }),
        _ => None,
    };
    side.ok_or_else(|| syn::Error::new_spanned(e, advice))
}
