//! Conversion of `assert!(condition);` to a call: the checker and the native rewriting then see an ordinary expression.

use crate::texts::Texts;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{VisitMut, visit_block_mut};
use syn::{Expr, ExprCall, ExprPath, Stmt, Token};

/// Name of the function that an assertion appears to call.
pub(crate) const NAME: &str = "__imminent_assert";

/// Turns assertions into calls, and records their texts. Malformed ones stay, and are reported by the checker.
pub(crate) fn to_calls(items: &mut [syn::Item], texts: &mut Texts) {
    struct Assertions<'t>(&'t mut Texts);
    impl VisitMut for Assertions<'_> {
        fn visit_block_mut(&mut self, block: &mut syn::Block) {
            for stmt in &mut block.stmts {
                if let Some(call) = as_call(stmt, self.0) {
                    *stmt = call;
                }
            }
            visit_block_mut(self, block);
        }
    }
    let mut assertions = Assertions(texts);
    for item in items {
        assertions.visit_item_mut(item);
    }
}

fn as_call(stmt: &Stmt, texts: &mut Texts) -> Option<Stmt> {
    let mac = match stmt {
        Stmt::Macro(mac) => &mac.mac,
        Stmt::Expr(Expr::Macro(mac), _) => &mac.mac,
        _ => return None,
    };
    if !mac.path.is_ident("assert") {
        return None;
    }
    let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()).ok()?;
    let only_a_message =
        arguments.iter().skip(1).all(|e| matches!(e, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Str(_))));
    if arguments.is_empty() || arguments.len() > 2 || !only_a_message {
        return None;
    }
    let mut arguments = arguments.into_iter();
    let condition = arguments.next()?;
    let message = arguments.next().and_then(|message| match message {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    });
    let span = mac.path.get_ident()?.span();
    texts.assertion(span, condition.to_token_stream(), message);
    let name = proc_macro2::Ident::new(NAME, span);
    let func = Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: name.into() });
    let call = ExprCall {
        attrs: Vec::new(),
        func: Box::new(func),
        paren_token: syn::token::Paren(span),
        args: Punctuated::from_iter([condition]),
    };
    Some(Stmt::Expr(Expr::Call(call), Some(Token![;](span))))
}
