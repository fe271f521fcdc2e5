//! Analysis that shows which kernels terminate.
//!
//! A device's compiler may assume that every loop ends, and an endless loop could then remove the checks after it. wgpu
//! guards against that with a counter in every loop, which makes a short loop up to four times slower (measured on an
//! H200). The counter is therefore used only if a loop is not known to end.

use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::flatten::{BindingKind, FlatKernel};
use imminent_ir::{Base, BinaryOp, Expr, ExprKind, LocalId, Place, Stmt, StmtKind, Value};

/// Result of the analysis whether a shader's loops end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loops {
    /// Every loop is known to end.
    Bounded,
    /// Some loop is not known to end.
    Unbounded,
}

/// Finds out whether every loop of a kernel is known to end: a `for` over a range, or a `while` that counts. Such a
/// kernel terminates, since there is no recursion.
pub(super) fn loops(kernel: &FlatKernel) -> Loops {
    let all = kernel.functions.iter().all(|function| ends(kernel, &function.body));
    if all { Loops::Bounded } else { Loops::Unbounded }
}

fn ends(kernel: &FlatKernel, block: &[Stmt]) -> bool {
    block.iter().all(|stmt| match &stmt.kind {
        StmtKind::Loop(_) => false,
        StmtKind::While(condition, body) => counts(kernel, condition, body) && ends(kernel, body),
        StmtKind::If(_, yes, no) => ends(kernel, yes) && ends(kernel, no),
        StmtKind::For { body, .. } => ends(kernel, body),
        _ => true,
    })
}

/// Returns `true` if a loop steps a local by one towards the fixed bound that its condition compares it with.
///
/// The step is in the body itself, every iteration executes it or leaves the loop, and nothing else assigns the local.
/// The local therefore takes consecutive values. `<` and `>` fail at the bound at the latest, before the local could
/// wrap; `!=` fails there after all other values at the latest.
fn counts(kernel: &FlatKernel, condition: &Expr, body: &Vec<Stmt>) -> bool {
    match &condition.kind {
        // If either part fails, the conjunction fails.
        ExprKind::Binary(BinaryOp::And, a, b) => counts(kernel, a, body) || counts(kernel, b, body),
        ExprKind::Binary(BinaryOp::Lt, a, b) => steps(kernel, a, b, body, &[BinaryOp::Add]),
        ExprKind::Binary(BinaryOp::Gt, a, b) => steps(kernel, a, b, body, &[BinaryOp::Sub]),
        ExprKind::Binary(BinaryOp::Ne, a, b) => steps(kernel, a, b, body, &[BinaryOp::Add, BinaryOp::Sub]),
        _ => false,
    }
}

fn steps(kernel: &FlatKernel, counter: &Expr, bound: &Expr, body: &Vec<Stmt>, by: &[BinaryOp]) -> bool {
    let (Some(local), true) = (local(counter), counter.ty.scalar().is_some_and(|s| s.is_integer())) else {
        return false;
    };
    let step = body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Assign(place, value) => *place == Place::local(local) && is_step(value, local, by),
        _ => false,
    });
    step && !skips(body) && Assignments::of(body).count(local) == 1 && stays(kernel, bound, body)
}

fn local(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Load(Place { base: Base::Local(local), path }) if path.is_empty() => Some(*local),
        _ => None,
    }
}

/// Returns `true` if a value is the local plus or minus one.
fn is_step(value: &Expr, of: LocalId, by: &[BinaryOp]) -> bool {
    match &value.kind {
        ExprKind::Binary(op, a, b) if by.contains(op) => {
            let one =
                matches!(b.kind, ExprKind::Literal(Value::U32(1) | Value::I32(1) | Value::U64(1) | Value::I64(1)));
            one && local(a) == Some(of)
        }
        _ => false,
    }
}

/// Returns `true` if an iteration may start the next one before its end.
fn skips(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::If(_, yes, no) => skips(yes) || skips(no),
        // A `continue` of an inner loop belongs to that loop.
        _ => false,
    })
}

/// Returns `true` if an expression has the same value in every iteration.
fn stays(kernel: &FlatKernel, expr: &Expr, body: &Vec<Stmt>) -> bool {
    let fixed = |local: LocalId| Assignments::of(body).count(local) == 0;
    let place = |place: &Place| {
        let from = match place.base {
            Base::Const(_) => true,
            Base::Local(local) => fixed(local),
            Base::Row { binding, index } => {
                let binding = kernel.bindings.get(binding as usize);
                fixed(index) && binding.is_some_and(|binding| binding.access.written.is_empty())
            }
            Base::Binding(binding) => {
                let kind = kernel.bindings.get(binding as usize).map(|binding| &binding.kind);
                matches!(kind, Some(BindingKind::Params { .. }))
            }
            Base::Param(_) | Base::Scratch => false,
        };
        from && place.path.iter().all(|step| matches!(step, imminent_ir::Step::Field(_)))
    };
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::RowsLen(_)
        | ExprKind::TallyLen(_)
        | ExprKind::LanesCapacity(_)
        | ExprKind::Group(_) => true,
        ExprKind::Load(from) => place(from),
        ExprKind::Unary(_, x) | ExprKind::Cast(x) => stays(kernel, x, body),
        ExprKind::Binary(_, a, b) => stays(kernel, a, body) && stays(kernel, b, body),
        ExprKind::Builtin(_, args) => args.iter().all(|arg| stays(kernel, arg, body)),
        ExprKind::Struct(_)
        | ExprKind::Array(_)
        | ExprKind::Repeat(_)
        | ExprKind::Select(..)
        | ExprKind::ClockFirst(_) => false,
    }
}

/// The locals that a block assigns, once for each assignment.
#[derive(Default)]
struct Assignments(Vec<LocalId>);

impl Assignments {
    fn of(block: &[Stmt]) -> Assignments {
        let mut found = Assignments::default();
        visit::walk(block, &mut found);
        found
    }

    fn count(&self, local: LocalId) -> usize {
        self.0.iter().filter(|found| **found == local).count()
    }
}

impl Visitor for Assignments {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0.extend(stmt.kind.declared());
    }

    fn place(&mut self, place: &Place, used: Use) {
        if let (Base::Local(local), Use::Write | Use::InOut | Use::LaneWrite) = (place.base, used) {
            self.0.push(local);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_core::ModuleSource;

    #[allow(missing_docs, unreachable_pub, clippy::never_loop, clippy::while_immutable_condition)]
    #[imminent_core::kernels]
    mod kernels {
        #[derive(Row)]
        pub struct Item {
            pub a: u32,
            pub b: u64,
        }
        #[derive(Params)]
        pub struct Rule {
            pub limit: u32,
        }

        #[kernel]
        pub fn ends_ranges(me: &mut Item) {
            for i in 0..me.a {
                for j in (0..i).rev() {
                    if j == 3 {
                        continue;
                    }
                    me.b += 1;
                }
            }
        }
        #[kernel]
        pub fn ends_counting_up(me: &mut Item, rule: &Rule) {
            let mut i = 0;
            while me.b < 100 && i < rule.limit * 2 {
                if me.a == 7 {
                    break;
                }
                me.b += 2;
                i += 1;
            }
        }
        #[kernel]
        pub fn ends_counting_down(me: &mut Item, all: &Rows<Item>) {
            let mut i = all.len();
            while i > 0 {
                i -= 1;
                let mut j = 9;
                while j != i {
                    me.b += all.get(j).b;
                    j -= 1;
                }
            }
        }
        #[kernel]
        pub fn open_loop(me: &mut Item) {
            loop {
                me.a += 1;
                if me.a > 5 {
                    break;
                }
            }
        }
        #[kernel]
        pub fn open_step_under_condition(me: &mut Item) {
            let mut i = 0;
            while i < 10 {
                if me.a > 5 {
                    i += 1;
                }
            }
        }
        #[kernel]
        pub fn open_step_skipped(me: &mut Item) {
            let mut i = 0;
            while i < 10 {
                if me.a > 5 {
                    continue;
                }
                i += 1;
            }
        }
        #[kernel]
        pub fn open_assigned_twice(me: &mut Item) {
            let mut i = 0;
            while i < 10 {
                i += 1;
                if me.a > 5 {
                    i = 0;
                }
            }
        }
        #[kernel]
        pub fn open_bound_moves(me: &mut Item) {
            let mut i = 0;
            let mut end = 10;
            while i < end {
                i += 1;
                end += me.a;
            }
        }
        #[kernel]
        pub fn open_bound_in_own_row(me: &mut Item) {
            let mut i = 0;
            while i < me.a {
                i += 1;
                me.a += 1;
            }
        }
        #[kernel]
        pub fn open_wrong_way(me: &mut Item) {
            let mut i = 5;
            while i > 0 {
                i += 1;
                me.a += 1;
            }
        }
        #[kernel]
        pub fn open_may_wrap(me: &mut Item) {
            let mut i: u32 = 0;
            while i < 4294967295 {
                i += 2;
                me.a += 1;
            }
        }
        #[kernel]
        pub fn open_bound_reached(me: &mut Item, rule: &Rule) {
            let mut i = 0;
            while i <= rule.limit {
                i += 1;
                me.a += 1;
            }
        }
        #[kernel]
        pub fn open_inner(me: &mut Item) {
            for i in 0..3 {
                while me.a != i {
                    me.a += 2;
                }
            }
        }
    }

    #[test]
    fn loops_that_count_are_told_from_those_that_may_not_end() {
        let source: &ModuleSource = kernels::source();
        let module = source.ir().unwrap();
        assert_eq!(module.kernels.len(), 13);
        for kernel in &module.kernels {
            let flat = imminent_ir::flatten(module, kernel).unwrap();
            let expected = if kernel.name.starts_with("ends_") { Loops::Bounded } else { Loops::Unbounded };
            assert_eq!(loops(&flat), expected, "{}", kernel.name);
        }
    }
}
