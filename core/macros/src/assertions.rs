//! `assert!(condition);` becomes a call, so that the checker and the native rewriting see an ordinary expression.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{VisitMut, visit_block_mut};
use syn::{Expr, ExprCall, ExprPath, Stmt, Token};

/// The name of the function that an assertion seems to call.
pub(crate) const NAME: &str = "__imminent_assert";

/// Turns assertions into calls. Malformed ones stay, and are reported by the checker.
pub(crate) fn to_calls(items: &mut [syn::Item]) {
    struct Assertions;
    impl VisitMut for Assertions {
        fn visit_block_mut(&mut self, block: &mut syn::Block) {
            for stmt in &mut block.stmts {
                if let Some(call) = as_call(stmt) {
                    *stmt = call;
                }
            }
            visit_block_mut(self, block);
        }
    }
    for item in items {
        Assertions.visit_item_mut(item);
    }
}

fn as_call(stmt: &Stmt) -> Option<Stmt> {
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
    let condition = arguments.into_iter().next()?;
    let span = mac.path.get_ident()?.span();
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
