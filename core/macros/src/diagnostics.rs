//! Collects errors, so that one compilation reports all of them.

use proc_macro2::Span;
use std::cell::RefCell;
use std::fmt::Display;

/// The errors found so far.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    found: RefCell<Vec<syn::Error>>,
}

impl Errors {
    /// Reports an error at a token.
    pub(crate) fn at(&self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Reports an error over a syntax node.
    pub(crate) fn over(&self, node: &impl quote::ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(node, message));
    }

    /// Reports an error.
    pub(crate) fn add(&self, error: syn::Error) {
        self.found.borrow_mut().push(error);
    }

    /// Returns the number of errors.
    pub(crate) fn count(&self) -> usize {
        self.found.borrow().len()
    }

    /// Drops the errors after the first `count`.
    pub(crate) fn truncate(&self, count: usize) {
        self.found.borrow_mut().truncate(count);
    }

    /// Returns all errors as one; `None` if there are none.
    pub(crate) fn into_combined(self) -> Option<syn::Error> {
        let mut found = self.found.into_inner();
        // In source order, independently of the order of the checks.
        found.sort_by_key(|error| {
            let start = error.span().start();
            (start.line, start.column)
        });
        found.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        })
    }
}
