//! Expressions of rules.

use super::error::Span;

/// Functions of one number that have the same bits everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Abs,
    Sqrt,
    /// Rounds down: CD++'s `trunc`.
    Floor,
    /// Rounds up: CD++'s `truncUpper`.
    Ceil,
    /// Rounds to the nearest integer, halves to the even one.
    Round,
    Fractional,
    Sign,
    Negate,
}

/// Elementary functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log,
}

/// Functions of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Min,
    Max,
    Remainder,
    Power,
    /// The root of a number, by its degree.
    Root,
    /// Length of the longest side of a right triangle, by the others.
    Hypotenuse,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Equal,
    Differs,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// Connectives of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logic {
    And,
    Or,
    Xor,
    Implies,
    Equivalent,
}

/// Questions about one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Undefined,
    Integer,
    Even,
    Odd,
}

/// Random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Random {
    /// Uniform in [0, 1).
    Unit,
    /// Uniform between two numbers.
    Uniform,
    /// An integer from 0 to a number, that one included.
    Integer,
    /// 1 or -1.
    Sign,
    /// Normal, by mean and deviation.
    Normal,
    /// Exponential, by the mean.
    Exponential,
    /// Poisson, by the mean.
    Poisson,
}

/// Parts of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Number(f64),
    Undefined,
    /// A neighbour by its position in the neighbourhood, and the port whose value is meant.
    Cell {
        at: u32,
        port: u32,
    },
    /// A state variable of the cell.
    Variable(u32),
    /// A coordinate of the cell.
    Position(Box<Expr>),
    Time,
    /// Value of the external input; of the port that is named, or of the one that it came to.
    Input(Option<String>),
    /// Number of neighbours with a value at a port.
    Count {
        value: Box<Expr>,
        port: u32,
    },
    Unary(Unary, Box<Expr>),
    Host(Host, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Random(Random, Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    IfUndefined(Box<Expr>, Box<Expr>, Box<Expr>, Box<Expr>),
    Truth(bool),
    Compare(Compare, Box<Expr>, Box<Expr>),
    Logic(Logic, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Test(Test, Box<Expr>),
}

/// An expression and its place.
///
/// Properties of all parts are found when an expression is made, so no pass over a rule looks at a part twice.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Expressions inside one another, this one included.
    height: u32,
    constant: bool,
    draws: bool,
}

impl Expr {
    pub(super) fn new(kind: Kind, span: Span) -> Self {
        let changes = matches!(
            kind,
            Kind::Cell { .. }
                | Kind::Variable(_)
                | Kind::Position(_)
                | Kind::Time
                | Kind::Input(_)
                | Kind::Count { .. }
                | Kind::Random(..)
        );
        let mut expr = Expr { draws: matches!(kind, Kind::Random(..)), constant: !changes, height: 1, kind, span };
        let all = expr.parts().into_iter().map(|part| (part.height, part.constant, part.draws));
        let of_parts = all.reduce(|a, b| (a.0.max(b.0), a.1 && b.1, a.2 || b.2));
        if let Some((height, constant, draws)) = of_parts {
            expr.height += height;
            expr.constant &= constant;
            expr.draws |= draws;
        }
        expr
    }

    /// Returns the expression at another place.
    pub(super) fn at(self, span: Span) -> Self {
        Expr { span, ..self }
    }

    /// Returns the number of expressions inside one another, this one included.
    pub(super) const fn height(&self) -> u32 {
        self.height
    }

    /// Returns `true` if the expression draws random numbers.
    pub(super) const fn draws(&self) -> bool {
        self.draws
    }

    /// Returns `true` if the expression is a condition, `false` if it is a number.
    pub(super) const fn is_condition(&self) -> bool {
        matches!(self.kind, Kind::Truth(_) | Kind::Compare(..) | Kind::Logic(..) | Kind::Not(_) | Kind::Test(..))
    }

    /// Returns the expressions directly inside this one.
    pub(super) fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Number(_)
            | Kind::Undefined
            | Kind::Cell { .. }
            | Kind::Variable(_)
            | Kind::Time
            | Kind::Input(_)
            | Kind::Truth(_) => Vec::new(),
            Kind::Position(a)
            | Kind::Count { value: a, .. }
            | Kind::Unary(_, a)
            | Kind::Host(_, a)
            | Kind::Not(a)
            | Kind::Test(_, a) => vec![a],
            Kind::Binary(_, a, b) | Kind::Compare(_, a, b) | Kind::Logic(_, a, b) => vec![a, b],
            Kind::If(a, b, c) => vec![a, b, c],
            Kind::IfUndefined(a, b, c, d) => vec![a, b, c, d],
            Kind::Random(_, parts) => parts.iter().collect(),
        }
    }

    /// Returns `true` if the value is that of the cell itself at a port; `own` is the cell among its neighbours.
    pub(super) fn is_own(&self, own: Option<u32>, of_port: u32) -> bool {
        matches!(self.kind, Kind::Cell { at, port } if Some(at) == own && port == of_port)
    }

    /// Finds a part that asks for the input of another port than `port`.
    pub(super) fn of_another_port(&self, port: &str) -> Option<&Expr> {
        match &self.kind {
            Kind::Input(Some(name)) if name != port => Some(self),
            _ => self.parts().into_iter().find_map(|part| part.of_another_port(port)),
        }
    }

    /// Returns `true` if the expression has the same value at every evaluation.
    pub(super) const fn is_constant(&self) -> bool {
        self.constant
    }
}

/// An expression whose value goes to a port or a state variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    /// Number of the port or variable.
    pub(super) to: u32,
    pub(super) value: Expr,
}

/// `rule : {value} {delay} {condition}`, or `rule : {~port := value;} {$variable := value;} {delay} {condition}`.
///
/// As in CD++, the delay is evaluated first, then the variables get their values one after another, and the values that
/// are sent see them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rule {
    /// Values for ports, of which each occurs once.
    pub(super) sends: Vec<Given>,
    /// Values for variables, in their order.
    pub(super) assigns: Vec<Given>,
    pub(super) delay: Expr,
    pub(super) condition: Expr,
    /// Place of a `send`, which does nothing.
    pub(super) leaves: Option<Span>,
}

impl Rule {
    /// Returns all expressions of the rule.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let given = self.sends.iter().chain(&self.assigns).map(|given| &given.value);
        given.chain([&self.delay, &self.condition])
    }
}
