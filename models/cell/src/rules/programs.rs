//! The rules that cells and inputs use, by their number.

use super::ast::{Expr, Given, Kind, Rule};
use super::error::{Built, Notice, Problem, Span};
use super::parse::{self, Names};
use super::sections::{Entry, Section};
use super::source::{Sources, text_of};
use std::collections::HashMap;

/// Rules of sections, read when they are first asked for.
pub(super) struct Programs<'a> {
    sources: &'a Sources,
    /// Sections by their name: of equals the first.
    sections: HashMap<&'a str, &'a Section>,
    names: &'a Names<'a>,
    programs: Vec<Vec<Rule>>,
    numbers: HashMap<String, u32>,
    /// Number of the rule that ports without rules of their own use: they take the value that arrives.
    taking: Option<u32>,
    notices: Vec<Notice>,
}

impl<'a> Programs<'a> {
    pub(super) fn new(sources: &'a Sources, sections: &'a [Section], names: &'a Names<'a>) -> Self {
        let sections = sections.iter().rev().map(|section| (section.name.as_str(), section)).collect();
        let (programs, numbers, notices) = (Vec::new(), HashMap::new(), Vec::new());
        Programs { sources, sections, names, programs, numbers, taking: None, notices }
    }

    /// Returns the number of the rules of a section, which is named at `span`.
    pub(super) fn of_section(&mut self, name: &str, span: &Span) -> Built<u32> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let rules = self.sections.get(name).ok_or_else(|| {
            Problem::new(span.clone(), format!("there is no section `[{name}]` with rules"), "named here")
        })?;
        if let Some(entry) = rules.first("else") {
            let message = "`else` is not supported among rules";
            return Err(Problem::new(entry.key_span.clone(), message, "expected `rule : {value} delay {condition}`"));
        }
        if let Some(entry) = rules.entries.iter().find(|entry| entry.key != "rule") {
            let message = "an entry among rules is none and is passed over, as in CD++".to_owned();
            self.notices.push(Notice { span: entry.key_span.clone(), message });
        }
        let rule = |entry: &Entry| parse::rule(self.sources.text(), &entry.value, self.names);
        let rules: Vec<Rule> = rules.all("rule").map(rule).collect::<Built<_>>()?;
        if let Some(span) = rules.iter().find_map(|rule| rule.leaves.clone()) {
            let message = "what `send` gives to a port is not recorded; its value is 0, as in CD++".to_owned();
            self.notices.push(Notice { span, message });
        }
        if rules.is_empty() {
            return Err(Problem::new(span.clone(), format!("`[{name}]` has no rules"), "named here"));
        }
        let number = self.add(rules);
        self.numbers.insert(name.to_owned(), number);
        Ok(number)
    }

    /// Returns the number of the rules of a section that a cell evaluates when an input comes to `port`.
    pub(super) fn of_port(&mut self, name: &str, port: &str, span: &Span) -> Built<u32> {
        let number = self.of_section(name, span)?;
        let rules = self.programs.get(number as usize).map_or(&[][..], Vec::as_slice);
        let other = |rule: &Rule| rule.expressions().find_map(|expr| expr.of_another_port(port)).cloned();
        match rules.iter().find_map(other) {
            None => Ok(number),
            Some(expr) => {
                let message = format!("these are the rules of the port `{port}`, which know no other input");
                Err(Problem::new(expr.span, message, "another port").note("write `portValue(thisPort)`"))
            }
        }
    }

    /// Returns the number of the rule of a port without rules: the cell takes the value of the input after the default
    /// delay of `model`. The port is linked at `span`.
    pub(super) fn of_plain_port(&mut self, model: &Section, port: &str, span: &Span) -> Built<u32> {
        if let Some(number) = self.taking {
            return Ok(number);
        }
        let Some(entry) = model.first("defaultdelaytime") else {
            let message = format!("the port `{port}` has no rules, and the model no default delay");
            return Err(Problem::new(span.clone(), message, "linked here")
                .note("add `portInTransition : port@model(row,column) rules`")
                .note("or `defaultDelayTime : milliseconds`, after which the cell takes on the value that comes"));
        };
        let milliseconds = text_of(self.sources, &entry.value).parse::<u32>().ok();
        let milliseconds = milliseconds.filter(|&delay| i32::try_from(delay).is_ok()).ok_or_else(|| {
            let message = format!("`defaultDelayTime` has to be whole milliseconds from 0 to {}", i32::MAX);
            Problem::new(entry.value.clone(), message, "no such number")
        })?;
        let expr = |kind| Expr::new(kind, span.clone());
        let number = self.add(vec![Rule {
            sends: vec![Given { to: 0, value: expr(Kind::Input(None)) }],
            assigns: Vec::new(),
            delay: expr(Kind::Number(f64::from(milliseconds))),
            condition: expr(Kind::Truth(true)),
            leaves: None,
        }]);
        self.taking = Some(number);
        Ok(number)
    }

    fn add(&mut self, rules: Vec<Rule>) -> u32 {
        self.programs.push(rules);
        self.programs.len() as u32 - 1
    }

    /// Returns the rules by their numbers, and what was passed over.
    pub(super) fn into_rules(self) -> (Vec<Vec<Rule>>, Vec<Notice>) {
        (self.programs, self.notices)
    }
}
