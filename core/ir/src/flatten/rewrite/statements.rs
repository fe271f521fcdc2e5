//! Blocks and statements.

use super::Rewriter;
use crate::flatten::history::{self, Ring};
use crate::flatten::state::Copies;
use crate::flatten::{BindingKind, FlattenError};
use crate::{Base, Block, Expr, LocalId, LocalKind, SiteId, Stmt, StmtKind, TallyOp};

impl<'m, C: Copies<'m>> Rewriter<'_, 'm, C> {
    pub(super) fn block(&mut self, block: &mut Block) -> Result<(), FlattenError> {
        self.state.depth += 1;
        let mut at = 0;
        while let Some(stmt) = block.get_mut(at) {
            self.line = stmt.line;
            // One statement about a history becomes several, whence the loop by position.
            match self.history_stmt(stmt)? {
                // These are statements of a flat kernel already, and must not be rewritten again.
                Some(stmts) => {
                    let count = stmts.len();
                    block.splice(at..=at, stmts);
                    at += count;
                }
                None => {
                    self.stmt(&mut stmt.kind)?;
                    at += 1;
                }
            }
        }
        self.state.depth -= 1;
        Ok(())
    }

    fn stmt(&mut self, kind: &mut StmtKind) -> Result<(), FlattenError> {
        match kind {
            StmtKind::Let(local, value) => {
                self.value_local(*local)?;
                value.as_mut().map_or(Ok(()), |value| self.expr(value))
            }
            StmtKind::Assign(place, value) => {
                self.place(place)?;
                self.expr(value)
            }
            StmtKind::Store(place, value, site) => {
                self.place(place)?;
                self.expr(value)?;
                self.site(site)
            }
            StmtKind::Load(into, place, site) => {
                self.value_local(*into)?;
                self.place(place)?;
                self.site(site)
            }
            StmtKind::Divide(into, a, b, site) | StmtKind::Remainder(into, a, b, site) => {
                self.value_local(*into)?;
                self.expr(a)?;
                self.expr(b)?;
                self.site(site)
            }
            StmtKind::BindRow { local, rows, index, site } => self.bind_row(*local, rows, index, site),
            StmtKind::LaneGet { into, lanes, index, site } => {
                self.value_local(*into)?;
                self.place(lanes)?;
                self.expr(index)?;
                self.site(site)
            }
            StmtKind::LaneSet { lanes, index, value, site } => {
                self.place(lanes)?;
                self.expr(index)?;
                self.expr(value)?;
                self.site(site)
            }
            StmtKind::HistoryGet { .. } | StmtKind::HistorySet { .. } => self.ill("a history where none can be"),
            StmtKind::Tally { tally, op, slot, value, site } => {
                self.tally(tally, *op)?;
                self.expr(slot)?;
                self.expr(value)?;
                self.site(site)
            }
            StmtKind::Word { into, tally, slot, value, site, .. } => {
                into.map_or(Ok(()), |into| self.value_local(into))?;
                self.whole(tally)?;
                self.expr(slot)?;
                value.as_mut().map_or(Ok(()), |value| self.expr(value))?;
                self.site(site)
            }
            StmtKind::Assert(condition, site) => {
                self.expr(condition)?;
                self.site(site)
            }
            StmtKind::Call { into, function, args } => {
                if let Some(local) = into {
                    self.value_local(*local)?;
                }
                self.call(self.scope, function, args)
            }
            StmtKind::Phase { into, vote, function, args } => self.phase(*into, *vote, function, args),
            StmtKind::ScratchGet { into, scratch, index, site } => {
                self.value_local(*into)?;
                self.scratch(scratch)?;
                self.expr(index)?;
                self.site(site)
            }
            StmtKind::ScratchOwn { into, scratch } => {
                self.value_local(*into)?;
                self.scratch(scratch)
            }
            StmtKind::ScratchSet { scratch, value } => {
                self.scratch(scratch)?;
                self.expr(value)
            }
            StmtKind::If(condition, then, other) => {
                self.expr(condition)?;
                self.block(then)?;
                self.block(other)
            }
            StmtKind::Loop(body) => self.block(body),
            StmtKind::While(condition, body) => {
                self.expr(condition)?;
                self.block(body)
            }
            StmtKind::For { var, start, end, body, .. } => {
                self.value_local(*var)?;
                self.expr(start)?;
                self.expr(end)?;
                self.block(body)
            }
            StmtKind::Break | StmtKind::Continue => Ok(()),
            StmtKind::Return(value) => value.as_mut().map_or(Ok(()), |value| self.expr(value)),
        }
    }

    /// Replaces a statement about a history; `None` for other statements.
    // Never inlined into the recursion over blocks, whose frames it would enlarge.
    #[inline(never)]
    fn history_stmt(&mut self, stmt: &mut Stmt) -> Result<Option<Block>, FlattenError> {
        let Stmt { line, kind } = stmt;
        let kinds = match kind {
            StmtKind::HistoryGet { into, history, row, step, no_row, too_old, too_young } => {
                self.value_local(*into)?;
                row.as_mut().map_or(Ok(()), |row| self.expr(row))?;
                self.expr(step)?;
                let ring = self.ring(history, *too_old)?;
                let (entry, sites) = ((*into, row.take(), step.clone()), [*no_row, *too_old, *too_young]);
                self.prelude.get(self.state, ring, entry, sites).or_else(|defect| self.ill(defect))?
            }
            StmtKind::HistorySet { history, step, value, too_early, too_far } => {
                self.expr(step)?;
                self.expr(value)?;
                let ring = self.ring(history, *too_early)?;
                if !ring.written {
                    return self.ill("a history is written that the kernel may only read");
                }
                let (entry, sites) = ((step.clone(), value.clone()), [*too_early, *too_far]);
                self.prelude.set(self.state, ring, entry, sites).or_else(|defect| self.ill(defect))?
            }
            _ => return Ok(None),
        };
        Ok(Some(kinds.into_iter().map(|kind| Stmt { line: *line, kind }).collect()))
    }

    /// Returns the values known about the history that a base denotes. `site` is one of the statement's own.
    fn ring(&mut self, history: &Base, site: SiteId) -> Result<Ring, FlattenError> {
        let Some(history) = self.history(*history) else {
            return self.ill("a history is expected here");
        };
        self.prelude.ring(self.state, history, site).or_else(|defect| self.ill(defect))
    }

    fn bind_row(
        &mut self,
        local: LocalId,
        rows: &mut Base,
        index: &mut Expr,
        site: &mut SiteId,
    ) -> Result<(), FlattenError> {
        let Some(LocalKind::RowRef(wanted)) = self.function.locals.get(local.index()).map(|l| &l.kind) else {
            return self.ill(format!("local {} does not hold a row", local.0));
        };
        let binding = self.whole(rows)?;
        if !self.is_table_of(binding, *wanted) {
            return self.ill("a row is bound to a local of another struct");
        }
        self.expr(index)?;
        // A place that names the local says nothing of the table: one binding must hold for all of them.
        if self.rows.insert(local, binding).is_some() {
            return self.ill(format!("row local {} is bound twice", local.0));
        }
        self.site(site)
    }

    fn tally(&mut self, tally: &mut Base, op: TallyOp) -> Result<(), FlattenError> {
        let number = self.whole(tally)?;
        let Some(binding) = self.state.bindings.get_mut(number as usize) else {
            return self.ill("a tally that is not bound");
        };
        let BindingKind::Tally { op: used, .. } = &mut binding.kind else {
            return self.ill("a contribution to something that is no tally");
        };
        match *used {
            // Contributions of one operation commute; those of two do not.
            Some(first) if first != op => {
                let tally = binding.name.clone();
                self.state.mixed_tally(tally, first, op)
            }
            _ => {
                *used = Some(op);
                Ok(())
            }
        }
    }

    fn site(&mut self, site: &mut SiteId) -> Result<(), FlattenError> {
        history::site(self.state, site).or_else(|defect| self.ill(defect))
    }
}
