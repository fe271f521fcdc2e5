//! Construction of the calls that replace rewritten operators.

use crate::roots::Root;
use crate::texts::Texts;
use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprPath, parse_quote_spanned};

/// Builds expressions.
#[derive(Clone, Copy)]
pub(super) struct Build<'n> {
    pub(super) root: &'n Root,
    pub(super) texts: &'n Texts,
}

/// Takes an expression out of the tree.
pub(super) fn take(e: &mut Expr) -> Expr {
    std::mem::replace(e, Expr::Verbatim(proc_macro2::TokenStream::new()))
}

impl Build<'_> {
    /// Returns a call of a function below the root.
    pub(super) fn call(&self, span: Span, path: &[&str], args: impl IntoIterator<Item = Expr>) -> Expr {
        let mut full = self.root.path(span);
        for segment in path {
            full.segments.push(Ident::new(segment, span).into());
        }
        Expr::Call(ExprCall {
            attrs: Vec::new(),
            func: Box::new(Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: full })),
            paren_token: syn::token::Paren(span),
            args: Punctuated::from_iter(args),
        })
    }

    /// Returns a call of a function of `lang`.
    pub(super) fn lang(&self, span: Span, name: &str, args: impl IntoIterator<Item = Expr>) -> Expr {
        self.call(span, &["lang", name], args)
    }

    /// Returns the position that a fault reports.
    pub(super) fn at(&self, span: Span) -> Expr {
        let position = crate::source::position(span);
        let (file, line, column) = (position.file, position.line, position.column);
        let (root, text) = (self.root.path(span), self.texts.at(span));
        parse_quote_spanned! { span => &#root::lang::At { file: #file, line: #line, column: #column, text: #text } }
    }
}
