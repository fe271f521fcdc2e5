//! A kernel with a valid signature, and the arguments of its parameters.

use imminent_ir::{FunctionId, Reduce, Shape};
use proc_macro2::Ident;

/// Argument of a kernel's parameter.
#[derive(Clone, Debug)]
pub(crate) enum Resource {
    OwnMut(Box<syn::Type>),
    Own(Box<syn::Type>),
    Rows(Box<syn::Type>),
    Tally(Box<syn::Type>),
    Params(Box<syn::Type>),
    RowNumber,
    /// The group, with the type of its scratch elements.
    Group(Box<syn::Type>),
    EachMut(Box<syn::Type>),
    Each(Box<syn::Type>),
    /// Row of a group as a whole.
    GroupRowMut(Box<syn::Type>),
    GroupRow(Box<syn::Type>),
    HistoryMut(Box<syn::Type>),
    History(Box<syn::Type>),
    Clock,
}

/// A kernel with a valid signature.
#[derive(Clone, Debug)]
pub(crate) struct KernelItem {
    pub(crate) name: Ident,
    pub(crate) vis: syn::Visibility,
    pub(crate) function: FunctionId,
    pub(crate) reduce: Option<Reduce>,
    pub(crate) shape: Shape,
    pub(crate) resources: Vec<Resource>,
    pub(crate) result: Option<syn::Type>,
}
