//! Collects errors, so that one compilation reports all of them.

use proc_macro2::{Span, TokenStream};
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

/// Errors of the modules that one attribute makes. An error that several types have in one place is reported once, and
/// one that not all types have names a type that has it.
#[derive(Default)]
pub(crate) struct Reported {
    found: Vec<Occurrence>,
    modules: usize,
}

struct Occurrence {
    error: syn::Error,
    /// The type of the first module with an error in this place.
    of: String,
    /// Number of modules with an error in this place, and the number of the last of them.
    modules: usize,
    last: usize,
}

impl Reported {
    /// Adds a module with its errors; `of` says what it is for.
    pub(crate) fn add(&mut self, of: &str, errors: Option<syn::Error>) {
        let place = |error: &syn::Error| {
            let start = error.span().start();
            (start.line, start.column)
        };
        self.modules += 1;
        let known = self.found.len();
        for error in errors.into_iter().flatten() {
            let mut same =
                self.found[..known].iter_mut().filter(|found| place(&found.error) == place(&error)).peekable();
            if same.peek().is_none() {
                self.found.push(Occurrence { error, of: of.to_owned(), modules: 1, last: self.modules });
            } else {
                same.for_each(|found| {
                    found.modules += usize::from(found.last != self.modules);
                    found.last = self.modules;
                });
            }
        }
    }

    /// Returns the errors as code.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        let all = self.modules;
        let errors = self.found.into_iter().map(|Occurrence { error, of, modules, .. }| {
            if modules < all {
                let message = format!("{error} ({of})");
                return syn::Error::new(error.span(), message).into_compile_error();
            }
            error.into_compile_error()
        });
        errors.collect()
    }
}
