//! Blocks and statements.

use super::Checker;
use super::bundles::NO_VALUE;
use super::requirement::Need;
use super::scope::{Binding, Lent};
use crate::hir::{Base, Block, Expr, Kind, Place, Stmt};
use crate::ty::Ty;
use syn::spanned::Spanned;

impl<'a> Checker<'_, 'a> {
    pub(super) fn block(&mut self, block: &'a syn::Block) -> Expr {
        let end = block.brace_token.span.close();
        self.scoped(|this| {
            let mut stmts = Vec::new();
            let mut tail = None;
            let mut diverges = false;
            for (position, stmt) in block.stmts.iter().enumerate() {
                let last = position + 1 == block.stmts.len();
                match stmt {
                    syn::Stmt::Local(local) => {
                        let refused = this.program.errors.count();
                        let stmt = this.let_stmt(local);
                        if stmt.is_none() && this.program.errors.count() > refused {
                            this.poison(&local.pat);
                        }
                        if let Some(stmt) = stmt {
                            diverges |= matches!(&stmt, Stmt::Let(_, Some(init), _) if init.ty == Ty::Never);
                            stmts.push(stmt);
                        }
                    }
                    syn::Stmt::Expr(e, None) if last => {
                        let checked = this.value(e);
                        diverges |= checked.ty == Ty::Never;
                        tail = Some(checked);
                    }
                    syn::Stmt::Expr(e, semi) => {
                        let checked = this.statement(e);
                        if semi.is_none() && checked.ty != Ty::Never {
                            this.expect(&checked.ty.clone(), &Ty::Unit, checked.span);
                        }
                        diverges |= checked.ty == Ty::Never;
                        stmts.push(Stmt::Expr(checked));
                    }
                    syn::Stmt::Macro(mac) => {
                        this.macro_stmt(&mac.mac);
                    }
                    syn::Stmt::Item(item) => {
                        this.over(item, "items stand in the module, not inside functions of a kernel module");
                    }
                }
            }
            let (ty, span) = match &tail {
                Some(tail) => (tail.ty.clone(), tail.span),
                None if diverges => (Ty::Never, end),
                None => (Ty::Unit, end),
            };
            Expr::new(ty, span, Kind::Block(Block { stmts, tail: tail.map(Box::new) }))
        })
    }

    /// Checks an expression whose value is dropped. It may be a reference (`rows.get(i);`).
    fn statement(&mut self, e: &'a syn::Expr) -> Expr {
        let checked = self.expr(e);
        if let Kind::Bundle(_) = checked.kind {
            self.over(e, NO_VALUE);
            return Expr::error(checked.span);
        }
        match checked.ty {
            Ty::Ref(inner, _) => Expr::new(*inner, checked.span, checked.kind),
            _ => checked,
        }
    }

    fn let_stmt(&mut self, local: &'a syn::Local) -> Option<Stmt> {
        let (pattern, annotation) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let ty = match annotation {
            Some(ty) => match self.program.resolve(ty, self.self_key) {
                Ty::Usize => {
                    self.over(
                        ty,
                        "`usize` differs between devices: use `u32`, and write `x as usize` inside the index only",
                    );
                    Ty::Error
                }
                Ty::Array(element, count) => Ty::Array(element, count),
                known @ (Ty::Ref(..) | Ty::Bundle(_)) => known,
                Ty::Error => Ty::Error,
                _ => self.program.resolve_value(ty, self.self_key),
            },
            None => self.infer.fresh(),
        };
        if let Some((token, _)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            self.over(token, "`let .. else` is outside the kernel language: test with `if` and `return`");
            return None;
        }
        let (name, span) = self.let_name(pattern)?;
        let init = local.init.as_ref().map(|init| self.expr(&init.expr));
        let mut bound = ty.clone();
        if let Some(init) = &init {
            let at = local.init.as_ref().map_or(span, |init| init.expr.span());
            if let Kind::Bundle(parts) = &init.kind {
                if self.expect(&init.ty, &ty, at) && name != "_" {
                    self.bind(&name, Binding::Bundle(Lent { ty: init.ty.clone(), parts: parts.clone() }));
                }
                return None;
            }
            if let Ty::Ref(inner, _) = &init.ty {
                if !matches!(&init.kind, Kind::Place(Place { base: Base::RowOf(..), path, .. }) if path.is_empty()) {
                    let of_row = matches!(**inner, Ty::Struct(_));
                    let advice = if of_row {
                        "use the row's own name, or copy the fields that are needed"
                    } else {
                        "copy the value, or use its own name"
                    };
                    self.error(
                        at,
                        format!(
                            "a reference is bound only to a row of a table, as in `let row = rows.get(i);`: {advice}"
                        ),
                    );
                    return None;
                }
                bound = init.ty.clone();
            } else if matches!(init.ty, Ty::Lanes(_)) {
                self.error(at, "a lane array is not a value: use `get`, `set` and `capacity` on the field itself");
                return None;
            } else if let (Ty::Struct(id), Kind::Place(_)) = (&init.ty, &init.kind)
                && self.program.has_lanes(*id)
            {
                self.error(at, "a row with `Lanes` cannot be copied: bind it by reference, `let row = rows.get(i);`");
                return None;
            }
            if init.ty == Ty::Error || !self.expect(&init.ty.clone(), &ty, at) {
                bound = Ty::Error;
            }
        } else if name == "_" {
            return None;
        } else if matches!(ty.behind_reference(), Ty::Bundle(_)) {
            self.error(span, "a bundle is given its fields where it is declared: `let net = Net { .. };`");
            return None;
        }
        let stored = if matches!(bound, Ty::Ref(..) | Ty::Error) { bound } else { ty };
        self.need(&stored, span, Need::Local(name.clone()));
        let index = self.new_local(&name, stored, span);
        if name != "_" {
            self.bind(&name, Binding::Local(index));
        }
        Some(Stmt::Let(index, init, local.let_token.span))
    }

    /// Reports a macro other than a well-formed `assert!`, which became a call before checking.
    fn macro_stmt(&mut self, mac: &'a syn::Macro) {
        self.over(&mac.path, super::advice::macro_statement(mac));
    }
}
