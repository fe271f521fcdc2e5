//! Simpler forms of statements.

use super::step::{Step, Zeros};
use imminent_core::ir::{Arg, Block, Expr, Place, Stmt, StmtKind};

/// Removes statements that follow one another. A block is divided into halves, quarters and so on, down to pairs, and
/// only whole parts are removed, the longest first.
pub(super) fn without_stretch(block: &mut Block, at: usize, choice: usize) -> Step {
    let halvings =
        std::iter::successors(Some(block.len()), |length| Some(length.div_ceil(2)).filter(|half| half < length));
    let mut lengths = halvings.take_while(|length| *length > 1).filter(|length| at.is_multiple_of(*length));
    match lengths.nth(choice) {
        Some(length) => {
            block.drain(at..block.len().min(at + length));
            Step::Changed
        }
        None => Step::NoSuchChoice,
    }
}

/// Removes a statement, or replaces it by a part of it.
pub(super) fn replace(block: &mut Block, at: usize, choice: usize, zeros: &Zeros<'_>) -> Step {
    let forms = forms(&block[at], zeros);
    let none = std::iter::once(Vec::new());
    match none.chain(forms).nth(choice) {
        Some(form) => {
            block.splice(at..=at, form);
            Step::Changed
        }
        None => Step::NoSuchChoice,
    }
}

/// Returns the statements that can stand for one.
fn forms(stmt: &Stmt, zeros: &Zeros<'_>) -> Vec<Block> {
    let with = |kind| Stmt { line: stmt.line, kind };
    match &stmt.kind {
        StmtKind::If(condition, then, other) => {
            let mut forms = vec![then.clone(), other.clone()];
            if !then.is_empty() && !other.is_empty() {
                forms.push(vec![with(StmtKind::If(condition.clone(), then.clone(), Block::new()))]);
            }
            forms
        }
        StmtKind::Loop(body) | StmtKind::While(_, body) => vec![body.clone()],
        // One round.
        StmtKind::For { var, start, body, .. } => {
            let first = with(StmtKind::Let(*var, Some(start.clone())));
            vec![std::iter::once(first).chain(body.iter().cloned()).collect()]
        }
        kind => {
            let Some(into) = declared(kind) else { return Vec::new() };
            let value = match kind {
                StmtKind::Divide(_, a, ..) | StmtKind::Remainder(_, a, ..) => Some(a.clone()),
                _ => None,
            };
            let values = zeros.of_local(into).into_iter().chain(value);
            values.map(|value| vec![with(StmtKind::Let(into, Some(value)))]).collect()
        }
    }
}

/// Returns the local that a statement declares with a value it computes.
const fn declared(kind: &StmtKind) -> Option<imminent_core::ir::LocalId> {
    match kind {
        StmtKind::Load(into, ..)
        | StmtKind::Divide(into, ..)
        | StmtKind::Remainder(into, ..)
        | StmtKind::LaneGet { into, .. }
        | StmtKind::HistoryGet { into, .. }
        | StmtKind::ScratchGet { into, .. }
        | StmtKind::ScratchOwn { into, .. } => Some(*into),
        StmtKind::Word { into, .. } | StmtKind::Call { into, .. } | StmtKind::Phase { into, .. } => *into,
        _ => None,
    }
}

/// Returns the blocks inside a statement.
pub(super) fn blocks(kind: &mut StmtKind) -> Vec<&mut Block> {
    match kind {
        StmtKind::If(_, then, other) => vec![then, other],
        StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => vec![body],
        _ => vec![],
    }
}

/// Returns the expressions of a statement that others can stand for. Those within its blocks, and indices that are
/// known to be in range, are not among them.
pub(super) fn expressions(kind: &mut StmtKind) -> Vec<&mut Expr> {
    match kind {
        StmtKind::Let(_, value) | StmtKind::Return(value) => value.iter_mut().collect(),
        StmtKind::Assign(_, value)
        | StmtKind::ScratchSet { value, .. }
        | StmtKind::Assert(value, _)
        | StmtKind::If(value, ..)
        | StmtKind::While(value, _) => vec![value],
        StmtKind::Store(place, value, _) => indices(place).chain([value]).collect(),
        StmtKind::Load(_, place, _) => indices(place).collect(),
        StmtKind::Divide(_, a, b, _) | StmtKind::Remainder(_, a, b, _) => vec![a, b],
        StmtKind::BindRow { index, .. } | StmtKind::ScratchGet { index, .. } | StmtKind::LaneGet { index, .. } => {
            vec![index]
        }
        StmtKind::LaneSet { index, value, .. } => vec![index, value],
        StmtKind::HistoryGet { row, step, .. } => row.iter_mut().chain([step]).collect(),
        StmtKind::HistorySet { step: slot, value, .. } | StmtKind::Tally { slot, value, .. } => vec![slot, value],
        StmtKind::Word { slot, value, .. } => std::iter::once(slot).chain(value).collect(),
        StmtKind::Call { args, .. } | StmtKind::Phase { args, .. } => {
            let values = args.iter_mut().filter_map(|arg| match arg {
                Arg::Value(value) => Some(value),
                Arg::InOut(_) | Arg::Resource(_) => None,
            });
            values.collect()
        }
        StmtKind::For { start, end, .. } => vec![start, end],
        StmtKind::Loop(_) | StmtKind::Break | StmtKind::Continue | StmtKind::ScratchOwn { .. } => vec![],
    }
}

fn indices(place: &mut Place) -> impl Iterator<Item = &mut Expr> {
    place.path.iter_mut().filter_map(|step| match step {
        imminent_core::ir::Step::Index(index) => Some(&mut **index),
        imminent_core::ir::Step::Field(_) => None,
    })
}
