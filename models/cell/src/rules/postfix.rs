//! Rules compiled to postfix: the rule buffer that devices evaluate.
//!
//! A number is one element of the stack, a condition too: 1 true, 0 false, NaN undefined. Jumps go forward only, so an
//! evaluation ends.

use super::ast::{Binary, Compare, Expr, Host, Kind, Logic, Random, Rule, Test, Unary};
use super::kernels::codes as op;
use super::kernels::interpreter::{DEPTH, Operation};
use super::layers::Layers;
use super::model::Model;
use super::tree;
use thiserror::Error;

/// A model whose rules a device cannot evaluate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CompileError {
    /// An expression needs a deeper stack than devices have.
    #[error(
        "an expression of the rules needs {needed} intermediate values, more than the {DEPTH} that a device keeps: split it into several rules"
    )]
    TooDeep {
        /// Values needed.
        needed: u32,
    },
}

/// The rule buffer of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Code {
    pub(crate) operations: Vec<Operation>,
    /// First operation of each program for each port: all ports of the first program, then those of the next.
    pub(crate) starts: Vec<u32>,
    /// `true` if a rule draws random numbers.
    pub(crate) random: bool,
}

struct Compiler {
    layers: Layers,
    /// Neighbours of a cell in all layers.
    neighbours: u32,
    /// Port of the cells whose rules are compiled.
    port: u32,
    /// Milliseconds of a unit of time.
    unit: u64,
    /// Most operations that a part of a condition skips.
    most_skipped: usize,
    operations: Vec<Operation>,
    depth: u32,
    deepest: u32,
    random: bool,
}

impl Compiler {
    /// Returns the number by which an operation knows a neighbour or a variable.
    fn operand(&self, expr: &Expr) -> Option<u32> {
        match expr.kind {
            Kind::Cell { at, port } => Some(self.layers.seen(self.port, port).start + at),
            Kind::Variable(variable) => Some(self.neighbours + variable),
            _ => None,
        }
    }

    /// Adds an operation that takes `pops` elements of the stack and leaves `pushes`. Gives its place.
    fn emit(&mut self, code: u32, arg: u32, value: f64, pops: u32, pushes: u32) -> usize {
        self.depth = (self.depth + pushes).saturating_sub(pops);
        self.deepest = self.deepest.max(self.depth);
        self.operations.push(Operation { code, arg, value });
        self.operations.len() - 1
    }

    fn simple(&mut self, code: u32, pops: u32) {
        self.emit(code, 0, 0.0, pops, 1);
    }

    /// Lets a jump lead to the next operation.
    fn land(&mut self, jump: usize) {
        let here = self.operations.len() as u32;
        if let Some(operation) = self.operations.get_mut(jump) {
            if operation.code & op::PART == 0 {
                operation.arg = here;
            } else {
                operation.code += (here - jump as u32 - 1) * op::SKIP;
            }
        }
    }

    fn constant(&mut self, value: f64) {
        self.emit(op::PUSH, 0, value, 0, 1);
    }

    fn both(&mut self, code: u32, a: &Expr, b: &Expr) {
        match (self.operand(a), number(b)) {
            (Some(operand), Some(number)) => drop(self.emit(op::CELL + code, operand, number, 0, 1)),
            (_, Some(number)) => {
                self.expr(a);
                self.emit(op::WITH_NUMBER + code, 0, number, 1, 1);
            }
            _ => {
                self.expr(a);
                self.expr(b);
                self.simple(code, 2);
            }
        }
    }

    /// Compiles two conditions. `decided` jumps if the first one decides; then the second is not evaluated, unless it
    /// draws random numbers.
    fn either(&mut self, code: u32, decided: u32, a: &Expr, b: &Expr) {
        self.expr(a);
        let jump = (!b.draws()).then(|| self.emit(decided, 0, 0.0, 0, 0));
        self.expr(b);
        self.simple(code, 2);
        jump.into_iter().for_each(|jump| self.land(jump));
    }

    fn expr(&mut self, expr: &Expr) {
        if !expr.is_condition()
            && let Some(value) = tree::constant(expr)
        {
            return self.constant(value);
        }
        match &expr.kind {
            Kind::Number(value) => self.constant(*value),
            Kind::Undefined => self.constant(f64::NAN),
            Kind::Truth(truth) => self.constant(f64::from(u8::from(*truth))),
            Kind::Cell { .. } | Kind::Variable(_) => {
                if let Some(operand) = self.operand(expr) {
                    self.emit(op::CELL, operand, 0.0, 0, 1);
                }
            }
            Kind::Position(a) => {
                self.expr(a);
                self.emit(op::POSITION, self.layers.dimensions(), 0.0, 1, 1);
            }
            Kind::Time => {
                self.simple(op::TIME, 0);
                if self.unit > 1 {
                    self.emit(op::WITH_NUMBER + op::MULTIPLY, 0, self.unit as f64, 1, 1);
                }
            }
            Kind::Input(_) => self.simple(op::INPUT, 0),
            Kind::Count { value, port } => {
                self.expr(value);
                let seen = self.layers.seen(self.port, *port);
                self.emit(op::COUNT, seen.start, f64::from(seen.end - seen.start), 1, 1);
            }
            Kind::Unary(unary, a) => {
                self.expr(a);
                self.simple(
                    match unary {
                        Unary::Abs => op::ABS,
                        Unary::Sqrt => op::SQRT,
                        Unary::Floor => op::FLOOR,
                        Unary::Ceil => op::CEIL,
                        Unary::Round => op::ROUND,
                        Unary::Fractional => op::FRACTIONAL,
                        Unary::Sign => op::SIGN,
                        Unary::Negate => op::NEGATE,
                    },
                    1,
                );
            }
            Kind::Host(host, a) => {
                self.expr(a);
                self.simple(
                    match host {
                        Host::Sin => op::SIN,
                        Host::Cos => op::COS,
                        Host::Tan => op::TAN,
                        Host::Asin => op::ASIN,
                        Host::Acos => op::ACOS,
                        Host::Atan => op::ATAN,
                        Host::Sinh => op::SINH,
                        Host::Cosh => op::COSH,
                        Host::Tanh => op::TANH,
                        Host::Exp => op::EXP,
                        Host::Ln => op::LN,
                        Host::Log => op::LOG,
                    },
                    1,
                );
            }
            Kind::Binary(binary, a, b) => self.both(
                match binary {
                    Binary::Add => op::ADD,
                    Binary::Subtract => op::SUBTRACT,
                    Binary::Multiply => op::MULTIPLY,
                    Binary::Divide => op::DIVIDE,
                    Binary::Min => op::MIN,
                    Binary::Max => op::MAX,
                    Binary::Remainder => op::REMAINDER,
                    Binary::Power => op::POWER,
                    Binary::Root => op::ROOT,
                    Binary::Hypotenuse => op::HYPOTENUSE,
                },
                a,
                b,
            ),
            Kind::Compare(compare, a, b) => self.both(code_of(*compare), a, b),
            Kind::Logic(Logic::And, a, b) => self.either(op::AND, op::JUMP_IF_FALSE, a, b),
            Kind::Logic(Logic::Or, a, b) => self.either(op::OR, op::JUMP_IF_TRUE, a, b),
            Kind::Logic(logic, a, b) => self.both(
                match logic {
                    Logic::And => op::AND,
                    Logic::Or => op::OR,
                    Logic::Xor => op::XOR,
                    Logic::Implies => op::IMPLIES,
                    Logic::Equivalent => op::EQUIVALENT,
                },
                a,
                b,
            ),
            Kind::Not(a) => {
                self.expr(a);
                self.simple(op::NOT, 1);
            }
            Kind::Test(test, a) => {
                self.expr(a);
                self.simple(
                    match test {
                        Test::Undefined => op::IS_UNDEFINED,
                        Test::Integer => op::IS_INTEGER,
                        Test::Even => op::IS_EVEN,
                        Test::Odd => op::IS_ODD,
                    },
                    1,
                );
            }
            Kind::Random(random, parts) => {
                self.random = true;
                parts.iter().for_each(|part| self.expr(part));
                let code = match random {
                    Random::Unit => op::RANDOM,
                    Random::Uniform => op::UNIFORM,
                    Random::Integer => op::RANDOM_INTEGER,
                    Random::Sign => op::RANDOM_SIGN,
                    Random::Normal => op::NORMAL,
                    Random::Exponential => op::EXPONENTIAL,
                    Random::Poisson => op::POISSON,
                };
                self.simple(code, parts.len() as u32);
            }
            Kind::If(condition, then, other) => {
                self.expr(condition);
                let no = self.emit(op::JUMP_UNLESS, 0, 0.0, 1, 0);
                self.choice(no, then, other);
            }
            Kind::IfUndefined(condition, then, other, undefined) => {
                self.expr(condition);
                let unknown = self.emit(op::JUMP_IF_UNDEFINED, 0, 0.0, 0, 0);
                let no = self.emit(op::JUMP_UNLESS, 0, 0.0, 1, 0);
                self.choice(no, then, other);
                let end = self.emit(op::JUMP, 0, 0.0, 1, 0);
                self.land(unknown);
                // The undefined condition is still on the stack.
                self.emit(op::DROP, 0, 0.0, 0, 0);
                self.expr(undefined);
                self.land(end);
            }
        }
    }

    /// The two ways of a condition, of which one leaves its value.
    fn choice(&mut self, no: usize, then: &Expr, other: &Expr) {
        self.expr(then);
        let end = self.emit(op::JUMP, 0, 0.0, 1, 0);
        self.land(no);
        self.expr(other);
        self.land(end);
    }

    /// Compiles a part of a rule's condition that compares a neighbour or a variable with a number, with the jump to
    /// the next rule: one operation. Gives its place, or nothing if the part is another one.
    fn part(&mut self, part: &Expr, is_joined: bool, is_last: bool) -> Option<usize> {
        let Kind::Compare(compare, a, b) = &part.kind else { return None };
        let (operand, number) = (self.operand(a)?, number(b)?);
        let joined = if is_joined { op::JOINED } else { 0 };
        let last = if is_last { op::LAST } else { 0 };
        let code = op::CELL + op::PART + joined + last + code_of(*compare);
        Some(self.emit(code, operand, number, u32::from(is_joined), u32::from(!is_last)))
    }

    fn rule(&mut self, rule: &Rule) {
        let (first, depth) = (self.operations.len(), self.depth);
        if !self.rule_by(rule, true) {
            self.operations.truncate(first);
            self.depth = depth;
            self.rule_by(rule, false);
        }
    }

    /// Compiles a rule, with parts of its condition in one operation each if `merges` is `true`. Returns `false` if the
    /// rule is too long for these.
    fn rule_by(&mut self, rule: &Rule, merges: bool) -> bool {
        let mut parts = Vec::new();
        conjuncts(&rule.condition, &mut parts);
        // The condition of the last rule mostly is `t`.
        if let [part] = parts.as_slice()
            && part.kind == Kind::Truth(true)
        {
            parts.clear();
        }
        let mut exits = Vec::new();
        let last_draw = parts.iter().rposition(|part| part.draws()).unwrap_or(0);
        for (at, part) in parts.iter().enumerate() {
            let is_last = at + 1 == parts.len();
            if merges
                && at >= last_draw
                && let Some(exit) = self.part(part, at > 0, is_last)
            {
                exits.push(exit);
                continue;
            }
            self.expr(part);
            if at > 0 {
                self.simple(op::AND, 2);
            }
            if is_last {
                exits.push(self.emit(op::NEXT_UNLESS, 0, 0.0, 1, 0));
            } else if at >= last_draw {
                exits.push(self.emit(op::NEXT_IF_FALSE, 0, 0.0, 0, 0));
            }
        }
        match tree::constant(&rule.delay) {
            // A delay that changes is in milliseconds, which then are the unit.
            Some(delay) if self.unit > 1 => self.constant(delay.trunc() / self.unit as f64),
            _ => self.expr(&rule.delay),
        }
        for assign in &rule.assigns {
            self.expr(&assign.value);
            self.emit(op::STORE, assign.to, 0.0, 1, 0);
        }
        // Cells of all layers draw alike, so what others send is evaluated if it draws.
        for send in &rule.sends {
            if send.to == self.port {
                self.expr(&send.value);
            } else if send.value.draws() {
                self.expr(&send.value);
                self.emit(op::DROP, 0, 0.0, 1, 0);
            }
        }
        if rule.sends.iter().any(|send| send.to == self.port) {
            self.emit(op::STOP, 0, 0.0, 2, 0);
        } else {
            self.emit(op::QUIET, 0, 0.0, 1, 0);
        }
        let farthest = exits.first().map_or(0, |exit| self.operations.len() - exit - 1);
        if merges && farthest > self.most_skipped {
            return false;
        }
        exits.into_iter().for_each(|exit| self.land(exit));
        true
    }
}

/// Returns the code of a comparison.
fn code_of(compare: Compare) -> u32 {
    match compare {
        Compare::Equal => op::EQUAL,
        Compare::Differs => op::DIFFERS,
        Compare::Less => op::LESS,
        Compare::AtMost => op::AT_MOST,
        Compare::Greater => op::GREATER,
        Compare::AtLeast => op::AT_LEAST,
    }
}

/// Returns the value of an expression that is the same for all cells.
fn number(expr: &Expr) -> Option<f64> {
    match expr.kind {
        Kind::Undefined => Some(f64::NAN),
        _ if expr.is_condition() => None,
        _ => tree::constant(expr),
    }
}

/// The conditions that all have to be true for this one to be: it is false if one of them is.
fn conjuncts<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    if let Kind::Logic(Logic::And, a, b) = &expr.kind {
        conjuncts(a, found);
        conjuncts(b, found);
    } else {
        found.push(expr);
    }
}

/// Compiles the rules of a model.
pub(crate) fn compile(model: &Model) -> Result<Code, CompileError> {
    compile_within(model, (u32::MAX / op::SKIP) as usize)
}

/// Compiles the rules of a model, with at most so many operations that a part of a condition skips.
fn compile_within(model: &Model, most_skipped: usize) -> Result<Code, CompileError> {
    let mut compiler = Compiler {
        layers: model.layers(),
        neighbours: model.space().neighbours().len() as u32,
        port: 0,
        unit: model.unit(),
        most_skipped,
        operations: Vec::new(),
        depth: 0,
        deepest: 0,
        random: false,
    };
    let mut starts = Vec::new();
    for rules in model.programs() {
        for port in 0..model.layers().ports {
            compiler.port = port;
            starts.push(compiler.operations.len() as u32);
            rules.iter().for_each(|rule| compiler.rule(rule));
            // As in CD++, rules that draw may all be false.
            let draws = rules.iter().any(|rule| rule.condition.draws());
            compiler.emit(if draws { op::QUIET } else { op::NOTHING }, 0, 0.0, 0, 0);
        }
    }
    let needed = compiler.deepest + 1;
    if needed > DEPTH as u32 {
        return Err(CompileError::TooDeep { needed });
    }
    Ok(Code { operations: compiler.operations, starts, random: compiler.random })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    /// Codes of the rules of a model whose cells see one another in a line of three.
    fn codes(rules: &str, most_skipped: usize) -> Vec<u32> {
        let text = format!(
            "[top]\ncomponents : c\n[c]\ntype : cell\ndim : (1,3)\ndelay : inertial\nborder : nowrapped\n\
             neighbors : c(0,-1) c(0,0) c(0,1)\ninitialvalue : 0\nlocaltransition : r\n[r]\n{rules}\n"
        );
        let none = |file: &str| Err(std::io::Error::new(std::io::ErrorKind::NotFound, file.to_owned()));
        let model = Model::parse("line.ma", &text, &none).unwrap_or_else(|error| panic!("{error}"));
        let code = compile_within(&model, most_skipped).unwrap();
        code.operations.iter().map(|operation| operation.code).collect()
    }

    #[test]
    fn a_part_of_a_condition_is_one_operation() {
        let rules = "rule : 1 100 { (0,-1) > 0 and (0,0) = 0 and (0,1) != ? }\nrule : 2 100 { t }";
        let part = op::CELL + op::PART;
        let both = [op::PUSH, op::PUSH, op::STOP];
        let merged = [
            part + op::GREATER + 5 * op::SKIP,
            part + op::JOINED + op::EQUAL + 4 * op::SKIP,
            part + op::JOINED + op::LAST + op::DIFFERS + 3 * op::SKIP,
        ];
        assert_eq!(codes(rules, 5), [&merged[..], &both, &both, &[op::NOTHING]].concat());
        let apart = [
            &[op::CELL + op::GREATER, op::NEXT_IF_FALSE, op::CELL + op::EQUAL, op::AND, op::NEXT_IF_FALSE][..],
            &[op::CELL + op::DIFFERS, op::AND, op::NEXT_UNLESS],
        ];
        assert_eq!(codes(rules, 4), [&apart.concat()[..], &both, &both, &[op::NOTHING]].concat());
    }
}
