//! The user's text of each operation that can raise a fault, as a fault quotes it.
//!
//! The typed tree and the rewriting keep only positions, so texts are found by position. They are printed from tokens:
//! other versions of the compiler print them identically.

use crate::source::position;
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Item};

/// Largest number of characters of a text that is quoted completely.
const LONGEST: usize = 100;

/// Texts by the position of the token at which a fault points.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    by_position: HashMap<(u32, u32), String>,
}

impl Texts {
    /// Returns the text of the operation at a token; empty if there is none.
    pub(crate) fn at(&self, span: Span) -> &str {
        let at = position(span);
        self.by_position.get(&(at.line, at.column)).map_or("", String::as_str)
    }

    fn add(&mut self, span: Span, text: String) {
        let at = position(span);
        self.by_position.entry((at.line, at.column)).or_insert(text);
    }

    /// Records the operations of a module, whose assertions are already calls, with their messages.
    pub(crate) fn collect(&mut self, items: &mut [Item]) {
        struct Visitor<'t>(&'t mut Texts);
        impl VisitMut for Visitor<'_> {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
                self.0.expression(e);
                visit_mut::visit_expr_mut(self, e);
            }
        }
        let mut visitor = Visitor(self);
        items.iter_mut().for_each(|item| visitor.visit_item_mut(item));
    }

    fn expression(&mut self, e: &Expr) {
        match e {
            Expr::Binary(binary) => {
                if matches!(binary.op, BinOp::Div(_) | BinOp::Rem(_) | BinOp::DivAssign(_) | BinOp::RemAssign(_)) {
                    self.add(syn::spanned::Spanned::span(&binary.op), quoted(e.to_token_stream()));
                }
            }
            Expr::Index(index) => self.add(index.bracket_token.span.open(), quoted(e.to_token_stream())),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                if matches!(name.as_str(), "get" | "set" | "own" | "add" | "min" | "max" | "or" | "and") {
                    self.add(call.method.span(), quoted(e.to_token_stream()));
                }
            }
            _ => {}
        }
    }

    /// Records an assertion: its own text, and its condition.
    pub(crate) fn assertion(&mut self, span: Span, condition: TokenStream, message: Option<String>) {
        let condition = quoted(condition);
        self.add(
            span,
            match message {
                Some(message) => format!("{message}: {condition}"),
                None => condition,
            },
        );
    }
}

/// Returns tokens in backquotes, cut if they are long.
fn quoted(tokens: TokenStream) -> String {
    let text = print(tokens);
    if text.chars().count() <= LONGEST {
        return format!("`{text}`");
    }
    let kept: String = text.chars().take(LONGEST).collect();
    format!("`{} ..`", kept.trim_end())
}

/// Kind of the token before another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The start, an opening bracket, or a prefix operator: nothing between.
    Open,
    /// A name, a literal or a closing bracket.
    Operand,
    /// An operator between operands, a comma or a keyword.
    Operator,
    /// The first half of an operator of two characters.
    Joint,
}

/// Prints tokens as people write them.
pub(crate) fn print(tokens: TokenStream) -> String {
    let mut out = String::new();
    write(tokens, &mut out, Before::Open);
    out
}

fn write(tokens: TokenStream, out: &mut String, mut before: Before) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let word = ident.to_string();
                if matches!(before, Before::Operand | Before::Operator) {
                    out.push(' ');
                }
                let keyword = matches!(word.as_str(), "as" | "if" | "else" | "match" | "return" | "mut" | "in");
                out.push_str(&word);
                before = if keyword { Before::Operator } else { Before::Operand };
            }
            TokenTree::Literal(literal) => {
                if matches!(before, Before::Operand | Before::Operator) {
                    out.push(' ');
                }
                out.push_str(&literal.to_string());
                before = Before::Operand;
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => (" { ", " }"),
                    Delimiter::None => ("", ""),
                };
                if before == Before::Operator && group.delimiter() != Delimiter::Brace {
                    out.push(' ');
                }
                out.push_str(open);
                write(group.stream(), out, Before::Open);
                out.push_str(close);
                before = Before::Operand;
            }
            TokenTree::Punct(punct) => {
                let prefix = matches!(before, Before::Open | Before::Operator);
                let first = punct.as_char();
                if punct.spacing() == Spacing::Joint && (before == Before::Joint || two(first)) {
                    if before == Before::Operand && !matches!(first, ':' | '.') {
                        out.push(' ');
                    }
                    out.push(first);
                    before = Before::Joint;
                    continue;
                }
                let (space, next) = match (first, before) {
                    ('.', _) => (false, Before::Open),
                    (':', Before::Joint) => (false, Before::Open),
                    ('=', Before::Joint) if out.ends_with("..") => (false, Before::Open),
                    (',' | ';' | ':', _) | (_, Before::Joint) => (false, Before::Operator),
                    ('?', _) => (false, Before::Operand),
                    ('-' | '!' | '*' | '&', _) if prefix => (before == Before::Operator, Before::Open),
                    _ => (true, Before::Operator),
                };
                if space {
                    out.push(' ');
                }
                out.push(first);
                before = next;
            }
        }
    }
}

/// Returns `true` if an operator of two characters may start with this one.
fn two(first: char) -> bool {
    matches!(first, '=' | '!' | '<' | '>' | '&' | '|' | ':' | '.' | '+' | '-' | '*' | '/' | '%' | '^')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn tokens_are_printed_as_people_write_them() {
        for text in [
            "me.few[(me.a % 4) as usize]",
            "all.get(id + 1)",
            "a / (b - -3)",
            "me.a < 10 && !done",
            "x == *y",
            "a <= b || c != d",
            "super::WIDTH - 1",
            "f(a, b, 0..=3) >> 2",
            "if a < 1 { b } else { c }",
            "x /= y",
            "me.line.set(i, Point { x: 1, y: 2 })",
            "!a & b",
        ] {
            assert_eq!(print(text.parse().unwrap()), text);
        }
    }

    #[test]
    fn long_text_is_cut() {
        let long = format!("me.few[({}) as usize]", vec!["me.a"; 60].join(" + "));
        let text = quoted(long.parse().unwrap());
        assert!(text.starts_with("`me.few[(me.a + me.a") && text.ends_with(" ..`"), "{text}");
        assert!(text.chars().count() <= LONGEST + 6, "{text}");
    }
}
