//! Translation of histories into tables, lanes and assertions, which every lowering knows.
//!
//! A history is bound as a table of rings: a word with the number of steps that may be written ahead, and as many lanes
//! as it has places. Step `t` has its place at lane `t mod lanes`. From the launch's first step `s` and the reach `a`
//! follow the steps that have a place, the *window* from `s - (lanes - a)` to before `s + a`: no two of them share a
//! lane. So an access is two comparisons and a lane.
//!
//! | In the module | In the flat kernel |
//! | --- | --- |
//! | `&History<T>` | a table, of which every row is read |
//! | `&mut History<T>` | a table of own rows, of which other rows are read too |
//! | `&Clock` | a table of one word |
//! | [`StmtKind::HistoryGet`] | a [`StmtKind::BindRow`], an assertion, and a [`StmtKind::LaneGet`], past all lanes where the step cannot be read |
//! | [`StmtKind::HistorySet`] | an assertion, and a [`StmtKind::LaneSet`], likewise |
//!
//! The assertion has the site of steps that are too old or too early, the lane access that of steps that are too young
//! or too far. An invocation's first fault counts.

mod build;
mod rings;

pub(super) use rings::{clock, is_ring, ring, with_rings};

use super::state::State;
use super::{BindingKind, FlatLocal, StepSite};
use crate::{
    Base, BinaryOp, Block, Builtin, Expr, ExprKind, Function, LocalId, Place, Scalar, SiteId, Step, Stmt, StmtKind,
};
use build::{add, binary, builtin, capacity, literal, load, sub, value};
use rings::{AHEAD, FIRST, PLACES};
use std::collections::HashMap;

/// Statements about histories before a function's first statement.
#[derive(Debug, Default)]
pub(super) struct Prelude {
    stmts: Block,
    /// Line of the function.
    line: u32,
    /// Number of the function's own locals, and of those that hold its parameters.
    locals_before: usize,
    /// Locals in addition to those of the function.
    pub(super) locals: Vec<FlatLocal>,
    /// The sites at which a step can be out of range.
    pub(super) steps: Vec<StepSite>,
    /// A zero, as the number of a row: row 0 always exists; in an empty table it is the zeroed one.
    zero: Option<LocalId>,
    /// The launch's first step.
    first: Option<LocalId>,
    rings: HashMap<u32, Ring>,
}

/// A history in a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    binding: u32,
    /// Number of the own row.
    own: LocalId,
    /// `true` if the kernel writes the history.
    pub(super) written: bool,
    /// Number of steps, from the first on, that may be written.
    ahead: LocalId,
    /// Oldest step that has a place.
    oldest: LocalId,
    /// Number of steps from the oldest to before the launch's first.
    past: LocalId,
    /// Place of the oldest step.
    turned: LocalId,
}

impl Ring {
    fn place(&self, row: LocalId, field: u32) -> Place {
        Place { base: Base::Row { binding: self.binding, index: row }, path: vec![Step::Field(field)] }
    }
}

/// Rewrites a fault site to its local number.
pub(super) fn site(state: &mut State<'_>, site: &mut SiteId) -> Result<(), String> {
    *site = state.site(*site).ok_or_else(|| format!("there is no fault site number {}", site.0))?;
    Ok(())
}

impl Prelude {
    /// The prelude of a function with so many locals for parameters.
    pub(super) fn of(function: &Function, passed: usize) -> Prelude {
        Prelude { line: function.line, locals_before: function.locals.len() + passed, ..Prelude::default() }
    }

    /// Replaces a read of a history.
    pub(super) fn get(
        &mut self,
        state: &mut State<'_>,
        ring: Ring,
        (into, row, step): (LocalId, Option<Expr>, Expr),
        [mut no_row, mut too_old, mut too_young]: [SiteId; 3],
    ) -> Result<Vec<StmtKind>, String> {
        let mut kinds = Vec::new();
        // Own entries can be read as far as they can be written; so can all entries of a history that is not written.
        let all = row.is_none() || !ring.written;
        let index = match row {
            None if ring.written => ring.own,
            row => {
                let local = self.extra("entry_row");
                site(state, &mut no_row)?;
                let index = row.unwrap_or_else(|| load(ring.own));
                kinds.push(StmtKind::BindRow { local, rows: Base::Binding(ring.binding), index, site: no_row });
                local
            }
        };
        site(state, &mut too_old)?;
        site(state, &mut too_young)?;
        let at = self.extra("step");
        kinds.push(StmtKind::Let(at, Some(step)));
        let old_enough = binary(BinaryOp::Ge, load(at), load(ring.oldest));
        kinds.push(StmtKind::Assert(old_enough.clone(), too_old));
        let readable = if all { add(load(ring.past), load(ring.ahead)) } else { load(ring.past) };
        self.note_step([too_old, too_young], at, ring.oldest, &readable);
        let young_enough = binary(BinaryOp::Lt, sub(load(at), load(ring.oldest)), readable);
        let lane = self.lane(&ring, at, binary(BinaryOp::And, old_enough, young_enough));
        kinds.push(StmtKind::LaneGet { into, lanes: ring.place(index, PLACES), index: lane, site: too_young });
        Ok(kinds)
    }

    /// Replaces a write of a history.
    pub(super) fn set(
        &mut self,
        state: &mut State<'_>,
        ring: Ring,
        (step, value): (Expr, Expr),
        [mut too_early, mut too_far]: [SiteId; 2],
    ) -> Result<Vec<StmtKind>, String> {
        site(state, &mut too_early)?;
        site(state, &mut too_far)?;
        let (at, first) = (self.extra("step"), self.first(state)?);
        let late_enough = binary(BinaryOp::Ge, load(at), load(first));
        let near_enough = binary(BinaryOp::Lt, sub(load(at), load(first)), load(ring.ahead));
        self.note_step([too_early, too_far], at, first, &load(ring.ahead));
        let lane = self.lane(&ring, at, binary(BinaryOp::And, late_enough.clone(), near_enough));
        let lanes = ring.place(ring.own, PLACES);
        Ok(vec![
            StmtKind::Let(at, Some(step)),
            StmtKind::Assert(late_enough, too_early),
            StmtKind::LaneSet { lanes, index: lane, value, site: too_far },
        ])
    }

    /// Records the report of faults at two sites: the step, and the possible steps, which begin at a local.
    fn note_step(&mut self, sites: [SiteId; 2], step: LocalId, from: LocalId, count: &Expr) {
        self.steps.extend(sites.map(|site| StepSite { site, step, from, count: count.clone() }));
    }

    /// Returns the lane of a step of the window; one past all lanes for any other step.
    fn lane(&self, ring: &Ring, step: LocalId, inside: Expr) -> Expr {
        let Some(zero) = self.zero else { return literal(u32::MAX) };
        let lanes = capacity(ring.place(zero, PLACES));
        let further = add(load(ring.turned), sub(load(step), load(ring.oldest)));
        // Of the two, the one that has wrapped around is the greater.
        let around = builtin(Builtin::Min, [further.clone(), sub(further, lanes)]);
        Expr {
            ty: Scalar::U32.into(),
            kind: ExprKind::Select(Box::new(inside), Box::new(around), Box::new(literal(u32::MAX))),
        }
    }

    /// Returns the launch's first step, in a local.
    pub(super) fn first(&mut self, state: &State<'_>) -> Result<LocalId, String> {
        if let Some(first) = self.first {
            return Ok(first);
        }
        let id = clock(state.module);
        let clocks = state
            .bindings
            .iter()
            .enumerate()
            .filter(|(_, binding)| matches!(binding.kind, BindingKind::Table { row, .. } if Some(row) == id));
        let [(binding, _)] = clocks.collect::<Vec<_>>()[..] else {
            return Err("a kernel with histories takes one clock".to_owned());
        };
        let (zero, first) = (self.zero(), self.extra("first"));
        let base = Base::Row { binding: binding as u32, index: zero };
        let of_clock = Place { base, path: vec![Step::Field(FIRST)] };
        self.before(StmtKind::Let(first, Some(value(of_clock))));
        self.first = Some(first);
        Ok(first)
    }

    fn zero(&mut self) -> LocalId {
        if let Some(zero) = self.zero {
            return zero;
        }
        let zero = self.extra("row_zero");
        self.before(StmtKind::Let(zero, Some(literal(0))));
        self.zero = Some(zero);
        zero
    }

    /// Returns the values known about a history, given its binding and the number of the own row. `number` is a site of
    /// the statement's own.
    pub(super) fn ring(
        &mut self,
        state: &mut State<'_>,
        (binding, own): (u32, LocalId),
        mut number: SiteId,
    ) -> Result<Ring, String> {
        if let Some(ring) = self.rings.get(&binding) {
            return Ok(*ring);
        }
        let bound = state.bindings.get(binding as usize).map(|bound| &bound.kind);
        let written = matches!(bound, Some(BindingKind::Table { mutable: true, .. }));
        site(state, &mut number)?;
        let (first, zero) = (self.first(state)?, self.zero());
        let [ahead, oldest, past, turned] = ["ahead", "oldest", "past", "oldest_place"].map(|name| self.extra(name));
        let ring = Ring { binding, own, written, ahead, oldest, past, turned };
        let lanes = capacity(ring.place(zero, PLACES));
        let back = sub(lanes.clone(), load(ahead));
        self.before(StmtKind::Let(ahead, Some(value(ring.place(zero, AHEAD)))));
        self.before(StmtKind::Let(oldest, Some(builtin(Builtin::SaturatingSub, [load(first), back]))));
        self.before(StmtKind::Let(past, Some(sub(load(first), load(oldest)))));
        // A history has places, so this does not fault.
        self.before(StmtKind::Remainder(turned, load(oldest), lanes, number));
        self.rings.insert(binding, ring);
        Ok(ring)
    }

    /// Declares a local in addition to those of the function.
    fn extra(&mut self, name: &str) -> LocalId {
        let number = self.locals_before + self.locals.len();
        self.locals.push(FlatLocal { name: name.to_owned(), ty: Scalar::U32.into() });
        LocalId(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn before(&mut self, kind: StmtKind) {
        self.stmts.push(Stmt { line: self.line, kind });
    }

    /// Returns the body with the prelude before it.
    pub(super) fn and(&mut self, body: Block) -> Block {
        let mut all = std::mem::take(&mut self.stmts);
        all.extend(body);
        all
    }
}
