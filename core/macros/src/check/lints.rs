//! Operations that fail for all rows: those that rustc's lints `unconditional_panic` and `arithmetic_overflow` refuse
//! elsewhere.
//!
//! rustc does not see the user's operators, which become calls with a total meaning. So constants are followed here:
//! through operators, casts, and `let` bindings that are never assigned again. Branches with a constant false condition
//! are skipped, as rustc does.

use super::eval::{self, Evaluator};
use super::infer::Infer;
use crate::hir::{Arg, Base, Block, Body, Expr, Kind, Place, Step, Stmt};
use crate::lower::children;
use crate::program::Program;
use crate::ty::Ty;
use crate::values;
use imminent_ir::{BinaryOp, UnaryOp, Value};
use std::collections::{HashMap, HashSet};

/// Reports the operations of a checked function.
pub(super) fn function(program: &Program<'_>, infer: &Infer, body: &Body) {
    let mut written = HashSet::new();
    find_written(&body.root, &mut written);
    let mut lints = Lints { program, infer, written, known: HashMap::new() };
    lints.fold(&body.root);
}

struct Lints<'l, 'a> {
    program: &'l Program<'a>,
    infer: &'l Infer,
    /// Locals that are assigned after their declaration.
    written: HashSet<u32>,
    /// The values of locals.
    known: HashMap<u32, Value>,
}

fn find_written(e: &Expr, written: &mut HashSet<u32>) {
    let mut note = |place: &Place| {
        if let Base::Local(local) = place.base {
            written.insert(local);
        }
    };
    match &e.kind {
        Kind::Assign(place, _) | Kind::Update(place, ..) => note(place),
        Kind::Call(_, args) => {
            for arg in args {
                if let Arg::InOut(place, true) | Arg::Resource(place, true) = arg {
                    note(place);
                }
            }
        }
        _ => {}
    }
    children(e, &mut |child| find_written(child, written));
}

impl Lints<'_, '_> {
    fn report(&self, e: &Expr, message: String) {
        self.program.errors.at(e.span, message);
    }

    fn integer(&self, ty: &Ty) -> Option<imminent_ir::Scalar> {
        match self.infer.deep(ty) {
            Ty::Scalar(scalar) if scalar.is_integer() => Some(scalar),
            _ => None,
        }
    }

    /// Checks an expression, and returns its value if it is constant.
    fn fold(&mut self, e: &Expr) -> Option<Value> {
        let ty = self.infer.deep(&e.ty);
        match &e.kind {
            Kind::Integer(_) | Kind::Float(_) | Kind::Value(_) => eval::evaluate(self.program, self.infer, e).ok(),
            Kind::Place(place) => self.place(e, place),
            Kind::Unary(UnaryOp::Neg, operand) if matches!(operand.kind, Kind::Integer(_)) => {
                eval::evaluate(self.program, self.infer, e).ok()
            }
            Kind::Unary(op, operand) => {
                let operand = self.fold(operand)?;
                let value = values::unary(*op, &ty, &operand);
                if let (None, Some(scalar), Some(n)) = (&value, self.integer(&ty), values::number(&operand)) {
                    self.report(e, format!("`-({n})` overflows `{scalar}`: write `wrapping_neg()` if it is to wrap"));
                }
                value
            }
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let closed = Value::Bool(*op == BinaryOp::Or);
                let left = self.fold(a);
                if left.as_ref() == Some(&closed) {
                    return left;
                }
                let right = self.fold(b);
                left.and(right)
            }
            Kind::Binary(op, a, b) => {
                let (left, right) = (self.fold(a), self.fold(b));
                if self.goes_wrong(e, *op, &a.ty, left.as_ref(), right.as_ref()) {
                    return None;
                }
                values::binary(*op, &ty, &left?, &right?)
            }
            Kind::Wrapping(inner) => match &inner.kind {
                Kind::Binary(op, a, b) => {
                    let (left, right) = (self.fold(a), self.fold(b));
                    values::wrapping(*op, &ty, &left?, &right?)
                }
                Kind::Unary(_, operand) => {
                    self.fold(operand);
                    None
                }
                _ => self.fold(inner),
            },
            Kind::Cast(operand) => values::cast(&ty, &self.fold(operand)?),
            Kind::Builtin(op, args) => {
                let args: Vec<Option<Value>> = args.iter().map(|arg| self.fold(arg)).collect();
                values::builtin(*op, &ty, &args.into_iter().collect::<Option<Vec<_>>>()?)
            }
            Kind::If(condition, then, otherwise) => match self.fold(condition) {
                Some(Value::Bool(true)) => self.fold(then),
                Some(_) => otherwise.as_ref().and_then(|otherwise| self.fold(otherwise)),
                None => {
                    self.fold(then);
                    otherwise.iter().for_each(|otherwise| drop(self.fold(otherwise)));
                    None
                }
            },
            Kind::While(condition, body) => {
                if self.fold(condition) != Some(Value::Bool(false)) {
                    self.fold(body);
                }
                None
            }
            // The arm that a constant selects is not followed.
            Kind::Match(scrutinee, _) if self.fold(scrutinee).is_some() => None,
            Kind::Match(_, arms) => {
                for arm in arms {
                    arm.guard.iter().for_each(|guard| drop(self.fold(guard)));
                    self.fold(&arm.body);
                }
                None
            }
            Kind::Block(block) => self.block(block),
            Kind::Update(place, op, value, ty) => {
                self.indices(place);
                let value = self.fold(value);
                self.goes_wrong(e, *op, ty, None, value.as_ref());
                None
            }
            Kind::Phase(phase) => {
                function(self.program, self.infer, &phase.body);
                None
            }
            _ => {
                let mut inner = Vec::new();
                children(e, &mut |child| inner.push(child));
                inner.into_iter().for_each(|child| drop(self.fold(child)));
                None
            }
        }
    }

    /// Reports an operation that fails, and returns `true` if it does.
    fn goes_wrong(&self, e: &Expr, op: BinaryOp, ty: &Ty, left: Option<&Value>, right: Option<&Value>) -> bool {
        let (Some(scalar), Some(count)) = (self.integer(ty), right.and_then(values::number)) else { return false };
        let shown = |left: &Value, sign: &str| {
            let left = values::number(left).unwrap_or_default();
            if count < 0 { format!("{left} {sign} ({count})") } else { format!("{left} {sign} {count}") }
        };
        let message = match op {
            BinaryOp::Div if count == 0 => {
                "this divides by zero, whatever the rows hold: it would give 0 and a fault".to_owned()
            }
            BinaryOp::Rem if count == 0 => {
                "this takes a remainder by zero, whatever the rows hold: it would give 0 and a fault".to_owned()
            }
            BinaryOp::Shl | BinaryOp::Shr if !(0..i128::from(scalar.bits())).contains(&count) => {
                let (bits, method) = (scalar.bits(), if op == BinaryOp::Shl { "wrapping_shl" } else { "wrapping_shr" });
                format!(
                    "this shifts by {count} and `{scalar}` has {bits} bits: write `{method}` if the count is meant modulo {bits}"
                )
            }
            _ => {
                let (sign, method) = match op {
                    BinaryOp::Add => ("+", "`wrapping_add`"),
                    BinaryOp::Sub => ("-", "`wrapping_sub`"),
                    BinaryOp::Mul => ("*", "`wrapping_mul`"),
                    BinaryOp::Div => ("/", "`wrapping_neg`"),
                    BinaryOp::Rem => ("%", "0"),
                    _ => return false,
                };
                match left {
                    Some(left) if values::binary(op, &Ty::Scalar(scalar), left, right.unwrap_or(left)).is_none() => {
                        format!("`{}` overflows `{scalar}`: write {method} if it is to wrap", shown(left, sign))
                    }
                    _ => return false,
                }
            }
        };
        self.report(e, message);
        true
    }

    fn block(&mut self, block: &Block) -> Option<Value> {
        for stmt in &block.stmts {
            let e = match stmt {
                Stmt::Let(local, Some(init), _) => {
                    let value = self.fold(init);
                    if let (Some(value), false) = (value, self.written.contains(local)) {
                        self.known.insert(*local, value);
                    }
                    init
                }
                Stmt::Let(..) => continue,
                Stmt::Expr(e) => {
                    self.fold(e);
                    e
                }
            };
            if self.infer.deep(&e.ty) == Ty::Never {
                return None;
            }
        }
        block.tail.as_ref().and_then(|tail| self.fold(tail))
    }

    fn indices(&mut self, place: &Place) {
        match &place.base {
            Base::RowOf(rows, index, _) => {
                self.indices(rows);
                self.fold(index);
            }
            Base::Value(value) => drop(self.fold(value)),
            _ => {}
        }
        for step in &place.path {
            if let Step::Index(index) = step {
                self.fold(index);
            }
        }
    }

    fn place(&mut self, e: &Expr, place: &Place) -> Option<Value> {
        self.indices(place);
        match &place.base {
            Base::Local(local) if place.path.is_empty() => self.known.get(local).cloned(),
            Base::Const(id) if !self.program.outside.has(*id) => {
                Evaluator { program: self.program, infer: self.infer }.place(e, place).ok()
            }
            _ => None,
        }
    }
}
