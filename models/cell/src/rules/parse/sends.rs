//! Values of a rule that go to ports and state variables.

use super::{Given, Parsed, Parser};
use crate::rules::error::Problem;
use crate::rules::token::{Token, Word};

/// Number of the port `out`.
const OUT: u32 = 0;

impl Parser<'_> {
    /// Returns `true` if the words that follow, from a number on, are these symbols.
    fn follows(&self, from: usize, symbol: &str) -> bool {
        matches!(self.tokens.get(self.at + from), Some(Token { word: Word::Symbol(found), .. }) if *found == symbol)
    }

    /// Reads the name after `~` or `$`, and returns its number in a list.
    fn member(&mut self, all: &[String], what: &str, key: &str) -> Parsed<u32> {
        let span = self.here();
        let Some(Word::Name(name)) = self.peek().map(|token| token.word.clone()) else {
            return Err(self.unexpected(&format!("the name of a {what}")));
        };
        self.at += 1;
        // The port by which neighbours see `out` has a name of its own.
        let name = if key == "neighborports" && name == "neighborchange" { "out".to_owned() } else { name };
        all.iter().position(|known| *known == name).map(|at| at as u32).ok_or_else(|| {
            let problem = Problem::new(span, format!("there is no {what} `{name}`"), "not known");
            problem.note(format!("known: {}", all.join(", "))).note(format!("add it to `{key}` of the model"))
        })
    }

    /// Reads the name of a port.
    pub(super) fn port(&mut self) -> Parsed<u32> {
        self.member(self.names.ports, "port", "neighborports")
    }

    /// Reads the name of a state variable.
    pub(super) fn variable(&mut self) -> Parsed<u32> {
        self.member(self.names.variables, "state variable", "statevariables")
    }

    /// Reads `~port` where it may stand, and returns the number of the port: that of `out` without one.
    pub(super) fn port_if_any(&mut self) -> Parsed<u32> {
        if self.eat("~") { self.port() } else { Ok(OUT) }
    }

    /// Reads the values that a rule sends: one for `out`, or a list `{~port := value; send(port, value);}`.
    pub(super) fn sends(&mut self) -> Parsed<Vec<Given>> {
        if self.follows(0, "{") && (self.follows(1, "~") || self.follows(1, "}")) {
            self.at += 1;
            return self.list();
        }
        let begun = self.at;
        if self.eat("{") {
            let value = self.expression()?;
            if self.is(";") {
                // A list that begins with `send`.
                self.at = begun + 1;
                return self.list();
            }
            let value = self.number(value)?;
            self.expect("}", "the end of a value")?;
            return Ok(vec![Given { to: OUT, value }]);
        }
        Ok(vec![Given { to: OUT, value: self.result("a value")? }])
    }

    /// Reads values for ports up to a brace.
    fn list(&mut self) -> Parsed<Vec<Given>> {
        let mut sends: Vec<Given> = Vec::new();
        while !self.eat("}") {
            let span = self.here();
            if self.eat("~") {
                let to = self.port()?;
                if sends.iter().any(|send| send.to == to) {
                    let problem = Problem::new(span, "a rule sends by a port twice", "the second value");
                    return Err(problem.note("leave one of them out"));
                }
                self.expect(":=", "the value that the port gets")?;
                sends.push(Given { to, value: self.number_argument()? });
            } else {
                self.number_argument()?;
                if self.leaves.is_none() {
                    return Err(Problem::new(span, "a value goes to no port", "expected `~port := value;`"));
                }
            }
            self.expect(";", "the end of what a port gets")?;
        }
        Ok(sends)
    }

    /// Reads the values that a rule gives to state variables, if it has any: `{$variable := value;}`.
    pub(super) fn assigns(&mut self) -> Parsed<Vec<Given>> {
        let mut assigns = Vec::new();
        let begins = self.follows(1, "}") || (self.follows(1, "$") && self.follows(3, ":="));
        if !self.follows(0, "{") || !begins {
            return Ok(assigns);
        }
        self.at += 1;
        while !self.eat("}") {
            self.expect("$", "a state variable")?;
            let to = self.variable()?;
            self.expect(":=", "the value that the variable gets")?;
            assigns.push(Given { to, value: self.number_argument()? });
            self.expect(";", "the end of what a variable gets")?;
        }
        Ok(assigns)
    }
}
